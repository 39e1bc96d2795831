# SPDX-License-Identifier: Apache-2.0
"""Files that a real Google Benchmark wrote (see files/README.md)."""

from pathlib import Path

import pytest

from ctxgate.readings.load import load_run
from ctxgate.readings.problems import Doubt, Kind

FILES = Path(__file__).parent / "files"

GOOD: dict[str, tuple[set[str], list[Doubt]]] = {
    "plain": ({"Spin", 'Quoted/"name"/back\\slash'}, []),
    "repetitions": ({"Spin"}, []),
    "random-interleaving": ({"Spin", 'Quoted/"name"/back\\slash'}, []),
    "big-counter": ({"BigCounter"}, []),
    "complexity": ({"Fitted/64", "Fitted/256", "Fitted/1024"}, []),
    "control-label": ({"ControlLabel"}, [Doubt.CONTROL_CHARACTERS]),
    "custom-context": ({"Spin"}, []),
    "manual-us": ({"ManualMicroseconds/iterations:10/manual_time"}, []),
    "own-statistic": ({"OwnStatistic"}, []),
    "seconds-one-iteration": ({"Seconds/iterations:1"}, [Doubt.SINGLE_ITERATIONS]),
    "threads": ({"Threads/real_time/threads:2"}, [Doubt.THREADS]),
}

BAD = {
    "aggregates-only": (Kind.AGGREGATES_ONLY, "Spin"),
    "crash": (Kind.TRUNCATED, ""),
    "duplicate-context": (Kind.DUPLICATE_KEY, ""),
    "fails-before": (Kind.FAILED, "FailsBefore"),
    "fails-before-aggregates-only": (Kind.FAILED, "FailsBefore"),
    "fails-before-repeated": (Kind.FAILED, "FailsBefore"),
    "fails-once": (Kind.FAILED, "FailsOnce/iterations:10"),
    "fails-once-aggregates-only": (Kind.AGGREGATES_ONLY, "FailsOnce/iterations:10"),
    "infinite-counter": (Kind.NOT_FINITE, "Infinite"),
    "manual-nan": (Kind.NOT_FINITE, "ManualNan/iterations:10/manual_time"),
    "manual-negative": (Kind.BAD_TIME, "ManualNegative/iterations:10/manual_time"),
    "manual-zero": (Kind.BAD_TIME, "ManualZero/iterations:10/manual_time"),
    "nan-counter": (Kind.NOT_FINITE, "NotANumber"),
    "no-loop": (Kind.TRUNCATED, ""),
    "no-match": (Kind.EMPTY, ""),
    "shadowing-counter": (Kind.DUPLICATE_KEY, "Shadowing"),
}


def test_every_file_is_tested() -> None:
    assert {path.stem for path in FILES.glob("*.json")} == GOOD.keys() | BAD.keys()


@pytest.mark.parametrize("name", GOOD)
def test_good(name: str) -> None:
    run, problems, cautions = load_run(FILES / f"{name}.json")
    assert problems == []
    assert run is not None
    benchmarks, doubts = GOOD[name]
    assert set(run.readings) == benchmarks
    assert [caution.kind for caution in cautions] == doubts


@pytest.mark.parametrize("name", BAD)
def test_bad(name: str) -> None:
    run, problems, _ = load_run(FILES / f"{name}.json")
    kind, benchmark = BAD[name]
    assert {(problem.kind, problem.benchmark) for problem in problems} == {(kind, benchmark)}
    assert run is None or benchmark not in run.readings


def test_values() -> None:
    run, _, _ = load_run(FILES / "manual-us.json")
    assert run is not None
    assert run.readings["ManualMicroseconds/iterations:10/manual_time"].floor == pytest.approx(3000)
    run, _, _ = load_run(FILES / "repetitions.json")
    assert run is not None
    reading = run.readings["Spin"]
    assert reading.repetitions == 4
    assert reading.floor <= reading.typical
    run, _, _ = load_run(FILES / "own-statistic.json")
    assert run is not None
    assert run.readings["OwnStatistic"].repetitions == 3
