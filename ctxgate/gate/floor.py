# SPDX-License-Identifier: Apache-2.0
"""Floors as people write them: the least change that matters, however small the tolerance."""

import math
import re
from collections.abc import Sequence

from ctxgate.gate.tolerance import NUMBER
from ctxgate.readings.model import Clock
from ctxgate.verdict.policy import Floor
from ctxgate.verdict.wording import amount, percent

_PART = re.compile(rf"({NUMBER.pattern})\s*(\S*)")
_TIME = "time"
_INSTRUCTIONS = "instructions"
_RELATIVE = "relative"
_UNITS = {
    "%": (_RELATIVE, 0.01),
    "ns": (_TIME, 1.0),
    "us": (_TIME, 1e3),
    "\N{MICRO SIGN}s": (_TIME, 1e3),
    "\N{GREEK SMALL LETTER MU}s": (_TIME, 1e3),
    "ms": (_TIME, 1e6),
    "s": (_TIME, 1e9),
    "instructions": (_INSTRUCTIONS, 1.0),
    "instruction": (_INSTRUCTIONS, 1.0),
}
_TRY = "try 50ns, 0.1us, 12 instructions or 1%"


def read_floor(parts: Sequence[str]) -> Floor:
    """The floor of `1%`, `50ns`, `12 instructions`: at most one of each, all of which hold.

    ValueError, with a suggestion, for anything else.
    """
    found: dict[str, float] = {}
    for text in parts:
        kind, value = _read(text)
        if kind in found:
            raise ValueError(f"'{text}' is the second floor in its unit")
        found[kind] = value
    return Floor(
        relative=found.get(_RELATIVE, 0.0),
        nanoseconds=found.get(_TIME, 0.0),
        instructions=found.get(_INSTRUCTIONS, 0.0),
    )


def floor_text(floor: Floor) -> str:
    """A floor in words: `1 % and 50 ns`."""
    parts = []
    if floor.relative:
        parts.append(percent(floor.relative))
    if floor.nanoseconds:
        parts.append(amount(floor.nanoseconds, Clock.NANOSECONDS))
    if floor.instructions:
        parts.append(amount(floor.instructions, Clock.INSTRUCTIONS))
    return " and ".join(parts) or "none"


def _read(text: str) -> tuple[str, float]:
    match = _PART.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"'{text}' is no floor; {_TRY}")
    number, unit = match.groups()
    if unit not in _UNITS:
        wrong = f"of no unit that is known here, '{unit}'" if unit else "without a unit"
        raise ValueError(f"'{text}' is {wrong}; {_TRY}")
    kind, size = _UNITS[unit]
    value = float(number) * size
    if not math.isfinite(value) or value < 0.0:
        raise ValueError(f"'{text}' has to be 0 or more and finite; {_TRY}")
    return kind, value
