# SPDX-License-Identifier: Apache-2.0
"""Files of other Google Benchmark programs, of every age: the right value from each shape."""

from pathlib import Path
from typing import Any

import pytest

from ctxgate.readings.load import load_run
from ctxgate.readings.model import Clock, Reading, Run
from ctxgate.readings.problems import Doubt, Kind
from tests.readings.documents import Json, foreign, repetition, write


def read(tmp_path: Path, document: object) -> tuple[Run, list[str]]:
    """The run of a good document and the kinds of its cautions."""
    run, problems, cautions = load_run(write(tmp_path / "run.json", document))
    assert problems == []
    assert run is not None
    return run, [caution.kind for caution in cautions]


def test_repetitions_become_floor_median_and_mean_in_ns(tmp_path: Path) -> None:
    times = (7.0, 5.0, 10.0, 6.0)
    rows = [repetition("BM", index, 4, time, time_unit="us") for index, time in enumerate(times)]
    run, _ = read(tmp_path, foreign() | {"benchmarks": rows})
    assert dict(run.readings) == {
        "BM": Reading(name="BM", floor=5000.0, typical=6500.0, mean=7000.0, repetitions=4)
    }
    assert run.foreign
    assert run.clock is Clock.NANOSECONDS


@pytest.mark.parametrize(("unit", "factor"), [("ns", 1), ("us", 1e3), ("ms", 1e6), ("s", 1e9)])
def test_units_are_normalised_first(tmp_path: Path, unit: str, factor: float) -> None:
    rows = [repetition("BM", 0, 2, 3.0, time_unit=unit), repetition("BM", 1, 2, 3e9)]
    run, _ = read(tmp_path, foreign() | {"benchmarks": rows})
    assert run.readings["BM"].floor == min(3.0 * factor, 3e9)


@pytest.mark.parametrize(("unit", "longest"), [("ns", 1e18), ("us", 1e15), ("s", 1e9)])
def test_no_unit_makes_a_time_longer_than_32_years(
    tmp_path: Path, unit: str, longest: float
) -> None:
    rows = [repetition("BM", 0, 1, longest, cpu_time=1.0, time_unit=unit)]
    run, _ = read(tmp_path, foreign() | {"benchmarks": rows})
    assert run.readings["BM"].floor == 1e18
    rows[0]["real_time"] = longest * 1.001
    _, problems, _ = load_run(write(tmp_path / "run.json", foreign() | {"benchmarks": rows}))
    assert [problem.kind for problem in problems] == [Kind.OVERFLOW]


def test_odd_number_of_repetitions_in_any_order(tmp_path: Path) -> None:
    rows = [repetition("BM", index, 3, 10.0 + index) for index in (2, 0, 1)]
    run, _ = read(tmp_path, foreign() | {"benchmarks": rows})
    assert run.readings["BM"].typical == 11.0


def test_identity_is_what_the_context_says_of_the_hardware(tmp_path: Path) -> None:
    run, _ = read(tmp_path, foreign())
    assert run.identity == {
        "num_cpus": "2",
        "caches": "L1 Data 32768 B/1",
        "library_build_type": "release",
    }
    assert run.record["host_name"] == "bench-1"
    assert run.record["library_version"] == "v1.9.5"
    assert run.subject == {}


@pytest.mark.parametrize("caches", [["L1"], [{"level": 1}], "none", None, [5]])
def test_caches_of_another_shape_are_kept_as_they_are(tmp_path: Path, caches: Any) -> None:
    document = foreign()
    document["context"]["caches"] = caches
    run, _ = read(tmp_path, document)
    assert run.identity["caches"]


@pytest.mark.parametrize(
    "date", ["2018/01/30-18:40:25", "2099-01-01T00:00:00-00:00", "yesterday", 5, None]
)
def test_dates_mean_nothing(tmp_path: Path, date: Any) -> None:
    document = foreign()
    document["context"]["date"] = date
    run, cautions = read(tmp_path, document)
    assert len(run.readings) == 2
    assert cautions == []


def test_statistics_and_fits_are_ignored_where_repetitions_are(tmp_path: Path) -> None:
    document = foreign()
    for name, unit in (("mean", "time"), ("cv", "percentage"), ("top", "time")):
        row = repetition(f"BM_pipe_{name}", 0, 3, 0.01, run_name="BM_pipe", run_type="aggregate")
        document["benchmarks"].append(
            row | {"aggregate_name": name, "aggregate_unit": unit, "iterations": 3}
        )
    fit: Json = {"name": "BM_BigO", "run_type": "aggregate", "big_o": "N", "time_unit": "ns"}
    document["benchmarks"] += [fit, {"name": "BM_RMS", "run_type": "aggregate", "rms": 0.1}]
    run, _ = read(tmp_path, document)
    assert set(run.readings) == {"BM_pipe", "BM_null"}
    assert run.readings["BM_pipe"].floor == 7000.5


def plain(name: str, time: float, **more: Any) -> Json:
    return {"name": name, "iterations": 10, "real_time": time, "time_unit": "ns", **more}


