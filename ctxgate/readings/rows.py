# SPDX-License-Identifier: Apache-2.0
"""One row of "benchmarks": what sort it is, and whether its plain fields can be trusted."""

import re
from enum import Enum

from ctxgate.readings.decode import Row
from ctxgate.readings.problems import LONGEST_NAME, UNPRINTABLE, Kind, shown
from ctxgate.readings.units import LONGEST_NS, NANOSECONDS

_STATISTIC = re.compile(r"_(?:mean|median|stddev|cv|min|max)\Z")
_COMPLEXITY = ("cpu_coefficient", "real_coefficient", "big_o", "rms")
_MISSING = object()


class Sort(Enum):
    """What a row stands for; aggregates and fits are recomputed or not wanted, never read."""

    ITERATION = "one repetition"
    AGGREGATE = "a statistic over repetitions"
    COMPLEXITY = "a fitted complexity, or its error"


class Fault(Exception):  # noqa: N818 - it is a finding about a row, not an error of the program
    """Why a row cannot be trusted."""

    def __init__(self, kind: Kind, cause: str) -> None:
        super().__init__(cause)
        self.kind = kind
        self.cause = cause


def sort_of(row: Row) -> Sort:
    """What `row` is. Files before 1.5.0 have no run_type: there the fields tell.

    Raises Fault for a statistic that claims to be a repetition, and for an unknown run_type.
    """
    run_type = row.get("run_type", _MISSING)
    if run_type == "iteration":
        if "aggregate_name" in row or _is_named_as_statistic(row):
            raise Fault(Kind.DISGUISED_AGGREGATE, "is a statistic but says run_type iteration")
        return Sort.ITERATION
    if "real_time" not in row and any(key in row for key in _COMPLEXITY):
        return Sort.COMPLEXITY
    if run_type == "aggregate" or (run_type is _MISSING and "aggregate_name" in row):
        return Sort.AGGREGATE
    if run_type is _MISSING:
        return Sort.ITERATION
    raise Fault(Kind.BAD_FIELD, f"run_type is {said(run_type)}, neither iteration nor aggregate")


def _is_named_as_statistic(row: Row) -> bool:
    name, run_name = row.get("name"), row.get("run_name")
    if name == run_name or not isinstance(name, str) or not isinstance(run_name, str):
        return False
    return name.startswith(run_name) and bool(_STATISTIC.fullmatch(name, len(run_name)))


def statistic_of(name: str) -> str | None:
    """The benchmark that a name like `BM_x_mean` may be a statistic of, in files without run_type.

    Only a row of that benchmark, or its other statistics, tell whether it is one.
    """
    match = _STATISTIC.search(name)
    return name[: match.start()] if match and match.start() else None


def name_of(row: Row) -> str:
    """The row's name. Raises Fault where there is none that a report could print."""
    name = row.get("name", _MISSING)
    if name is _MISSING:
        raise Fault(Kind.MISSING_FIELD, "a row has no name")
    if not isinstance(name, str) or not name.strip():
        raise Fault(Kind.BAD_NAME, f"a row's name is {said(name)}")
    if UNPRINTABLE.search(name) or len(name) > LONGEST_NAME:
        raise Fault(
            Kind.BAD_NAME, f"the name {shown(name)} is too long or holds control characters"
        )
    return name


def check_ran(row: Row) -> None:
    """Raises Fault if the benchmark says that it failed or did not run.

    Google Benchmark exits 0 then, and writes time 0.
    """
    if row.get("error_occurred", False) is not False or "error_message" in row:
        message = shown(str(row.get("error_message", "without a message")))
        raise Fault(Kind.FAILED, f"failed: {message}")
    if row.get("skipped", False) is not False or "skip_message" in row:
        message = shown(str(row.get("skip_message", "without a message")))
        raise Fault(Kind.SKIPPED, f"was skipped: {message}")


def time_ns(row: Row) -> float:
    """The row's real time in ns, positive and finite. Raises Fault."""
    factor = unit_of(row)
    cpu_time = row.get("cpu_time", 0.0)
    if type(cpu_time) not in (float, int) or cpu_time < 0:
        raise Fault(Kind.BAD_TIME, f"cpu_time is {said(cpu_time)}")
    real_time = row.get("real_time", _MISSING)
    if real_time is _MISSING:
        raise Fault(Kind.MISSING_FIELD, "has no real_time")
    if type(real_time) not in (float, int) or not real_time > 0:
        raise Fault(Kind.BAD_TIME, f"real_time is {said(real_time)}, not a time above zero")
    if real_time > LONGEST_NS / factor:
        raise Fault(Kind.OVERFLOW, f"real_time {said(real_time)} {row['time_unit']} is no time")
    return float(real_time) * factor


def unit_of(row: Row) -> float:
    """Nanoseconds in the row's time_unit. Raises Fault."""
    unit = row.get("time_unit", _MISSING)
    if unit is _MISSING:
        raise Fault(Kind.MISSING_FIELD, "has no time_unit")
    if not isinstance(unit, str) or unit not in NANOSECONDS:
        raise Fault(Kind.UNKNOWN_UNIT, f"time_unit is {said(unit)}, none of ns, us, ms, s")
    return NANOSECONDS[unit]


def iterations_of(row: Row) -> int:
    """The row's iterations, at least one. Raises Fault."""
    iterations = row.get("iterations", _MISSING)
    if iterations is _MISSING:
        raise Fault(Kind.MISSING_FIELD, "has no iterations")
    if type(iterations) is float:
        cause = f"iterations is {iterations}, not a whole number: a locale's grouping mark?"
        raise Fault(Kind.BAD_ITERATIONS, cause)
    if type(iterations) is not int or iterations < 1:
        raise Fault(Kind.BAD_ITERATIONS, f"iterations is {said(iterations)}: the loop never ran")
    return iterations


def whole(row: Row, key: str, default: int, least: int = 0) -> int:
    """A whole number of at least `least`; `default` where older files lack it. Raises Fault."""
    value = row.get(key, default)
    if type(value) is not int or value < least:
        raise Fault(Kind.BAD_FIELD, f"{key} is {said(value)}, not a whole number from {least}")
    return value


def said(value: object) -> str:
    """A value as JSON has it, short enough for a message."""
    names = {None: "null", True: "true", False: "false"}
    if value is None or isinstance(value, bool):
        return names[value]
    if isinstance(value, dict | list):
        return "a list" if isinstance(value, list) else "an object"
    return shown(repr(value), 60)  # msgspec refuses the integers that Python would not print
