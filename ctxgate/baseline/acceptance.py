# SPDX-License-Identifier: Apache-2.0
"""Regressions that are wanted: `accepted.toml`, read and checked."""

import re
import tomllib
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from ctxgate.baseline.load import label_of
from ctxgate.baseline.problems import Kind, refuse
from ctxgate.readings.model import Problem
from ctxgate.readings.problems import UNPRINTABLE

FILE_NAME = "accepted.toml"
_LIMIT = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?%")


class Acceptance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry: a benchmark (fnmatch pattern) may be dearer by up to `limit` until `expires`.

    The day it expires is the last on which it counts.
    """

    benchmark: str
    limit: str
    reason: str
    approver: str
    expires: date

    @property
    def fraction(self) -> float:
        """The limit as a fraction of the baseline."""
        found = _LIMIT.fullmatch(self.limit.strip())
        return float(found[1]) / 100 if found else 0.0

    def covers(self, name: str, change: float) -> bool:
        """Whether a benchmark that became dearer by `change` is accepted by this entry."""
        return fnmatchcase(name, self.benchmark) and change <= self.fraction


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    accepted: tuple[Acceptance, ...] = ()


def read_accepted(folder: Path, today: date) -> tuple[tuple[Acceptance, ...], list[Problem]]:
    """The entries of the file in `folder`, none where there is none; a problem for each bad one.

    An expired entry is a problem whether it is needed or not: nobody would notice it otherwise.
    """
    path = folder / FILE_NAME
    file = label_of(path)
    try:
        text = path.read_text(encoding="utf-8")
        entries = msgspec.convert(tomllib.loads(text), _File).accepted
    except FileNotFoundError:
        return (), []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        why = f"The list of accepted regressions {file} cannot be read: {error}."
        return (), [refuse(Kind.BAD_ACCEPTANCES, why, file=file)]
    problems = [problem for one in entries if (problem := _fault(one, file, today)) is not None]
    return (() if problems else entries), problems


def _fault(one: Acceptance, file: str, today: date) -> Problem | None:
    texts = {"benchmark": one.benchmark, "reason": one.reason, "approver": one.approver}
    for key, value in texts.items():
        if not value.strip() or UNPRINTABLE.search(value):
            why = f"{file}: the entry for {one.benchmark!r} has no {key} that could be printed."
            return refuse(Kind.BAD_ACCEPTANCES, why, file=file)
    if not 0.0 < one.fraction < float("inf"):
        why = f'{file}: the limit {one.limit!r} for {one.benchmark!r} is none; write "5 %".'
        return refuse(Kind.BAD_ACCEPTANCES, why, file=file)
    if one.expires < today:
        why = (
            f"{file}: the acceptance of {one.benchmark} up to {one.limit} by {one.approver} "
            f"expired on {one.expires}."
        )
        return refuse(Kind.EXPIRED, why, file=file)
    return None
