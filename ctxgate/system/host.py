# SPDX-License-Identifier: Apache-2.0
"""Everything outside the process that a measurement touches, as one parameter."""

import contextlib
import os
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol, TextIO


class Finished(NamedTuple):
    """A program that ended: `returncode` as in subprocess, the outputs cut to their last MiB."""

    returncode: int
    stdout: bytes
    stderr: bytes
    timed_out: bool


class Runner(Protocol):
    """Runs a program to its end; raises OSError where it cannot be started."""

    def __call__(
        self,
        argv: Sequence[str],
        *,
        environ: Mapping[str, str],
        limit: float,
        cpu: int | None = None,
        stdin: bytes = b"",
    ) -> Finished:
        """Run `argv` for at most `limit` seconds, on `cpu` alone if one is given.

        It reads `stdin`, and then its end.
        """


@dataclass(kw_only=True)
class Host:
    """The machine as ctxgate sees it; tests hand over recorded trees and streams instead.

    `root` is where /proc, /sys and /boot are looked up. `monotonic` counts seconds. Streams that
    are gone (a closed pipe, a full disk) never raise here: the exit status is the result, and a
    reader that has seen enough must not change it.
    """

    environ: Mapping[str, str]
    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    root: Path
    cwd: Path
    lock_folders: tuple[Path, ...]
    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    random: random.Random
    run: Runner

    @classmethod
    def real(cls) -> "Host":
        """The machine that this process runs on."""
        from ctxgate.system.child import run_child

        return cls(
            environ=os.environ,
            stdin=_usable(sys.stdin),
            stdout=_usable(sys.stdout),
            stderr=_usable(sys.stderr),
            root=Path("/"),
            cwd=_working_directory(),
            lock_folders=_lock_folders(os.environ),
            now=lambda: datetime.now(UTC),
            monotonic=time.monotonic,
            random=random.SystemRandom(),
            run=run_child,
        )

    def show(self, text: str) -> None:
        """Print a result (stdout)."""
        _write(self.stdout, text + "\n")

    def say(self, text: str) -> None:
        """Print a diagnostic (stderr)."""
        _write(self.stderr, text + "\n")

    def say_unfinished(self, text: str) -> None:
        """Print part of a line to stderr, for a line that is redrawn."""
        _write(self.stderr, text)


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        with contextlib.suppress(OSError, ValueError):  # a stream in memory has no descriptor
            # What is still buffered would fail again at exit and make the status 120.
            null = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
            os.dup2(null, stream.fileno())
            os.close(null)
    except ValueError:  # the stream object was closed
        return


def _usable(stream: TextIO | None) -> TextIO:
    """`stream`, unable to fail on a letter its encoding lacks; a null stream where it is closed."""
    if stream is None:
        return Path(os.devnull).open("r+", encoding="utf-8")
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    return stream


def _working_directory() -> Path:
    """The working directory; "." where it was deleted under us."""
    try:
        return Path.cwd()
    except OSError:
        return Path()


def _lock_folders(environ: Mapping[str, str]) -> tuple[Path, ...]:
    """Where the host-wide lock may lie: CTXGATE_LOCK_DIR alone if set, for hosts of containers."""
    chosen = environ.get("CTXGATE_LOCK_DIR")
    return (Path(chosen),) if chosen else (Path("/run/lock"), Path("/tmp"))
