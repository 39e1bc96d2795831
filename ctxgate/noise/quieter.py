# SPDX-License-Identifier: Apache-2.0
"""Which of floor and typical gates a benchmark, and the prior that goes with it."""

from collections.abc import Sequence

from ctxgate.noise.prior import Prior, widened
from ctxgate.noise.summaries import Metric, Summaries
from ctxgate.noise.variance import moderate, session_variance

_BOTH = (Metric.FLOOR, Metric.TYPICAL)


def settle_metrics(
    baselines: Sequence[Summaries], unlike_counts: Sequence[bool], prior: Prior
) -> list[tuple[Metric, Prior]]:
    """For each benchmark of a baseline its quieter metric, and that metric's prior.

    Quieter is the one with the smaller moderated variance, each moderated by what all benchmarks
    show of that metric. Of two bare variances the smaller may be so by chance: then the noisier
    metric gates just where it looked quiet, and 2.4 % of gates of unchanged code failed on
    machines with a slow mode (simulated, 10 benchmarks, 5 sessions) instead of at most 1 %.

    Where the runs rest on `unlike_counts` of repetitions a floor must not gate; with a single
    session there is nothing to choose by, and floor gates, because interference only adds.
    """
    if not baselines:
        return []
    sessions = len(baselines[0].floor)
    variances = [
        {metric: session_variance(one.of(metric)) for metric in _BOTH} for one in baselines
    ]
    priors = {
        metric: widened(prior, [one[metric] for one in variances], sessions) for metric in _BOTH
    }
    settled = []
    for found, unlike in zip(variances, unlike_counts, strict=True):
        noise = {m: moderate(found[m], sessions, priors[m])[0] for m in _BOTH}
        quieter = sessions < 2 or noise[Metric.FLOOR] <= noise[Metric.TYPICAL]
        metric = Metric.FLOOR if quieter and not unlike else Metric.TYPICAL
        settled.append((metric, priors[metric]))
    return settled
