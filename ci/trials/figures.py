# SPDX-License-Identifier: Apache-2.0
"""Figures that several trials report."""

import math
import statistics
from collections.abc import Sequence


def median_interval(values: Sequence[float], alpha: float = 0.05) -> tuple[float, float, float]:
    """Median and its distribution-free interval: the order statistics of the sign test."""
    ordered = sorted(values)
    count = len(ordered)
    below = 0.0
    rank = 0
    while rank < count // 2:
        below += math.comb(count, rank) / 2**count
        if below > alpha / 2:
            break
        rank += 1
    lowest = max(rank - 1, 0)
    return statistics.median(ordered), ordered[lowest], ordered[count - 1 - lowest]
