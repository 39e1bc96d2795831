# SPDX-License-Identifier: Apache-2.0
"""Paths to sessions: what belongs together, what is missing, what must not differ."""

from pathlib import Path
from typing import Any

import pytest

from ctxgate.readings.load import load_sessions
from ctxgate.readings.model import SessionSet
from ctxgate.readings.problems import Kind
from tests.readings.documents import PIPE, TWIN, Json, foreign, own, write


def kinds(side: SessionSet) -> list[str]:
    return [problem.kind for problem in side.problems]


def stamped(seed: int, run: int, runs: int = 3, session: str = "s1") -> Json:
    return own(seed, session=session, run=str(run), runs=str(runs))


def session(folder: Path, runs: int = 3, name: str = "s1", seed: int = 0) -> Path:
    for run in range(runs):
        write(folder / f"run-{run:02}.json", stamped(seed + run, run, runs, name))
    return folder


def with_context(document: Json, **changes: Any) -> Json:
    document["context"] |= {key.replace("__", "."): value for key, value in changes.items()}
    return document


# What becomes a session


def test_a_directory_is_a_session_and_a_file_is_one_of_one_run(tmp_path: Path) -> None:
    write(tmp_path / "a/1.json", foreign(1))
    write(tmp_path / "a/2.json", foreign(2))
    lone = write(tmp_path / "lone.data", foreign(3))
    side = load_sessions([tmp_path / "a", lone])
    assert side.problems == ()
    assert [(s.label, len(s.runs)) for s in side.sessions] == [
        (str(tmp_path / "a"), 2),
        (str(lone), 1),
    ]
    assert [Path(run.file).name for run in side.sessions[0].runs] == ["1.json", "2.json"]


def test_only_top_level_json_is_read(tmp_path: Path) -> None:
    folder = session(tmp_path / "s")
    write(folder / "meta/session.json", {"command": "x"})
    write(folder / "notes.txt", b"x")
    write(folder / "._run-00.json", b"x")
    write(folder / ".run-01.json", b"x")
    side = load_sessions([folder])
    assert (side.problems, side.cautions) == ((), ())
    assert len(side.sessions[0].runs) == 3


def test_lone_files_with_one_stamp_are_one_session(tmp_path: Path) -> None:
    folder = session(tmp_path / "s")
    side = load_sessions([*sorted(folder.glob("*.json")), write(tmp_path / "x.json", own(9))])
    assert side.problems == ()
    assert [len(s.runs) for s in side.sessions] == [3, 1]


def test_no_path_at_all() -> None:
    assert kinds(load_sessions([])) == [Kind.NO_FILES]


# What is missing or too much


def test_an_incomplete_session_says_how_many(tmp_path: Path) -> None:
    folder = session(tmp_path / "s", runs=8)
    for run in (2, 5, 7):
        (folder / f"run-{run:02}.json").unlink()
    side = load_sessions([folder])
    assert kinds(side) == [Kind.SESSION_INCOMPLETE]
    assert f"{folder}: has 5 of 8 runs; missing or unreadable: 2, 5, 7" in side.problems[0].message


def test_two_sessions_in_one_directory(tmp_path: Path) -> None:
    folder = session(tmp_path / "s")
    write(folder / "run-99.json", stamped(99, 0, 3, "s2"))
    side = load_sessions([folder])
    assert kinds(side) == [Kind.SESSIONS_MIXED]
    assert "run-99.json of s2" in side.problems[0].message


def test_a_run_without_stamp_among_stamped_ones(tmp_path: Path) -> None:
    folder = session(tmp_path / "s")
    write(folder / "run-99.json", own(99))
    side = load_sessions([folder])
    assert kinds(side) == [Kind.SESSIONS_MIXED]
    assert "run-99.json of none" in side.problems[0].message


def test_a_run_number_twice(tmp_path: Path) -> None:
    folder = session(tmp_path / "s")
    write(folder / "run-01-again.json", stamped(99, 1))
    side = load_sessions([folder])
    assert kinds(side) == [Kind.RUN_TWICE]
    assert "is run 1 again" in side.problems[0].message


def test_a_copy_of_a_run_in_another_session(tmp_path: Path) -> None:
    a = write(tmp_path / "a/1.json", foreign(1))
    b = write(tmp_path / "b/1.json", foreign(1))
    side = load_sessions([tmp_path / "a", tmp_path / "b"])
    assert kinds(side) == [Kind.RUN_TWICE]
    assert side.problems[0].message == f"{b}: is a copy of {a}"


def test_the_same_file_by_two_paths(tmp_path: Path) -> None:
    a = write(tmp_path / "a.json", foreign(1))
    (tmp_path / "b.json").symlink_to(a)
    side = load_sessions([a, tmp_path / "b.json"])
    assert kinds(side) == [Kind.RUN_TWICE]
    assert "is the same file as" in side.problems[0].message
    assert kinds(load_sessions([a, a])) == [Kind.RUN_TWICE]


