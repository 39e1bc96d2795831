# SPDX-License-Identifier: Apache-2.0
"""A baseline file that is not what it should be."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ctxgate.baseline import load
from ctxgate.baseline.load import is_baseline, load_baseline, read_baseline
from ctxgate.readings.load import load_sessions
from tests.baseline.examples import baseline, edit, session, write
from tests.readings import documents

Json = dict[str, Any]


def message(path: Path) -> str:
    problems = load_baseline(path).problems
    assert problems
    assert all(problem.file.startswith(str(path)) and problem.remedy for problem in problems)
    return "\n".join(problem.message for problem in problems)


def changed(path: Path, change: Callable[[Json], object]) -> Path:
    document = json.loads(path.read_bytes())
    change(document)
    path.write_text(json.dumps(document, indent=1), encoding="utf-8")
    return path


class TestWhatIsABaseline:
    def test_its_name_says_nothing(self, tmp_path: Path) -> None:
        assert is_baseline(write(tmp_path, name="results.txt"))

    def test_others(self, tmp_path: Path) -> None:
        result = documents.write(tmp_path / "bench-wall.json", documents.own())
        assert not is_baseline(result)
        assert "no top-level ctxgate_baseline" in message(result)
        assert not is_baseline(tmp_path)
        assert not is_baseline(tmp_path / "none")
        assert not is_baseline(Path("a\0b"))

    def test_a_result_reader_refuses_one(self, tmp_path: Path) -> None:
        problems = load_sessions([write(tmp_path)]).problems
        assert [problem.kind for problem in problems] == ["not-google-benchmark"]

    def test_another_version(self, tmp_path: Path) -> None:
        for value in (2, True, "1", None):
            path = changed(write(tmp_path), lambda doc, v=value: doc.update(ctxgate_baseline=v))
            assert is_baseline(path)
            assert "of another version" in message(path)


class TestUnreadable:
    def test_missing_or_no_file(self, tmp_path: Path) -> None:
        assert "cannot be read: No such file" in message(tmp_path / "none.json")
        assert "no regular file" in message(tmp_path)
        assert read_baseline(Path("a\0b"))[0] is None

    def test_a_pipe_does_not_hang(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        assert not is_baseline(tmp_path / "pipe")
        assert "no regular file" in message(tmp_path / "pipe")

    def test_too_big(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(load, "MOST_BYTES", 1 << 10)
        assert "is larger than" in message(write(tmp_path))

    def test_cut(self, tmp_path: Path) -> None:
        path = write(tmp_path)
        path.write_bytes(path.read_bytes()[:-200])
        assert "is not JSON" in message(path)

    def test_deep(self, tmp_path: Path) -> None:
        path = tmp_path / "deep.json"
        path.write_text('{"ctxgate_baseline": ' + "[" * 100_000)
        assert "is not JSON" in message(path)


class TestKeys:
    def test_a_key_that_stands_twice(self, tmp_path: Path) -> None:
        """A reviewer would read the one and the gate take the other."""
        path = write(tmp_path)
        edit(path, lambda text: text.replace('"serial": 1,', '"serial": 1,\n "serial": 1,', 1))
        assert "has the key 'serial' twice in one object, line 8" in message(path)

    def test_text_that_looks_like_a_key(self, tmp_path: Path) -> None:
        path = changed(write(tmp_path), lambda doc: doc.update(label='"label":'))
        assert load_baseline(path).problems == ()


SHAPES: dict[str, Callable[[Json], object]] = {
    "unknown field": lambda doc: doc.update(surprise=1),
    "unknown field of a reading": lambda doc: doc["sessions"][0]["runs"][0]["readings"][0].update(
        surprise=1
    ),
    "missing sessions": lambda doc: doc.pop("sessions"),
    "text for a number": lambda doc: doc.update(serial="1"),
    "another clock": lambda doc: doc.update(clock="hours"),
}


@pytest.mark.parametrize("case", SHAPES)
def test_shape(tmp_path: Path, case: str) -> None:
    assert "does not have the shape" in message(changed(write(tmp_path), SHAPES[case]))


def first(doc: Json) -> Json:
    reading: Json = doc["sessions"][0]["runs"][0]["readings"][0]
    return reading


CONTENTS: dict[str, tuple[Callable[[Json], object], str]] = {
    "tier": (lambda doc: doc.update(tier="exact"), "is of tier exact, but counts ns"),
    "hardware": (lambda doc: doc.update(hardware=""), "names no hardware class"),
    "label": (lambda doc: doc.update(label="a\x1b[31mb"), "names no hardware class"),
    "identity": (lambda doc: doc["facts"].update(identity={}), "has no identity facts"),
    "serial": (lambda doc: doc.update(serial=2), "the serial 2, which its provenance"),
    "zero serial": (
        lambda doc: (doc.update(serial=0), doc["provenance"][0].update(serial=0)),
        "the serial 0",
    ),
    "no provenance": (lambda doc: doc.update(provenance=[]), "the serial 1, which"),
    "provenance twice": (
        lambda doc: doc["provenance"].append(doc["provenance"][0]),
        "serials do not grow",
    ),
    "no session": (lambda doc: doc.update(sessions=[]), "holds no session"),
    "session twice": (
        lambda doc: doc["sessions"].append(doc["sessions"][0]),
        "the session '0000000000000000' twice",
    ),
    "session's id": (lambda doc: doc["sessions"][0].update(session="../x"), "no session's id"),
    "no run": (lambda doc: doc["sessions"][0].update(runs=[]), "holds no run of session"),
    "run's number": (lambda doc: doc["sessions"][0]["runs"][1].update(run=2), "beyond their count"),
    "negative run": (lambda doc: doc["sessions"][0]["runs"][1].update(run=-1), "beyond their"),
    "benchmark twice": (
        lambda doc: doc["sessions"][0]["runs"][0]["readings"].append(first(doc)),
        "has a benchmark twice, or none, in session 0000000000000000, run 0",
    ),
    "no benchmark": (
        lambda doc: doc["sessions"][0]["runs"][0].update(readings=[]),
        "has a benchmark twice, or none",
    ),
    "name": (lambda doc: first(doc).update(name="a\nb"), "names a benchmark 'a\ufffdb'"),
    "empty name": (lambda doc: first(doc).update(name=""), "names a benchmark ''"),
    "zero floor": (lambda doc: first(doc).update(floor=0.0), "a figure that no measurement gives"),
    "negative p99": (lambda doc: first(doc).update(p99=-1.0), "a figure that no measurement"),
    "huge mean": (lambda doc: first(doc).update(mean=1e30), "a figure that no measurement"),
    "no count": (lambda doc: first(doc).pop("switches"), "a figure that no measurement"),
    "negative count": (lambda doc: first(doc).update(migrations=-1.0), "a figure that no"),
    "negative bound": (lambda doc: first(doc).update(switches_min=-1.0), "a figure that no"),
    "no samples": (lambda doc: first(doc).update(samples=0), "a figure that no measurement"),
    # checked as the sessions of directories are
    "run missing": (lambda doc: doc["sessions"][0]["runs"].pop(), "has 1 of 2 runs"),
    "run without a benchmark": (
        lambda doc: doc["sessions"][0]["runs"][1]["readings"].pop(),
        "is missing in this run",
    ),
    "unlike identity": (
        lambda doc: doc["sessions"][0]["runs"][1].setdefault("facts", {}).update(
            identity={"cpu_name": "Other"}
        ),
        "cpu_name is Other, but Bench 9000",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CONTENTS)
def test_content(tmp_path: Path, case: str) -> None:
    change, said = CONTENTS[case]
    assert said in message(changed(write(tmp_path), change))


def test_ranges_of_switches_are_kept(tmp_path: Path) -> None:
    from ctxgate.readings.model import SessionSet

    side = SessionSet(sessions=tuple(session(number) for number in range(3)))
    path = changed(
        write(tmp_path, baseline(side)),
        lambda doc: first(doc).update(switches_min=1.0, switches_max=2.0),
    )
    loaded = load_baseline(path)
    assert loaded.problems == ()
    reading = next(iter(loaded.sessions[0].runs[0].readings.values()))
    assert (reading.switches_min, reading.switches_max) == (1.0, 2.0)
