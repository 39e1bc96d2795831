# SPDX-License-Identifier: Apache-2.0
"""Two sides and a policy in, one verdict out. Pure: no clock, no files written, no randomness."""

from collections.abc import Sequence
from typing import NamedTuple, TypedDict, Unpack

import msgspec

from ctxgate.noise.certifiable import without_sessions
from ctxgate.noise.names import TAIL_SUFFIX, is_canary
from ctxgate.noise.prior import Prior, provisional_prior
from ctxgate.noise.summaries import gather
from ctxgate.readings.model import Caution, Clock, Problem, SessionSet
from ctxgate.verdict.again import (
    SAME_SITTING,
    control_moved,
    joined,
    not_asked,
    spoil_last,
    told,
    without_control,
)
from ctxgate.verdict.baseline_health import age_notes, drift_cautions, sick_cautions
from ctxgate.verdict.canary import watch_canaries
from ctxgate.verdict.comparability import check_ground, unlike_version
from ctxgate.verdict.exact import judge_exact
from ctxgate.verdict.facts import runs_of
from ctxgate.verdict.kinds import Finding, decision_of
from ctxgate.verdict.load import busy_machine
from ctxgate.verdict.looks import Plan
from ctxgate.verdict.model import BenchmarkVerdict, Decision, SubjectChange, Verdict, worst
from ctxgate.verdict.plain_row import incomparable_row, plain_row, spoil
from ctxgate.verdict.policy import Policy
from ctxgate.verdict.required import Attendance, take_attendance
from ctxgate.verdict.stored import Sessions
from ctxgate.verdict.subject import compare_subject
from ctxgate.verdict.wall import Wall, judge_wall, without_sick
from ctxgate.verdict.wording import plural

Pairs = dict[str, tuple[Sessions, Sessions]]


class _Judged(NamedTuple):
    """The rows of one way of judging and what it found beside them."""

    rows: tuple[BenchmarkVerdict, ...] = ()
    problems: tuple[Problem, ...] = ()
    cautions: tuple[Caution, ...] = ()
    notes: tuple[str, ...] = ()
    plan: Plan | None = None


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is judged: two sides and a policy.

    With `looks` 2 the contender is one session, `confirming` what was measured after it because
    the first look asked for it. `prior` is the hardware class's own, if it has one.
    """

    baseline: SessionSet
    contender: SessionSet
    policy: Policy
    looks: int = 1
    confirming: SessionSet | None = None
    prior: Prior | None = None

    @property
    def fresh(self) -> SessionSet:
        """All of the contender's sessions."""
        return joined(self.contender, self.confirming)


class Judgement(NamedTuple):
    """A verdict, and what has to be asked again before it is the last one."""

    verdict: Verdict
    plan: Plan | None


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
    baseline: SessionSet,
    contender: SessionSet,
    policy: Policy,
    *,
    notes: Sequence[str] = (),
    prior: Prior | None = None,
) -> Verdict:
    """Decide in one look whether the contender became dearer than the baseline.

    Problems found while reading make the verdict broken; what can be judged is judged all the
    same, and the worst verdict wins. `notes` are sentences of the caller about the whole, `prior`
    is the hardware class's own.
    """
    question = Question(baseline=baseline, contender=contender, policy=policy, prior=prior)
    return consider(question, notes).verdict


def consider(question: Question, notes: Sequence[str] = ()) -> Judgement:
    """Judge as `judge` does, in one look or in two."""
    baseline, contender = question.baseline, question.fresh
    read = (*baseline.problems, *contender.problems)
    cautions = (*baseline.cautions, *contender.cautions)
    if not runs_of(baseline) or not runs_of(contender):
        problems = (*read, *_empty_sides(baseline, contender))
        broken = refuse(Decision.BROKEN, problems, warnings=cautions, notes=tuple(notes))
        return Judgement(broken, None)
    attendance = take_attendance(baseline, question.contender, question.policy)
    ground = check_ground(baseline, contender)
    subject = compare_subject(baseline, contender)
    pairs = _pairs(baseline, contender, attendance)
    if ground.problems:
        judged = _refused(pairs, ground.problems)
    else:
        judged = _compare(pairs, question, same_subject=not subject.changes)
    rows = (*judged.rows, *_unjudged(attendance))
    problems = (*read, *attendance.problems, *ground.problems, *judged.problems)
    problems += _nothing_compared(rows)
    first = runs_of(contender)[0]
    verdict = Verdict(
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
        notes=(*notes, *judged.notes, *age_notes(baseline, contender), *subject.notes),
        subject_changes=subject.changes,
        identity=dict(first.identity),
    )
    return Judgement(verdict, judged.plan if not problems else None)


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
    """The benchmarks that every run of both sides holds, in the baseline's order.

    A confirming session holds only what was asked again; it is left out for the others.
    """
    before, after = gather(baseline), gather(contender)
    skipped = attendance.broken.keys() | attendance.ungated.keys()
    return {
        name: (before[name], [session for session in after[name] if session])
        for name in before
        if name not in skipped
    }


