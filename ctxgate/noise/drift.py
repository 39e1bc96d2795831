# SPDX-License-Identifier: Apache-2.0
"""Whether a baseline's sessions drift: a machine that became slower from one to the next."""

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

from ctxgate.noise.summaries import mean, sample_variance

_MOST_EXACT = 7
"""So many sessions have 5040 orders, which are counted; beyond, the ratio is nearly normal."""


def common_series(benchmarks: Sequence[Sequence[float]]) -> list[float]:
    """What the sessions have in common: the mean over the benchmarks of their standardised values.

    A drift of the machine is in all of them, the noise of each is not. Benchmarks that do not vary
    at all tell nothing and are left out; empty if none is left.
    """
    standardised = []
    for values in benchmarks:
        centre, spread = mean(values), math.sqrt(sample_variance(values))
        if spread > 0:
            standardised.append([(value - centre) / spread for value in values])
    return [mean(session) for session in zip(*standardised, strict=True)]


def trend_p_value(series: Sequence[float]) -> float:
    """How likely an order without any trend gives neighbours as alike as these.

    The rank version of von Neumann's ratio (Bartels 1982, JASA 77: 40-46): squared differences of
    neighbours over squared deviations from the mean, about 2 where the order means nothing and
    less where there is a drift or a step. Up to seven values all orders are counted.
    """
    count = len(series)
    if count < 3:
        return 1.0
    ranks = _ranks(series)
    middle = (count + 1) / 2
    scatter = math.fsum((rank - middle) ** 2 for rank in ranks)
    if not scatter:
        return 1.0
    found = _neighbours(ranks)
    if count <= _MOST_EXACT:
        orders = _orders(count)
        return sum(one <= found + 1e-9 for one in orders) / len(orders)
    deviation = math.sqrt(
        4 * (count - 2) * (5 * count**2 - 2 * count - 9)
        / (5 * count * (count + 1) * (count - 1) ** 2)
    )  # fmt: skip
    return NormalDist().cdf((found / scatter - 2) / deviation)


def _ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1; equal values share the mean of theirs."""
    ordered = sorted(values)
    return [
        (ordered.index(value) + 1 + len(ordered) - ordered[::-1].index(value)) / 2
        for value in values
    ]


def _neighbours(ranks: Sequence[float]) -> float:
    return math.fsum((after - before) ** 2 for before, after in itertools.pairwise(ranks))


@lru_cache(maxsize=8)
def _orders(count: int) -> list[float]:
    return [_neighbours(order) for order in itertools.permutations(range(1, count + 1))]
