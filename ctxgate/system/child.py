# SPDX-License-Identifier: Apache-2.0
"""Run one program to its end: it dies with us, leaves nothing, and is not disturbed meanwhile."""

import ctypes
import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import IO

from ctxgate.system.host import Finished

GRACE_S = 2.0
"""Seconds between SIGTERM and SIGKILL: ctxgate-bench restores and leaves within milliseconds."""

PARENT_VARIABLE = "CTXGATE_PARENT"
"""Our process id, for a program with file capabilities: it has to ask for its death itself."""

KEPT_BYTES = 1 << 20
_PR_SET_PDEATHSIG = 1
_POLL_S = 0.2


def run_child(
    argv: Sequence[str],
    *,
    environ: Mapping[str, str],
    limit: float,
    cpu: int | None = None,
    stdin: bytes = b"",
) -> Finished:
    """Run `argv` in a process group of its own for at most `limit` seconds.

    Its outputs go to unnamed files, so that nothing wakes us while it runs. Whatever ends the wait
    (the limit, Ctrl-C), the whole group is gone afterwards; and should we be killed by SIGKILL, the
    kernel kills the program. OSError where it cannot be started or `cpu` cannot be had.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, _input(stdin) as given:
        with _on_cpu(cpu):
            process = subprocess.Popen(
                list(argv),
                stdin=given,
                stdout=out,
                stderr=err,
                env={**environ, PARENT_VARIABLE: str(os.getpid())},
                process_group=0,
                preexec_fn=_dies_with(os.getpid()),
            )
        ended = False
        try:
            ended = _wait(process.pid, limit)
        finally:
            _clear_group(process, ended)
        return Finished(process.returncode, _tail(out), _tail(err), not ended)


@contextmanager
def _input(text: bytes) -> Iterator[IO[bytes]]:
    """What the program reads: an unnamed file, because a pipe would need us to fill it."""
    if not text:
        with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device, not a path
            yield nothing
        return
    with tempfile.TemporaryFile() as stream:
        stream.write(text)
        stream.seek(0)
        yield stream


@contextmanager
def _on_cpu(cpu: int | None) -> Iterator[None]:
    """Start what is started inside on `cpu`: a child inherits the affinity of its parent."""
    if cpu is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {cpu})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _dies_with(parent: int) -> Callable[[], None]:
    """What the child does before exec: ask for SIGKILL at its parent's death.

    The parent may have died before the request, hence the second look. A program with file
    capabilities loses the request at exec and has to make it again, for PARENT_VARIABLE.
    """
    libc = ctypes.CDLL(None)

    def request() -> None:  # pragma: no cover (runs between fork and exec)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(127)

    return request


def _wait(pid: int, limit: float) -> bool:
    """Whether `pid` ended within `limit` seconds; it is left unreaped.

    A pidfd sleeps until the end; Popen.wait with a timeout would wake 20 times a second, which a
    switch on the same CPU can feel. Where there is none (before Linux 5.3, behind a seccomp filter,
    out of descriptors) look 5 times a second.
    """
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return _poll(pid, limit)
    try:
        poller = select.poll()
        poller.register(descriptor, select.POLLIN)
        return bool(poller.poll(limit * 1000.0))
    finally:
        os.close(descriptor)


def _poll(pid: int, limit: float) -> bool:
    end = time.monotonic() + limit
    while True:
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None:
            return True
        if time.monotonic() >= end:
            return False
        time.sleep(_POLL_S)


def _clear_group(process: "subprocess.Popen[bytes]", ended: bool) -> None:
    """End the program if it has not, and whatever it left in its group; then reap it.

    The group is signalled before the leader is reaped: until then its number cannot be reused.
    """
    if not ended:
        _signal_group(process.pid, signal.SIGTERM)
        _wait(process.pid, GRACE_S)
    _signal_group(process.pid, signal.SIGKILL)
    process.wait()


def _signal_group(group: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _tail(stream: IO[bytes]) -> bytes:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - KEPT_BYTES))
    return stream.read()
