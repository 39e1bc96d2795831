# SPDX-License-Identifier: Apache-2.0
"""The baselines that this repository ships: whole recordings, used only where they are named."""

import json
from datetime import datetime
from pathlib import Path

import jsonschema
import pytest

from ctxgate.baseline.load import read_baseline, sessions_of
from ctxgate.readings.model import Clock

ROOT = Path(__file__).parents[2]
SHIPPED = sorted((ROOT / "baselines").glob("*.json"))


def test_there_is_the_example() -> None:
    assert ROOT / "baselines/example-wall.json" in SHIPPED


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_a_shipped_baseline_is_whole(path: Path) -> None:
    schema = json.loads((ROOT / "ctxgate/baseline/baseline.schema.json").read_text())
    jsonschema.validate(json.loads(path.read_text()), schema)
    read, problems = read_baseline(path)
    assert not problems
    assert read is not None
    assert read.baseline.provenance[0].commit not in ("", "unknown")
    readings = [
        reading
        for session in sessions_of(read).sessions
        for run in session.runs
        for reading in run.readings.values()
    ]
    assert readings
    for reading in readings:
        expected = 0.0 if not reading.name.startswith("switch/") else 2.0
        if "/fifo/" in reading.name:
            assert reading.switches == pytest.approx(expected, abs=0.01), reading.name


def test_the_example_is_five_sessions_and_more_over_forty_minutes() -> None:
    read, _ = read_baseline(ROOT / "baselines/example-wall.json")
    assert read is not None
    baseline = read.baseline
    assert (baseline.label, baseline.clock) == ("example, shared VM", Clock.NANOSECONDS)
    starts = sorted(
        min(
            date
            for facts in (session.facts, *(run.facts for run in session.runs))
            if (date := facts.record.get("date"))
        )
        for session in baseline.sessions
    )
    assert len(starts) >= 5
    minutes = (_seconds(starts[-1]) - _seconds(starts[0])) / 60
    assert minutes >= 40


def test_nothing_names_the_example_by_itself() -> None:
    for name in ("ci/gate", "ctxgate.toml", "ctxgate/cmake/OwnGate.cmake"):
        assert "example-wall" not in (ROOT / name).read_text(), name


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
