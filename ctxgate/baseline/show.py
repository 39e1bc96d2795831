# SPDX-License-Identifier: Apache-2.0
"""A baseline drawn for a terminal: its sessions, their noise, and what a gate can promise."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ctxgate.baseline.load import label_of
from ctxgate.baseline.model import Baseline, BenchmarkNoise, Provenance, StoredFile
from ctxgate.noise.names import is_canary
from ctxgate.noise.summaries import Summary, gather, mean, sample_variance, summarise
from ctxgate.readings.model import Clock, Reading, SessionSet

_BARS = "▁▂▃▄▅▆▇█"
_DIGITS = "12345678"
_MOST_DRAWN = 60
_UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"))
_LEGEND = (
    "One bar a session, in the order of their recording. The middle is their mean; bottom and top\n"
    "are one tolerance away from it, or as far as the farthest session where that is more.\n"
    "noise: standard deviation between sessions. certifies: the smallest tolerance that unchanged\n"
    "code passes 19 times in 20. sees (MDE): the smallest change that is caught 4 times in 5.\n"
)


class Look(NamedTuple):
    """What the terminal can show."""

    ascii_only: bool


def show(stored: StoredFile, side: SessionSet, look: Look) -> str:
    """The text, ending in a newline. It never says whether the file may be believed."""
    baseline = stored.baseline
    lines = [*_heading(stored), ""]
    for name, sessions in gather(side).items():
        noise = baseline.noise.benchmarks.get(name)
        lines += [name, *_drawn(baseline.clock, sessions, noise, look)]
        lines += [_promise(name, noise), ""] if noise is not None else [""]
    text = "\n".join(lines) + f"\n{_LEGEND}"
    return text.replace("µ", "u") if look.ascii_only else text


def _heading(stored: StoredFile) -> list[str]:
    baseline = stored.baseline
    runs = sorted({len(session.runs) for session in baseline.sessions})
    of = f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"
    title = f"{label_of(stored.path)}: {baseline.label} ({baseline.hardware}), {baseline.tier} tier"
    dates = _dates(baseline)
    lines = [
        f"{title}, serial {baseline.serial}",
        f"{len(baseline.sessions)} sessions of {of} runs{dates}",
    ]
    return [*lines, *(_entry(entry) for entry in baseline.provenance)]


def _dates(baseline: Baseline) -> str:
    found = [baseline.facts.record.get("date", "")]
    for session in baseline.sessions:
        found.append(session.facts.record.get("date", ""))
        found += [run.facts.record.get("date", "") for run in session.runs]
    known = sorted(date for date in found if date)
    return f", measured {known[0]} to {known[-1]}" if known else ""


def _entry(entry: Provenance) -> str:
    return (
        f"serial {entry.serial}: {entry.action} {entry.time}, commit {entry.commit[:12]}, "
        f"approved by {entry.approved_by}: {entry.reason} ({entry.compared})"
    )


def _drawn(
    clock: Clock, sessions: Sequence[Sequence[Reading]], noise: BenchmarkNoise | None, look: Look
) -> list[str]:
    """Floor and typical of every session that has the benchmark; the gated one is marked."""
    present = [readings for readings in sessions if readings]
    summaries = summarise(present, least_runs=min(map(len, present)))
    tolerance = math.log1p(noise.tolerance) if noise is not None else 0.0
    lines = []
    for word, summary in (("floor", summaries.floor), ("typical", summaries.typical)):
        mark = "*" if noise is not None and noise.metric == word else " "
        lines.append(f" {mark}{word:<8}{_strip(clock, summary, tolerance, look)}")
    return lines


def _strip(clock: Clock, summaries: Sequence[Summary], tolerance: float, look: Look) -> str:
    values = [summary.value for summary in summaries]
    level = mean(values)
    low, high = min(values), max(values)
    reach = max(tolerance, high - level, level - low) or 1.0
    marks = _DIGITS if look.ascii_only else _BARS
    drawn = values[-_MOST_DRAWN:]
    bars = "".join(marks[_step((value - level) / reach)] for value in drawn)
    cut = f" (the last {len(drawn)} of {len(values)})" if len(drawn) < len(values) else ""
    noise = math.sqrt(sample_variance(values))
    return (
        f"{bars}{cut}  {_amount(math.exp(level), clock)}, {_signed(low - level)} to "
        f"{_signed(high - level)}, noise {_percent(noise)}"
    )


def _step(place: float) -> int:
    """Which of eight bars stands for a place between -1 and 1."""
    return min(7, max(0, math.floor((place + 1.0) * 4.0)))


def _promise(name: str, noise: BenchmarkNoise) -> str:
    state = "watched" if is_canary(name) else "gating" if noise.gating else "advisory"
    return (
        f"  {state}: certifies {_percent(noise.certifiable)}, tolerance "
        f"{_percent(noise.tolerance)}, sees (MDE) {_percent(noise.mde)}"
    )


def _amount(value: float, clock: Clock) -> str:
    if clock is Clock.INSTRUCTIONS:
        return f"{value:,.10g} instructions"
    size, unit = next(((s, u) for s, u in _UNITS if value >= s), (1.0, "ns"))
    return f"{value / size:.4g} {unit}"


def _signed(log_change: float) -> str:
    return f"{100 * math.expm1(log_change):+.2g} %"


def _percent(fraction: float) -> str:
    return f"{100 * fraction:.3g} %"
