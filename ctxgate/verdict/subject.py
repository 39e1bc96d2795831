# SPDX-License-Identifier: Apache-2.0
"""What changed between the sides: the facts under test, and what is only recorded beside them."""

from typing import NamedTuple

from ctxgate.readings.model import UNKNOWN, Caution, SessionSet
from ctxgate.verdict.facts import Facts, gather_facts, known, shown_value
from ctxgate.verdict.kinds import Finding
from ctxgate.verdict.model import SubjectChange

_NEVER_THE_SAME = frozenset(
    {"boot_id", "clock_cost_ns", "date", "executable", "frequency_khz", "load_average", "load_avg",
     "mhz_per_cpu", "padding", "pid", "pressure_cpu", "runnable_tasks", "seed", "started",
     "steal_ticks", "temperature", "throttle_count", "time", "uptime_s"}
)  # fmt: skip
"""Recorded facts that change by themselves between two runs; a warning each time would be noise."""


class Subject(NamedTuple):
    """The facts under test that differ, what to know about them, and the sentence for the whole."""

    changes: tuple[SubjectChange, ...]
    cautions: tuple[Caution, ...]
    notes: tuple[str, ...]


def compare_subject(baseline: SessionSet, contender: SessionSet) -> Subject:
    """Lay the facts under test side by side, and the recorded ones that may explain a change."""
    before = gather_facts(baseline, lambda run: run.subject)
    after = gather_facts(contender, lambda run: run.subject)
    changes = []
    unread = []
    for fact in sorted(before.keys() | after.keys()):
        old, new = (_text(side.get(fact, {})) for side in (before, after))
        if old == new == UNKNOWN:
            unread.append(fact)
        elif old != new:
            changes.append(SubjectChange(fact=fact, baseline=old, contender=new))
    cautions = [*_mixed(before, "baseline"), *_mixed(after, "contender")]
    if unread:
        cautions.append(
            Caution(
                kind=Finding.SUBJECT_UNKNOWN,
                message=f"Could not be read on either side, so a change there would go unseen: "
                f"{', '.join(unread)}.",
            )
        )
    cautions += _record_cautions(baseline, contender)
    return Subject(tuple(changes), tuple(cautions), _notes(changes))


def _text(values: dict[str, str]) -> str:
    return " | ".join(sorted(values)) if values else UNKNOWN


def _notes(changes: list[SubjectChange]) -> tuple[str, ...]:
    if len(changes) < 2:
        return ()
    facts = ", ".join(change.fact for change in changes)
    return (
        f"{len(changes)} facts under test differ at once ({facts}): from these sessions the cause "
        "of a change is not separable between them. Change one at a time to tell.",
    )


def _mixed(facts: Facts, which: str) -> list[Caution]:
    """A side whose sessions were measured on different subjects: its spread holds their change."""
    return [
        Caution(
            kind=Finding.SUBJECT_MIXED,
            message=f"The {which}'s sessions differ in {fact}: "
            f"{' and '.join(shown_value(value) for value in values)}; what that changed is part "
            "of their spread.",
            file=list(values.values())[1],
        )
        for fact, values in sorted(facts.items())
        if len(values) > 1
    ]


def _record_cautions(baseline: SessionSet, contender: SessionSet) -> list[Caution]:
    before = gather_facts(baseline, lambda run: run.record)
    after = gather_facts(contender, lambda run: run.record)
    cautions = []
    for fact in sorted(before.keys() | after.keys()):
        old, new = known(before.get(fact, {})), known(after.get(fact, {}))
        if fact.rpartition(".")[2] in _NEVER_THE_SAME or not old or not new or set(old) == set(new):
            continue
        # Reports travel into public logs; a host name never does.
        told = "" if "host" in fact else f": {_all(old)} against {_all(new)}"
        cautions.append(
            Caution(
                kind=Finding.RECORD_DIFFERS,
                message=f"{fact} differs between the sides{told}.",
            )
        )
    return cautions


def _all(values: list[str]) -> str:
    shown = [shown_value(value) for value in sorted(values)[:3]]
    return " and ".join(shown) + (f" and {len(values) - 3} more" if len(values) > 3 else "")
