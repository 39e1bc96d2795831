# SPDX-License-Identifier: Apache-2.0
"""When a gate asks again before it says no, whom it asks, and what it decides then.

The first look has one session. It may pass, or fail on overwhelming evidence; what it leaves
suspicious is measured in two fresh sessions, and the last look judges the median of three. A pass
at the first look only removes rejections, so both looks together raise a false alarm as rarely as
their parts of the allowance add up to. Pure: sessions in, decisions out.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from ctxgate.noise.holm import Step, holm
from ctxgate.noise.student import upper_tail
from ctxgate.noise.variance import ENOUGH_SESSIONS
from ctxgate.verdict.model import Decision
from ctxgate.verdict.movement import Movement, movements
from ctxgate.verdict.stored import Estimate, Reduced, Ruling, decide, estimate, suspend
from ctxgate.verdict.terms import FIRST, LAST, ONLY, Look, Terms

SUSPICIOUS = 0.2
"""A one-sided p value below this is worth two more sessions; one in five of unchanged code."""


class Limit(NamedTuple):
    """The change that matters (log), and on what it rests where nobody chose it."""

    tolerance: float
    basis: str = ""


class Family(NamedTuple):
    """Benchmarks that share one allowance: the primaries, or the tails."""

    reduced: Sequence[Reduced]
    allowance: float
    limit: Callable[[Estimate], Limit]


class Case(NamedTuple):
    """One benchmark as the latest look at it left it."""

    reduced: Reduced
    found: Estimate
    terms: Terms
    ruling: Ruling


class Plan(NamedTuple):
    """What two confirming sessions have to measure; names as they are measured."""

    suspicious: tuple[str, ...]
    control: str | None
    canaries: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that is measured, each once."""
        control = () if self.control is None else (self.control,)
        return tuple(dict.fromkeys((*self.suspicious, *control, *self.canaries)))


class Looked(NamedTuple):
    """Every case in the order of the families; what to ask again; how the control stood since.

    `control` holds the control's movement in each confirming session.
    """

    cases: tuple[Case, ...]
    plan: Plan | None
    control: tuple[Movement, ...]


def take_looks(families: Sequence[Family], looks: int) -> Looked:
    """Judge all families, in one look at all sessions or in two.

    With `looks` 2 the first session alone is looked at first; a suspicious benchmark that has more
    sessions is judged anew by all of them, one that has not is left pending. The first family
    holds the benchmarks that one may serve as a control.
    """
    look = ONLY if looks == 1 else FIRST
    judged = [_first(family, look) for family in families]
    if look is ONLY:
        return Looked(tuple(case for cases in judged for case in cases), None, ())
    control = choose_control(judged[0]) if judged else None
    judged = [[_weigh(case, guarded=control is not None) for case in cases] for cases in judged]
    suspicious = [case for cases in judged for case in cases if case.ruling.pending]
    plan = None
    if suspicious:
        names = dict.fromkeys(case.reduced.measured for case in suspicious)
        plan = Plan(tuple(names), control.reduced.name if control else None)
    counted = slice(0 if control else 1, None)
    last = [_last(family, cases, counted) for family, cases in zip(families, judged, strict=True)]
    stood = _stood(control) if plan and control else ()
    return Looked(tuple(case for cases in last for case in cases), plan, stood)


def choose_control(cases: Sequence[Case]) -> Case | None:
    """The benchmark that shows best whether the machine moves between the looks.

    One that is not suspicious and moved neither way, so that the change under test does not touch
    it; of these the quietest. None where everything moved.
    """
    still = [
        case
        for case in cases
        if case.ruling.decision is not Decision.REGRESSION
        and not is_suspicious(case, guarded=True)
        and min(case.found.p_dearer, case.found.p_cheaper) >= SUSPICIOUS
    ]
    return min(still, key=lambda case: case.found.error, default=None)


