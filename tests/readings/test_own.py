# SPDX-License-Identifier: Apache-2.0
"""Files of ctxgate-bench: what they give, and where the rule for a valid reading draws its line."""

from pathlib import Path
from typing import Any

import pytest

from ctxgate.readings.load import load_run
from ctxgate.readings.model import Clock
from ctxgate.readings.problems import Kind
from ctxgate.readings.proof import Counts, check_proof
from ctxgate.readings.rows import Fault
from tests.readings.documents import CANARY, PIPE, PIPE_OTHER, TWIN, own, write


def test_a_run(tmp_path: Path) -> None:
    document = own(session="abc", run="3", runs="8")
    document["context"]["ctxgate.unavailable"] = '{"switch/other": "no second CPU"}'
    run, problems, cautions = load_run(write(tmp_path / "run.json", document))
    assert (problems, cautions) == ([], [])
    assert run is not None
    assert not run.foreign
    assert run.clock is Clock.NANOSECONDS
    assert run.identity == {"cpu_model": "Model 1", "microcode": "unknown"}
    assert run.subject == {"kernel_release": "6.12.1"}
    assert run.record == {"date": "2026-11-01T00:15:00+00:00", "load": "0.1"}
    assert run.unavailable == {"switch/other": "no second CPU"}
    assert (run.session, run.run_index, run.session_runs) == ("abc", 3, 8)
    assert set(run.readings) == {PIPE, PIPE_OTHER, TWIN, CANARY}


def test_a_reading(tmp_path: Path) -> None:
    document = own()
    document["benchmarks"][0]["ctxgate.involuntary"] = 0.5
    document["benchmarks"][0]["ctxgate.voluntary"] = 1.5
    run, _, _ = load_run(write(tmp_path / "run.json", document))
    assert run is not None
    reading = run.readings[PIPE]
    assert (reading.floor, reading.typical, reading.mean) == (3600.0, 3800.0, 4000.0)
    assert (reading.p90, reading.p99, reading.p999) == (4400.0, 4800.0, 6000.0)
    assert (reading.max, reading.samples, reading.version) == (16000.0, 5000, 1)
    assert (reading.switches, reading.voluntary, reading.involuntary) == (2.0, 1.5, 0.5)
    assert (reading.migrations, reading.repetitions) == (0.0, 1)
    assert (reading.switches_min, reading.switches_max) == (None, None)


def test_instructions_are_another_clock(tmp_path: Path) -> None:
    document = own()
    document["context"]["ctxgate.clock"] = "instructions"
    run, _, _ = load_run(write(tmp_path / "run.json", document))
    assert run is not None
    assert run.clock is Clock.INSTRUCTIONS


def test_the_unit_of_the_row_is_the_unit_of_its_quantiles(tmp_path: Path) -> None:
    document = own()
    document["benchmarks"][0]["time_unit"] = "us"
    run, _, _ = load_run(write(tmp_path / "run.json", document))
    assert run is not None
    assert run.readings[PIPE].mean == 4e6
    assert run.readings[PIPE].typical == 3.8e6


def test_a_range_of_switches(tmp_path: Path) -> None:
    document = own()
    row = document["benchmarks"][1]
    del row["ctxgate.switches_expected"]
    row |= {"ctxgate.switches_min": 1.0, "ctxgate.switches_max": 2.0}
    run, problems, _ = load_run(write(tmp_path / "run.json", document))
    assert problems == []
    assert run is not None
    reading = run.readings[PIPE_OTHER]
    assert (reading.switches_min, reading.switches_max) == (1.0, 2.0)


def test_a_floor_of_batches_may_exceed_the_median_of_round_trips(tmp_path: Path) -> None:
    document = own()
    document["benchmarks"][0]["ctxgate.floor"] = 3990.0
    _, problems, _ = load_run(write(tmp_path / "run.json", document))
    assert problems == []


def counts(**changed: Any) -> Counts:
    expected = changed.pop("expected", 2.0)
    switches = changed.get("switches", 2.0)
    plain = Counts(
        switches=switches, least=expected, most=expected, is_range=False, voluntary=switches,
        involuntary=0.0, voluntary_most=9.0, involuntary_most=9.0, migrations=0.0,
        class_changes=0.0, rt_gaps=0.0, others=0.0, crowded=0.0,
    )  # fmt: skip
    return plain._replace(**changed)


