# SPDX-License-Identifier: Apache-2.0
"""What a baseline keeps of sessions comes back as it was."""

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from ctxgate.baseline import model
from ctxgate.baseline.load import is_baseline, load_baseline
from ctxgate.baseline.model import StoredReading
from ctxgate.baseline.text import encode, write_whole
from ctxgate.readings.model import Clock, Reading, SessionSet
from ctxgate.verdict.judge import judge
from ctxgate.verdict.policy import Policy
from tests.baseline.examples import IDENTITY, NAMES, baseline, session, sessions, write
from tests.verdict.sides import SWITCH

SCHEMA = json.loads(Path(model.__file__).with_name("baseline.schema.json").read_text())


def plain(reading: Reading) -> dict[str, float]:
    """The figures of a reading; what it does not have is left out."""
    fields = msgspec.structs.asdict(reading)
    return {key: value for key, value in fields.items() if key != "name" and value is not None}


def test_round_trip(tmp_path: Path) -> None:
    before = sessions()
    path = write(tmp_path, baseline(before))
    assert is_baseline(path)
    after = load_baseline(path)
    assert after.problems == ()
    assert len(after.sessions) == 3
    for old, new in zip(before.sessions, after.sessions, strict=True):
        assert new.label == f"{path}/{old.runs[0].session}"
        for old_run, new_run in zip(old.runs, new.runs, strict=True):
            assert new_run.file == f"{new.label}/run-{old_run.run_index:02}"
            assert new_run.identity == old_run.identity
            assert new_run.subject == old_run.subject
            published = dict(old_run.record)
            del published["host_name"], published["executable"]
            assert new_run.record == published
            assert new_run.unavailable == old_run.unavailable
            for field in ("clock", "foreign", "session", "run_index", "session_runs"):
                assert getattr(new_run, field) == getattr(old_run, field)
            assert list(new_run.readings) == list(NAMES)
            for name, reading in old_run.readings.items():
                assert plain(new_run.readings[name]) == pytest.approx(plain(reading), rel=1e-9)


def test_it_is_judged_as_the_sessions_are(tmp_path: Path) -> None:
    fresh = SessionSet(sessions=(session(7, 9.02),))
    kept = load_baseline(write(tmp_path, baseline(sessions())))
    direct = judge(sessions(), fresh, Policy())
    stored = judge(kept, fresh, Policy())
    assert [row.verdict for row in stored.benchmarks] == [row.verdict for row in direct.benchmarks]
    changes = [row.change for row in direct.benchmarks]
    assert [row.change for row in stored.benchmarks] == pytest.approx(changes, rel=1e-6)
    assert stored.identity == IDENTITY
    assert stored.subject_changes == ()


def test_facts_stand_where_they_hold() -> None:
    made = baseline(
        SessionSet(sessions=(session(0), session(1, subject={"release": "6.2"}), session(2)))
    )
    assert made.facts.identity == IDENTITY
    assert made.facts.subject == {}
    assert [one.facts.subject.get("release") for one in made.sessions] == ["6.1.0", "6.2", "6.1.0"]
    assert set(made.sessions[0].facts.record) == {"boot_id", "date"}
    assert set(made.facts.unavailable) == {"switch/futex/process/fifo/same_cpu"}
    assert set(made.facts.record) == {"git_commit"}
    assert [set(run.facts.record) for run in made.sessions[0].runs] == [{"load_average"}] * 2


def test_the_text_is_the_published_shape_and_readable() -> None:
    text = encode(baseline())
    document = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(document, SCHEMA)
    assert next(iter(document)) == "ctxgate_baseline"
    assert encode(baseline()) == text
    assert text.endswith(b"}\n")
    lines = text.decode().splitlines()
    assert (
        sum(line.lstrip().startswith('{"name": "switch/pipe/process/fifo') for line in lines) == 6
    )
    assert max(map(len, lines)) < 450
    assert "secret" not in text.decode()
    assert "somebody" not in text.decode()


def test_the_schema_knows_every_field() -> None:
    known = SCHEMA["$defs"]
    assert set(known["reading"]["properties"]) == set(StoredReading.__struct_fields__)
    for name, struct in (
        ("provenance", model.Provenance),
        ("noise", model.NoiseModel),
        ("benchmark", model.BenchmarkNoise),
        ("session", model.StoredSession),
        ("run", model.StoredRun),
        ("facts", model.StoredFacts),
    ):
        assert set(known[name]["properties"]) == set(struct.__struct_fields__)
    assert set(SCHEMA["properties"]) == set(model.Baseline.__struct_fields__)


def test_instructions_have_no_noise(tmp_path: Path) -> None:
    side = sessions((9.0, 9.0, 9.0), clock=Clock.INSTRUCTIONS)
    made = baseline(side)
    assert (made.tier, made.clock) == ("exact", Clock.INSTRUCTIONS)
    jsonschema.validate(json.loads(encode(made)), SCHEMA)
    row = made.noise.benchmarks[SWITCH]
    assert (row.metric, row.s, row.nu, row.certifiable) == ("typical", 0.0, None, 0.0)
    assert row.mde == pytest.approx(1 / row.value, rel=1e-5)
    other = made.noise.benchmarks["switch/pipe/process/other/same_cpu"]
    assert other.metric == "mean"
    assert load_baseline(write(tmp_path, made)).problems == ()


def test_writing_is_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]
    path.unlink()
    path.mkdir()
    with pytest.raises(OSError, match="directory"):
        write_whole(path, b"three")
    assert list(tmp_path.iterdir()) == [path]
