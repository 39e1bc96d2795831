# SPDX-License-Identifier: Apache-2.0
"""How far two sides may lie apart in unchanged code: moderated variance and standard error."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ctxgate.noise.prior import Prior
from ctxgate.noise.summaries import Summary, mean, sample_variance

ENOUGH_SESSIONS = 3
"""Fewer baseline sessions never pass: one has no variance, two have one degree of freedom."""


class Spread(NamedTuple):
    """The variance between sessions that a decision uses, in squared log units.

    `moderated` is s2, `nu` its degrees of freedom, `extra` what a contender session varies more
    because it has fewer runs than the baseline's.
    """

    moderated: float
    nu: float
    extra: float


def moderate(variance: float, sessions: int, prior: Prior) -> tuple[float, float]:
    """The variance to use, and its degrees of freedom: max(v, (d0 s0^2 + (B-1) v)/(d0 + B-1)).

    Borrowing from the prior lifts the power of three sessions at +10 % from 0.03 to 0.85; the
    maximum keeps a benchmark noisier than its class from being judged by the class.
    """
    nu = prior.degrees_of_freedom + sessions - 1
    shrunk = (prior.degrees_of_freedom * prior.variance + (sessions - 1) * variance) / nu
    return max(variance, shrunk), nu


def within_sessions(sessions: Sequence[Summary]) -> float:
    """The variance between runs of a session, pooled over the sessions (s_P squared)."""
    freedom = sum(session.runs - 1 for session in sessions)
    if not freedom:
        return 0.0
    return math.fsum((session.runs - 1) * session.within for session in sessions) / freedom


def spread(baseline: Sequence[Summary], runs_of_contender: Sequence[int], prior: Prior) -> Spread:
    """What the baseline shows of the noise, for contender sessions of so many runs each.

    `extra` comes from the variance between runs, s_P^2 (1/P' - 1/P).
    """
    moderated, nu = moderate(session_variance(baseline), len(baseline), prior)
    inverse_runs = _inverse_runs(baseline)
    # More runs than the baseline's make a session steadier; that credit is not given, because it
    # rests on an estimate and would loosen the gate.
    fewer = mean([1 / runs for runs in runs_of_contender]) - inverse_runs
    return Spread(moderated, nu, within_sessions(baseline) * max(0.0, fewer))


def session_variance(baseline: Sequence[Summary]) -> float:
    """The variance between a baseline's sessions, as far as they show it.

    With one or two sessions it is absent or nearly so; it cannot be less than what the runs inside
    contribute, s_P^2/P, so that is its lower bound there.
    """
    variance = sample_variance([session.value for session in baseline])
    if len(baseline) < ENOUGH_SESSIONS:
        return max(variance, within_sessions(baseline) * _inverse_runs(baseline))
    return variance


def _inverse_runs(sessions: Sequence[Summary]) -> float:
    return mean([1 / session.runs for session in sessions])


def contender_factor(sessions: int) -> float:
    """The variance of the median of so many sessions, as a share of one session's.

    1 and 1/2 are exact, 0.449 is the median of three normal values, pi/(2C) the limit for many.
    """
    return {1: 1.0, 2: 0.5, 3: 0.449}.get(sessions) or math.pi / (2 * sessions)


def standard_error(found: Spread, baseline: int, contender: int) -> float:
    """The standard error of median(contender) - mean(baseline), in log units."""
    factor = contender_factor(contender)
    return math.sqrt(found.moderated * (factor + 1 / baseline) + factor * found.extra)
