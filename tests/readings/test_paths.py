# SPDX-License-Identifier: Apache-2.0
"""Paths that are no readable result file: each refused by name, none waited for."""

import os
import socket
from pathlib import Path

import pytest

from ctxgate.readings import run as run_module
from ctxgate.readings.load import load_run, load_sessions
from ctxgate.readings.model import Run, SessionSet
from ctxgate.readings.problems import Doubt, Kind
from tests.readings.documents import foreign, write


def kinds(side: SessionSet) -> list[str]:
    return [problem.kind for problem in side.problems]


def alone(path: Path) -> tuple[Run | None, str, str]:
    run, problems, _ = load_run(path)
    (problem,) = problems
    return run, problem.kind, problem.message


def test_a_path_that_leads_nowhere(tmp_path: Path) -> None:
    assert alone(tmp_path / "no.json")[1] == Kind.NO_SUCH_FILE
    (tmp_path / "dangling.json").symlink_to("nowhere")
    assert alone(tmp_path / "dangling.json")[1] == Kind.NO_SUCH_FILE
    (tmp_path / "loop.json").symlink_to("loop.json")
    assert alone(tmp_path / "loop.json")[1] == Kind.UNREADABLE
    assert alone(tmp_path / ("x" * 5000))[1] == Kind.UNREADABLE
    assert alone(Path("nul\0l.json"))[1] == Kind.UNREADABLE
    assert alone(write(tmp_path / "file", foreign()) / "below.json")[1] == Kind.UNREADABLE
    for path in ("no.json", "dangling.json", "loop.json", "x" * 5000, "nul\0l.json"):
        side = load_sessions([tmp_path / path])
        assert side.sessions == ()
        assert len(side.problems) == 1


def test_pipes_devices_and_sockets_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    assert alone(tmp_path / "pipe.json")[2].endswith("is a pipe, not a regular file")
    for device in ("/dev/zero", "/dev/null"):
        assert alone(Path(device))[2].endswith("is a device, not a regular file")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "s.json"))
        assert alone(tmp_path / "s.json")[2].endswith("is not a regular file")
    assert alone(tmp_path)[2].endswith("is a directory where a file is expected")
    write(tmp_path / "run.json", foreign())
    (tmp_path / "folder.json").mkdir()
    assert kinds(load_sessions([tmp_path])) == [Kind.NOT_A_FILE] * 3


def test_a_pipe_that_takes_the_place_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "run.json", foreign())
    os.mkfifo(tmp_path / "pipe")
    real = os.open
    monkeypatch.setattr(os, "open", lambda _, flags: real(tmp_path / "pipe", flags))
    assert alone(path)[1] == Kind.NOT_A_FILE


def test_a_file_that_is_too_big_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "sparse.json"
    with path.open("wb") as file:
        file.truncate(run_module.MOST_BYTES + 1)
    assert alone(path)[1:] == (Kind.TOO_BIG, f"{path}: is larger than 1024 MiB")


def test_a_file_that_grows_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "_PSEUDO_FILE", 0)
    monkeypatch.setattr(os, "fstat", lambda _: (tmp_path / "small").stat())
    (tmp_path / "small").write_bytes(b"x")
    assert alone(write(tmp_path / "run.json", foreign()))[1] == Kind.UNREADABLE


def test_a_directory_without_result_files(tmp_path: Path) -> None:
    side = load_sessions([tmp_path])
    assert kinds(side) == [Kind.NO_FILES]
    for name in ("c", "a", "b"):
        write(tmp_path / name / "run.json", foreign())
    (tmp_path / "empty").mkdir()
    side = load_sessions([tmp_path])
    assert kinds(side) == [Kind.NESTED_FOLDERS]
    assert side.problems[0].message.endswith("its sub-directories do: a, b, c")
    for name in ("d", "e", "f", "g"):
        write(tmp_path / name / "run.json", foreign())
    assert load_sessions([tmp_path]).problems[0].message.endswith("a, b, c, d, e and 2 more")


def test_deeper_files_beside_runs_are_told(tmp_path: Path) -> None:
    write(tmp_path / "run.json", foreign())
    write(tmp_path / "results-1/run.json", foreign(1))
    side = load_sessions([tmp_path])
    assert side.problems == ()
    assert [caution.kind for caution in side.cautions] == [Doubt.FOLDERS_IGNORED]


def test_a_directory_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    write(tmp_path / "a/run.json", foreign())
    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refuse)
        assert kinds(load_sessions([tmp_path])) == [Kind.NO_FILES]
    monkeypatch.setattr(Path, "iterdir", refuse)
    side = load_sessions([tmp_path])
    assert kinds(side) == [Kind.UNREADABLE]
    assert "Permission denied" in side.problems[0].message


def test_names_that_are_no_utf_8_can_be_printed(tmp_path: Path) -> None:
    path = Path(os.fsdecode(bytes(tmp_path) + b"/run-\xff.json"))
    write(path, b"")
    problem = load_sessions([path]).problems[0]
    assert problem.file.endswith("run-\\xff.json")
    problem.message.encode()
