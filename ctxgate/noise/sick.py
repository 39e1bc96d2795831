# SPDX-License-Identifier: Apache-2.0
"""Sessions of a baseline that were sick: something slowed all of it, and nothing since.

One session of five that is slowed by half makes a baseline's variance eighty times too large: it
would hide a change of 20 % for as long as the baseline lives. It is told apart by the others, in
most benchmarks at once, so that a benchmark that is noisy by itself keeps all its sessions.
"""

import math
from collections.abc import Sequence

from ctxgate.noise.prior import Prior, widened
from ctxgate.noise.student import critical
from ctxgate.noise.summaries import mean
from ctxgate.noise.variance import moderate

LEAST_SESSIONS = 5
"""Fewer cannot spare one: three others tell too little of what is usual."""

_LEVEL = 0.001
"""How rarely a healthy session lies so far above the others, in one benchmark."""

_SHARE = 0.5
"""In how many of the benchmarks it has to."""


def sick_sessions(benchmarks: Sequence[Sequence[float]], prior: Prior) -> list[int]:
    """The numbers of the sick sessions, in order; at most one in five.

    `benchmarks` are the summaries of the sessions, a row a benchmark. Only slower sessions are
    sick: interference adds, and a baseline that forgot its fast ones would hide regressions.
    """
    count = len(benchmarks[0]) if benchmarks else 0
    if count < LEAST_SESSIONS:
        return []
    others = [_others(values) for values in benchmarks]
    shares = []
    for session in range(count):
        variances = [one[session][1] for one in others]
        wider = widened(prior, variances, count - 1)
        beyond = sum(
            values[session] - level > _limit(variance, count - 1, wider)
            for values, (level, variance) in zip(
                benchmarks, (one[session] for one in others), strict=True
            )
        )
        shares.append(beyond / len(benchmarks))
    sick = [session for session in range(count) if shares[session] >= _SHARE]
    sick.sort(key=lambda session: -shares[session])
    return sorted(sick[: count // LEAST_SESSIONS])


def _others(values: Sequence[float]) -> list[tuple[float, float]]:
    """For each session, the mean and the variance of all others."""
    count = len(values)
    centre = mean(values)
    squares = math.fsum((value - centre) ** 2 for value in values)
    found = []
    for value in values:
        away = value - centre
        left = squares - away * away * count / (count - 1)
        found.append((centre - away / (count - 1), max(left, 0.0) / (count - 2)))
    return found


def _limit(variance: float, sessions: int, prior: Prior) -> float:
    """How far above the mean of `sessions` others one more may lie."""
    moderated, nu = moderate(variance, sessions, prior)
    return critical(_LEVEL, nu) * math.sqrt(moderated * (1 + 1 / sessions))
