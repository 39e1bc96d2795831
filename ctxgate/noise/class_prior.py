# SPDX-License-Identifier: Apache-2.0
"""A prior of a hardware class's own, from the baselines that others of it have."""

import math
from collections.abc import Sequence

from ctxgate.noise.prior import Prior
from ctxgate.noise.summaries import mean, sample_variance

ENOUGH_BASELINES = 20
"""Fewer variances tell too little of how far they scatter; the provisional prior stands till then.
"""

MOST_FREEDOM = 20.0
"""However alike the variances look, the prior is worth no more: twenty sessions' evidence."""

_CLOSE = 1e-12


def class_prior(variances: Sequence[float], sessions: Sequence[int], *, name: str) -> Prior | None:
    """The prior that variances between sessions of OTHER baselines support; None where too few.

    `variances[i]` is of one benchmark in a baseline of `sessions[i]` sessions. The moments of the
    log variances give d0 and s0 (Smyth 2004, Statistical Applications in Genetics and Molecular
    Biology 3(1), section 6.2; limma's fitFDist).
    """
    known = [(v, n - 1) for v, n in zip(variances, sessions, strict=True) if v > 0 and n > 1]
    if len(known) < ENOUGH_BASELINES:
        return None
    from scipy.special import digamma, polygamma  # takes 0.3 s, which a quick comparison notices

    centred = [math.log(v) - float(digamma(d / 2)) + math.log(d / 2) for v, d in known]
    sampling = mean([float(polygamma(1, d / 2)) for _, d in known])
    scatter = sample_variance(centred) - sampling
    freedom = 2 * inverse_trigamma(scatter) if scatter > 0 else math.inf
    level = mean(centred)
    if math.isfinite(freedom):
        level += float(digamma(freedom / 2)) - math.log(freedom / 2)
    return Prior(
        name=name,
        provisional=False,
        session_sd=math.exp(level / 2),
        degrees_of_freedom=min(freedom, MOST_FREEDOM),
    )


def inverse_trigamma(value: float) -> float:
    """The y with trigamma(y) = `value` > 0, by Newton's method on 1/trigamma (Smyth 2004).

    1/trigamma is convex and nearly linear, so that y falls to the root from 1/2 + 1/value, in a
    few steps and never beyond it.
    """
    from scipy.special import polygamma

    y = step = 0.5 + 1 / value
    while step > _CLOSE * y:
        trigamma = float(polygamma(1, y))
        step = trigamma * (trigamma / value - 1) / float(polygamma(2, y))
        y -= step
    return y
