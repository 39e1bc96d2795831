# SPDX-License-Identifier: Apache-2.0
"""Paths from the command line to the sessions of one side. Content never raises anything."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from ctxgate.readings.model import Caution, Clock, Problem, Run, Session, SessionSet
from ctxgate.readings.problems import Doubt, Findings, Kind
from ctxgate.readings.run import Loaded, label_of, load
from ctxgate.readings.session import check_session, check_side

_MOST_NAMED = 5


class _Group(msgspec.Struct, kw_only=True):
    """Files that are to be one session."""

    label: str
    files: list[Loaded] = []


def load_run(path: Path) -> tuple[Run | None, list[Problem], list[Caution]]:
    """The run in one file; None where nothing in it can be trusted. Never raises."""
    loaded = load(path)
    return loaded.run, loaded.problems, loaded.cautions


def load_sessions(paths: Sequence[Path]) -> SessionSet:
    """The sessions in `paths`, with everything wrong about them. Never raises.

    A directory is a session and its files *.json are the runs; deeper files are not read. A lone
    file is a session of one run, but files that `ctxgate measure` stamped with one session belong
    together.
    """
    problems: list[Problem] = []
    cautions: list[Caution] = []
    groups: list[_Group] = []
    by_stamp: dict[str, _Group] = {}
    for path in paths:
        if _is_directory(path):
            groups.append(_load_directory(path, problems, cautions))
        else:
            _add_lone_file(load(path), groups, by_stamp)
    if not paths:
        findings = Findings("(no path)")
        findings.refuse(Kind.NO_FILES, "no file was given")
        problems += findings.problems
    for loaded in (loaded for group in groups for loaded in group.files):
        problems += loaded.problems
        cautions += loaded.cautions
    problems += _repeated(groups)
    sessions = tuple(
        Session(label=group.label, runs=runs) for group in groups if (runs := _runs_of(group))
    )
    for session in sessions:
        problems += check_session(session.label, session.runs, problems)
    problems += check_side(sessions)
    return SessionSet(sessions=sessions, problems=tuple(problems), cautions=tuple(cautions))


def _runs_of(group: _Group) -> tuple[Run, ...]:
    return tuple(loaded.run for loaded in group.files if loaded.run is not None)


def _add_lone_file(loaded: Loaded, groups: list[_Group], by_stamp: dict[str, _Group]) -> None:
    stamp = loaded.run.session if loaded.run is not None else ""
    if stamp in by_stamp:
        by_stamp[stamp].files.append(loaded)
        return
    group = _Group(label=loaded.file, files=[loaded])
    groups.append(group)
    if stamp:
        by_stamp[stamp] = group


def _load_directory(path: Path, problems: list[Problem], cautions: list[Caution]) -> _Group:
    """The files *.json directly in `path`; says where they are if they are one level deeper."""
    findings = Findings(label_of(path))
    group = _Group(label=findings.file)
    try:
        entries = sorted(path.iterdir())
    except OSError as error:
        findings.refuse(Kind.UNREADABLE, f"cannot be read: {error.strerror}")
        entries = []
    files = [entry for entry in entries if _is_run_file(entry)]
    group.files = [load(file) for file in files]
    if not files and not findings.problems:
        _refuse_directory(entries, findings)
    elif files and (deeper := list(_directories_with_files(entries))):
        named = ", ".join(deeper[:_MOST_NAMED])
        findings.doubt(Doubt.FOLDERS_IGNORED, f"files *.json deeper down are not read: {named}")
    problems += findings.problems
    cautions += findings.cautions
    return group


def _is_run_file(entry: Path) -> bool:
    """Hidden files are another program's: half-written ones, or a Mac's `._run-00.json`."""
    return entry.suffix.lower() == ".json" and not entry.name.startswith(".")


def _refuse_directory(entries: Sequence[Path], findings: Findings) -> None:
    deeper = list(_directories_with_files(entries))
    if deeper:
        named = ", ".join(deeper[:_MOST_NAMED])
        more = f" and {len(deeper) - _MOST_NAMED} more" if len(deeper) > _MOST_NAMED else ""
        cause = f"holds no file *.json itself; its sub-directories do: {named}{more}"
        findings.refuse(Kind.NESTED_FOLDERS, cause)
    else:
        findings.refuse(Kind.NO_FILES, "holds no file *.json")


def _directories_with_files(entries: Sequence[Path]) -> Iterator[str]:
    """Sub-directories that hold run files; `meta` is where a session keeps its side files."""
    for entry in entries:
        if entry.name == "meta" or entry.suffix.lower() == ".json" or not _is_directory(entry):
            continue
        try:
            with os.scandir(entry) as inside:
                has_files = any(_is_run_file(Path(file.name)) for file in inside)
        except OSError:
            continue  # one that cannot be looked into: nothing is known about it
        if has_files:
            yield label_of(Path(entry.name))


def _repeated(groups: Sequence[_Group]) -> list[Problem]:
    """Files given twice. Two copies of a wall run would halve the noise that nobody measured.

    In the exact tier two boots may well write the same bytes, so there only the same file counts.
    """
    by_place: dict[tuple[int, int], Loaded] = {}
    by_digest: dict[bytes, Loaded] = {}
    problems: list[Problem] = []
    for loaded in (loaded for group in groups for loaded in group.files):
        if loaded.place is None or loaded.run is None:
            continue
        findings = Findings(loaded.file)
        same = by_place.setdefault(loaded.place, loaded)
        copy = by_digest.setdefault(loaded.digest, loaded)
        if same is not loaded:
            findings.refuse(Kind.RUN_TWICE, f"is the same file as {same.file}")
        elif copy is not loaded and loaded.run.clock is Clock.NANOSECONDS:
            findings.refuse(Kind.RUN_TWICE, f"is a copy of {copy.file}")
        problems += findings.problems
    return problems


def _is_directory(path: Path) -> bool:
    """Unlike Path.is_dir it is also False where the path cannot be asked; load says why."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError):
        return False
