# SPDX-License-Identifier: Apache-2.0
"""Verifying, signing and showing stored baselines."""

from collections.abc import Sequence
from pathlib import Path

from ctxgate.baseline.acceptance import read_accepted
from ctxgate.baseline.hardware import FILE_NAME, is_local
from ctxgate.baseline.keygen import Keygen
from ctxgate.baseline.load import label_of, read_baseline, sessions_of
from ctxgate.baseline.model import StoredFile
from ctxgate.baseline.show import Look, show
from ctxgate.baseline.signature import Trust, check_signature, sign
from ctxgate.baseline.trust import check_serial, check_trust
from ctxgate.gate.outcome import Outcome
from ctxgate.readings.model import Problem
from ctxgate.system import kernel_config
from ctxgate.system.host import Host
from ctxgate.verdict.model import Decision


def verify_files(paths: Sequence[Path], base: Path | None, host: Host) -> Outcome:
    """Whether every file may be believed; `base` is the base branch's file, or its folder."""
    problems: list[Problem] = []
    notes: list[str] = []
    lines = []
    for path in dict.fromkeys(paths):
        stored, faults = read_baseline(path)
        if stored is None:
            problems += faults
            continue
        trust = _verify(stored, base, host)
        problems += trust.problems
        notes += trust.notes
        if not trust.problems:
            baseline = stored.baseline
            lines.append(f"good: {label_of(path)}, {baseline.label}, serial {baseline.serial}\n")
    return _outcome(list(dict.fromkeys(problems)), notes, "".join(lines))


def sign_files(paths: Sequence[Path], key: Path, host: Host) -> Outcome:
    """Sign every file that is a sound baseline; each gets its own signature beside it."""
    keygen = Keygen(host.run, host.environ)
    problems: list[Problem] = []
    notes: list[str] = []
    lines = []
    for path in dict.fromkeys(paths):
        stored, faults = read_baseline(path)
        faults = faults if stored is None else [*sessions_of(stored).problems]
        if stored is None or faults:
            problems += faults
            continue
        refused = sign(stored, key, keygen)
        problems += refused
        if refused:
            continue
        lines.append(f"signed {label_of(path)}\n")
        # A key that nobody lists yet is no fault of the signature, but the next verify refuses it.
        checked = check_signature(stored, keygen)
        notes += [*checked.notes, *(problem.message for problem in checked.problems)]
    return _outcome(problems, notes, "".join(lines))


def show_files(paths: Sequence[Path], look: Look) -> Outcome:
    """Draw the sessions of every file. It says nothing of whether they may be believed."""
    problems: list[Problem] = []
    texts = []
    for path in dict.fromkeys(paths):
        stored, faults = read_baseline(path)
        if stored is None:
            problems += faults
        else:
            texts.append(show(stored, sessions_of(stored), look))
    return _outcome(problems, [], "\n".join(texts))


def _verify(stored: StoredFile, base: Path | None, host: Host) -> Trust:
    trust = check_trust(stored, Keygen(host.run, host.environ), kernel_config.digest)
    problems = [*trust.problems, *sessions_of(stored).problems]
    problems += read_accepted(stored.path.parent, host.now().date())[1]
    notes = [*trust.notes]
    if base is not None:
        serial = check_serial(stored, base)
        problems += serial.problems
        notes += serial.notes
    folder = stored.path.parent
    if not (folder / FILE_NAME).exists() and is_local(folder):
        notes.append(f"{label_of(stored.path)} is a local baseline: no {FILE_NAME} beside it.")
    return Trust(tuple(problems), tuple(notes))


def _outcome(problems: Sequence[Problem], notes: Sequence[str], text: str) -> Outcome:
    decision = Decision.BROKEN if problems else Decision.PASS
    return Outcome(decision, tuple(problems), tuple(notes), text)
