# SPDX-License-Identifier: Apache-2.0
"""Sound documents with a row, or a set of rows, that must not be trusted."""

import copy
from collections.abc import Iterator
from typing import Any

from ctxgate.readings.problems import Kind
from tests.readings.documents import PIPE, Json, foreign, own, own_row, repetition, text_of

Bad = tuple[str, Kind, bytes]
_GONE = object()

_FIELDS: dict[tuple[str, Kind], tuple[Any, ...]] = {
    ("name", Kind.MISSING_FIELD): (_GONE,),
    ("name", Kind.BAD_NAME): (
        None, 5, True, [], {}, "", "  ", "a\tb", "a\u0001b", "a\u202eb", "x" * 1001,
    ),
    ("real_time", Kind.MISSING_FIELD): (_GONE,),
    ("real_time", Kind.BAD_TIME): (
        None, True, False, "7000", "", [], {}, 0, 0.0, -0.0, -1, -7000.5, -1e-9, -1e-300,
    ),
    ("real_time", Kind.OVERFLOW): (1e300, 1.1e18, 10**30),
    ("cpu_time", Kind.BAD_TIME): (None, True, "7000", [], -1, -0.5),
    ("time_unit", Kind.MISSING_FIELD): (_GONE,),
    ("time_unit", Kind.UNKNOWN_UNIT): (None, "", "min", "NS", "ns ", "\u00b5s", 5, True, [], {}),
    ("iterations", Kind.MISSING_FIELD): (_GONE,),
    ("iterations", Kind.BAD_ITERATIONS): (0, -1, 1.0, 1.5, 100.0, None, "1000", True, []),
    ("threads", Kind.BAD_FIELD): (0, -1, 1.5, 2.0, "2", None, True),
    ("repetitions", Kind.BAD_FIELD): (-1, 3.0, "3", None, True),
    ("repetition_index", Kind.BAD_FIELD): (-1, 0.5, "0", None, False),
    ("run_type", Kind.BAD_FIELD): ("Iteration", "", None, 5, "repetition"),
    ("error_occurred", Kind.FAILED): (True, 1, "true", None),
    ("error_message", Kind.FAILED): ("no rights", ""),
    ("skipped", Kind.SKIPPED): (True, 1, "yes"),
    ("skip_message", Kind.SKIPPED): ("not here",),
    ("aggregate_name", Kind.DISGUISED_AGGREGATE): ("mean",),
}  # fmt: skip

_COUNTERS: dict[tuple[str, Kind], tuple[Any, ...]] = {
    ("valid", Kind.UNPROVEN): (_GONE,),
    ("valid", Kind.INVALID): (0.0, 0),
    ("valid", Kind.BAD_COUNTER): (0.5, 2.0, -1.0, None, True, "1", []),
    ("switches", Kind.UNPROVEN): (_GONE,),
    ("switches", Kind.BELIED): (0.0, 1.0, 1.98, 2.02, 4.0),
    ("switches", Kind.BAD_COUNTER): (-2.0, None, "2", True),
    ("switches_expected", Kind.UNPROVEN): (_GONE,),
    ("switches_expected", Kind.BELIED): (0.0, 1.0, 4.0),
    ("voluntary", Kind.UNPROVEN): (_GONE,),
    ("voluntary", Kind.BELIED): (0.0, 1.0, 2.02),
    ("involuntary", Kind.UNPROVEN): (_GONE,),
    ("involuntary", Kind.BELIED): (0.02, 1.0),
    ("voluntary_max", Kind.BELIED): (0.0, 1.0),
    ("voluntary_max", Kind.BAD_COUNTER): (-1.0, None, "0"),
    ("involuntary_max", Kind.BAD_COUNTER): (-1.0, None, True),
    ("migrations", Kind.UNPROVEN): (_GONE,),
    ("migrations", Kind.BELIED): (1.0, 0.001),
    ("migrations", Kind.BAD_COUNTER): (-1.0, None, "0"),
    ("class_changes", Kind.BELIED): (1.0,),
    ("rt_gaps", Kind.BELIED): (2.0, 30.0),
    ("other_switches", Kind.BELIED): (0.001, 2.0),
    ("crowded", Kind.BELIED): (0.34, 1.0),
    ("steal_ms", Kind.BAD_COUNTER): (-1.0, "0"),
    ("page_faults", Kind.BAD_COUNTER): (-1.0, None),
    ("version", Kind.UNPROVEN): (_GONE,),
    ("version", Kind.BAD_COUNTER): (0.0, 1.5, -1.0, "1"),
    ("samples", Kind.UNPROVEN): (_GONE,),
    ("samples", Kind.BAD_COUNTER): (0.0, 0.5, None),
    ("floor", Kind.UNPROVEN): (_GONE,),
    ("floor", Kind.BAD_COUNTER): (0.0, -5.0, None, True, "3600", 1e300),
    ("floor", Kind.BELIED): (20_000.0,),
    ("p50", Kind.UNPROVEN): (_GONE,),
    ("p50", Kind.BELIED): (9000.0,),
    ("p90", Kind.BELIED): (9000.0,),
    ("p99", Kind.BELIED): (9000.0, 100.0),
    ("p999", Kind.BELIED): (90_000.0,),
    ("max", Kind.BELIED): (1000.0,),
    ("max", Kind.UNPROVEN): (_GONE,),
}

