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

Tolerance = float | Literal["certifiable"]

_T = TypeVar("_T")


class Floor(msgspec.Struct, frozen=True, kw_only=True):
    """The least change that matters, however small the tolerance; all that are set have to be met.

    `relative` is a fraction of the baseline. It raises what is certifiable on a very quiet machine.
    """

    relative: float = 0.0
    nanoseconds: float = 0.0
    instructions: float = 0.0

    def amount(self, value: float, clock: Clock) -> float:
        """The floor of a benchmark whose baseline is `value`, in the clock's unit."""
        exact = clock is Clock.INSTRUCTIONS
        return max(self.relative * value, self.instructions if exact else self.nanoseconds)


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """The demands of one gate. Tolerances are fractions of the baseline.

    `tolerances`, `configured` and `floor` map fnmatch patterns of benchmark names to values; of
    several patterns that match, the exact name wins, then the longest pattern. `configured` is
    asked only where no pattern of `tolerances` matches: the command line beats the file, however
    special the file is. `required` None means every benchmark of the baseline. `alpha` is the
    false-alarm allowance of the whole gate.

    Raises ValueError for a value that no gate can be run with: the caller owns the usage error.
    """

    tolerance: Tolerance | None = None
    tolerances: Mapping[str, Tolerance] = {}
    configured: Mapping[str, Tolerance] = {}
    floor: Mapping[str, Floor] = {}
    required: tuple[str, ...] | None = None
    alpha: float = 0.01

    def __post_init__(self) -> None:
        named = {"tolerance": self.tolerance, **self.configured, **self.tolerances}
        for pattern, value in named.items():
            if isinstance(value, (int, float)) and not (math.isfinite(value) and value > 0):
                raise ValueError(f"{pattern}: a tolerance has to be above 0, not {value}")
        for pattern, floor in self.floor.items():
            for least in msgspec.structs.astuple(floor):
                if not (math.isfinite(least) and least >= 0):
                    raise ValueError(f"{pattern}: a floor has to be 0 or more, not {least}")
        if not 0 < self.alpha < 0.5:
            raise ValueError(f"alpha has to lie between 0 and 0.5, not {self.alpha}")

    def tolerance_of(self, name: str, clock: Clock) -> float | None:
        """The tolerance of one benchmark as a fraction; None for its certifiable one.

        In the exact tier nothing is uncertain, so certifiable means the default there.
        """
        chosen = most_specific(self.tolerances, name)
        if chosen is None:
            chosen = most_specific(self.configured, name)
        if chosen is None:
            chosen = self.tolerance
        if isinstance(chosen, (int, float)):
            return chosen
        if clock is Clock.INSTRUCTIONS:
            return EXACT_TOLERANCE
        return WALL_TOLERANCE if chosen is None else None

    def tail_tolerance_of(self, row: str) -> float | None:
        """The tolerance that is set for the row of a tail; None where none is.

        Only patterns that end in " p99" are meant for tails: one such as "switch/*" is not.
        """
        for table in (self.tolerances, self.configured):
            meant = {key: value for key, value in table.items() if key.endswith(TAIL_SUFFIX)}
            chosen = most_specific(meant, row)
            if chosen is not None:
                return chosen if isinstance(chosen, (int, float)) else None
        return None

    def floor_of(self, name: str, clock: Clock, value: float) -> float:
        """The least absolute change that matters where the baseline is `value`; 0 if none is set.

        Value and floor are in the clock's unit.
        """
        floor = most_specific(self.floor, name)
        return floor.amount(value, clock) if floor is not None else 0.0


def most_specific(table: Mapping[str, _T], name: str) -> _T | None:
    """The value of the exact name, else of the longest fnmatch pattern that matches it."""
    if name in table:
        return table[name]
    matching = [pattern for pattern in table if fnmatchcase(name, pattern)]
    return table[max(matching, key=len)] if matching else None
