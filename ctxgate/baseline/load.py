# SPDX-License-Identifier: Apache-2.0
"""A baseline file to the sessions in it. Like a result file it is known by its content alone."""

import os
import stat
from pathlib import Path
from typing import Any

import msgspec

from ctxgate.baseline.checks import check_content
from ctxgate.baseline.model import MARK, SCHEMA, Baseline, StoredFile
from ctxgate.baseline.problems import Kind, refuse
from ctxgate.baseline.store import restore
from ctxgate.readings.model import Problem, SessionSet
from ctxgate.readings.session import check_session, check_side
from ctxgate.readings.syntax import find_duplicate_key, line_of

MOST_BYTES = 1 << 30
"""As for a result file; a thousand sessions of twenty benchmarks take 40 MB."""

_HEAD = 1 << 16
_MARK = f'"{MARK}"'.encode()
_DECODER = msgspec.json.Decoder(Baseline)


def label_of(path: Path) -> str:
    """The path as text that can be printed; names that are no UTF-8 are escaped."""
    return os.fsencode(path).decode(errors="backslashreplace")


def is_baseline(path: Path) -> bool:
    """Whether the file says of itself that it is a baseline. Never raises."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return False
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except (OSError, ValueError):
        return False
    return _MARK in head


def load_baseline(path: Path) -> SessionSet:
    """The sessions in the baseline at `path`, with everything wrong about them. Never raises."""
    stored, problems = read_baseline(path)
    return (
        SessionSet(sessions=(), problems=tuple(problems)) if stored is None else sessions_of(stored)
    )


def read_baseline(path: Path) -> tuple[StoredFile | None, list[Problem]]:
    """The baseline at `path`; None, and why, where it is none that can be read. Never raises."""
    file = label_of(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None, [refuse(Kind.UNREADABLE, f"{file} is no regular file.", file=file)]
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return None, [refuse(Kind.UNREADABLE, f"{file} cannot be read: {reason}.", file=file)]
    if len(data) > MOST_BYTES:
        why = f"{file} is larger than {MOST_BYTES >> 20} MiB."
        return None, [refuse(Kind.UNREADABLE, why, file=file)]
    return parse(path, data)


def parse(path: Path, data: bytes) -> tuple[StoredFile | None, list[Problem]]:
    """The baseline in `data`, as it stands or is to stand at `path`."""
    file = label_of(path)
    problem = _fault(data, file)
    if problem is not None:
        return None, [problem]
    try:
        baseline = _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return None, [_bad(file, f"does not have the shape of a baseline: {error}")]
    problems = [_bad(file, cause, name) for cause, name in check_content(baseline)]
    return (None, problems) if problems else (StoredFile(path, data, baseline), [])


def sessions_of(stored: StoredFile) -> SessionSet:
    """The sessions of a baseline that was read, checked as those of directories are."""
    sessions = restore(stored.baseline, label_of(stored.path))
    problems: list[Problem] = []
    for session in sessions:
        problems += check_session(session.label, session.runs, ())
    problems += check_side(sessions)
    return SessionSet(sessions=sessions, problems=tuple(problems))


def _fault(data: bytes, file: str) -> Problem | None:
    """Why the bytes are no baseline of this version, or not what they seem."""
    try:
        document = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _bad(file, f"is not JSON: {error}")
    if not isinstance(document, dict) or MARK not in document:
        why = f"{file} is no baseline: it has no top-level {MARK}."
        return refuse(Kind.NOT_A_BASELINE, why, file=file)
    if type(document[MARK]) is not int or document[MARK] != SCHEMA:
        why = f"{file} is a baseline of another version; only {MARK} {SCHEMA} is known."
        return refuse(Kind.UNKNOWN_SCHEMA, why, file=file)
    # What a reviewer reads has to be what is judged, so no key may stand twice. Every key ends in a
    # quote and a colon; where there are as many as were decoded, none was dropped.
    if data.translate(None, b" \t\r\n").count(b'":') != _keys(document):
        text = data.decode()
        twice = find_duplicate_key(text)
        if twice is not None:
            line = line_of(text, twice.position)
            return _bad(file, f"has the key {twice.text!r} twice in one object, line {line}")
    return None


def _keys(value: Any) -> int:
    """Keys of all objects in `value`, without recursion: a thousand sessions hold 200,000."""
    count = 0
    left = [value]
    while left:
        one = left.pop()
        if type(one) is dict:
            count += len(one)
            one = one.values()
        left += [item for item in one if type(item) in (dict, list)]
    return count


def _bad(file: str, cause: str, name: str = "") -> Problem:
    where = f"{file}: {name}" if name else file
    return refuse(Kind.BAD_BASELINE, f"{where} {cause}.", file=file, benchmark=name)
