# SPDX-License-Identifier: Apache-2.0
"""One measurement at a time on this host, whoever starts it."""

import errno
import fcntl
import os
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from ctxgate.readings.model import Problem
from ctxgate.system.host import Host
from ctxgate.system.outcome import MeasureError, State

LOCK_NAME = "ctxgate.lock"
_OPEN = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW


class _ExpiredError(Exception):
    """The wait for the lock took too long."""


@contextmanager
def host_lock(host: Host, *, timeout: float | None) -> Iterator[Path]:
    """Hold the host-wide lock; wait at most `timeout` seconds, for ever if None.

    An flock: the kernel releases it however the holder ends, so none is ever stale, and programs
    that we start do not inherit it (O_CLOEXEC). MeasureError: unfit where somebody holds it for
    too long, broken where the file cannot be opened.
    """
    with exclusive(_shared_folder(host) / LOCK_NAME, host, timeout=timeout, what="host-wide lock"):
        yield _shared_folder(host) / LOCK_NAME


@contextmanager
def exclusive(path: Path, host: Host, *, timeout: float | None, what: str) -> Iterator[None]:
    """Hold the lock file `path`, called `what` in messages; as `host_lock` otherwise."""
    try:
        descriptor = _open(path)
    except OSError as error:
        raise MeasureError(State.BROKEN, _unusable(path, what, error)) from error
    try:
        _take(descriptor, path, host, timeout=timeout, what=what)
        _write_holder(descriptor)
        yield
    finally:
        os.close(descriptor)


def _shared_folder(host: Host) -> Path:
    """The first folder in which every user may make files.

    Decided by the folder's mode, not by our own rights: root and a user must agree on one file.
    Newer systemd gives /run/lock to root alone; then everybody goes to the next.
    """
    for folder in host.lock_folders[:-1]:
        try:
            mode = folder.stat().st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode) and mode & stat.S_IWOTH:
            return folder
    return host.lock_folders[-1]


def _open(path: Path) -> int:
    """Open the lock file for everybody's use, making it if need be.

    Two steps, because fs.protected_regular refuses O_CREAT (even to root) on a file of another
    user in a sticky folder. flock works on a read-only descriptor where another's umask won.
    """
    while True:
        try:
            return os.open(path, _OPEN)
        except FileNotFoundError:
            pass
        except PermissionError:
            return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            descriptor = os.open(path, _OPEN | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            continue
        os.fchmod(descriptor, 0o666)  # the umask must not shut out other users
        return descriptor


def _take(descriptor: int, path: Path, host: Host, *, timeout: float | None, what: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    except OSError as error:
        if error.errno not in (errno.EAGAIN, errno.EACCES):
            raise MeasureError(State.BROKEN, _unusable(path, what, error)) from error
    holder = _holder(descriptor)
    host.say(f"waiting for the {what} {path}, held by {holder}")
    if timeout is None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    elif not _wait(descriptor, timeout):
        raise MeasureError(
            State.UNFIT,
            Problem(
                kind="lock held",
                message=f"the {what} {path} was held by {holder} for more than {timeout:g} s",
                remedy="wait for that measurement to end, or allow more time with --lock-timeout",
            ),
        )


def _wait(descriptor: int, timeout: float) -> bool:
    """Whether the lock was taken within `timeout` seconds, sleeping in the kernel throughout.

    Looking again and again would disturb the very measurement that we wait for.
    """

    def expire(_number: int, _frame: FrameType | None) -> None:
        raise _ExpiredError

    before = signal.signal(signal.SIGALRM, expire)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(timeout, 0.001))
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
    except _ExpiredError:
        return False
    finally:
        signal.signal(signal.SIGALRM, before)
    return True


def _holder(descriptor: int) -> str:
    """Who wrote the lock file; written by others, so nothing but a number is believed."""
    text = os.pread(descriptor, 32, 0).strip()
    return f"process {int(text)}" if text.isdigit() else "another process"


def _write_holder(descriptor: int) -> None:
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    except OSError:  # read-only descriptor or a full disk: the lock holds all the same
        return


def _unusable(path: Path, what: str, error: OSError) -> Problem:
    return Problem(
        kind="lock",
        message=f"the {what} {path} cannot be used: {error.strerror}",
        remedy="have its owner remove it, or name a folder that all users can write "
        "in the environment variable CTXGATE_LOCK_DIR",
        file=str(path),
    )
