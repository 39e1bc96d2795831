# SPDX-License-Identifier: Apache-2.0
"""The directory of a session: appears whole or not at all, and never takes the place of others.

DIR/run-00.json ...       one run a file; readers take these alone
DIR/meta/session.json     how the session ended and what was measured
DIR/meta/kernel.config    the kernel configuration, where the kernel gives it
"""

import os
import shutil
from collections.abc import Iterable
from glob import escape
from pathlib import Path

import msgspec

from ctxgate.readings.model import Caution, Problem
from ctxgate.system.outcome import MeasureError, State

RECORD = Path("meta/session.json")


class Measurement(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured, as far as it was chosen: two sessions of one kind agree in all of it."""

    program: str
    own: bool
    runs: int
    filter: str
    scheduling_class: str
    cpu: int | None
    bench_args: tuple[str, ...]


class SessionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """`meta/session.json`. A session that is not complete has this file and nothing else."""

    schema: int
    state: State
    exit_code: int
    session: str
    started: str
    finished: str
    command: tuple[str, ...]
    measurement: Measurement | None = None
    reasons: tuple[Problem, ...] = ()
    cautions: tuple[Caution, ...] = ()


class SessionDirectory:
    """Writes one session: hidden beside its place until it is whole."""

    def __init__(self, target: Path, token: str) -> None:
        """`token` makes the hidden name unique.

        MeasureError (usage) where `target` is something that a session must not replace.
        """
        self.target = Path(os.path.realpath(target))
        self._partial = self.target.parent / f".{self.target.name}.partial-{token}"
        self._check(target)

    def begin(self) -> Path:
        """Remove what is in the way, and make the hidden directory; to be called under the lock.

        What earlier measurements left hidden here cannot be in use: whoever writes holds the lock.
        """
        self.clear()
        for stale in self.target.parent.glob(f".{escape(self.target.name)}.partial-*"):
            shutil.rmtree(stale, ignore_errors=True)
        (self._partial / "meta").mkdir(parents=True)
        return self._partial

    def clear(self) -> None:
        """Remove an earlier session, so that it is never taken for the one that failed."""
        self._check(self.target)
        if self.target.exists():
            shutil.rmtree(self.target)

    def publish(self, record: SessionRecord) -> None:
        """Put the session in its place; of one that is not complete only the record."""
        self.clear()
        if record.state != State.COMPLETE:
            self.abandon()
            (self._partial / "meta").mkdir(parents=True)
        data = msgspec.json.format(msgspec.json.encode(record))
        (self._partial / RECORD).write_bytes(data + b"\n")
        self._partial.rename(self.target)

    def abandon(self) -> None:
        """Remove the hidden directory, if there is one."""
        shutil.rmtree(self._partial, ignore_errors=True)

    def _check(self, named: Path) -> None:
        here = _working_directory()
        if self.target in (here, *here.parents):
            raise _refused(f"--out {named} holds the working directory")
        if not self.target.exists():
            return
        if not self.target.is_dir():
            raise _refused(f"--out {named} is a file")
        if any(self.target.iterdir()) and read_record(self.target) is None:
            raise _refused(f"--out {named} is not empty and holds no session of ctxgate measure")


def read_record(directory: Path) -> SessionRecord | None:
    """The record of a session directory; None where there is none that can be read."""
    try:
        data = (directory / RECORD).read_bytes()
        record = msgspec.json.decode(data, type=SessionRecord)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return record if record.schema == 1 else None


def faults(paths: Iterable[Path]) -> list[tuple[State, Problem]]:
    """Why session directories cannot be judged: unfit or broken when measured, or runs missing.

    Paths without a record are left to the reader of the files.
    """
    found = []
    for path in paths:
        record = read_record(path)
        if record is None:
            continue
        for reason in record.reasons:
            found.append((record.state, msgspec.structs.replace(reason, file=str(path))))
        count = len(list(path.glob("*.json")))
        if record.state == State.COMPLETE and record.measurement is not None:
            if count != record.measurement.runs:
                found.append((State.BROKEN, _incomplete(path, count, record.measurement.runs)))
        elif not record.reasons:
            found.append((State.BROKEN, _incomplete(path, count, None)))
    return found


def _incomplete(path: Path, count: int, runs: int | None) -> Problem:
    of = f" of {runs}" if runs is not None else ""
    return Problem(
        kind="session-incomplete",
        message=f"{path}: only {count}{of} runs of the session are there",
        remedy="give all runs of the session (its whole directory), or measure again",
        file=str(path),
    )


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except OSError:
        return Path("/")


def _refused(message: str) -> MeasureError:
    return MeasureError(
        State.USAGE,
        Problem(
            kind="out", message=message, remedy="name a new directory, or one of an earlier session"
        ),
    )
