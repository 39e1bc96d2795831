# SPDX-License-Identifier: Apache-2.0
"""What one benchmark is judged by: its tolerance, its look, its part of the allowance."""

from typing import NamedTuple

import msgspec

from ctxgate.noise.holm import Step

EARLY_SHARE = 0.1
"""Of the false-alarm allowance, what the first of two looks may spend: overwhelming evidence."""

SESSIONS_AT_LAST = 3
"""The first session and two confirming ones: the fewest whose median one sick session spares."""


FLOOR_BASIS = "its floor, more than the relative tolerance"


class Look(NamedTuple):
    """Which look at the contender this is, and how many the gate may take."""

    number: int
    of: int

    @property
    def share(self) -> float:
        """The part of the false-alarm allowance that this look spends.

        Looks that only pass remove rejections, so all of them together spend no more than one.
        """
        if self.of == 1:
            return 1.0
        return EARLY_SHARE if self.number == 1 else 1 - EARLY_SHARE


ONLY = Look(1, 1)
FIRST = Look(1, 2)
LAST = Look(2, 2)


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What one benchmark is judged by: its tolerance (log) and its part of the allowance.

    `basis` says what the tolerance is where the benchmark's own noise or its floor settles it; ""
    where it is a number somebody chose. `allowance` is spent over `gated` benchmarks in all looks
    together; `dearer` and `cheaper` are this look's steps for regression and improvement.
    """

    tolerance: float
    basis: str
    allowance: float
    gated: int
    look: Look
    dearer: Step
    cheaper: Step

    @property
    def own(self) -> bool:
        """Whether the tolerance is settled by the benchmark's own noise."""
        return bool(self.basis) and self.basis != FLOOR_BASIS

    @property
    def alpha(self) -> float:
        """What this look spends over all benchmarks."""
        return self.allowance * self.look.share

    @property
    def share(self) -> float:
        """The level that a lone regression has to reach in the end, at the last look: alpha/m."""
        return self.allowance * Look(self.look.of, self.look.of).share / self.gated

    def sessions_at_last(self, now: int) -> int:
        """How many contender sessions the last look has, with `now` of them at this one."""
        return now if self.look.number == self.look.of else SESSIONS_AT_LAST
