# SPDX-License-Identifier: Apache-2.0
"""The confirming sessions of a gate: what is wrong with them, and what is to be said of them."""

from collections.abc import Sequence

from ctxgate.noise.certifiable import fraction
from ctxgate.readings.model import Caution, Problem, SessionSet
from ctxgate.verdict.kinds import Finding
from ctxgate.verdict.looks import Plan
from ctxgate.verdict.model import BenchmarkVerdict, Decision
from ctxgate.verdict.movement import Movement
from ctxgate.verdict.plain_row import spoil
from ctxgate.verdict.stored import Sessions
from ctxgate.verdict.wording import percent, plural

SAME_SITTING = (
    "The contender's sessions come from the same sitting: they share its boot and its hour, so "
    "they say less about the machine than sessions of different days."
)
"""The note of a verdict that rests on several contender sessions measured one after another."""

_MOST_NAMED = 5


def joined(contender: SessionSet, confirming: SessionSet | None) -> SessionSet:
    """The first session and the confirming ones as one side."""
    if confirming is None:
        return contender
    return SessionSet(
        sessions=(*contender.sessions, *confirming.sessions),
        problems=(*contender.problems, *confirming.problems),
        cautions=(*contender.cautions, *confirming.cautions),
    )


def not_asked(
    plan: Plan, pairs: dict[str, tuple[Sessions, Sessions]], confirming: SessionSet
) -> list[Problem]:
    """A problem for each benchmark that the confirming sessions ought to hold and do not."""
    wanted = len(confirming.sessions) + 1
    return [
        Problem(
            kind=Finding.REQUIRED_MISSING,
            message=f"{name} was to be asked again and is missing from a confirming session.",
            remedy="Run the gate again; if it stays so, measure the benchmark by itself.",
            benchmark=name,
        )
        for name in plan.names
        if len(pairs[name][1]) < wanted
    ]


def control_moved(plan: Plan, control: Sequence[Movement], contender: SessionSet) -> list[Problem]:
    """A problem for each confirming session in which the control did not stand still."""
    return [
        Problem(
            kind=Finding.CONTROL_MOVED,
            message=f"{plan.control}, which stood still at the first look, moved by "
            f"{percent(fraction(move.change), signed=True)} in the confirming session "
            f"{contender.sessions[move.session].label} (allowed {move.limits}): the machine moved "
            "between the looks, so the confirming sessions tell nothing of the kernel.",
            remedy="Give the machine rest (`ctxgate doctor` names what disturbs it), then run the "
            "gate again.",
            file=contender.sessions[move.session].runs[0].file,
            benchmark=plan.control or "",
        )
        for move in control
        if move.moved
    ]


def spoil_last(rows: Sequence[BenchmarkVerdict], reason: str) -> tuple[BenchmarkVerdict, ...]:
    """The rows after a veto of the confirming sessions: what the first look decided stands."""
    return tuple(
        spoil(row, reason) if row.look == 2 and row.verdict is not Decision.UNFIT else row
        for row in rows
    )


def without_control(plan: Plan) -> list[Caution]:
    """A caution where nothing but the canaries watches the confirming sessions."""
    if plan.control is not None:
        return []
    return [
        Caution(
            kind=Finding.NO_CONTROL,
            message="No benchmark stood still at the first look, so none could serve as a control, "
            "and the first session may itself be sick: only the two confirming ones are judged.",
        )
    ]


def told(plan: Plan) -> str:
    """What was asked again, and beside what."""
    named = ", ".join(plan.suspicious[:_MOST_NAMED])
    rest = len(plan.suspicious) - _MOST_NAMED
    more = f" and {rest} more" if rest > 0 else ""
    control = f", with {plan.control} as control" if plan.control is not None else ""
    return (
        f"{plural(len(plan.suspicious), 'benchmark')} suspicious at the first look "
        f"({named}{more}): measured again in two fresh sessions{control}."
    )