def is_suspicious(case: Case, *, guarded: bool) -> bool:
    """Whether a benchmark is to be asked again after the first look.

    One that could not be certified even by the last look is asked only if it looks dearer. An
    overwhelming regression is believed where something beside it stood still (`guarded`): where
    all moved, the session itself may be sick, which two fresh ones will tell.
    """
    found, ruling = case.found, case.ruling
    if ruling.decision is Decision.REGRESSION:
        return not guarded
    if ruling.decision is Decision.PASS or found.lone:
        return False
    enough = found.sessions[0] >= ENOUGH_SESSIONS
    settles = enough and ruling.certifiable <= case.terms.tolerance
    return found.p_dearer < SUSPICIOUS or settles


def _weigh(case: Case, *, guarded: bool) -> Case:
    if is_suspicious(case, guarded=guarded):
        return case._replace(ruling=suspend(case.ruling))
    return case


def _first(family: Family, look: Look) -> list[Case]:
    shown = [one if look is ONLY else _firstly(one) for one in family.reduced]
    found = [estimate(one) for one in shown]
    alpha = family.allowance * look.share
    if look is ONLY:
        dearer = holm([each.p_dearer for each in found], alpha)
    else:
        dearer = _overwhelming(shown, found, alpha)
    cheaper = holm([each.p_cheaper for each in found], family.allowance)
    cases = []
    for one, each, up, down in zip(family.reduced, found, dearer, cheaper, strict=True):
        limit = family.limit(each)
        terms = Terms(
            tolerance=limit.tolerance,
            basis=limit.basis,
            allowance=family.allowance,
            gated=len(found),
            look=look,
            dearer=up,
            cheaper=down,
        )
        cases.append(Case(one, each, terms, decide(each, terms)))
    return cases


def _firstly(one: Reduced) -> Reduced:
    return one._replace(fresh=one.fresh[:1])


def _overwhelming(shown: Sequence[Reduced], found: Sequence[Estimate], alpha: float) -> list[Step]:
    """Each tested at alpha/m, without steps, and by the cheapest run of its only session.

    One session may be slow because most of its runs were: with three runs in ten in a mode 25 %
    slower, 7 % of gates of unchanged code failed at the first look (simulated). That all runs
    are slow is rarer, and a change that is no accident is in every one of them.
    """
    level = alpha / max(len(found), 1)
    steps = []
    for one, each in zip(shown, found, strict=True):
        cheapest = min(session.least for session in one.fresh) - each.levels[0]
        steps.append(Step(upper_tail(cheapest / each.error, each.found.nu) < level, level))
    return steps


def _last(family: Family, cases: Sequence[Case], counted: slice) -> list[Case]:
    """The pending cases that were measured again, judged by the median of their sessions.

    Where everything moved at the first look its session is not `counted`: a sick one would leave
    the larger of the two others as the median, and 8 % of gates of unchanged code would fail
    (simulated). All others are in the family with p = 1: they can no longer be rejected. The
    tolerance stays what it was, also where the noise settled it: it was told beforehand.
    """
    again = [case.ruling.pending and len(case.reduced.fresh) > 1 for case in cases]
    found = [
        estimate(case.reduced._replace(fresh=case.reduced.fresh[counted])) if asked else case.found
        for case, asked in zip(cases, again, strict=True)
    ]
    dearer, cheaper = (
        holm([p if asked else 1.0 for p, asked in zip(chances, again, strict=True)], alpha)
        for chances, alpha in (
            ([each.p_dearer for each in found], family.allowance * LAST.share),
            ([each.p_cheaper for each in found], family.allowance),
        )
    )
    judged = []
    for case, asked, each, up, down in zip(cases, again, found, dearer, cheaper, strict=True):
        terms = msgspec.structs.replace(case.terms, look=LAST, dearer=up, cheaper=down)
        judged.append(Case(case.reduced, each, terms, decide(each, terms)) if asked else case)
    return judged


def _stood(control: Case) -> tuple[Movement, ...]:
    moves = movements(control.reduced.stored, control.reduced.fresh, control.reduced.prior)
    return tuple(moves[1:])
