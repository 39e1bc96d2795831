# SPDX-License-Identifier: Apache-2.0
"""Student's t and chi-square: tail probability, critical value, median.

Only `scipy.special` is used, and only inside the functions: `scipy.stats` takes longer to import
than a verdict takes to compute.
"""

from functools import lru_cache


def upper_tail(t: float, degrees_of_freedom: float) -> float:
    """P(T > t) for Student's t; the one-sided p value of a statistic t."""
    from scipy.special import stdtr

    # The lower tail at -t, not one minus the lower tail at t: that would round p < 1e-16 to 0.
    return float(stdtr(degrees_of_freedom, -t))


@lru_cache(maxsize=8192)
def critical(alpha: float, degrees_of_freedom: float) -> float:
    """The t that is exceeded with probability `alpha`, one-sided: t(1 - alpha, nu).

    Cached: a gate of 4,000 benchmarks asks for a handful of different values.
    """
    from scipy.special import stdtrit

    return -float(stdtrit(degrees_of_freedom, alpha))


@lru_cache(maxsize=64)
def median_variance_ratio(degrees_of_freedom: int) -> float:
    """The median of a sample variance as a share of the true one: median of chi-square over nu.

    0.839 for five sessions: half of all samples look quieter than that.
    """
    from scipy.special import chdtri

    return float(chdtri(degrees_of_freedom, 0.5)) / degrees_of_freedom
