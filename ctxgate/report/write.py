# SPDX-License-Identifier: Apache-2.0
"""Reports onto disk, whole or not at all, and text onto a stream whose reader may have gone."""

import contextlib
import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TextIO

from ctxgate.report.json_file import to_json
from ctxgate.report.junit import to_junit
from ctxgate.verdict.model import Verdict

FORMATS: dict[str, Callable[[Verdict], bytes]] = {"json": to_json, "junit": to_junit}
"""The report formats; each has a command-line option of its name."""

_PARTIAL = ".ctxgate-partial-"


class ReportError(Exception):
    """A report cannot be written; the text names the path and what to do."""


def check_targets(targets: Mapping[str, Path]) -> None:
    """Refuse what `write_reports` would fail on, before minutes of measuring are spent.

    Raises ReportError for two formats with one path, a missing directory, a path that is one.
    """
    _refuse_shared_path(targets)
    for path in targets.values():
        if not path.parent.is_dir():
            raise ReportError(f"cannot write {path}: there is no directory {path.parent}; make it")
        if path.is_dir():
            raise ReportError(f"cannot write {path}: it is a directory; name a file in it")


def write_reports(verdict: Verdict, targets: Mapping[str, Path]) -> None:
    """Write every report that was asked for: format -> path, formats as in `FORMATS`.

    One that fails does not keep the others from being written; raises ReportError afterwards.
    """
    _refuse_shared_path(targets)
    failures = []
    for kind, path in targets.items():
        try:
            write_atomically(path, FORMATS[kind](verdict))
        except ReportError as error:
            failures.append(str(error))
    if failures:
        raise ReportError("; ".join(failures))


def _refuse_shared_path(targets: Mapping[str, Path]) -> None:
    taken: dict[Path, str] = {}
    for kind, path in targets.items():
        first = taken.setdefault(path.resolve(), kind)
        if first != kind:
            raise ReportError(
                f"--{first} and --{kind} name the same file {path}; give each its own"
            )


def write_atomically(path: Path, data: bytes) -> None:
    """Put `data` at `path`, which readers see whole or not at all; a device or pipe is written to.

    An unnamed temporary file becomes the target, so that a kill at any moment leaves at most a
    link of our own name, which the next write into that directory removes. A symbolic link is
    followed. Raises ReportError with the path and the cause.
    """
    try:
        if _is_stream(path):
            path.write_bytes(data)
        else:
            _replace(path.resolve(), data)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        cause = getattr(error, "strerror", None) or str(error)
        raise ReportError(f"cannot write {path}: {cause}; name a writable place") from error


def _is_stream(path: Path) -> bool:
    """Whether it is a device, a pipe, or /dev/stdout and the like: never to be replaced."""
    if path.is_symlink() and path.is_relative_to("/dev"):
        return True
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _replace(path: Path, data: bytes) -> None:
    _remove_stale(path.parent)
    partial = path.parent / f"{_PARTIAL}{os.getpid()}"
    try:
        _create(partial, data)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _create(partial: Path, data: bytes) -> None:
    """The whole file under its passing name: unnamed until complete where the system can."""
    try:
        descriptor = os.open(partial.parent, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    except OSError:  # NFS and overlay file systems of old kernels; other causes show up again below
        partial.write_bytes(data)
        return
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        # With a directory descriptor Python calls linkat(AT_SYMLINK_FOLLOW), which /proc/self/fd
        # needs; without one it calls link(), which would link the symbolic link itself.
        os.link(f"/proc/self/fd/{descriptor}", partial, src_dir_fd=descriptor)


def _remove_stale(directory: Path) -> None:
    """Remove what killed writers left; those of living processes stay."""
    for entry in directory.glob(f"{_PARTIAL}*"):
        owner = entry.name.removeprefix(_PARTIAL)
        if owner.isdecimal() and not Path(f"/proc/{owner}").exists():
            with contextlib.suppress(OSError):
                entry.unlink()


def write_text(stream: TextIO | None, text: str) -> None:
    """Write and flush; letters that the stream's encoding lacks are written as escapes.

    A reader that has gone (`| head -1`) or a stream that was never open is no error: the exit
    status stays the verdict's. Raises ReportError for anything else, such as a full disk.
    """
    if stream is None:
        return
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        _discard(stream)
    except OSError as error:
        _discard(stream)
        raise ReportError(f"cannot write to {_name(stream)}: {error.strerror}") from error


def _name(stream: TextIO) -> str:
    return str(getattr(stream, "name", "the output")).strip("<>")


def _discard(stream: TextIO) -> None:
    """Send the rest to /dev/null: Python's flush at exit would fail again and turn the exit 120."""
    with contextlib.suppress(OSError, ValueError):  # a stream in memory has no descriptor
        descriptor = stream.fileno()
        null = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
        os.dup2(null, descriptor)
        os.close(null)
