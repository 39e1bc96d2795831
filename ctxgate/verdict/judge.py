# SPDX-License-Identifier: Apache-2.0
"""Two sides and a policy in, one verdict out. Pure: no clock, no files written, no randomness."""

from collections.abc import Sequence
from typing import NamedTuple, TypedDict, Unpack

from ctxgate.noise.names import is_canary
from ctxgate.noise.prior import provisional_prior
from ctxgate.noise.summaries import gather
from ctxgate.readings.model import Caution, Clock, Problem, SessionSet
from ctxgate.verdict.canary import watch_canaries
from ctxgate.verdict.comparability import check_ground, unlike_version
from ctxgate.verdict.exact import judge_exact
from ctxgate.verdict.facts import runs_of
from ctxgate.verdict.kinds import Finding, decision_of
from ctxgate.verdict.load import busy_machine
from ctxgate.verdict.model import BenchmarkVerdict, Decision, SubjectChange, Verdict, worst
from ctxgate.verdict.plain_row import incomparable_row, plain_row, spoil
from ctxgate.verdict.policy import Policy
from ctxgate.verdict.required import Attendance, take_attendance
from ctxgate.verdict.stored import Sessions
from ctxgate.verdict.subject import compare_subject
from ctxgate.verdict.wall import judge_wall
from ctxgate.verdict.wording import plural

Pairs = dict[str, tuple[Sessions, Sessions]]

SAME_SITTING = (
    "The contender's sessions come from the same sitting: they share its boot and its hour, so "
    "they say less about the machine than sessions of different days."
)
"""The note a gate adds when it measured several contender sessions one after another."""


class _Judged(NamedTuple):
    """The rows of one way of judging and what it found beside them."""

    rows: tuple[BenchmarkVerdict, ...] = ()
    problems: tuple[Problem, ...] = ()
    cautions: tuple[Caution, ...] = ()
    notes: tuple[str, ...] = ()


class Fields(TypedDict, total=False):
    """The fields of a verdict that `refuse` passes on."""

    tier: str
    clock: str
    proven: bool
    benchmarks: tuple[BenchmarkVerdict, ...]
    warnings: tuple[Caution, ...]
    notes: tuple[str, ...]
    subject_changes: tuple[SubjectChange, ...]
    identity: dict[str, str]


def refuse(decision: Decision, problems: Sequence[Problem], **fields: Unpack[Fields]) -> Verdict:
    """A verdict without a comparison: unfit machine, no baseline, broken measurement."""
    return Verdict(verdict=decision, problems=tuple(problems), **fields)


def judge(
    baseline: SessionSet, contender: SessionSet, policy: Policy, *, notes: Sequence[str] = ()
) -> Verdict:
    """Decide whether the contender became dearer than the baseline.

    Problems found while reading make the verdict broken; what can be judged is judged all the
    same, and the worst verdict wins. `notes` are sentences of the caller about the whole.
    """
    read = (*baseline.problems, *contender.problems)
    cautions = (*baseline.cautions, *contender.cautions)
    if not runs_of(baseline) or not runs_of(contender):
        problems = (*read, *_empty_sides(baseline, contender))
        return refuse(Decision.BROKEN, problems, warnings=cautions, notes=tuple(notes))
    attendance = take_attendance(baseline, contender, policy)
    ground = check_ground(baseline, contender)
    subject = compare_subject(baseline, contender)
    pairs = _pairs(baseline, contender, attendance)
    if ground.problems:
        judged = _refused(pairs, ground.problems)
    else:
        judged = _compare(pairs, contender, policy, same_subject=not subject.changes)
    rows = (*judged.rows, *_unjudged(attendance))
    problems = (*read, *attendance.problems, *ground.problems, *judged.problems)
    problems += _nothing_compared(rows)
    first = runs_of(contender)[0]
    return Verdict(
        verdict=worst([r.verdict for r in rows if r.gated] + [decision_of(p) for p in problems]),
        tier="exact" if first.clock is Clock.INSTRUCTIONS else "wall",
        clock=first.clock,
        proven=not any(run.foreign for side in (baseline, contender) for run in runs_of(side)),
        benchmarks=rows,
        problems=problems,
        warnings=(
            *cautions,
            *ground.cautions,
            *subject.cautions,
            *judged.cautions,
            *busy_machine(baseline, contender),
        ),
        notes=(*notes, *judged.notes, *subject.notes),
        subject_changes=subject.changes,
        identity=dict(first.identity),
    )


