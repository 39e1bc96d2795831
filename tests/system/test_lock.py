# SPDX-License-Identifier: Apache-2.0
import errno
import fcntl
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ctxgate.system.lock import LOCK_NAME, host_lock
from ctxgate.system.outcome import MeasureError, State
from tests.wall.bench import make_host, said


@contextmanager
def another_holder(path: Path, *, seconds: float = 600.0) -> Iterator[int]:
    """A process that holds the lock at `path` and says so in it, as we do."""
    code = (
        "import fcntl, os, sys, time; d = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o666);"
        "fcntl.flock(d, fcntl.LOCK_EX); os.write(d, b'%d\\n' % os.getpid()); print(flush=True);"
        "time.sleep(float(sys.argv[2]))"
    )
    command = [sys.executable, "-c", code, str(path), str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        try:
            yield holder.pid
        finally:
            holder.kill()


def test_names_its_holder_and_lets_everybody_in(tmp_path: Path) -> None:
    old = os.umask(0o077)
    try:
        with host_lock(make_host(tmp_path), timeout=None) as path:
            assert path == tmp_path / LOCK_NAME
            assert path.read_text(encoding="ascii") == f"{os.getpid()}\n"
            assert stat.S_IMODE(path.stat().st_mode) == 0o666
    finally:
        os.umask(old)


def test_is_not_inherited(tmp_path: Path) -> None:
    with host_lock(make_host(tmp_path), timeout=None):
        code = "import os; print(sorted(os.listdir('/proc/self/fd')))"
        shown = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, close_fds=False
        )
    assert str(tmp_path) not in shown.stdout.decode()
    with host_lock(make_host(tmp_path), timeout=0.0):
        pass


def test_says_who_holds_it_and_gives_up_in_time(tmp_path: Path) -> None:
    host = make_host(tmp_path)
    path = tmp_path / LOCK_NAME
    with another_holder(path) as pid, pytest.raises(MeasureError) as raised:  # noqa: SIM117
        with host_lock(host, timeout=0.2):
            pass
    assert raised.value.state is State.UNFIT
    assert raised.value.problems[0].message == (
        f"the host-wide lock {path} was held by process {pid} for more than 0.2 s"
    )
    assert said(host) == f"waiting for the host-wide lock {path}, held by process {pid}\n"


@pytest.mark.parametrize("timeout", [None, 30.0])
def test_waits_until_it_is_free(tmp_path: Path, timeout: float | None) -> None:
    begun = time.monotonic()
    path = tmp_path / LOCK_NAME
    with another_holder(path, seconds=0.4), host_lock(make_host(tmp_path), timeout=timeout):
        pass
    assert 0.1 < time.monotonic() - begun < 20.0


def test_killing_the_holder_frees_it(tmp_path: Path) -> None:
    path = tmp_path / LOCK_NAME
    with another_holder(path) as pid:
        os.kill(pid, 9)
        with host_lock(make_host(tmp_path), timeout=10.0):
            pass


@pytest.mark.parametrize(
    ("written", "named"), [("", "another process"), ("rm -rf /\n", "another process")]
)
def test_believes_only_a_number(tmp_path: Path, written: str, named: str) -> None:
    path = tmp_path / LOCK_NAME
    with another_holder(path), pytest.raises(MeasureError, match=named):
        path.write_text(written, encoding="ascii")
        with host_lock(make_host(tmp_path), timeout=0.05):
            pass


def test_everybody_goes_where_everybody_may_write(tmp_path: Path) -> None:
    ours, shared = tmp_path / "ours", tmp_path / "shared"
    for folder, mode in ((ours, 0o755), (shared, 0o1777)):
        folder.mkdir()
        folder.chmod(mode)
    host = make_host(tmp_path)
    for folders, chosen in (
        ((ours, shared), shared),
        ((shared, ours), shared),
        ((tmp_path / "none", shared), shared),
    ):
        with host_lock(replace(host, lock_folders=folders), timeout=None) as path:
            assert path.parent == chosen


def test_without_its_folder_it_is_broken(tmp_path: Path) -> None:
    host = replace(make_host(tmp_path), lock_folders=(tmp_path / "none",))
    with pytest.raises(MeasureError) as raised, host_lock(host, timeout=None):
        pass
    assert raised.value.state is State.BROKEN
    assert "No such file or directory" in raised.value.problems[0].message
    assert "CTXGATE_LOCK_DIR" in raised.value.problems[0].remedy


def test_a_symbolic_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / LOCK_NAME).symlink_to(tmp_path / "victim")
    with pytest.raises(MeasureError), host_lock(make_host(tmp_path), timeout=None):
        pass
    assert not (tmp_path / "victim").exists()


def test_a_file_that_may_only_be_read_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / LOCK_NAME).write_text("123\n", encoding="ascii")
    real = os.open

    def read_only(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", read_only)
    with host_lock(make_host(tmp_path), timeout=None) as path:
        assert path.read_text(encoding="ascii") == "123\n"


def test_another_may_make_the_file_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def late(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            os.close(real(path, os.O_CREAT | os.O_WRONLY, 0o666))
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", late)
    with host_lock(make_host(tmp_path), timeout=None) as path:
        assert path.read_text(encoding="ascii") == f"{os.getpid()}\n"


def test_a_file_system_without_locks_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int, _operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with (
        pytest.raises(MeasureError, match="No locks available"),
        host_lock(make_host(tmp_path), timeout=None),
    ):
        pass


def test_the_alarm_of_others_is_given_back(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGALRM)
    with another_holder(tmp_path / LOCK_NAME), pytest.raises(MeasureError):  # noqa: SIM117
        with host_lock(make_host(tmp_path), timeout=0.05):
            pass
    assert signal.getsignal(signal.SIGALRM) == before
