# SPDX-License-Identifier: Apache-2.0
"""The noise model of a baseline: what a fresh session held against it could show."""

import math
from collections.abc import Callable, Sequence
from statistics import median

from ctxgate.baseline.model import BenchmarkNoise, NoiseModel, StoredPrior
from ctxgate.noise.certifiable import certifiable, fraction, mde
from ctxgate.noise.names import is_canary
from ctxgate.noise.prior import Prior, provisional_prior, widened
from ctxgate.noise.summaries import (
    Metric,
    Summary,
    counts_differ,
    gather,
    mean,
    quieter_metric,
    summarise,
)
from ctxgate.noise.variance import session_variance, spread, standard_error
from ctxgate.readings.model import Clock, Reading, SessionSet

ALPHA = 0.01
"""The false-alarm allowance of a whole gate that the MDE is stated for."""

Tolerance = Callable[[str], float | None]
"""The tolerance of a benchmark as a fraction; None for its own certifiable one."""

Chosen = tuple[Metric, tuple[Summary, ...]]


def noise_model(side: SessionSet, tolerance: Tolerance, *, alpha: float = ALPHA) -> NoiseModel:
    """The model of all benchmarks; in instructions there is no noise, so nothing to assume."""
    gathered = {name: sessions for name, sessions in gather(side).items() if all(sessions)}
    clocks = {run.clock for session in side.sessions for run in session.runs}
    if clocks == {Clock.INSTRUCTIONS}:
        return _without_noise(gathered, tolerance, alpha)
    chosen = {name: choose(sessions) for name, sessions in gathered.items()}
    gated = [name for name in chosen if not is_canary(name)]
    prior = widened(
        provisional_prior(),
        [session_variance(chosen[name][1]) for name in gated],
        len(side.sessions),
    )
    share = alpha / max(1, len(gated))
    return NoiseModel(
        alpha=alpha,
        prior=StoredPrior(
            name=prior.name,
            session_sd=_short(prior.session_sd),
            degrees_of_freedom=_short(prior.degrees_of_freedom),
        ),
        benchmarks={
            name: _wall(name, one, prior, tolerance(name), share) for name, one in chosen.items()
        },
    )


def choose(sessions: Sequence[Sequence[Reading]]) -> Chosen:
    """The metric that varies less between the sessions, and its value in each (log)."""
    summaries = summarise(sessions, least_runs=min(map(len, sessions)))
    metric = quieter_metric(summaries, unlike_counts=counts_differ(sessions))
    return metric, summaries.of(metric)


def _wall(
    name: str, chosen: Chosen, prior: Prior, tolerance: float | None, share: float
) -> BenchmarkNoise:
    metric, stored = chosen
    found = spread(stored, [max(one.runs for one in stored)], prior)
    error = standard_error(found, len(stored), 1)
    certified = certifiable(error, found.nu)
    wanted = certified if tolerance is None else math.log1p(tolerance)
    return BenchmarkNoise(
        metric=metric.value,
        value=_short(math.exp(mean([one.value for one in stored]))),
        s=_short(math.sqrt(found.moderated)),
        nu=_short(found.nu),
        certifiable=_short(fraction(certified)),
        mde=_short(fraction(mde(error, found.nu, alpha=share, tolerance=wanted))),
        tolerance=_short(fraction(wanted)),
        gating=not is_canary(name) and certified <= wanted,
    )


def _without_noise(
    gathered: dict[str, list[list[Reading]]], tolerance: Tolerance, alpha: float
) -> NoiseModel:
    """The smallest change that is seen is one instruction."""
    benchmarks = {}
    for name, sessions in gathered.items():
        metric = Metric.MEAN if "/other/" in name else Metric.TYPICAL
        readings = [reading for session in sessions for reading in session]
        value = median(one.mean if metric is Metric.MEAN else one.typical for one in readings)
        benchmarks[name] = BenchmarkNoise(
            metric=metric.value,
            value=_short(value),
            s=0.0,
            nu=None,
            certifiable=0.0,
            mde=_short(1 / value),
            tolerance=_short(tolerance(name) or 0.0),
            gating=not is_canary(name),
        )
    return NoiseModel(alpha=alpha, prior=None, benchmarks=benchmarks)


def _short(value: float) -> float:
    """Six significant digits: nobody reads more in a diff."""
    return float(f"{value:.6g}")
