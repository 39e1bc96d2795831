# SPDX-License-Identifier: Apache-2.0
"""The kinds of problems and cautions that judging itself finds, and the verdict each leads to."""

from enum import StrEnum

from ctxgate.readings.model import Problem
from ctxgate.verdict.model import Decision


class Finding(StrEnum):
    """What judging finds. The values are part of the reports."""

    # not comparable
    OTHER_CLOCK = "other-clock"
    OTHER_SOURCE = "other-source"
    OTHER_IDENTITY = "other-identity"
    OTHER_VERSION = "other-version"
    # unfit
    CANARY_MOVED = "canary-moved"
    CONTROL_MOVED = "control-moved"
    # broken
    REQUIRED_MISSING = "required-missing"
    NOTHING_COMPARED = "nothing-compared"
    BOOTS_DIFFER = "boots-differ"
    # cautions
    NO_CANARY = "no-canary"
    NO_CONTROL = "no-control"
    BASELINE_DRIFTS = "baseline-drifts"
    SICK_SESSION = "sick-session"
    SYSCALL_CANARY_MOVED = "syscall-canary-moved"
    BUSY_MACHINE = "busy-machine"
    RECORD_DIFFERS = "record-differs"
    FOREIGN_FACT = "foreign-fact"
    SUBJECT_MIXED = "subject-mixed"
    SUBJECT_UNKNOWN = "subject-unknown"


_DECISIONS = {
    Finding.OTHER_CLOCK: Decision.NOT_COMPARABLE,
    Finding.OTHER_SOURCE: Decision.NOT_COMPARABLE,
    Finding.OTHER_IDENTITY: Decision.NOT_COMPARABLE,
    Finding.OTHER_VERSION: Decision.NOT_COMPARABLE,
    Finding.CANARY_MOVED: Decision.UNFIT,
    Finding.CONTROL_MOVED: Decision.UNFIT,
}


def decision_of(problem: Problem) -> Decision:
    """The verdict that a problem leads to: broken, unless its kind is one of judging's own."""
    return next((d for kind, d in _DECISIONS.items() if kind == problem.kind), Decision.BROKEN)
