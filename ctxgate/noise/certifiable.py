# SPDX-License-Identifier: Apache-2.0
"""What a gate can see and promise: MDE, certifiable tolerance, sessions that would settle it."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ctxgate.noise.names import is_canary
from ctxgate.noise.prior import provisional_prior
from ctxgate.noise.quieter import settle_metrics
from ctxgate.noise.sick import sick_sessions
from ctxgate.noise.student import critical
from ctxgate.noise.summaries import Summaries, counts_differ, gather, summarise
from ctxgate.noise.variance import (
    ENOUGH_SESSIONS,
    Spread,
    contender_factor,
    spread,
    standard_error,
)
from ctxgate.readings.model import Clock, SessionSet

PASS_LEVEL = 0.05
"""One-sided level of the bound that a pass rests on: the truth lies above it 1 time in 20."""

POWER_LEVEL = 0.20
"""One minus the power at which a smallest detectable change is stated."""

MOST_SESSIONS = 100
"""Beyond so many further sessions the answer is another method, not more of this one."""

_LARGEST_LOG = 700.0


class Needed(NamedTuple):
    """Further sessions that would settle a benchmark."""

    baseline: int
    contender: int


def fraction(log_change: float) -> float:
    """A change in log units as a fraction of the baseline, held inside what a float can hold."""
    return math.expm1(min(log_change, _LARGEST_LOG))


def certifiable(error: float, nu: float) -> float:
    """The smallest tolerance at which unchanged code passes 19 times in 20: 2 t(0.95, nu) SE.

    In log units. Half of it is the width of the upper bound, half the scatter of the estimate.
    """
    return 2 * critical(PASS_LEVEL, nu) * error


def mde(error: float, nu: float, *, alpha: float, tolerance: float) -> float:
    """The smallest change this gate calls a regression with 80 % probability, in log units.

    It has to be significant at `alpha` (the benchmark's share) and to reach the tolerance.
    """
    power = critical(POWER_LEVEL, nu)
    return max((critical(alpha, nu) + power) * error, tolerance + power * error)


def sessions_needed(
    found: Spread, have: tuple[int, int], *, half_width: float, level: float = PASS_LEVEL
) -> Needed | None:
    """The fewest further sessions after which t(1-level, nu) SE is at most `half_width` (log).

    `have` are the baseline's and the contender's sessions now. At least three baseline sessions
    are always asked for. The variance is taken to stay as it is. None if no number up to
    MOST_SESSIONS does: a thin side cannot be bought back by the other one alone.
    """
    baseline, contender = have
    best: Needed | None = None
    for count in range(max(baseline, ENOUGH_SESSIONS), baseline + MOST_SESSIONS + 1):
        more = count - baseline
        if best is not None and more >= best.baseline + best.contender:
            break
        allowed = (half_width / critical(level, found.nu + more)) ** 2 - found.moderated / count
        fresh = _contenders_for(allowed / (found.moderated + found.extra), contender) - contender
        if more + fresh <= (MOST_SESSIONS if best is None else best.baseline + best.contender - 1):
            best = Needed(more, fresh)
    return best


def _contenders_for(factor: float, least: int) -> int:
    """The fewest contender sessions, at least `least`, whose variance factor is within `factor`."""
    if factor <= 0 or math.pi / (2 * factor) > least + MOST_SESSIONS:
        return least + MOST_SESSIONS + 1
    count = least
    while contender_factor(count) > factor:
        count += 1
    return count


def without_sessions(side: SessionSet, numbers: Sequence[int]) -> SessionSet:
    """The side without the sessions of these numbers."""
    kept = tuple(one for index, one in enumerate(side.sessions) if index not in numbers)
    return msgspec.structs.replace(side, sessions=kept)


def certifiable_tolerances(baseline: SessionSet) -> dict[str, float]:
    """Per gated wall benchmark, what one fresh session of as many runs can be held to (fraction).

    Benchmarks with fewer than three sessions, or absent from one, are left out: nothing certifies
    them. Sick sessions are left out as they are when judging. Empty for readings in instructions,
    which have no noise.
    """
    if any(run.clock is not Clock.NANOSECONDS for one in baseline.sessions for run in one.runs):
        return {}
    summaries: dict[str, Summaries] = {}
    unlike = []
    for name, sessions in gather(baseline).items():
        if is_canary(name) or len(sessions) < ENOUGH_SESSIONS or not all(sessions):
            continue
        summaries[name] = summarise(sessions, least_runs=min(map(len, sessions)))
        unlike.append(counts_differ(sessions))
    settled = settle_metrics(list(summaries.values()), unlike, provisional_prior())
    stored = [one.of(metric) for one, (metric, _) in zip(summaries.values(), settled, strict=True)]
    rows = [[session.value for session in one] for one in stored]
    sick = sick_sessions(rows, provisional_prior())
    if sick:
        return certifiable_tolerances(without_sessions(baseline, sick))
    tolerances: dict[str, float] = {}
    for name, chosen, (_, prior) in zip(summaries, stored, settled, strict=True):
        found = spread(chosen, [max(one.runs for one in chosen)], prior)
        error = standard_error(found, len(chosen), 1)
        tolerances[name] = fraction(certifiable(error, found.nu))
    return tolerances
