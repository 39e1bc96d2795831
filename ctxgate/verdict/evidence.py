# SPDX-License-Identifier: Apache-2.0
"""One side of a row: its value and the counts it rests on."""

from collections.abc import Sequence

from ctxgate.readings.model import Reading
from ctxgate.verdict.model import Side


def side_of(sessions: Sequence[Sequence[Reading]], value: float) -> Side:
    """The side's value in the clock's unit with its mean counts per round trip."""
    readings = [reading for session in sessions for reading in session]
    return Side(
        value=value,
        sessions=len(sessions),
        runs=len(readings),
        switches=_mean([reading.switches for reading in readings]),
        voluntary=_mean([reading.voluntary for reading in readings]),
        involuntary=_mean([reading.involuntary for reading in readings]),
    )


def _mean(counts: list[float | None]) -> float | None:
    """The mean, or None if any run has no count: a partial count proves nothing."""
    known = [count for count in counts if count is not None]
    return sum(known) / len(known) if known and len(known) == len(counts) else None
