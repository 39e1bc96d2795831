# SPDX-License-Identifier: Apache-2.0
"""The decision in stored mode: a contender's sessions against those of a stored baseline.

A pure function of session summaries. With C contender sessions their median is judged, so the same
code serves the first look (one session) and a later one (three).
"""

import math
from collections.abc import Mapping, Sequence
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
from ctxgate.noise.names import measured_name
from ctxgate.noise.prior import Prior
from ctxgate.noise.quieter import settle_metrics
from ctxgate.noise.student import critical, upper_tail
from ctxgate.noise.summaries import Metric, Summary, counts_differ, mean, summarise
from ctxgate.noise.variance import ENOUGH_SESSIONS, Spread, spread, standard_error
from ctxgate.readings.model import Reading
from ctxgate.verdict.model import Decision
from ctxgate.verdict.terms import Terms

_FEW_ERRORS = 5.0
_FEW_TOLERANCES = 3.0

Sessions = Sequence[Sequence[Reading]]


class Reduced(NamedTuple):
    """One benchmark's session summaries on both sides, in the metric that gates, with its prior."""

    name: str
    metric: Metric
    stored: tuple[Summary, ...]
    fresh: tuple[Summary, ...]
    prior: Prior
    lone: bool = False

    @property
    def stored_values(self) -> tuple[float, ...]:
        """The log values of the baseline's sessions."""
        return tuple(session.value for session in self.stored)

    @property
    def measured(self) -> str:
        """The benchmark that has to be measured for it."""
        return measured_name(self.name) if self.metric is Metric.P99 else self.name


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

    def error_of(self, contender: int) -> float:
        """The standard error that so many contender sessions would have."""
        return standard_error(self.found, self.sessions[0], contender)

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


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """The decision on one benchmark; widths in log units.

    `mde` and `certifiable` are those of the last look that the gate may take. `pending` says that
    the benchmark is suspicious and has to be asked again before anything is decided.
    """

    decision: Decision
    improved: bool
    pending: bool = False
    material: float
    lower: float
    upper: float
    mde: float
    certifiable: float


def reduce(
    pairs: Mapping[str, tuple[Sessions, Sessions]], prior: Prior, *, foreign: bool
) -> list[Reduced]:
    """Summarise both sides of every benchmark in the metric that the baseline is quieter in."""
    before, after, unlike = [], [], []
    for baseline, contender in pairs.values():
        least = min(len(readings) for side in (baseline, contender) for readings in side)
        before.append(summarise(baseline, least_runs=least))
        after.append(summarise(contender, least_runs=least))
        unlike.append(counts_differ(baseline, contender))
    settled = settle_metrics(before, unlike, prior)
    return [
        Reduced(
            name,
            metric,
            old.of(metric),
            new.of(metric),
            own,
            foreign and len(pair[0]) == len(pair[0][0]) == 1,
        )
        for (name, pair), old, new, (metric, own) in zip(
            pairs.items(), before, after, settled, strict=True
        )
    ]


def estimate(reduced: Reduced) -> Estimate:
    """The difference between the sides and what it may be off by."""
    stored, fresh = reduced.stored, reduced.fresh
    return Estimate(
        name=reduced.name,
        metric=reduced.metric,
        levels=(mean(reduced.stored_values), median(one.value for one in fresh)),
        sessions=(len(stored), len(fresh)),
        found=spread(stored, [one.runs for one in fresh], reduced.prior),
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
    error = found.error_of(terms.sessions_at_last(found.sessions[1]))
    return Ruling(
        decision=decision,
        improved=improved and decision is Decision.PASS,
        material=material,
        lower=found.delta - critical(terms.dearer.level, nu) * found.error,
        upper=found.upper,
        mde=mde(error, nu, alpha=terms.share, tolerance=material),
        certifiable=certifiable(error, nu),
    )


def _few_threshold(found: Estimate, terms: Terms) -> float:
    baseline, contender = found.sessions
    error = math.sqrt(found.found.moderated * (1 / baseline + 1 / contender))
    return max(_FEW_ERRORS * error, _FEW_TOLERANCES * terms.tolerance)


def suspend(ruling: Ruling) -> Ruling:
    """The ruling on a suspicious benchmark until it was asked again."""
    return msgspec.structs.replace(
        ruling, decision=Decision.INCONCLUSIVE, improved=False, pending=True
    )


def needed(found: Estimate, terms: Terms) -> Needed | None:
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
