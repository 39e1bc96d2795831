# SPDX-License-Identifier: Apache-2.0
"""Which benchmarks have to be there, which are not, and which have nothing to be compared with."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import NamedTuple

from ctxgate.readings.model import Problem, Run, SessionSet
from ctxgate.verdict.facts import runs_of
from ctxgate.verdict.kinds import Finding
from ctxgate.verdict.policy import Policy

_REMEDY = (
    "Measure the session again with this benchmark in every run, or take it out of what is "
    "required."
)


class Attendance(NamedTuple):
    """Benchmark by benchmark: why it is broken, or why it is not gated; the rest is judged."""

    problems: tuple[Problem, ...]
    broken: dict[str, str]
    ungated: dict[str, str]


def take_attendance(baseline: SessionSet, contender: SessionSet, policy: Policy) -> Attendance:
    """Find required benchmarks that are missing, even from a single run, and new ones.

    A gate that skipped what a run failed to measure would pass exactly when the measurement
    breaks, so a gap is broken and names the file.
    """
    before, after = _names(runs_of(baseline)), _names(runs_of(contender))
    required, problems = _required(before, after, policy)
    sides = ((baseline, "baseline"), (contender, "contender"))
    gaps = {
        name: [
            (side, which, runs)
            for side, which in sides
            if (runs := [run for run in runs_of(side) if name not in run.readings])
        ]
        for name in _incomplete(baseline, contender, {**before, **after, **required})
    }
    broken: dict[str, str] = {}
    ungated: dict[str, str] = {}
    for name, found in gaps.items():
        if name not in required:
            ungated[name] = _why_ungated(name, before, after, found[0][2][0])
            continue
        for side, which, runs in found:
            message = _gap(name, which, runs, len(runs_of(side)))
            broken[name] = message
            if not _told(side.problems, name, runs):
                problems.append(_problem(message, name, runs[0].file))
    return Attendance(tuple(problems), broken, ungated)


def _names(runs: Iterable[Run]) -> dict[str, None]:
    """Every benchmark of the runs, in the order they appear (a dict is an ordered set)."""
    return {name: None for run in runs for name in run.readings}


def _required(
    before: dict[str, None], after: dict[str, None], policy: Policy
) -> tuple[dict[str, None], list[Problem]]:
    if policy.required is None:
        return before, []
    required: dict[str, None] = {}
    problems = []
    for pattern in policy.required:
        matching = [name for name in {**before, **after} if fnmatchcase(name, pattern)]
        required.update(dict.fromkeys(matching))
        if not matching:
            message = f"Required is {pattern}, but no benchmark of either side matches it."
            problems.append(_problem(message, pattern, ""))
    return required, problems


def _incomplete(
    baseline: SessionSet, contender: SessionSet, names: dict[str, None]
) -> dict[str, None]:
    """The benchmarks that at least one run lacks. A whole run is told in one set operation."""
    missing: set[str] = set()
    for run in (*runs_of(baseline), *runs_of(contender)):
        missing |= names.keys() - run.readings.keys()
    return {name: None for name in names if name in missing}


def _why_ungated(
    name: str, before: dict[str, None], after: dict[str, None], lacking: Run
) -> str:  # fmt: skip
    if name not in before:
        return "New: the baseline does not hold it, so there is nothing to compare it with."
    if name not in after:
        reason = lacking.unavailable.get(name)
        return f"The contender did not measure it{f': {reason}' if reason else ''}."
    return f"Not required, and missing from {lacking.file}."


def _gap(name: str, which: str, runs: list[Run], total: int) -> str:
    if len(runs) == total:
        where = f"all {total} runs" if total > 1 else "the only run"
        text = f"{name} is required but missing from {where} of the {which}"
    else:
        text = f"{name} is required but missing from {len(runs)} of {total} runs of the {which}"
    reason = next((run.unavailable[name] for run in runs if name in run.unavailable), "")
    return f"{text}, first in {runs[0].file}{f' ({reason})' if reason else ''}."


def _told(problems: Iterable[Problem], name: str, runs: list[Run]) -> bool:
    """Whether reading already said so of one of these runs, or of the directory they lie in."""
    files = {run.file for run in runs}
    return any(
        problem.benchmark == name
        and (problem.file in files or any(file.startswith(f"{problem.file}/") for file in files))
        for problem in problems
    )


def _problem(message: str, name: str, file: str) -> Problem:
    return Problem(
        kind=Finding.REQUIRED_MISSING, message=message, remedy=_REMEDY, file=file, benchmark=name
    )