_CONTEXT: dict[tuple[str, Kind], tuple[Any, ...]] = {
    ("ctxgate.schema", Kind.UNKNOWN_SCHEMA): (_GONE, "0", "2", "", "1.0"),
    ("ctxgate.clock", Kind.UNKNOWN_CLOCK): (_GONE, "", "cycles", "NS"),
    ("ctxgate.schema", Kind.BAD_CONTEXT): (1, None),
    ("ctxgate.identity.cpu_model", Kind.BAD_CONTEXT): (5, None, []),
    ("ctxgate.unavailable", Kind.BAD_CONTEXT): (
        "", "{", "[]", '{"a": 1}', "null", f'{{"{PIPE}": "no rights"}}',
    ),
    ("ctxgate.session", Kind.BAD_CONTEXT): ("abc",),
    ("ctxgate.run", Kind.BAD_CONTEXT): ("0",),
}  # fmt: skip


def bad_foreign_rows() -> Iterator[Bad]:
    """Rows of another program; the second repetition of BM_pipe is spoilt."""
    for (field, kind), values in _FIELDS.items():
        for value in values:
            document = foreign(99)
            _set(document["benchmarks"][1], field, value)
            yield f"{field} {_said(value)}", kind, text_of(document)
    no_rows: tuple[Any, ...] = (None, 5, "row", [], True)
    for no_row in no_rows:
        document = foreign(99)
        document["benchmarks"].insert(2, no_row)
        yield f"row is {no_row}", Kind.BAD_ROW, text_of(document)
    yield from _bad_sets_of_rows()
    yield from _bad_aggregates()


def bad_own_files() -> Iterator[Bad]:
    """Files of ctxgate-bench; the row of the pipe, or the context, is spoilt."""
    for (counter, kind), values in _COUNTERS.items():
        for value in values:
            document = own(99)
            _set(document["benchmarks"][0], f"ctxgate.{counter}", value)
            yield f"{counter} {_said(value)}", kind, text_of(document)
    for (key, kind), values in _CONTEXT.items():
        for value in values:
            document = own(99)
            _set(document["context"], key, value)
            yield f"{key} {_said(value)}", kind, text_of(document)
    for field, kind, value in (
        ("threads", Kind.BAD_FIELD, 2), ("repetitions", Kind.BAD_FIELD, 3),
        ("repetition_index", Kind.BAD_FIELD, 1), ("run_type", Kind.BAD_ROW, "aggregate"),
        ("real_time", Kind.BAD_TIME, 0.0), ("error_occurred", Kind.FAILED, True),
        ("iterations", Kind.BAD_ITERATIONS, 0), ("time_unit", Kind.UNKNOWN_UNIT, "h"),
        ("name", Kind.BAD_NAME, ""),
    ):  # fmt: skip
        document = own(99)
        document["benchmarks"][0][field] = value
        yield f"{field} {value}", kind, text_of(document)
    yield from _bad_own_sets()


def _bad_own_sets() -> Iterator[Bad]:
    document = own(99)
    document["benchmarks"].append(copy.deepcopy(document["benchmarks"][0]))
    yield "row twice", Kind.DUPLICATE_NAME, text_of(document)
    document = own(99)
    document["benchmarks"][2] = own_row(document["benchmarks"][2]["name"], 900, switches=2.0)
    yield "twin that switches", Kind.BELIED, text_of(document)
    document = own(99)
    _set(document["benchmarks"][1], "ctxgate.switches", 2.2)
    yield "other off by 0.2", Kind.BELIED, text_of(document)
    for stamp in (("s", "8", "8"), ("s", "-1", "8"), ("s", "x", "8"), ("", "0", "8"),
                  ("s", "0", "0"), ("s", "\u0661", "8")):  # fmt: skip
        document = own(99, session=stamp[0], run=stamp[1], runs=stamp[2])
        yield f"stamp {stamp}", Kind.BAD_CONTEXT, text_of(document)
    document = own(99)
    for key in ("cpu_model", "microcode"):
        del document["context"][f"ctxgate.identity.{key}"]
    yield "no identity", Kind.BAD_CONTEXT, text_of(document)
    yield "no rows", Kind.NO_ROWS, text_of(own(99) | {"benchmarks": []})
    document = own(99)
    for row in document["benchmarks"]:
        row.pop("ctxgate.switches_expected")
        row.update({"ctxgate.switches_min": 3.0, "ctxgate.switches_max": 4.0})
    yield "outside its range", Kind.BELIED, text_of(document)
    document = own(99)
    context = {k: v for k, v in document["context"].items() if not k.startswith("ctxgate.")}
    yield "context lost", Kind.LOST_CONTEXT, text_of(document | {"context": context})
    yield "no context", Kind.LOST_CONTEXT, text_of({"benchmarks": document["benchmarks"]})


