# SPDX-License-Identifier: Apache-2.0
"""The decision in stored mode: a contender's sessions against those of a stored baseline.

A pure function of session summaries. With C contender sessions their median is judged, so the same
code serves the first look (one session) and a later one (three).
"""

import math
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import msgspec

from ctxgate.noise.certifiable import (
    PASS_LEVEL,
    Needed,
    certifiable,
    mde,
    sessions_needed,
)
from ctxgate.noise.holm import Step
from ctxgate.noise.prior import Prior
from ctxgate.noise.student import critical, upper_tail
from ctxgate.noise.summaries import Metric, Summary, counts_differ, mean, quieter_metric, summarise
from ctxgate.noise.variance import ENOUGH_SESSIONS, Spread, spread, standard_error
from ctxgate.readings.model import Reading
from ctxgate.verdict.model import Decision

_FEW_ERRORS = 5.0
_FEW_TOLERANCES = 3.0

Sessions = Sequence[Sequence[Reading]]


class Reduced(NamedTuple):
    """One benchmark's session summaries on both sides, in the metric that gates."""

    name: str
    metric: Metric
    stored: tuple[Summary, ...]
    fresh: tuple[Summary, ...]
    lone: bool


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """The change of one benchmark with its error, in log units.

    `levels` are the log values of baseline and contender, `sessions` their counts, `lone` that the
    baseline is one run of a foreign program, which tells nothing of any noise.
    """

    name: str
    metric: Metric
    levels: tuple[float, float]
    sessions: tuple[int, int]
    found: Spread
    lone: bool = False

    @property
    def delta(self) -> float:
        """The log ratio of contender to baseline."""
        return self.levels[1] - self.levels[0]

    @property
    def error(self) -> float:
        """The standard error of `delta`."""
        return standard_error(self.found, *self.sessions)

    @property
    def p_dearer(self) -> float:
        """One-sided p value against "not dearer"."""
        return upper_tail(self.delta / self.error, self.found.nu)

    @property
    def p_cheaper(self) -> float:
        """One-sided p value against "not cheaper"."""
        return upper_tail(-self.delta / self.error, self.found.nu)

    @property
    def upper(self) -> float:
        """The bound that the change stays below with 95 % confidence."""
        return self.delta + critical(PASS_LEVEL, self.found.nu) * self.error


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What one benchmark is judged by: its tolerance (log) and its part of the allowance.

    `own` says that the tolerance is the benchmark's certifiable one, `raised` that it is its floor.
    `alpha` is spent over `gated` benchmarks; `dearer` and `cheaper` are Holm's steps for regression
    and improvement.
    """

    tolerance: float
    own: bool
    alpha: float
    gated: int
    dearer: Step
    cheaper: Step
    raised: bool = False

    @property
    def share(self) -> float:
        """The level of Holm's first step, alpha/m: what a lone regression has to reach."""
        return self.alpha / self.gated


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """The decision on one benchmark; widths in log units."""

    decision: Decision
    improved: bool
    material: float
    lower: float
    upper: float
    mde: float
    certifiable: float
    needed: Needed | None


def reduce(name: str, baseline: Sessions, contender: Sessions, *, lone: bool = False) -> Reduced:
    """Summarise both sides in the metric that the baseline is quieter in."""
    least = min(len(readings) for side in (baseline, contender) for readings in side)
    before = summarise(baseline, least_runs=least)
    after = summarise(contender, least_runs=least)
    metric = quieter_metric(before, unlike_counts=counts_differ(baseline, contender))
    return Reduced(name, metric, before.of(metric), after.of(metric), lone)


def estimate(reduced: Reduced, prior: Prior) -> Estimate:
    """The difference between the sides and what it may be off by."""
    stored, fresh = reduced.stored, reduced.fresh
    return Estimate(
        name=reduced.name,
        metric=reduced.metric,
        levels=(mean([one.value for one in stored]), median(one.value for one in fresh)),
        sessions=(len(stored), len(fresh)),
        found=spread(stored, [one.runs for one in fresh], prior),
        lone=reduced.lone,
    )


def log_tolerance(found: Estimate, tolerance: float | None, floor: float) -> float:
    """The change that matters, in log units: relative and absolute have both to be exceeded.

    `tolerance` None is the benchmark's own certifiable one; `floor` is in the clock's unit.
    """
    relative = (
        certifiable(found.error, found.found.nu) if tolerance is None else math.log1p(tolerance)
    )
    return max(relative, math.log1p(floor / math.exp(found.levels[0]))) if floor else relative


def decide(found: Estimate, terms: Terms) -> Ruling:
    """Regression, pass or inconclusive, in this order; they exclude each other.

    Regression: significant within the allowance and at least the tolerance; with fewer than three
    baseline sessions also at least five errors and three tolerances, because one or two sessions
    hardly show their variance. Pass: the upper 95 % bound below the tolerance, and three sessions.
    """
    nu = found.found.nu
    enough = found.sessions[0] >= ENOUGH_SESSIONS
    material = terms.tolerance if enough else max(terms.tolerance, _few_threshold(found, terms))
    if not found.lone and terms.dearer.rejected and found.delta >= material:
        decision = Decision.REGRESSION
    elif enough and not found.lone and found.upper < terms.tolerance:
        decision = Decision.PASS
    else:
        decision = Decision.INCONCLUSIVE
    improved = terms.cheaper.rejected and found.delta <= -terms.tolerance
    return Ruling(
        decision=decision,
        improved=improved and decision is Decision.PASS,
        material=material,
        lower=found.delta - critical(terms.dearer.level, nu) * found.error,
        upper=found.upper,
        mde=mde(found.error, nu, alpha=terms.share, tolerance=material),
        certifiable=certifiable(found.error, nu),
        needed=_needed(found, terms) if decision is Decision.INCONCLUSIVE else None,
    )


def _few_threshold(found: Estimate, terms: Terms) -> float:
    baseline, contender = found.sessions
    error = math.sqrt(found.found.moderated * (1 / baseline + 1 / contender))
    return max(_FEW_ERRORS * error, _FEW_TOLERANCES * terms.tolerance)


def _needed(found: Estimate, terms: Terms) -> Needed | None:
    """Further sessions that would settle it if neither the estimate nor the variance changes.

    Towards a pass, the bound's half-width has to fit both between the estimate and the tolerance
    and twice into the tolerance, so that unchanged code passes 19 times in 20. An estimate beyond
    the tolerance has to become significant instead.
    """
    if terms.own and found.sessions[0] >= ENOUGH_SESSIONS:
        return None  # the tolerance is whatever these counts certify; more would move it too
    if found.delta >= terms.tolerance and not terms.own:
        width, level = found.delta, terms.share
    else:
        width, level = terms.tolerance / 2, PASS_LEVEL
        if not terms.own:
            width = min(width, terms.tolerance - found.delta)
    return sessions_needed(found.found, found.sessions, half_width=width, level=level)
