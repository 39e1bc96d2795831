# SPDX-License-Identifier: Apache-2.0
"""All wall benchmarks of a gate together: they share one false-alarm allowance."""

import math
from collections.abc import Mapping

from ctxgate.noise.certifiable import fraction
from ctxgate.noise.holm import holm
from ctxgate.noise.names import twin_of
from ctxgate.noise.prior import Prior, widened
from ctxgate.noise.student import critical
from ctxgate.noise.variance import session_variance
from ctxgate.readings.model import Clock
from ctxgate.verdict.model import BenchmarkVerdict
from ctxgate.verdict.policy import Policy
from ctxgate.verdict.stored import (
    Estimate,
    Ruling,
    Sessions,
    Terms,
    decide,
    estimate,
    log_tolerance,
    reduce,
)
from ctxgate.verdict.stored_row import stored_row
from ctxgate.verdict.wording import Twin, percent, plural

_TWIN_LEVEL = 0.025
"""Each tail outside which a twin is said to have moved."""


def judge_wall(
    pairs: Mapping[str, tuple[Sessions, Sessions]], policy: Policy, prior: Prior, *, foreign: bool
) -> tuple[tuple[BenchmarkVerdict, ...], tuple[str, ...]]:
    """The rows of all gated benchmarks, and what is to be said of them as a whole."""
    reduced = [
        reduce(name, *pair, lone=foreign and _one_run(pair[0])) for name, pair in pairs.items()
    ]
    wider = widened(
        prior,
        [session_variance(one.stored) for one in reduced],
        len(reduced[0].stored) if reduced else 0,
    )
    found = [estimate(one, wider) for one in reduced]
    terms = _terms(found, policy)
    twins = _twins(found, terms)
    rulings = [decide(each, its) for each, its in zip(found, terms, strict=True)]
    rows = tuple(
        stored_row(each, its, ruling, pairs[each.name], twins.get(twin_of(each.name) or ""))
        for each, its, ruling in zip(found, terms, rulings, strict=True)
    )
    return rows, _notes(rulings, prior, wider, foreign=foreign) if rows else ()


def _one_run(sessions: Sessions) -> bool:
    return len(sessions) == 1 and len(sessions[0]) == 1


def _terms(found: list[Estimate], policy: Policy) -> list[Terms]:
    dearer = holm([each.p_dearer for each in found], policy.alpha)
    cheaper = holm([each.p_cheaper for each in found], policy.alpha)
    terms = []
    for each, up, down in zip(found, dearer, cheaper, strict=True):
        clock = Clock.NANOSECONDS
        tolerance = policy.tolerance_of(each.name, clock)
        floor = policy.floor_of(each.name, clock, math.exp(each.levels[0]))
        relative, least = (log_tolerance(each, tolerance, low) for low in (0.0, floor))
        terms.append(
            Terms(
                tolerance=least,
                own=tolerance is None and least == relative,
                raised=least > relative,
                alpha=policy.alpha,
                gated=len(found),
                dearer=up,
                cheaper=down,
            )
        )
    return terms


def _twins(found: list[Estimate], terms: list[Terms]) -> dict[str, Twin]:
    """Every benchmark as the twin it may be to another; moved if by more than noise would.

    Half a tolerance is asked for as well: a cost below that does not explain a regression.
    """
    return {
        each.name: Twin(
            each.name,
            fraction(each.delta),
            abs(each.delta) > critical(_TWIN_LEVEL, each.found.nu) * each.error
            and abs(each.delta) >= its.tolerance / 2,
        )
        for each, its in zip(found, terms, strict=True)
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