@pytest.mark.parametrize(
    ("name", "proof"),
    [
        (PIPE, counts()),
        (PIPE, counts(switches=2.01)),
        (PIPE, counts(switches=1.99)),
        (PIPE, counts(voluntary=1.995)),
        (PIPE, counts(rt_gaps=1.0)),
        (PIPE, counts(crowded=1 / 3)),
        (PIPE, counts(involuntary_most=0.0)),
        (PIPE, counts(voluntary=0.01, involuntary=1.99, voluntary_most=0.0)),
        (PIPE_OTHER, counts(voluntary=0.1, involuntary=1.9, voluntary_most=0.0)),
        (PIPE_OTHER, counts(switches=2.1)),
        (PIPE_OTHER, counts(switches=1.9)),
        (PIPE_OTHER, counts(others=0.002)),
        (TWIN, counts(switches=0.01, expected=0.0)),
        (CANARY, counts(switches=0.1, expected=0.0)),
        (TWIN.replace("fifo", "other"), counts(switches=0.1, expected=0.0)),
        (PIPE_OTHER, counts(switches=0.9, least=1.0, most=2.0, is_range=True)),
        (PIPE, counts(switches=2.1, least=1.0, most=2.0, is_range=True)),
    ],
)
def test_proven(name: str, proof: Counts) -> None:
    check_proof(name, proof, flag=True)
    with pytest.raises(Fault, match="marked invalid: its counts show no reason") as caught:
        check_proof(name, proof, flag=False)
    assert caught.value.kind is Kind.INVALID


@pytest.mark.parametrize(
    ("name", "proof", "cause"),
    [
        (PIPE, counts(switches=2.011), "2.011 switches per round trip, not 2"),
        (PIPE, counts(switches=1.0), "1 switches per round trip, not 2"),
        (PIPE, counts(voluntary=1.98), "add up to 1.98"),
        (PIPE, counts(voluntary_most=0.0), "2 voluntary switches per round trip, more than 0"),
        (
            PIPE_OTHER,
            counts(voluntary=1.5, involuntary=0.5, involuntary_most=0.0),
            "0.5 involuntary switches per round trip, more than 0",
        ),
        (PIPE, counts(migrations=1.0), "1 migrations"),
        (PIPE, counts(class_changes=3.0), "3 times in another scheduling class"),
        (PIPE, counts(rt_gaps=2.0), "2 gaps"),
        (PIPE, counts(crowded=0.34), "others ran on its CPU in 34% of the batches"),
        (PIPE, counts(others=0.001), "0.001 switches to other tasks"),
        (PIPE_OTHER, counts(others=0.0021), "0.0021 switches to other tasks"),
        (PIPE_OTHER, counts(switches=2.11), "2.11 switches per round trip, not 2"),
        (TWIN, counts(switches=0.02, expected=0.0), "0.02 switches per round trip, not 0"),
        (CANARY, counts(switches=0.11, expected=0.0), "0.11 switches per round trip, not 0"),
        (TWIN, counts(), "expects 2 switches where there must be none"),
        (CANARY, counts(), "expects 2 switches where there must be none"),
        (PIPE, counts(switches=0.0, expected=0.0), "expects 0 to 0 switches"),
        (PIPE, counts(least=2.0, most=1.0, is_range=True), "expects 2 to 1 switches"),
        (PIPE, counts(switches=2.2, least=1.0, most=2.0, is_range=True), "not 1 to 2"),
    ],
)
def test_belied(name: str, proof: Counts, cause: str) -> None:
    with pytest.raises(Fault, match="marked valid, but") as caught:
        check_proof(name, proof, flag=True)
    assert caught.value.kind is Kind.BELIED
    assert cause in caught.value.cause
    with pytest.raises(Fault, match="marked invalid") as caught:
        check_proof(name, proof, flag=False)
    assert caught.value.kind is Kind.INVALID
    assert cause in caught.value.cause
