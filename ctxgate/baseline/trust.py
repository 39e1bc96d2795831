# SPDX-License-Identifier: Apache-2.0
"""Whether a baseline file may be believed: signature, machine, serial, side file."""

from collections.abc import Callable
from pathlib import Path

from ctxgate.baseline.hardware import check_hardware
from ctxgate.baseline.keygen import Keygen
from ctxgate.baseline.load import label_of, read_baseline
from ctxgate.baseline.model import StoredFile
from ctxgate.baseline.problems import Kind, refuse
from ctxgate.baseline.signature import Trust, check_signature
from ctxgate.readings.model import Problem

CONFIG_FACT = "kernel_config"
"""The subject fact that holds the digest of the kernel configuration."""


def check_trust(stored: StoredFile, keygen: Keygen, digest: Callable[[str], str]) -> Trust:
    """Everything about the file itself; `digest` is that of a kernel configuration's text."""
    signed = check_signature(stored, keygen)
    problems = [*signed.problems, *check_hardware(stored.path, stored.baseline)]
    problems += _check_side_file(stored, digest)
    return Trust(tuple(problems), signed.notes)


def check_serial(stored: StoredFile, base: Path) -> Trust:
    """Hold a proposed baseline against the base branch's: `base` is that file or its folder."""
    file = label_of(stored.path)
    if not base.exists():
        why = f"{label_of(base)}, which {file} is to follow, does not exist."
        return Trust((refuse(Kind.BASE_MISSING, why, file=file),))
    before_path = base / stored.path.name if base.is_dir() else base
    if not before_path.exists():
        return Trust(notes=(f"{file} is new: {label_of(base)} holds no such baseline.",))
    before, problems = read_baseline(before_path)
    if before is None:
        return Trust(tuple(problems))
    old, new = before.baseline.serial, stored.baseline.serial
    if new < old:
        why = f"{file} has the serial {new}, lower than {old} in {label_of(before_path)}."
        return Trust((refuse(Kind.LOWER_SERIAL, why, file=file),))
    if new == old and before.data != stored.data:
        why = f"{file} differs from {label_of(before_path)} but has the same serial {new}."
        return Trust((refuse(Kind.SAME_SERIAL, why, file=file),))
    return Trust()


def side_file_of(path: Path) -> Path:
    """Where the kernel configuration of a baseline lies: `NAME.kernel.config`."""
    return path.with_suffix(".kernel.config")


def kept_config(stored: StoredFile) -> str | None:
    """The text of the side file; None where there is none that can be read."""
    try:
        return side_file_of(stored.path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def config_digests(stored: StoredFile) -> set[str]:
    """The kernel configurations that the sessions of a baseline say they ran on."""
    baseline = stored.baseline
    facts = [baseline.facts, *(session.facts for session in baseline.sessions)]
    facts += [run.facts for session in baseline.sessions for run in session.runs]
    return {one.subject[CONFIG_FACT] for one in facts if CONFIG_FACT in one.subject}


def _check_side_file(stored: StoredFile, digest: Callable[[str], str]) -> list[Problem]:
    """The side file is not signed, but the digest of what it has to say is."""
    text = kept_config(stored)
    side = side_file_of(stored.path)
    if text is None and not side.exists():
        return []
    if text is not None and digest(text) in config_digests(stored):
        return []
    why = f"{label_of(side)} is not the kernel configuration that the baseline was recorded on."
    return [refuse(Kind.SIDE_FILE, why, file=label_of(side))]