def test_equal_bytes_are_no_copy_in_the_exact_tier(tmp_path: Path) -> None:
    exact = with_context(own(), ctxgate__clock="instructions")
    write(tmp_path / "a/1.json", exact)
    write(tmp_path / "b/1.json", exact)
    assert load_sessions([tmp_path / "a", tmp_path / "b"]).problems == ()


@pytest.mark.parametrize("document", [foreign, own])
def test_a_benchmark_that_one_run_lacks(tmp_path: Path, document: Any) -> None:
    write(tmp_path / "0.json", document(0))
    short = document(1)
    gone = short["benchmarks"][-1]["name"]
    short["benchmarks"] = [row for row in short["benchmarks"] if row["name"] != gone]
    path = write(tmp_path / "1.json", short)
    side = load_sessions([tmp_path])
    assert [(p.kind, p.file, p.benchmark) for p in side.problems] == [
        (Kind.BENCHMARK_MISSING, str(path), gone)
    ]


def test_a_benchmark_that_failed_in_one_run_is_named_once(tmp_path: Path) -> None:
    write(tmp_path / "0.json", own(0))
    failed = own(1)
    failed["benchmarks"][0] |= {"error_occurred": True, "error_message": "no", "real_time": 0.0}
    write(tmp_path / "1.json", failed)
    side = load_sessions([tmp_path])
    assert [(p.kind, p.benchmark) for p in side.problems] == [(Kind.FAILED, PIPE)]


# What must not differ within a session


@pytest.mark.parametrize(
    ("changes", "kind", "said"),
    [
        ({"ctxgate__identity__cpu_model": "B"}, Kind.IDENTITY_DIFFERS, "cpu_model is B, but Model"),
        ({"ctxgate__identity__more": "B"}, Kind.IDENTITY_DIFFERS, "more is B, but absent"),
        ({"ctxgate__subject__kernel_release": "6"}, Kind.SUBJECT_DIFFERS, "is 6, but 6.12.1"),
        ({"ctxgate__clock": "instructions"}, Kind.CLOCKS_MIXED, "instructions, but ns"),
    ],
)
def test_runs_of_one_session_agree(
    tmp_path: Path, changes: dict[str, str], kind: Kind, said: str
) -> None:
    write(tmp_path / "0.json", own(0))
    path = write(tmp_path / "1.json", with_context(own(1), **changes))
    side = load_sessions([tmp_path])
    assert [(p.kind, p.file) for p in side.problems] == [(kind, str(path))]
    assert said in side.problems[0].message


def test_a_fact_that_could_not_be_read_is_no_difference(tmp_path: Path) -> None:
    write(tmp_path / "0.json", own(0))
    write(tmp_path / "1.json", with_context(own(1), ctxgate__identity__cpu_model="unknown"))
    write(tmp_path / "2.json", with_context(own(2), ctxgate__record__load="9"))
    assert load_sessions([tmp_path]).problems == ()


def test_foreign_identity_within_a_session(tmp_path: Path) -> None:
    write(tmp_path / "0.json", foreign(0))
    write(tmp_path / "1.json", with_context(foreign(1), num_cpus=64, host_name="other"))
    side = load_sessions([tmp_path])
    assert kinds(side) == [Kind.IDENTITY_DIFFERS]
    assert "num_cpus is 64, but 2" in side.problems[0].message


def test_versions_of_a_path(tmp_path: Path) -> None:
    write(tmp_path / "0.json", own(0))
    newer = own(1)
    newer["benchmarks"][2]["ctxgate.version"] = 2.0
    write(tmp_path / "1.json", newer)
    side = load_sessions([tmp_path])
    assert [(p.kind, p.benchmark) for p in side.problems] == [(Kind.VERSIONS_MIXED, TWIN)]


def test_library_versions_across_1_9_0_with_threads(tmp_path: Path) -> None:
    for number, version in enumerate(("v1.8.5", "v1.9.5")):
        document = with_context(foreign(number), library_version=version)
        document["benchmarks"] = [row | {"threads": 2} for row in document["benchmarks"]]
        write(tmp_path / f"{number}.json", document)
    side = load_sessions([tmp_path])
    assert kinds(side) == [Kind.IDENTITY_DIFFERS]
    assert "time_with_threads" in side.problems[0].message


def test_ours_and_others_do_not_mix(tmp_path: Path) -> None:
    write(tmp_path / "s/0.json", own(0))
    write(tmp_path / "s/1.json", foreign(1))
    assert Kind.SOURCES_MIXED in kinds(load_sessions([tmp_path / "s"]))
    a, b = write(tmp_path / "a.json", own(2)), write(tmp_path / "b.json", foreign(2))
    assert kinds(load_sessions([a, b])) == [Kind.SOURCES_MIXED]
    assert kinds(load_sessions([b, a])) == [Kind.SOURCES_MIXED]


def test_clocks_do_not_mix_on_one_side(tmp_path: Path) -> None:
    a = write(tmp_path / "a.json", own(2))
    b = write(tmp_path / "b.json", with_context(own(3), ctxgate__clock="instructions"))
    assert kinds(load_sessions([a, b])) == [Kind.CLOCKS_MIXED]
