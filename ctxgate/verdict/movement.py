# SPDX-License-Identifier: Apache-2.0
"""Whether what should stand still did: each session held against the baseline's interval."""

from collections.abc import Sequence
from typing import NamedTuple

from ctxgate.noise.certifiable import fraction
from ctxgate.noise.prior import Prior
from ctxgate.noise.student import critical
from ctxgate.noise.summaries import Summary, mean
from ctxgate.noise.variance import spread, standard_error
from ctxgate.verdict.wording import percent

_TAIL = 0.0005
"""Each tail outside the 99.9 % predictive interval: a false alarm once in a thousand sessions."""


class Movement(NamedTuple):
    """One contender session's distance from the baseline and how far it may be (log units)."""

    session: int
    change: float
    limit: float

    @property
    def moved(self) -> bool:
        """Whether it lies outside."""
        return abs(self.change) > self.limit

    @property
    def limits(self) -> str:
        """`-5.3 % to +5.6 %`."""
        low, high = fraction(-self.limit), fraction(self.limit)
        return f"{percent(low, signed=True)} to {percent(high, signed=True)}"


def movements(stored: Sequence[Summary], fresh: Sequence[Summary], prior: Prior) -> list[Movement]:
    """Each contender session's movement."""
    level = mean([session.value for session in stored])
    found = []
    for index, session in enumerate(fresh):
        seen = spread(stored, [session.runs], prior)
        limit = critical(_TAIL, seen.nu) * standard_error(seen, len(stored), 1)
        found.append(Movement(index, session.value - level, limit))
    return found