def _bad_sets_of_rows() -> Iterator[Bad]:
    for gone in range(3):
        document = foreign(99)
        del document["benchmarks"][gone]
        yield f"repetition {gone} missing", Kind.REPETITION_MISSING, text_of(document)
    for index in range(3):
        document = foreign(99)
        document["benchmarks"].insert(3, copy.deepcopy(document["benchmarks"][index]))
        yield f"repetition {index} twice", Kind.REPETITION_TWICE, text_of(document)
    document = foreign(99)
    document["benchmarks"][1]["repetition_index"] = 0
    yield "index twice", Kind.REPETITION_TWICE, text_of(document)
    for said, kind in ((5, Kind.REPETITION_MISSING), (2, Kind.REPETITION_TWICE)):
        document = foreign(99)
        for row in document["benchmarks"]:
            row["repetitions"] = said
        yield f"says {said}", kind, text_of(document)
    document = foreign(99)
    for row, index in zip(document["benchmarks"], (0, 1, 3, 0, 1, 3), strict=True):
        row["repetition_index"] = index
    yield "gap", Kind.REPETITION_MISSING, text_of(document)
    document = foreign(99)
    document["benchmarks"][1]["repetitions"] = 4
    yield "repetitions disagree", Kind.BAD_FIELD, text_of(document)
    document = foreign(99)
    document["benchmarks"][2]["threads"] = 4
    yield "threads disagree", Kind.BAD_FIELD, text_of(document)
    yield from _same_name_twice()


def _same_name_twice() -> Iterator[Bad]:
    document = foreign(99)
    document["benchmarks"] += [
        repetition("BM_pipe", index, 3, 500.0 + index, family_index=7) for index in range(3)
    ]
    yield "another family", Kind.DUPLICATE_NAME, text_of(document)
    plain = [
        {"name": name, "iterations": 10, "real_time": time, "time_unit": "ns"}
        for name, time in (("BM_pipe", 100.0), ("BM_null", 5.0), ("BM_pipe", 500.0))
    ]
    yield "apart, no index", Kind.DUPLICATE_NAME, text_of({"benchmarks": plain})
    once = [row | {"repetitions": 1} for row in (plain[0], plain[2])]
    yield "says once", Kind.DUPLICATE_NAME, text_of({"benchmarks": once})


def _bad_aggregates() -> Iterator[Bad]:
    def statistic(of: str, name: str, **more: Any) -> Json:
        row = repetition(f"{of}_{name}", 0, 3, 7000.0, run_name=of, run_type="aggregate")
        del row["repetition_index"]
        return row | {"aggregate_name": name, "aggregate_unit": "time", "iterations": 3} | more

    document = foreign(99)
    document["benchmarks"] = [statistic("BM_pipe", name) for name in ("mean", "median", "stddev")]
    yield "aggregates only", Kind.AGGREGATES_ONLY, text_of(document)
    percentage = statistic("BM_pipe", "cv", real_time=0.01, aggregate_unit="percentage")
    yield "cv only", Kind.AGGREGATES_ONLY, text_of({"benchmarks": [percentage]})
    document = foreign(99)
    document["benchmarks"].append(statistic("BM_rest", "mean"))
    yield "one of three without repetitions", Kind.AGGREGATES_ONLY, text_of(document)
    document = foreign(99)
    document["benchmarks"].append(statistic("BM_pipe", "mean", iterations=2))
    yield "only two counted", Kind.REPETITION_MISSING, text_of(document)
    old = [{"name": f"BM_x_{name}", "iterations": 10, "real_time": 5.0, "time_unit": "ns"}
           for name in ("mean", "stddev")]  # fmt: skip
    yield "old aggregates only", Kind.AGGREGATES_ONLY, text_of({"benchmarks": old})
    document = foreign(99)
    mean = statistic("BM_pipe", "mean") | {"run_type": "iteration"}
    del mean["aggregate_name"]
    document["benchmarks"].append(mean)
    yield "mean as iteration", Kind.DISGUISED_AGGREGATE, text_of(document)
    nameless = statistic("BM_pipe", "mean")
    del nameless["name"]
    document = foreign(99)
    document["benchmarks"].append(nameless)
    yield "aggregate without a name", Kind.MISSING_FIELD, text_of(document)


def _set(target: Json, key: str, value: Any) -> None:
    if value is _GONE:
        target.pop(key)
    else:
        target[key] = value


def _said(value: Any) -> str:
    return "gone" if value is _GONE else ascii(value)
