# SPDX-License-Identifier: Apache-2.0
"""The noise model of a baseline: what a fresh session held against it could show."""

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import median

from ctxgate.baseline.model import BenchmarkNoise, NoiseModel, StoredPrior
from ctxgate.noise.certifiable import certifiable, fraction, mde
from ctxgate.noise.names import is_canary
from ctxgate.noise.prior import Prior, provisional_prior
from ctxgate.noise.quieter import settle_metrics
from ctxgate.noise.summaries import Metric, Summary, counts_differ, gather, mean, summarise
from ctxgate.noise.variance import spread, standard_error
from ctxgate.readings.model import Clock, Reading, SessionSet

ALPHA = 0.01
"""The false-alarm allowance of a whole gate that the MDE is stated for."""

Tolerance = Callable[[str], float | None]
"""The tolerance of a benchmark as a fraction; None for its own certifiable one."""

Chosen = tuple[Metric, tuple[Summary, ...], Prior]
"""A metric, the log value of each session, and the prior of that metric's variance."""


def noise_model(side: SessionSet, tolerance: Tolerance, *, alpha: float = ALPHA) -> NoiseModel:
    """The model of all benchmarks; in instructions there is no noise, so nothing to assume."""
    gathered = {name: sessions for name, sessions in gather(side).items() if all(sessions)}
    clocks = {run.clock for session in side.sessions for run in session.runs}
    if clocks == {Clock.INSTRUCTIONS}:
        return _without_noise(gathered, tolerance, alpha)
    prior = provisional_prior()
    gated = {name: one for name, one in gathered.items() if not is_canary(name)}
    watched = {name: one for name, one in gathered.items() if is_canary(name)}
    # Apart, since the judge settles the metrics of what it gates by what it gates.
    chosen = {**settle(gated, prior), **settle(watched, prior)}
    share = alpha / max(1, len(gated))
    return NoiseModel(
        alpha=alpha,
        prior=StoredPrior(
            name=prior.name,
            session_sd=_short(prior.session_sd),
            degrees_of_freedom=_short(prior.degrees_of_freedom),
        ),
        benchmarks={name: _wall(name, chosen[name], tolerance(name), share) for name in gathered},
    )


def settle(gathered: Mapping[str, Sequence[Sequence[Reading]]], prior: Prior) -> dict[str, Chosen]:
    """For each benchmark the metric that a judge would gate it by, by the judge's own rule."""
    summaries = [
        summarise(sessions, least_runs=min(map(len, sessions))) for sessions in gathered.values()
    ]
    unlike = [counts_differ(sessions) for sessions in gathered.values()]
    settled = settle_metrics(summaries, unlike, prior)
    return {
        name: (metric, one.of(metric), own)
        for name, one, (metric, own) in zip(gathered, summaries, settled, strict=True)
    }


def _wall(name: str, chosen: Chosen, tolerance: float | None, share: float) -> BenchmarkNoise:
    metric, stored, prior = chosen
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