def _refused(pairs: Pairs, problems: Sequence[Problem]) -> _Judged:
    """Every benchmark in want of common ground: listed, not compared."""
    reason = " ".join(problem.message for problem in problems)
    rows = [plain_row(name, Decision.NOT_COMPARABLE, reason, gated=True) for name in pairs]
    return _Judged(tuple(rows))


def _compare(pairs: Pairs, question: Question, *, same_subject: bool) -> _Judged:
    unlike = {name: problem for name in pairs if (problem := unlike_version(name, *pairs[name]))}
    like = {name: pair for name, pair in pairs.items() if name not in unlike}
    if runs_of(question.contender)[0].clock is Clock.INSTRUCTIONS:
        judged = _Judged(*judge_exact(like, question.policy))
    else:
        judged = _compare_wall(like, question, same_subject=same_subject)
    rows = {row.name: row for row in judged.rows}
    rows |= {name: incomparable_row(name, problem) for name, problem in unlike.items()}
    ordered = [name for measured in pairs for name in (measured, measured + TAIL_SUFFIX)]
    return judged._replace(
        rows=tuple(rows[name] for name in ordered if name in rows),
        problems=(*unlike.values(), *judged.problems),
    )


def _compare_wall(pairs: Pairs, question: Question, *, same_subject: bool) -> _Judged:
    prior = question.prior or provisional_prior()
    foreign = runs_of(question.contender)[0].foreign
    gated = {n: pair for n, pair in pairs.items() if foreign or not is_canary(n)}
    wall = judge_wall(gated, question.policy, prior, foreign=foreign, looks=question.looks)
    healthy = without_sessions(question.baseline, wall.sick)
    cautions = [
        *sick_cautions(question.baseline, wall.sick),
        *drift_cautions(healthy, wall.stored),
    ]
    judged = _Judged(wall.rows, (), tuple(cautions), wall.notes, wall.plan)
    if not foreign:
        judged = _watched(
            judged, without_sick(pairs, wall.sick), question, prior, same_subject=same_subject
        )
    return _confirmed(judged, wall, pairs, question)


def _watched(
    judged: _Judged, pairs: Pairs, question: Question, prior: Prior, *, same_subject: bool
) -> _Judged:
    """After the canaries had their say; they are to be asked again as well."""
    watch = watch_canaries(pairs, question.fresh, prior, same_subject=same_subject)
    rows = judged.rows
    if watch.vetoes:
        reason = " ".join(veto.message for veto in watch.vetoes)
        first = min(watch.spoilt) < len(question.contender.sessions)
        rows = tuple(spoil(row, reason) for row in rows) if first else spoil_last(rows, reason)
    plan = judged.plan and judged.plan._replace(canaries=tuple(row.name for row in watch.rows))
    return judged._replace(
        rows=(*rows, *watch.rows),
        problems=(*judged.problems, *watch.vetoes),
        cautions=(*judged.cautions, *watch.cautions),
        plan=plan,
    )


def _confirmed(judged: _Judged, wall: Wall, pairs: Pairs, question: Question) -> _Judged:
    """After the confirming sessions were held against what they were measured for."""
    plan, confirming = judged.plan, question.confirming
    if plan is None or confirming is None:
        return judged
    problems = not_asked(plan, pairs, confirming)
    moved = control_moved(plan, wall.control, question.fresh)
    rows = judged.rows
    if moved:
        rows = spoil_last(rows, " ".join(problem.message for problem in moved))
    return judged._replace(
        rows=rows,
        problems=(*judged.problems, *problems, *moved),
        cautions=(*judged.cautions, *without_control(plan)),
        notes=(told(plan), SAME_SITTING, *judged.notes),
    )


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