def _empty_sides(baseline: SessionSet, contender: SessionSet) -> list[Problem]:
    """A side without any run and without a problem that says why."""
    return [
        Problem(
            kind=Finding.NOTHING_COMPARED,
            message=f"The {which} holds no readable run, so nothing was compared.",
            remedy="Give result files or session directories of both sides.",
        )
        for side, which in ((baseline, "baseline"), (contender, "contender"))
        if not runs_of(side) and not side.problems
    ]


def _pairs(baseline: SessionSet, contender: SessionSet, attendance: Attendance) -> Pairs:
    """The benchmarks that every run of both sides holds, in the baseline's order."""
    before, after = gather(baseline), gather(contender)
    skipped = attendance.broken.keys() | attendance.ungated.keys()
    return {name: (before[name], after[name]) for name in before if name not in skipped}


def _refused(pairs: Pairs, problems: Sequence[Problem]) -> _Judged:
    """Every benchmark in want of common ground: listed, not compared."""
    reason = " ".join(problem.message for problem in problems)
    rows = [plain_row(name, Decision.NOT_COMPARABLE, reason, gated=True) for name in pairs]
    return _Judged(tuple(rows))


def _compare(pairs: Pairs, contender: SessionSet, policy: Policy, *, same_subject: bool) -> _Judged:
    unlike = {name: problem for name in pairs if (problem := unlike_version(name, *pairs[name]))}
    like = {name: pair for name, pair in pairs.items() if name not in unlike}
    first = runs_of(contender)[0]
    if first.clock is Clock.INSTRUCTIONS:
        judged = _Judged(*judge_exact(like, policy))
    else:
        judged = _compare_wall(like, contender, policy, same_subject=same_subject)
    rows = {row.name: row for row in judged.rows}
    rows |= {name: incomparable_row(name, problem) for name, problem in unlike.items()}
    return judged._replace(
        rows=tuple(rows[name] for name in pairs), problems=(*unlike.values(), *judged.problems)
    )


def _compare_wall(
    pairs: Pairs, contender: SessionSet, policy: Policy, *, same_subject: bool
) -> _Judged:
    prior = provisional_prior()
    foreign = runs_of(contender)[0].foreign
    gated = {n: pair for n, pair in pairs.items() if foreign or not is_canary(n)}
    rows, notes = judge_wall(gated, policy, prior, foreign=foreign)
    if foreign:
        return _Judged(rows, (), (), notes)
    watch = watch_canaries(pairs, contender, prior, same_subject=same_subject)
    if watch.vetoes:
        reason = " ".join(veto.message for veto in watch.vetoes)
        rows = tuple(spoil(row, reason) for row in rows)
    return _Judged((*rows, *watch.rows), watch.vetoes, watch.cautions, notes)


def _unjudged(attendance: Attendance) -> list[BenchmarkVerdict]:
    broken = [
        plain_row(name, Decision.BROKEN, reason, gated=True)
        for name, reason in attendance.broken.items()
    ]
    new = [
        plain_row(name, Decision.INCONCLUSIVE, f"Not gated. {reason}", gated=False)
        for name, reason in attendance.ungated.items()
    ]
    return [*broken, *new]


def _nothing_compared(rows: Sequence[BenchmarkVerdict]) -> tuple[Problem, ...]:
    """Zero comparisons are broken: a gate that compares nothing would be green for ever."""
    if any(row.gated for row in rows):
        return ()
    return (
        Problem(
            kind=Finding.NOTHING_COMPARED,
            message=f"Of {plural(len(rows), 'benchmark')} none could be compared, so nothing was "
            "gated.",
            remedy="Measure the benchmarks that the baseline holds, or record a new baseline.",
        ),
    )
