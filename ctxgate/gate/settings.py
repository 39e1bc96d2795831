# SPDX-License-Identifier: Apache-2.0
"""The settings of one gate: the command line beats `ctxgate.toml` beats the defaults."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from ctxgate.gate.configuration import Configuration, ConfigurationError, find, read
from ctxgate.gate.floor import floor_text
from ctxgate.gate.measure_and_judge import in_ci
from ctxgate.gate.printable import printable
from ctxgate.gate.tolerance import read_policy
from ctxgate.readings.model import Caution
from ctxgate.system.host import Host
from ctxgate.verdict.model import Verdict
from ctxgate.verdict.policy import (
    EXACT_TOLERANCE,
    WALL_TOLERANCE,
    Floor,
    Policy,
    Tolerance,
)
from ctxgate.verdict.wording import percent

COMMAND_LINE = "command line"
BUILT_IN = "default"
UNUSED_PATTERN = "unused-pattern"
"""The kind of the caution for a pattern that matches no benchmark."""

_NO_FILE = Configuration(path="", digest="")
_TOLERANCES = (
    f"{percent(WALL_TOLERANCE)} wall, {percent(EXACT_TOLERANCE)} exact, "
    "certifiable with a local baseline"
)


@dataclass(frozen=True, kw_only=True)
class Given:
    """What the command line says of settings.

    `config` names the file; without it one is looked for if `search`. `local` asks for a local
    baseline. `requires` is False for `compare`, which requires all of the baseline it is given.
    """

    tolerance: Sequence[str] = ()
    baseline: Sequence[Path] = ()
    config: Path | None = None
    search: bool = True
    local: bool = False
    requires: bool = True


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A setting in effect, in words, and where it was taken from.

    `pattern` says which benchmarks it is for and in which table it stands; "" for all.
    """

    setting: str
    value: str | tuple[str, ...]
    origin: str
    pattern: str = ""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All that a gate is run by; `file` is None where no file was read."""

    policy: Policy
    baseline: tuple[Path, ...]
    in_effect: tuple[Setting, ...]
    notes: tuple[str, ...] = ()
    file: Configuration | None = None

    def applied(self, verdict: Verdict) -> Verdict:
        """The verdict, with what it was judged by and a caution for each idle pattern."""
        return msgspec.structs.replace(
            verdict,
            notes=(*verdict.notes, *self.notes),
            warnings=(*verdict.warnings, *self._idle([row.name for row in verdict.benchmarks])),
        )

    def _idle(self, names: Sequence[str]) -> Iterator[Caution]:
        """A pattern that was meant for something and matches nothing; where nothing was judged,
        no pattern can be told to be idle."""
        for one in self.in_effect if names else ():
            if one.pattern and not any(fnmatchcase(name, one.pattern) for name in names):
                yield Caution(
                    kind=UNUSED_PATTERN,
                    message=f"The pattern {one.setting} ({one.origin}) matches no benchmark, so "
                    f"{one.value} is asked of none.",
                )


def settle(given: Given, host: Host) -> Settings:
    """The settings in effect. ConfigurationError where an option or the file is wrong."""
    try:
        asked = read_policy(given.tolerance)
    except ValueError as error:
        raise ConfigurationError(f"--tolerance: {error}") from error
    file = _load(given, host)
    said = file or _NO_FILE
    overruled = asked.tolerance is not None
    policy = msgspec.structs.replace(
        asked,
        tolerance=asked.tolerance if overruled else said.tolerance,
        configured={} if overruled else said.tolerances,
        floor={**({"*": said.floor} if said.floor else {}), **said.floors},
        required=said.required if given.requires else None,
    )
    baseline, origin = _baseline(given, said, host)
    return Settings(
        policy=policy,
        baseline=baseline,
        in_effect=(
            *_tolerances(asked, said),
            *_floors(said),
            _required(policy, said),
            _setting("baseline", tuple(str(path) for path in baseline) or "none", origin),
        ),
        notes=tuple(_notes(given, said, host, overruled=overruled)) if file else (),
        file=file,
    )


def _load(given: Given, host: Host) -> Configuration | None:
    if given.config is not None:
        return read(host.cwd / given.config, printable(str(given.config)))
    found = find(host.cwd) if given.search else None
    return read(found, printable(os.path.relpath(found, host.cwd))) if found else None


def _baseline(given: Given, said: Configuration, host: Host) -> tuple[tuple[Path, ...], str]:
    """The sessions to compare with. A local baseline never counts in CI, so it beats nothing."""
    if given.baseline:
        return tuple(given.baseline), COMMAND_LINE
    if given.local and not in_ci(host):
        return (), COMMAND_LINE
    return said.baseline, said.path if said.baseline else BUILT_IN


def _tolerances(asked: Policy, said: Configuration) -> Iterator[Setting]:
    """In the order in which they are asked, the general one first."""
    if asked.tolerance is not None:
        yield _setting("tolerance.default", _words(asked.tolerance), COMMAND_LINE)
    elif said.tolerance is not None:
        yield _setting("tolerance.default", _words(said.tolerance), said.path)
    else:
        yield _setting("tolerance.default", _TOLERANCES, BUILT_IN)
    for pattern, value in asked.tolerances.items():
        yield _setting("tolerance", _words(value), COMMAND_LINE, pattern)
    for pattern, value in said.tolerances.items():
        if asked.tolerance is None and pattern not in asked.tolerances:
            yield _setting("tolerance", _words(value), said.path, pattern)


def _floors(said: Configuration) -> Iterator[Setting]:
    origin = BUILT_IN if said.floor is None else said.path
    yield _setting("floor.default", floor_text(said.floor or Floor()), origin)
    for pattern, value in said.floors.items():
        yield _setting("floor", floor_text(value), said.path, pattern)


def _required(policy: Policy, said: Configuration) -> Setting:
    if policy.required is None:
        return _setting("required", "every benchmark of the baseline", BUILT_IN)
    return _setting("required", policy.required, said.path)


def _setting(name: str, value: str | tuple[str, ...], origin: str, pattern: str = "") -> Setting:
    shown = f'{name}."{printable(pattern)}"' if pattern else name
    words = value if isinstance(value, str) else tuple(printable(each) for each in value)
    return Setting(setting=shown, value=words, origin=origin, pattern=pattern)


def _words(value: Tolerance) -> str:
    return value if isinstance(value, str) else percent(value)


def _notes(given: Given, said: Configuration, host: Host, *, overruled: bool) -> Iterator[str]:
    """What a reviewer has to know: which file, unchanged by its digest, and what it did not do."""
    sets = ", ".join(said.sets) or "nothing"
    yield f"Configuration: {said.path} (sha256 {said.digest}) sets {sets}."
    if in_ci(host) and given.config is None:
        yield (
            f"{said.path} was found in the tree under test, which can change its own tolerances: "
            "in CI name the file of the base branch with --config."
        )
    if overruled and "tolerance" in said.sets:
        yield f"tolerance of {said.path} was not used: the command line gives one for all."
    if said.required and not given.requires:
        yield (
            f"required of {said.path} was not used: it is for `ctxgate gate`; compare requires "
            "every benchmark of the baseline it is given."
        )
    if said.baseline and given.requires and _baseline(given, said, host)[1] == COMMAND_LINE:
        yield f"baseline of {said.path} was not used: the command line names another."
