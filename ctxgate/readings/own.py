# SPDX-License-Identifier: Apache-2.0
"""Rows of `ctxgate-bench`: readings that carry their proof, which is checked again here."""

import itertools
from typing import Any

from ctxgate.readings.context import OWN, Context
from ctxgate.readings.decode import Document, Row
from ctxgate.readings.model import Reading
from ctxgate.readings.problems import Findings, Kind
from ctxgate.readings.proof import Counts, check_proof
from ctxgate.readings.rows import (
    Fault,
    Sort,
    check_ran,
    iterations_of,
    name_of,
    said,
    sort_of,
    time_ns,
    unit_of,
    whole,
)
from ctxgate.readings.units import LONGEST_NS

_QUANTILES = ("p50", "p90", "p99", "p999", "max")
# A quantile is the middle of a bucket at most 1 % wide, so neighbours may cross by that much.
_BUCKET = 0.01


class OwnRows:
    """Takes the rows of a file one by one, then gives the readings of its benchmarks."""

    def __init__(self, document: Document, context: Context, findings: Findings) -> None:
        self._document = document
        self._context = context
        self._findings = findings
        self._rows: list[tuple[int, Row]] = []

    def add(self, position: int, row: Row) -> None:
        """Take the row at `position`; there are few, so they are judged together at the end."""
        self._rows.append((position, row))

    def finish(self) -> tuple[dict[str, Reading], dict[str, str]]:
        """The readings that can be trusted; no facts beyond the context's."""
        readings: dict[str, Reading] = {}
        seen: set[str] = set()
        for position, row in self._rows:
            name = ""
            try:
                name = name_of(row)
                if name in seen:
                    raise Fault(Kind.DUPLICATE_NAME, "stands twice in the file of one run")
                seen.add(name)
                readings[name] = _read(name, row)
            except Fault as fault:
                readings.pop(name, None)
                line = self._document.line(position)
                self._findings.refuse(fault.kind, fault.cause, line=line, name=name)
        for name in seen & self._context.unavailable.keys():
            cause = "has a row, and the context calls it unavailable"
            self._findings.refuse(Kind.BAD_CONTEXT, cause, name=name)
        return readings, {}


def _read(name: str, row: Row) -> Reading:
    """A checked reading, in ns (or instructions) per round trip. Raises Fault."""
    if sort_of(row) is not Sort.ITERATION:
        raise Fault(Kind.BAD_ROW, "is a statistic; ctxgate-bench writes none")
    check_ran(row)
    mean = time_ns(row)
    iterations_of(row)
    for key, only in (("threads", 1), ("repetitions", 1), ("repetition_index", 0)):
        if whole(row, key, only) != only:
            raise Fault(Kind.BAD_FIELD, f"{key} is {row[key]}; ctxgate-bench writes {only}")
    if f"{OWN}valid" not in row:
        raise Fault(Kind.UNPROVEN, "carries no ctxgate.valid: nothing proves what was measured")
    counts = _counts(row)
    check_proof(name, counts, flag=_flag(row))
    quantiles = _quantiles(row)
    return Reading(
        name=name,
        floor=quantiles["floor"],
        typical=quantiles["p50"],
        mean=mean,
        samples=_whole_counter(row, "samples"),
        version=_whole_counter(row, "version"),
        switches=counts.switches,
        switches_min=counts.least if counts.is_range else None,
        switches_max=counts.most if counts.is_range else None,
        voluntary=counts.voluntary,
        involuntary=counts.involuntary,
        migrations=counts.migrations,
        p90=quantiles["p90"],
        p99=quantiles["p99"],
        p999=quantiles["p999"],
        max=quantiles["max"],
    )


def _counts(row: Row) -> Counts:
    is_range = f"{OWN}switches_expected" not in row
    least = _counter(row, "switches_min" if is_range else "switches_expected")
    most = _counter(row, "switches_max") if is_range else least
    for extra in ("page_faults", "steal_ms"):
        _counter(row, extra, default=0.0)
    return Counts(
        switches=_counter(row, "switches"),
        least=least,
        most=most,
        is_range=is_range,
        voluntary=_counter(row, "voluntary"),
        involuntary=_counter(row, "involuntary"),
        voluntary_most=_counter(row, "voluntary_max", default=LONGEST_NS),
        involuntary_most=_counter(row, "involuntary_max", default=LONGEST_NS),
        migrations=_counter(row, "migrations"),
        class_changes=_counter(row, "class_changes", default=0.0),
        rt_gaps=_counter(row, "rt_gaps", default=0.0),
        others=_counter(row, "other_switches", default=0.0),
        crowded=_counter(row, "crowded", default=0.0),
    )


def _flag(row: Row) -> bool:
    flag = _counter(row, "valid")
    if flag not in (0.0, 1.0):
        raise Fault(Kind.BAD_COUNTER, f"ctxgate.valid is {said(flag)}, neither 0 nor 1")
    return flag == 1.0


def _quantiles(row: Row) -> dict[str, float]:
    """Floor, and the quantiles in order, in ns. Raises Fault.

    The floor is a low quantile of whole batches, so it may well lie above the median of single
    round trips where these have a tail.
    """
    factor = unit_of(row)
    values = {key: _counter(row, key) * factor for key in ("floor", *_QUANTILES)}
    for key, value in values.items():
        if not 0 < value <= LONGEST_NS:
            raise Fault(Kind.BAD_COUNTER, f"ctxgate.{key} is {said(value)}, not a time above zero")
    for low, high in itertools.pairwise(_QUANTILES):
        if values[low] > values[high] * (1 + _BUCKET):
            raise Fault(
                Kind.BELIED, f"ctxgate.{low} {values[low]:g} exceeds {high} {values[high]:g}"
            )
    if values["floor"] > values["max"] * (1 + _BUCKET):
        cause = f"ctxgate.floor {values['floor']:g} exceeds max {values['max']:g}"
        raise Fault(Kind.BELIED, cause)
    return values


def _whole_counter(row: Row, key: str) -> int:
    value = _counter(row, key)
    if not value.is_integer() or value < 1:
        raise Fault(Kind.BAD_COUNTER, f"ctxgate.{key} is {value:g}, not a whole number from 1")
    return int(value)


def _counter(row: Row, key: str, default: float | None = None) -> float:
    """Counter `ctxgate.key`, finite and not negative; `default` where it may lack. Raises Fault."""
    value: Any = row.get(f"{OWN}{key}", default)
    if value is None and f"{OWN}{key}" not in row:
        raise Fault(Kind.UNPROVEN, f"carries no ctxgate.{key}")
    if type(value) not in (float, int) or not 0 <= value <= LONGEST_NS:
        raise Fault(Kind.BAD_COUNTER, f"ctxgate.{key} is {said(value)}, not a count or time")
    return float(value)
