# SPDX-License-Identifier: Apache-2.0
"""Phrases and orders that every report shares, so that all of them say the same thing."""

import math
from collections import Counter
from collections.abc import Iterable
from functools import cmp_to_key
from pathlib import PurePath

from ctxgate.readings.model import Caution, Problem
from ctxgate.report.text import shorten
from ctxgate.report.units import count_text, percent, plural, signed_percent, value_text
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Side, Verdict, worst

NAME_LIMIT = 200
"""Longer benchmark names lose their middle; the JSON report has them whole."""


def _compare(one: Decision, other: Decision) -> int:
    return -1 if worst((one, other)) is one else 1


_RANK = {kind: rank for rank, kind in enumerate(sorted(Decision, key=cmp_to_key(_compare)))}


def worst_first(rows: Iterable[BenchmarkVerdict]) -> list[BenchmarkVerdict]:
    """Gated before not gated, worst verdict first, then the largest change, then by name."""
    return sorted(rows, key=lambda row: (not row.gated, _RANK[row.verdict], _descending(row)))


def _descending(row: BenchmarkVerdict) -> tuple[float, str]:
    unknown = row.change is None or math.isnan(row.change)  # NaN would leave the order to chance
    return (-math.inf if unknown else -(row.change or 0.0), row.name)


def name_of(row: BenchmarkVerdict) -> str:
    """The row's name, of bearable length; not yet cleaned."""
    return shorten(row.name, NAME_LIMIT)


def change_text(row: BenchmarkVerdict) -> str:
    """`+0.8 %`, or "" where nothing was compared."""
    return "" if row.change is None else signed_percent(row.change, apart_from=row.tolerance)


def interval_text(row: BenchmarkVerdict) -> str:
    """`[-0.9 %, +1.6 %]`, or "" where there is none or it is exact (a point)."""
    if row.interval is None or row.interval == (row.change, row.change):
        return ""
    if all(map(math.isinf, row.interval)):
        return "[unbounded]"
    low, high = (signed_percent(bound, apart_from=row.tolerance) for bound in row.interval)
    return f"[{low}, {high}]"


def limits(row: BenchmarkVerdict) -> list[str]:
    """`tolerance 3 %` and `sees 2.1 %`, as far as known."""
    parts = [] if row.tolerance is None else [f"tolerance {percent(row.tolerance)}"]
    return [*parts, f"sees {mde_text(row)}"] if row.mde is not None else parts


def mde_text(row: BenchmarkVerdict) -> str:
    """`2.1 %`, `nothing` where no change however large would be caught, "" where unknown."""
    if row.mde is None:
        return ""
    return "nothing" if math.isinf(row.mde) else percent(row.mde)


def evidence(row: BenchmarkVerdict) -> str:
    """`+0.8 % [-0.9 %, +1.6 %] (tolerance 3 %, sees 2.1 %)`, as far as known."""
    words = [change_text(row), interval_text(row)]
    known = limits(row)
    if known:
        words.append(f"({', '.join(known)})")
    return " ".join(word for word in words if word)


def values(row: BenchmarkVerdict, clock: str) -> tuple[str, str]:
    """Both sides in the same unit; "" for a side that is not there."""
    like = row.baseline.value if row.baseline else None

    def shown(side: Side | None) -> str:
        return value_text(side.value, clock, like=like) if side else ""

    return shown(row.baseline), shown(row.contender)


def switches(row: BenchmarkVerdict) -> tuple[str, str] | None:
    """Counted switches per round trip of both sides; None where a side carries no count."""
    sides = (row.baseline, row.contender)
    counts = [count_text(side.switches) for side in sides if side and side.switches is not None]
    return (counts[0], counts[1]) if len(counts) == 2 else None


def moved_switches(row: BenchmarkVerdict) -> str:
    """`2.00 → 2.50` where the sides differ as printed, else ""."""
    counts = switches(row)
    return f"{counts[0]} → {counts[1]}" if counts and counts[0] != counts[1] else ""


def tally(verdict: Verdict) -> str:
    """`12 compared, 12 gated: 1 regression, 11 pass; 2 not gated`."""
    rows = verdict.benchmarks
    compared = sum(row.baseline is not None and row.contender is not None for row in rows)
    kinds = Counter(row.verdict for row in rows if row.gated)
    text = f"{compared:,} compared, {kinds.total():,} gated"
    if kinds:
        order = sorted(kinds, key=_RANK.__getitem__)
        text += ": " + ", ".join(f"{kinds[kind]:,} {kind.value}" for kind in order)
    free = len(rows) - kinds.total()
    return f"{text}; {free:,} not gated" if free else text


def side_text(side: Side) -> str:
    """`5 sessions, 40 runs`."""
    return f"{plural(side.sessions, 'session')}, {plural(side.runs, 'run')}"


def problem_text(problem: Problem, *, short: bool = False) -> str:
    """File, benchmark and message in one sentence; with `short` the file's last name only."""
    file = PurePath(problem.file).name if short else problem.file
    words = [word for word in (file, problem.benchmark) if word and word not in problem.message]
    return ": ".join([*words, cause_of(problem)])


def cause_of(problem: Problem | Caution) -> str:
    """The message, or what comes nearest to one: a red line without a word helps nobody."""
    return problem.message or problem.kind or "(no message)"


def more(count: int, noun: str, where: str = "the JSON report has them all") -> str:
    """`... and 37 more warnings; the JSON report has them all`."""
    return f"… and {plural(count, f'more {noun}')}; {where}"
