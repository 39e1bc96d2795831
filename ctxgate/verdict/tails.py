# SPDX-License-Identifier: Apache-2.0
"""The slowest hundredth of the round trips, gated beside the typical one where data allow it."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from ctxgate.noise.certifiable import certifiable, fraction
from ctxgate.noise.names import TAIL_SUFFIX
from ctxgate.noise.prior import Prior, widened
from ctxgate.noise.summaries import Metric, mean, summarise_tails
from ctxgate.noise.variance import session_variance
from ctxgate.verdict.evidence import side_of
from ctxgate.verdict.looks import Limit
from ctxgate.verdict.model import BenchmarkVerdict, Decision
from ctxgate.verdict.policy import Policy
from ctxgate.verdict.stored import Estimate, Reduced, Sessions
from ctxgate.verdict.wording import plural

GATED_PREFIX = "switch/pipe/"
"""Paths whose tail is gated in the default session; the others' belong to a later full suite."""

LEAST_SAMPLES = 10_000
"""A hundred round trips beyond the 99 % quantile in each run."""

LEAST_RUNS = 8
"""Runs a session: fewer quantiles scatter too much."""

TOLERANCE = 0.10
"""The change of a tail that matters, unless its noise is larger or the user says otherwise."""

CERTIFIABLE_TIMES = 1.5
"""How far above the smallest certifiable tolerance a noisier tail is held."""

_RULE = (
    f"A tail (p99) is gated from {LEAST_SAMPLES:,} round trips in every run and {LEAST_RUNS} runs "
    "in every session on; with less it is shown, not judged."
)


class Tails(NamedTuple):
    """The tails that are gated, by the names of their rows, and the rows of the others."""

    gated: dict[str, Reduced]
    advisory: tuple[BenchmarkVerdict, ...]


def find_tails(pairs: Mapping[str, tuple[Sessions, Sessions]], prior: Prior) -> Tails:
    """The tail of every benchmark that has one in all runs of both sides.

    Their prior is made as wide as tails show themselves to be: they vary more than what is usual.
    """
    gated: dict[str, Reduced] = {}
    advisory = []
    for name, pair in pairs.items():
        reduced = _reduce(name, pair, prior) if name.startswith(GATED_PREFIX) else None
        if reduced is None:
            continue
        want = _want(pair)
        if want:
            advisory.append(_advisory(reduced, pair, want))
        else:
            gated[reduced.name] = reduced
    variances = [session_variance(one.stored) for one in gated.values()]
    sessions = max((len(one.stored) for one in gated.values()), default=0)
    wider = widened(prior, variances, sessions)
    return Tails({name: one._replace(prior=wider) for name, one in gated.items()}, tuple(advisory))


def tail_limit(found: Estimate, policy: Policy) -> Limit:
    """10 %, or one and a half times what can be certified where that is more."""
    chosen = policy.tail_tolerance_of(found.name)
    if chosen is not None:
        return Limit(math.log1p(chosen))
    own = CERTIFIABLE_TIMES * fraction(certifiable(found.error, found.found.nu))
    if own <= TOLERANCE:
        return Limit(math.log1p(TOLERANCE))
    return Limit(math.log1p(own), f"{CERTIFIABLE_TIMES} times the smallest this gate can certify")


def _reduce(name: str, pair: tuple[Sessions, Sessions], prior: Prior) -> Reduced | None:
    """The log p99 of every session; None unless every run has one."""
    least = min(len(session) for side in pair for session in side)
    sides = []
    for side in pair:
        quantiles = [[one.p99 for one in session if one.p99 is not None] for session in side]
        if [len(session) for session in quantiles] != [len(session) for session in side]:
            return None
        sides.append(summarise_tails(quantiles, least_runs=least))
    return Reduced(name + TAIL_SUFFIX, Metric.P99, sides[0], sides[1], prior)


def _want(pair: tuple[Sessions, Sessions]) -> str:
    """What a tail lacks to be gated; "" if nothing."""
    runs = min(len(session) for side in pair for session in side)
    if runs < LEAST_RUNS:
        return f"a session has only {plural(runs, 'run')}, {LEAST_RUNS} are needed"
    samples = min(one.samples or 0 for side in pair for session in side for one in session)
    if samples < LEAST_SAMPLES:
        return f"a run has only {samples:,} round trips, {LEAST_SAMPLES:,} are needed"
    return ""


def _advisory(reduced: Reduced, pair: tuple[Sessions, Sessions], want: str) -> BenchmarkVerdict:
    levels = [mean([one.value for one in side]) for side in (reduced.stored, reduced.fresh)]
    before, after = (
        side_of(side, math.exp(level)) for side, level in zip(pair, levels, strict=True)
    )
    return BenchmarkVerdict(
        name=reduced.name,
        verdict=Decision.INCONCLUSIVE,
        gated=False,
        metric=reduced.metric,
        rule=_RULE,
        reason=f"Advisory, not gated: {want}.",
        baseline=before,
        contender=after,
        change=fraction(levels[1] - levels[0]),
    )