def test_before_run_type_repetitions_repeat_the_name_and_statistics_follow(tmp_path: Path) -> None:
    rows = [
        plain("BM_x", 5.0), plain("BM_x", 7.0), plain("BM_x_mean", 6.0), plain("BM_x_stddev", 1.0),
        plain("Go_mean", 9.0), {"name": "BM_x_BigO", "real_coefficient": 1.0, "big_o": "N"},
        plain("BM_y", 2.0, aggregate_name="mean"), plain("BM_y", 2.5), {"name": "R", "rms": 0.1},
    ]  # fmt: skip
    run, cautions = read(tmp_path, {"benchmarks": rows})
    assert {name: reading.typical for name, reading in run.readings.items()} == {
        "BM_x": 6.0,
        "Go_mean": 9.0,
        "BM_y": 2.5,
    }
    assert run.readings["BM_x"].repetitions == 2
    assert cautions == [Doubt.NO_CONTEXT]
    assert run.identity == {}


def test_library_1_5_1_says_zero_repetitions(tmp_path: Path) -> None:
    rows = [repetition("BM", 0, 0, 5.0)]
    run, _ = read(tmp_path, foreign() | {"benchmarks": rows})
    assert run.readings["BM"].repetitions == 1


@pytest.mark.parametrize(
    "name", ["stdio: json|json: load/data", "BM<int, 5>/\u00b5", "a/b:1", "x\u00a0y", "\u65e5"]
)
def test_names_are_kept_as_they_are(tmp_path: Path, name: str) -> None:
    run, _ = read(tmp_path, foreign() | {"benchmarks": [repetition(name, 0, 1, 5.0)]})
    assert list(run.readings) == [name]


def test_single_iterations_everywhere_may_be_a_dry_run(tmp_path: Path) -> None:
    slow = repetition("BM", 0, 1, 5e9, iterations=1)
    _, cautions = read(tmp_path, foreign() | {"benchmarks": [slow]})
    assert cautions == [Doubt.SINGLE_ITERATIONS]
    _, cautions = read(tmp_path, foreign() | {"benchmarks": [slow, repetition("B", 0, 1, 5.0)]})
    assert cautions == []


def test_cpu_time_may_be_zero_or_absent(tmp_path: Path) -> None:
    asleep = repetition("BM", 0, 1, 5e9, cpu_time=0.0)
    gone = repetition("BN", 0, 1, 5e9)
    del gone["cpu_time"]
    run, _ = read(tmp_path, foreign() | {"benchmarks": [asleep, gone]})
    assert set(run.readings) == {"BM", "BN"}


def test_false_flags_are_no_failure(tmp_path: Path) -> None:
    row = repetition("BM", 0, 1, 5.0, error_occurred=False, skipped=False)
    run, _ = read(tmp_path, foreign() | {"benchmarks": [row]})
    assert set(run.readings) == {"BM"}


def test_a_label_that_changes_is_told(tmp_path: Path) -> None:
    rows = [repetition("BM", i, 3, 5.0, label=text) for i, text in enumerate(("a", "b", "b"))]
    _, cautions = read(tmp_path, foreign() | {"benchmarks": rows})
    assert cautions == [Doubt.LABEL_CHANGES]


@pytest.mark.parametrize(
    ("version", "meaning"),
    [
        (None, "divided by the threads (before 1.9.0)"),
        ("v1.8.5", "divided by the threads (before 1.9.0)"),
        ("v1.9.0", "undivided (from 1.9.0)"),
        ("v1.9.5-3-gabc", "undivided (from 1.9.0)"),
        ("v1.10.0", "undivided (from 1.9.0)"),
        (5, "divided by the threads (before 1.9.0)"),
    ],
)
def test_times_with_threads_changed_their_meaning_in_1_9_0(
    tmp_path: Path, version: Any, meaning: str
) -> None:
    document = foreign() | {"benchmarks": [repetition("BM/threads:2", 0, 1, 5.0, threads=2)]}
    document["context"]["library_version"] = version
    if version is None:
        del document["context"]["library_version"]
    run, cautions = read(tmp_path, document)
    assert run.identity["time_with_threads"] == meaning
    assert cautions == [Doubt.THREADS]


def test_a_file_that_measure_stamped_is_still_foreign(tmp_path: Path) -> None:
    document = foreign()
    stamp = {"ctxgate.session": "s", "ctxgate.run": "1", "ctxgate.runs": "8"}
    document["context"] |= stamp
    run, _ = read(tmp_path, document)
    assert run.foreign
    assert (run.session, run.run_index, run.session_runs) == ("s", 1, 8)
    assert not set(stamp) & set(run.record)


def test_the_sound_benchmarks_of_a_file_survive_a_broken_one(tmp_path: Path) -> None:
    document = foreign()
    document["benchmarks"][4]["real_time"] = 0
    run, problems, _ = load_run(write(tmp_path / "run.json", document))
    assert run is not None
    assert set(run.readings) == {"BM_pipe"}
    assert [(p.kind, p.benchmark) for p in problems] == [(Kind.BAD_TIME, "BM_null")]


def test_four_thousand_failures_are_not_four_thousand_sentences(tmp_path: Path) -> None:
    rows = [repetition(f"BM/{i}", 0, 1, 0.0) for i in range(4000)]
    run, problems, _ = load_run(write(tmp_path / "run.json", foreign() | {"benchmarks": rows}))
    assert run is None
    assert len(problems) == 101
    assert problems[-1].kind == Kind.MORE
    assert "3900 more" in problems[-1].message
