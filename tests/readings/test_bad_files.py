# SPDX-License-Identifier: Apache-2.0
"""Each bad file among good runs: never trusted, never a traceback, always named with its cause."""

import math
from pathlib import Path

import pytest

from ctxgate.readings.load import load_run, load_sessions
from ctxgate.readings.problems import Kind
from tests.readings.bad_files import BadFile, bad_files
from tests.readings.documents import foreign, own, write

BAD = bad_files()
GOOD = {"foreign": foreign, "own": own}


def good_runs(folder: Path, among: str) -> Path:
    for run in range(3):
        write(folder / f"run-{run}.json", GOOD[among](run))
    return folder


def test_there_are_more_than_200_and_all_differ() -> None:
    assert len(BAD) >= 200
    assert len({bad.content for bad in BAD}) == len(BAD)
    assert len({bad.name for bad in BAD}) == len(BAD)


def test_they_cover_every_kind_that_a_file_can_be() -> None:
    paths = {Kind.NO_SUCH_FILE, Kind.NOT_A_FILE, Kind.UNREADABLE, Kind.TOO_BIG, Kind.NO_FILES,
             Kind.NESTED_FOLDERS, Kind.MORE}  # fmt: skip
    sessions = {
        Kind.SESSION_INCOMPLETE, Kind.SESSIONS_MIXED, Kind.RUN_TWICE, Kind.BENCHMARK_MISSING,
        Kind.IDENTITY_DIFFERS, Kind.SUBJECT_DIFFERS, Kind.CLOCKS_MIXED, Kind.VERSIONS_MIXED,
        Kind.SOURCES_MIXED,
    }  # fmt: skip
    assert {bad.kind for bad in BAD} == set(Kind) - paths - sessions


@pytest.mark.parametrize("among", ["foreign", "own"])
def test_the_runs_beside_it_are_clean(tmp_path: Path, among: str) -> None:
    side = load_sessions([good_runs(tmp_path, among)])
    assert side.problems == ()
    assert side.cautions == ()
    assert [len(session.runs) for session in side.sessions] == [3]


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.name)
def test_bad_file(tmp_path: Path, bad: BadFile) -> None:
    folder = good_runs(tmp_path / "a session", bad.among)
    path = folder / f"{bad.name}.json"
    path.write_bytes(bad.content)
    side = load_sessions([folder])

    about = [problem for problem in side.problems if problem.file == str(path)]
    assert bad.kind in {problem.kind for problem in about}, side.problems
    assert all(path.name in problem.message for problem in side.problems)
    for problem in about:
        cause = problem.message.removeprefix(str(path))
        assert len(cause) > 10
        assert problem.message.isprintable()
        assert problem.remedy.endswith(".")
    for session in side.sessions:
        for run in session.runs:
            assert all(math.isfinite(r.floor) and r.floor > 0 for r in run.readings.values())


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.name)
def test_bad_file_alone(tmp_path: Path, bad: BadFile) -> None:
    path = tmp_path / "alone.json"
    path.write_bytes(bad.content)
    run, problems, _ = load_run(path)
    assert bad.kind in {problem.kind for problem in problems}
    assert run is None or "BM_pipe" not in run.readings or bad.kind in {
        Kind.BAD_ROW, Kind.AGGREGATES_ONLY, Kind.DISGUISED_AGGREGATE, Kind.MISSING_FIELD,
        Kind.BAD_NAME,
    }  # fmt: skip
