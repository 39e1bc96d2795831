# SPDX-License-Identifier: Apache-2.0
import json
import os
import stat
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from ctxgate.report.write import (
    ReportError,
    check_targets,
    write_atomically,
    write_reports,
)
from tests.report import verdicts


def names_in(directory: Path) -> list[str]:
    return [entry.name for entry in directory.iterdir()]


def test_a_file_appears_whole_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "verdict.json"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_has_the_rights_that_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "a", b"")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_without_unnamed_files_a_named_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("ctxgate.report.write.os.open", refuse)
    write_atomically(tmp_path / "a", b"data")
    assert (tmp_path / "a").read_bytes() == b"data"
    assert names_in(tmp_path) == ["a"]


@pytest.mark.parametrize("step", ["open", "link"])
def test_a_failed_write_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(f"ctxgate.report.write.os.{step}", full)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(ReportError, match=r"cannot write .*/a: No space left on device"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["a"]


def test_what_killed_writers_left_is_removed_and_the_living_are_spared(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for owner in (str(dead.pid), str(os.getppid()), "note"):
        (tmp_path / f".ctxgate-partial-{owner}").touch()
    (tmp_path / ".ctxgate-partial-99999999").mkdir()  # not ours, cannot be unlinked
    write_atomically(tmp_path / "a", b"")
    left = {entry.name.removeprefix(".ctxgate-partial-") for entry in tmp_path.iterdir()}
    assert left == {str(os.getppid()), "note", "99999999", "a"}


def test_a_symbolic_link_keeps_pointing(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real" / "a")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "a").read_bytes() == b"new"


def test_devices_are_never_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written: root's /dev/null would not survive a fault in the code under test."""
    written: list[tuple[Path, bytes]] = []
    monkeypatch.setattr("ctxgate.report.write._replace", lambda *_: pytest.fail("replaced"))
    monkeypatch.setattr(Path, "write_bytes", lambda path, data: written.append((path, data)))
    write_atomically(Path("/dev/null"), b"gone")
    write_atomically(Path("/dev/stdout"), b"shown")
    assert written == [(Path("/dev/null"), b"gone"), (Path("/dev/stdout"), b"shown")]


def test_a_link_in_dev_is_written_through(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; from ctxgate.report.write import write_atomically;"
        "write_atomically(Path('/dev/stdout'), b'report')"
    )
    with (tmp_path / "out").open("w+b") as out:
        subprocess.run([sys.executable, "-c", script], stdout=out, check=True)
        out.seek(0)
        assert out.read() == b"report"  # of the file that was open, not of one in its place


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "fifo").read_bytes()))
    reader.start()
    write_atomically(tmp_path / "fifo", b"report")
    reader.join(10)
    assert got == [b"report"]


@pytest.mark.parametrize("name", ["missing/a.json", "file/a.json", "a\0b", "x" * 300])
def test_a_place_that_cannot_be_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ReportError, match=r"cannot write .*; name a writable place"):
        write_atomically(tmp_path / name, b"")


def test_a_directory_is_no_target(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match="Is a directory"):
        write_atomically(tmp_path, b"")


def test_every_report_is_written(tmp_path: Path) -> None:
    targets = {"json": tmp_path / "v.json", "junit": tmp_path / "v.xml"}
    check_targets(targets)
    write_reports(verdicts.regressed(), targets)
    assert json.loads(targets["json"].read_text("utf-8"))["exit_code"] == 1
    assert ET.parse(targets["junit"]).find("testsuite/testcase/failure") is not None


def test_one_report_that_fails_does_not_keep_back_the_other(tmp_path: Path) -> None:
    targets = {"json": tmp_path / "missing" / "v.json", "junit": tmp_path / "v.xml"}
    with pytest.raises(ReportError, match=r"missing/v\.json"):
        write_reports(verdicts.passed(), targets)
    assert targets["junit"].exists()


def test_two_formats_may_not_share_a_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "v")
    targets = {"json": tmp_path / "v", "junit": tmp_path / "link"}
    for use in (check_targets, lambda t: write_reports(verdicts.passed(), t)):
        with pytest.raises(ReportError, match="--json and --junit name the same file"):
            use(targets)
    assert not (tmp_path / "v").exists()


def test_targets_are_checked_before_anything_is_measured(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"there is no directory .*/missing; make it"):
        check_targets({"json": tmp_path / "missing" / "v.json"})
    with pytest.raises(ReportError, match="it is a directory"):
        check_targets({"json": tmp_path})
