# SPDX-License-Identifier: Apache-2.0
"""All wall benchmarks of a gate together: they share one false-alarm allowance."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ctxgate.noise.certifiable import fraction
from ctxgate.noise.names import twin_of
from ctxgate.noise.prior import Prior
from ctxgate.noise.sick import sick_sessions
from ctxgate.noise.student import critical
from ctxgate.readings.model import Clock
from ctxgate.verdict.looks import Case, Family, Limit, Plan, take_looks
from ctxgate.verdict.model import BenchmarkVerdict
from ctxgate.verdict.movement import Movement
from ctxgate.verdict.policy import Policy
from ctxgate.verdict.stored import Estimate, Reduced, Ruling, Sessions, log_tolerance, reduce
from ctxgate.verdict.stored_row import stored_row
from ctxgate.verdict.tails import find_tails, tail_limit
from ctxgate.verdict.terms import FIRST, FLOOR_BASIS
from ctxgate.verdict.wording import Twin, percent, plural

PRIMARY_SHARE = 0.7
"""Of the allowance, what floor and typical spend where tails are gated as well."""

TAIL_SHARE = 0.2
"""What p99 spends; the tenth that is left is kept for p99.9."""

CERTIFIABLE_BASIS = "the smallest this gate can certify"

_TWIN_LEVEL = 0.025
"""Each tail outside which a twin is said to have moved."""


class Wall(NamedTuple):
    """The rows of all wall benchmarks, what is to be said of them as a whole, what to ask again.

    `control` is how the control moved in each confirming session, `stored` the summaries of the
    baseline's sessions, a tuple a benchmark, without those that are `sick` (by number).
    """

    rows: tuple[BenchmarkVerdict, ...]
    notes: tuple[str, ...] = ()
    plan: Plan | None = None
    control: tuple[Movement, ...] = ()
    stored: tuple[tuple[float, ...], ...] = ()
    sick: tuple[int, ...] = ()


def judge_wall(
    pairs: Mapping[str, tuple[Sessions, Sessions]],
    policy: Policy,
    prior: Prior,
    *,
    foreign: bool,
    looks: int = 1,
) -> Wall:
    """Judge all benchmarks; with two `looks` a contender's first session may already settle one.

    Tails take their share of the allowance only where there are any to be gated, which the counts
    of samples and runs settle and not what was measured.
    """
    if not pairs:
        return Wall(())
    reduced = reduce(pairs, prior, foreign=foreign)
    sick = sick_sessions([one.stored_values for one in reduced], prior)
    if sick:
        pairs = without_sick(pairs, sick)
        reduced = reduce(pairs, prior, foreign=foreign)
    tails = find_tails(pairs, prior)
    looked = take_looks(_families(reduced, list(tails.gated.values()), policy), looks)
    twins = _twins(looked.cases)
    rows = tuple(_row(case, pairs, twins) for case in looked.cases)
    rulings = [case.ruling for case in looked.cases]
    return Wall(
        (*rows, *tails.advisory),
        _notes(rulings, prior, _usual([one.prior for one in reduced]), foreign=foreign),
        looked.plan,
        looked.control,
        tuple(one.stored_values for one in reduced),
        tuple(sick),
    )


def _families(reduced: Sequence[Reduced], tails: Sequence[Reduced], policy: Policy) -> list[Family]:
    """Primaries and tails, each with its share of the allowance; all is the primaries' alone."""
    share = PRIMARY_SHARE if tails else 1.0
    return [
        Family(reduced, policy.alpha * share, lambda found: _limit(found, policy)),
        Family(tails, policy.alpha * TAIL_SHARE, lambda found: tail_limit(found, policy)),
    ]


def without_sick(
    pairs: Mapping[str, tuple[Sessions, Sessions]], sick: Sequence[int]
) -> dict[str, tuple[Sessions, Sessions]]:
    """The pairs without these sessions of the baseline."""
    return {
        name: ([one for index, one in enumerate(before) if index not in sick], after)
        for name, (before, after) in pairs.items()
    }


def _usual(priors: Sequence[Prior]) -> Prior:
    """The prior that most benchmarks have; floor and typical may be widened differently."""
    return max(priors, key=priors.count)


def _limit(found: Estimate, policy: Policy) -> Limit:
    clock = Clock.NANOSECONDS
    tolerance = policy.tolerance_of(found.name, clock)
    floor = policy.floor_of(found.name, clock, math.exp(found.levels[0]))
    relative, least = (log_tolerance(found, tolerance, low) for low in (0.0, floor))
    if least > relative:
        return Limit(least, FLOOR_BASIS)
    return Limit(least, CERTIFIABLE_BASIS if tolerance is None else "")


def _row(
    case: Case, pairs: Mapping[str, tuple[Sessions, Sessions]], twins: Mapping[str, Twin]
) -> BenchmarkVerdict:
    """The row of a case beside the sessions that it was decided on."""
    before, after = pairs[case.reduced.measured]
    count = case.found.sessions[1]
    sessions = (before, after[:count] if case.terms.look == FIRST else after[-count:])
    twin = twins.get(twin_of(case.found.name) or "")
    return stored_row(case.found, case.terms, case.ruling, sessions, twin)


def _twins(cases: Sequence[Case]) -> dict[str, Twin]:
    """Every benchmark as the twin it may be to another; moved if by more than noise would.

    Half a tolerance is asked for as well: a cost below that does not explain a regression.
    """
    return {
        case.found.name: Twin(
            case.found.name,
            fraction(case.found.delta),
            abs(case.found.delta) > critical(_TWIN_LEVEL, case.found.found.nu) * case.found.error
            and abs(case.found.delta) >= case.terms.tolerance / 2,
        )
        for case in cases
    }


def _notes(rulings: list[Ruling], prior: Prior, wider: Prior, *, foreign: bool) -> tuple[str, ...]:
    notes = []
    better = sum(ruling.improved for ruling in rulings)
    if better:
        notes.append(
            f"{plural(better, 'benchmark')} became cheaper: record a new baseline, or a later "
            "regression of that size goes unseen."
        )
    if prior.provisional:
        notes.append(
            f"The noise rests partly on the {prior.name} (sessions vary by "
            f"{percent(prior.session_sd)}, worth {prior.degrees_of_freedom:g} degrees "
            "of freedom), until this hardware class has twenty baselines of its own."
        )
    if wider != prior:
        notes.append(
            f"This baseline's sessions vary by {percent(wider.session_sd)} in the "
            "median benchmark, more than assumed, so the assumption was widened to that."
        )
    if foreign:
        notes.append(
            "Unproven: these files were not written by ctxgate-bench, so nothing in them proves "
            "that a switch happened, and of the machine only num_cpus, caches and "
            "library_build_type could be compared."
        )
    return tuple(notes)
