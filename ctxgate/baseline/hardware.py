# SPDX-License-Identifier: Apache-2.0
"""The machines on which a baseline may be recorded: `approved-hardware.toml`."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from ctxgate.baseline.load import label_of
from ctxgate.baseline.model import LOCAL, Baseline
from ctxgate.baseline.problems import Kind, refuse
from ctxgate.readings.model import UNKNOWN, Clock, Problem

FILE_NAME = "approved-hardware.toml"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


class Hardware(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hardware class: every machine whose facts equal all those of `identity`.

    Without any it is a name that no machine answers to yet.
    """

    name: str
    label: str
    identity: Mapping[str, str] = {}

    def differences(self, identity: Mapping[str, str]) -> list[str]:
        """The facts that keep a machine from being one of this class; unknown equals nothing."""
        return [
            fact
            for fact, value in sorted(self.identity.items())
            if value == UNKNOWN or identity.get(fact, UNKNOWN) != value
        ]


class Approved(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole list."""

    hardware: tuple[Hardware, ...] = ()

    def named(self, name: str) -> Hardware | None:
        """The class of that name."""
        return next((one for one in self.hardware if one.name == name), None)

    def classes_of(self, identity: Mapping[str, str]) -> list[Hardware]:
        """The classes that a machine belongs to."""
        return [one for one in self.hardware if one.identity and not one.differences(identity)]


def read_approved(folder: Path) -> tuple[Approved | None, list[Problem]]:
    """The list in `folder`; None without a problem where there is none."""
    path = folder / FILE_NAME
    file = label_of(path)
    try:
        text = path.read_text(encoding="utf-8")
        approved = msgspec.convert(tomllib.loads(text), Approved)
    except FileNotFoundError:
        return None, []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        why = f"The list of approved hardware {file} cannot be read: {error}."
        return None, [refuse(Kind.BAD_APPROVALS, why, file=file)]
    names = [one.name for one in approved.hardware]
    bad = [n for n in names if not _NAME.fullmatch(n) or n == LOCAL or names.count(n) > 1]
    if bad:
        why = f"The list of approved hardware {file} has the name {bad[0]!r} twice, or it is none."
        return None, [refuse(Kind.BAD_APPROVALS, why, file=file)]
    return approved, []


def is_local(folder: Path) -> bool:
    """Whether a baseline in `folder` is nobody else's concern: outside every repository.

    Asked of the file system and not of git, which may be missing or refuse another user's checkout.
    """
    here = folder.resolve()
    return not any((place / ".git").exists() for place in (here, *here.parents))


def check_hardware(path: Path, baseline: Baseline) -> list[Problem]:
    """Whether the machine that a baseline says it comes from is approved, by the list beside it."""
    if baseline.clock is Clock.INSTRUCTIONS:
        return []
    approved, problems = read_approved(path.parent)
    if problems:
        return problems
    file = label_of(path)
    if approved is None:
        if is_local(path.parent):
            return []
        why = f"There is no {FILE_NAME} beside {file}, so no machine is approved for it."
        return [refuse(Kind.UNAPPROVED, why, file=file)]
    listed = approved.named(baseline.hardware)
    if listed is None or not listed.identity:
        why = f"{file} comes from an unapproved machine: {FILE_NAME} does not list the class "
        why += f"{baseline.hardware!r}, or none of its facts."
        return [refuse(Kind.UNAPPROVED, why, file=file)]
    unlike = listed.differences(baseline.facts.identity)
    if unlike or listed.label != baseline.label:
        facts = ", ".join(unlike or ("label",))
        why = f"{file} comes from an unapproved machine: it says {baseline.hardware!r}, but "
        why += f"differs from that class in {FILE_NAME} in {facts}."
        return [refuse(Kind.UNAPPROVED, why, file=file)]
    return []


def class_of(identity: Mapping[str, str], folder: Path) -> tuple[Hardware | None, list[Problem]]:
    """The approved class of the machine that sessions come from, for a baseline in `folder`.

    Outside every repository, where no list is kept, it is nobody's: the class "local".
    """
    approved, problems = read_approved(folder)
    if problems:
        return None, problems
    if approved is None and is_local(folder):
        return Hardware(name=LOCAL, label="local, approved by nobody"), []
    found = approved.classes_of(identity) if approved is not None else []
    if len(found) == 1:
        return found[0], []
    place = label_of(folder / FILE_NAME)
    if found:
        names = ", ".join(one.name for one in found)
        why = f"The sessions come from a machine that {place} lists as several classes: {names}."
        return None, [refuse(Kind.BAD_APPROVALS, why, file=place)]
    why = f"The sessions come from an unapproved machine: no class in {place} has all its facts"
    return None, [refuse(Kind.UNAPPROVED, f"{why}{_nearest(approved, identity)}.", file=place)]


def check_possible(identity: Mapping[str, str], folder: Path) -> list[Problem]:
    """Why sessions of a machine will be refused, as far as its facts tell before it measures.

    A fact that cannot be told yet is left to the sessions.
    """
    approved, problems = read_approved(folder)
    if problems:
        return problems
    for one in approved.hardware if approved is not None else ():
        unlike = one.differences(identity)
        if one.identity and all(identity.get(fact, UNKNOWN) == UNKNOWN for fact in unlike):
            return []
    return class_of(identity, folder)[1]


def _nearest(approved: Approved | None, identity: Mapping[str, str]) -> str:
    """What the class that comes closest differs in."""
    classes = [one for one in approved.hardware if one.identity] if approved is not None else []
    if not classes:
        return ""
    nearest = min(classes, key=lambda one: len(one.differences(identity)))
    facts = "; ".join(
        f"{fact} is {identity.get(fact, UNKNOWN)!r} and not {nearest.identity[fact]!r}"
        for fact in nearest.differences(identity)
    )
    return f" ({nearest.name} comes closest: {facts})"
