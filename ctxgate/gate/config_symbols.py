# SPDX-License-Identifier: Apache-2.0
"""Which symbols of the kernel configuration changed, from the texts kept beside the sessions."""

from pathlib import Path

import msgspec

from ctxgate.baseline.trust import side_file_of
from ctxgate.readings.model import SessionSet
from ctxgate.system import kernel_config
from ctxgate.verdict.model import SubjectChange, Verdict

FACT = "kernel_config"


def with_config_symbols(verdict: Verdict, baseline: SessionSet, contender: SessionSet) -> Verdict:
    """The verdict with the configuration's hashes replaced by the symbols that differ.

    A symbol a line, `CONFIG_PSI=y` against `CONFIG_PSI=n`; unset and absent mean the same to the
    kernel. The hashes stay where a side kept no text.
    """
    if all(change.fact != FACT for change in verdict.subject_changes):
        return verdict
    before, after = _symbols(baseline), _symbols(contender)
    if not before or not after:
        return verdict
    names = sorted(
        name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
    )
    change = SubjectChange(
        fact=FACT, baseline=_lines(names, before), contender=_lines(names, after)
    )
    changes = tuple(change if c.fact == FACT else c for c in verdict.subject_changes)
    return msgspec.structs.replace(verdict, subject_changes=changes)


def _symbols(side: SessionSet) -> dict[str, str]:
    """The symbols of the first session's kernel; none where its text was not kept."""
    for session in side.sessions:
        for run in session.runs:
            try:
                return kernel_config.symbols(_kept(Path(run.file)).read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError):
                break
    return {}


def _kept(run: Path) -> Path:
    """Where the configuration's text lies: in the session's directory, or beside the baseline."""
    stored = run.parents[1] if len(run.parents) > 1 else run
    return side_file_of(stored) if stored.is_file() else run.parent / "meta/kernel.config"


def _lines(names: list[str], symbols: dict[str, str]) -> str:
    return "\n".join(f"{name}={symbols.get(name, 'n')}" for name in names)
