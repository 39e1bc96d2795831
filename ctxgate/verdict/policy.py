# SPDX-License-Identifier: Apache-2.0
"""What the user demands of a gate: tolerances, absolute floors, required benchmarks, allowance."""

import math
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Literal, TypeVar

import msgspec

from ctxgate.noise.names import TAIL_SUFFIX
from ctxgate.readings.model import Clock

WALL_TOLERANCE = 0.03
"""The change that matters in wall time unless the user says otherwise."""

EXACT_TOLERANCE = 0.005
"""The change that matters in instructions unless the user says otherwise."""

CERTIFIABLE: Literal["certifiable"] = "certifiable"
"""Stands for each benchmark's own smallest tolerance that unchanged code passes 19 times in 20."""

_T = TypeVar("_T")


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """The demands of one gate. Tolerances are fractions of the baseline, floors in clock units.

    `tolerances` and `floor` map fnmatch patterns of benchmark names to values; of several patterns
    that match, the exact name wins, then the longest pattern. `required` None means every
    benchmark of the baseline. `alpha` is the false-alarm allowance of the whole gate.

    Raises ValueError for a value that no gate can be run with: the caller owns the usage error.
    """

    tolerance: float | Literal["certifiable"] | None = None
    tolerances: Mapping[str, float] = {}
    floor: Mapping[str, float] = {}
    required: tuple[str, ...] | None = None
    alpha: float = 0.01

    def __post_init__(self) -> None:
        named = {"tolerance": self.tolerance, **self.tolerances}
        for pattern, value in named.items():
            if isinstance(value, (int, float)) and not (math.isfinite(value) and value > 0):
                raise ValueError(f"{pattern}: a tolerance has to be above 0, not {value}")
        for pattern, value in self.floor.items():
            if not (math.isfinite(value) and value >= 0):
                raise ValueError(f"{pattern}: a floor has to be 0 or more, not {value}")
        if not 0 < self.alpha < 0.5:
            raise ValueError(f"alpha has to lie between 0 and 0.5, not {self.alpha}")

    def tolerance_of(self, name: str, clock: Clock) -> float | None:
        """The tolerance of one benchmark as a fraction; None for its certifiable one.

        In the exact tier nothing is uncertain, so certifiable means the default there.
        """
        exact = clock is Clock.INSTRUCTIONS
        chosen = most_specific(self.tolerances, name)
        if chosen is not None:
            return chosen
        if isinstance(self.tolerance, (int, float)):
            return self.tolerance
        if exact:
            return EXACT_TOLERANCE
        return WALL_TOLERANCE if self.tolerance is None else None

    def tail_tolerance_of(self, row: str) -> float | None:
        """The tolerance that is set for the row of a tail; None where none is.

        Only patterns that end in " p99" are meant for tails: one such as "switch/*" is not.
        """
        meant = {key: value for key, value in self.tolerances.items() if key.endswith(TAIL_SUFFIX)}
        return most_specific(meant, row)

    def floor_of(self, name: str) -> float:
        """The least absolute change that matters, in the clock's unit; 0 where none is set."""
        return most_specific(self.floor, name) or 0.0


def most_specific(table: Mapping[str, _T], name: str) -> _T | None:
    """The value of the exact name, else of the longest fnmatch pattern that matches it."""
    if name in table:
        return table[name]
    matching = [pattern for pattern in table if fnmatchcase(name, pattern)]
    return table[max(matching, key=len)] if matching else None
