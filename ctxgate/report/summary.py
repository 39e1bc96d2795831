# SPDX-License-Identifier: Apache-2.0
"""The verdict in one line, as people paste it into a commit message."""

from ctxgate.report.text import clean, shorten
from ctxgate.report.units import plural
from ctxgate.report.wording import evidence, name_of, problem_text, worst_first
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Verdict

_SENTENCE_LIMIT = 300


def summary_line(verdict: Verdict, *, ascii_only: bool = False) -> str:
    """One line without its newline, whatever the names in it hold."""
    return clean(f"ctxgate: {headline(verdict)}", ascii_only=ascii_only)


def headline(verdict: Verdict) -> str:
    """The verdict and the one thing that matters most about it; not yet cleaned."""
    said = f"{verdict.verdict.value} - {_subject(verdict)}"
    return said if verdict.proven else f"{said}; unproven: no switch counts"


def _subject(verdict: Verdict) -> str:
    gated = worst_first(row for row in verdict.benchmarks if row.gated)
    if verdict.verdict is Decision.PASS:
        return _passed(gated)
    guilty = [row for row in gated if row.verdict is verdict.verdict]
    if guilty and verdict.verdict in (Decision.REGRESSION, Decision.INCONCLUSIVE):
        return _judged(guilty, len(gated))
    if verdict.problems:
        text = shorten(problem_text(verdict.problems[0], short=True), _SENTENCE_LIMIT)
        rest = len(verdict.problems) - 1
        return f"{text} (and {plural(rest, 'more problem')})" if rest else text
    if guilty:
        return shorten(f"{name_of(guilty[0])}: {guilty[0].reason}", _SENTENCE_LIMIT)
    return "nothing was compared"


def _passed(gated: list[BenchmarkVerdict]) -> str:
    if not gated:
        return "nothing was gated"
    return f"{plural(len(gated), 'benchmark')}, {_worst(gated)} {evidence(gated[0])}".rstrip()


def _judged(guilty: list[BenchmarkVerdict], gated: int) -> str:
    first = guilty[0]
    count = f"{len(guilty):,} of {plural(gated, 'benchmark')}, " if gated > 1 else ""
    text = f"{count}{_worst(guilty)} {evidence(first)}".rstrip()
    if first.more_sessions:
        text += f"; {plural(first.more_sessions, 'more session')} would settle it"
    return text


def _worst(rows: list[BenchmarkVerdict]) -> str:
    return f"{'worst ' if len(rows) > 1 else ''}{name_of(rows[0])}"
