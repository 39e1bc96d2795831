# SPDX-License-Identifier: Apache-2.0
"""Holm's step-down procedure: one false-alarm allowance spent across everything gated."""

from collections.abc import Sequence
from typing import NamedTuple


class Step(NamedTuple):
    """What Holm says of one hypothesis: rejected or not, and at which level it was tested.

    The level of one that is not rejected is alpha/m, the level of the first step.
    """

    rejected: bool
    level: float


def holm(p_values: Sequence[float], alpha: float) -> list[Step]:
    """Test every p value so that a single false rejection among all has probability <= alpha.

    The i-th smallest is compared with alpha/(m-i+1) until one fails; it and all above it stand.
    Valid under any dependence between the benchmarks (Holm 1979), which share a machine.
    Results are in the order of `p_values`.
    """
    count = len(p_values)
    if not count:
        return []
    steps = [Step(False, alpha / count)] * count
    for rank, index in enumerate(sorted(range(count), key=p_values.__getitem__)):
        level = alpha / (count - rank)
        if p_values[index] > level:
            break
        steps[index] = Step(True, level)
    return steps
