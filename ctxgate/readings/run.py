# SPDX-License-Identifier: Apache-2.0
"""One file to one run: read, decode, check; whatever is in the file, nothing is raised."""

import hashlib
import os
import stat
from pathlib import Path

import msgspec

from ctxgate.readings.context import Context, read_context
from ctxgate.readings.decode import Document, decode
from ctxgate.readings.encoding import to_utf8
from ctxgate.readings.foreign import ForeignRows
from ctxgate.readings.model import Caution, Problem, Run
from ctxgate.readings.own import OwnRows
from ctxgate.readings.problems import Findings, Kind

MOST_BYTES = 1 << 30
"""A run file of 1 GiB holds three million repetitions; beyond it, it is something else."""

_PSEUDO_FILE = 1 << 20
"""Files under /proc say size 0 and may never end."""


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was read; `digest` tells copies, `place` (device, inode) the file itself.

    `run` is None where nothing in it can be trusted.
    """

    file: str
    run: Run | None
    problems: list[Problem]
    cautions: list[Caution]
    digest: bytes = b""
    place: tuple[int, int] | None = None


def label_of(path: Path) -> str:
    """The path as text that can be printed; names that are no UTF-8 are escaped."""
    return os.fsencode(path).decode(errors="backslashreplace")


def load(path: Path) -> Loaded:
    """The run in the file at `path`, with everything wrong about it."""
    findings = Findings(label_of(path))
    opened = _read_bytes(path, findings)
    run = None
    digest, place = b"", None
    if opened is not None:
        data, place = opened
        digest = hashlib.sha256(data).digest()
        run = _read(data, findings)
    problems, cautions = findings.finish()
    return Loaded(
        file=findings.file,
        run=run,
        problems=problems,
        cautions=cautions,
        digest=digest,
        place=place,
    )


def _read_bytes(path: Path, findings: Findings) -> tuple[bytes, tuple[int, int]] | None:
    """The content and where it lies.

    Only a regular file is opened: a pipe would hang, and a device may act on being opened. It is
    asked again once open, in case another took its place.
    """
    try:
        if not _is_regular(path.stat(), findings):
            return None
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:  # noqa: PTH123 - a Path cannot open a descriptor
            about = os.fstat(descriptor)
            if not _is_regular(about, findings):
                return None
            most = max(about.st_size, _PSEUDO_FILE)
            data = file.read(most + 1)
    except FileNotFoundError:
        findings.refuse(Kind.NO_SUCH_FILE, "does not exist")
        return None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        findings.refuse(Kind.UNREADABLE, f"cannot be read: {reason}")
        return None
    if data is None or len(data) > most:  # None: a file under /proc that has nothing to say yet
        findings.refuse(Kind.UNREADABLE, "changes while it is read")
        return None
    return data, (about.st_dev, about.st_ino)


def _is_regular(about: os.stat_result, findings: Findings) -> bool:
    if not stat.S_ISREG(about.st_mode):
        findings.refuse(Kind.NOT_A_FILE, f"is {_sort_of_file(about.st_mode)}")
        return False
    if about.st_size > MOST_BYTES:
        findings.refuse(Kind.TOO_BIG, f"is larger than {MOST_BYTES >> 20} MiB")
        return False
    return True


def _sort_of_file(mode: int) -> str:
    sorts = (
        (stat.S_ISDIR, "a directory where a file is expected"),
        (stat.S_ISFIFO, "a pipe, not a regular file"),
        (stat.S_ISCHR, "a device, not a regular file"),
    )
    return next((text for test, text in sorts if test(mode)), "not a regular file")


def _read(data: bytes, findings: Findings) -> Run | None:
    text = to_utf8(data, findings)
    document = decode(text, findings) if text is not None else None
    context = read_context(document.context, findings) if document is not None else None
    if document is None or context is None:
        return None
    if document.row_count == 0:
        findings.refuse(Kind.NO_ROWS, 'its "benchmarks" is empty: nothing was measured')
        return None
    return _read_rows(document, context, findings)


def _read_rows(document: Document, context: Context, findings: Findings) -> Run | None:
    of_file = (ForeignRows if context.foreign else OwnRows)(document, context, findings)
    for position, row in document.rows(findings):
        of_file.add(position, row)
    if document.is_distrusted:
        return None
    readings, facts = of_file.finish()
    if not readings and not findings.problems:
        findings.refuse(Kind.NO_ROWS, "holds no repetition of a benchmark")
    if not readings:
        return None
    return Run(
        file=findings.file,
        clock=context.clock,
        foreign=context.foreign,
        readings=readings,
        identity={**context.identity, **facts},
        subject=context.subject,
        record=context.record,
        unavailable=context.unavailable,
        session=context.session,
        run_index=context.run_index,
        session_runs=context.session_runs,
    )
