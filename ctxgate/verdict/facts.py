# SPDX-License-Identifier: Apache-2.0
"""The facts of the runs of a side, gathered by fact, so that two sides can be laid together."""

from collections.abc import Callable, Mapping
from itertools import takewhile

from ctxgate.readings.model import UNKNOWN, Run, SessionSet

_LONGEST = 80

Facts = dict[str, dict[str, str]]
"""Fact -> value -> the first file that has it."""


def runs_of(side: SessionSet) -> list[Run]:
    """Every run of a side, in the order of its sessions."""
    return [run for session in side.sessions for run in session.runs]


def gather_facts(side: SessionSet, choose: Callable[[Run], Mapping[str, str]]) -> Facts:
    """All values of every fact over a side's runs; a fact that a run lacks is unknown there."""
    runs = runs_of(side)
    facts: Facts = {}
    for run in runs:
        for fact, value in choose(run).items():
            facts.setdefault(fact, {}).setdefault(value, run.file)
    for fact, values in facts.items():
        lacking = next((run for run in runs if fact not in choose(run)), None)
        if lacking is not None:
            values.setdefault(UNKNOWN, lacking.file)
    return facts


def known(values: Mapping[str, str]) -> list[str]:
    """The values of a fact that could be read."""
    return [value for value in values if value != UNKNOWN]


def the_value(values: Mapping[str, str]) -> str:
    """The one value of a fact; unknown if a run lacks it or nothing is known."""
    return UNKNOWN if UNKNOWN in values or not values else next(iter(values))


def shown_value(value: str) -> str:
    """A value as a sentence quotes it: one line, of bearable length."""
    if value == UNKNOWN:
        return UNKNOWN
    text = " ".join(value.split())
    return f"'{text}'" if len(text) <= _LONGEST else f"'{text[:_LONGEST]}...'"


def shown_difference(before: str, after: str) -> str:
    """`'old' against 'new'`; of long values what stands before their first difference goes."""
    if UNKNOWN not in (before, after) and max(len(before), len(after)) > _LONGEST:
        words = [value.split() for value in (before, after)]
        common = sum(
            1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*words, strict=False))
        )
        if common:
            before, after = (" ".join(["...", *rest[common:]]) for rest in words)
    return f"{shown_value(before)} against {shown_value(after)}"
