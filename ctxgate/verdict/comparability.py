# SPDX-License-Identifier: Apache-2.0
"""Whether two sides may be compared at all: clock, source, identity, versions of the paths."""

from collections.abc import Sequence
from typing import NamedTuple

from ctxgate.readings.model import UNKNOWN, Caution, Problem, Reading, SessionSet
from ctxgate.verdict.facts import (
    Facts,
    gather_facts,
    known,
    runs_of,
    shown_difference,
    shown_value,
    the_value,
)
from ctxgate.verdict.kinds import Finding

_MATCHING_BASELINE = (
    "Compare with a baseline recorded on this hardware class with this build, or record one."
)
_MAKE_READABLE = (
    " A fact that could not be read never equals anything: make it readable"
    " (`ctxgate-bench --facts` shows what it finds), then measure again."
)


class Ground(NamedTuple):
    """What stands against comparing two sides, and what is to be known while doing so."""

    problems: tuple[Problem, ...]
    cautions: tuple[Caution, ...]


def check_ground(baseline: SessionSet, contender: SessionSet) -> Ground:
    """Refuse sides that differ in clock, source or identity; both have at least one run."""
    problem = _unlike_clock(baseline, contender) or _unlike_source(baseline, contender)
    if problem:
        return Ground((problem,), ())
    sides = [gather_facts(side, lambda run: run.identity) for side in (baseline, contender)]
    if runs_of(baseline)[0].foreign:
        return _foreign_identity(sides[0], sides[1], runs_of(contender)[0].file)
    mixed = [
        _mixed_side(facts, which)
        for facts, which in zip(sides, ("baseline", "contender"), strict=True)
    ]
    between = _unlike_identity(sides[0], sides[1], runs_of(contender)[0].file)
    return Ground(tuple(one for one in (*mixed, between) if one is not None), ())


def _unlike_clock(baseline: SessionSet, contender: SessionSet) -> Problem | None:
    clocks = [{run.clock for run in runs_of(side)} for side in (baseline, contender)]
    if len(clocks[0] | clocks[1]) == 1:
        return None
    texts = [" and ".join(sorted(clock)) for clock in clocks]
    return Problem(
        kind=Finding.OTHER_CLOCK,
        message=f"The baseline counts {texts[0]}, the contender {texts[1]}; readings of different "
        "clocks are never compared.",
        remedy="Compare wall readings with wall readings and exact ones with exact ones.",
        file=runs_of(contender)[0].file,
    )


def _unlike_source(baseline: SessionSet, contender: SessionSet) -> Problem | None:
    sources = [{run.foreign for run in runs_of(side)} for side in (baseline, contender)]
    if len(sources[0] | sources[1]) == 1:
        return None
    words = {
        frozenset({True}): "another program's files",
        frozenset({False}): "files of ctxgate-bench",
    }
    texts = [words.get(frozenset(source), "files of both kinds") for source in sources]
    return Problem(
        kind=Finding.OTHER_SOURCE,
        message=f"The baseline holds {texts[0]}, the contender {texts[1]}: proven readings are not "
        "compared with unproven ones.",
        remedy="Measure both sides with the same program.",
        file=runs_of(contender)[0].file,
    )


def _mixed_side(facts: Facts, which: str) -> Problem | None:
    """Sessions of one side that come from different hardware classes or builds."""
    unlike = {fact: values for fact, values in facts.items() if len(known(values)) > 1}
    if not unlike:
        return None
    texts = []
    for fact, values in sorted(unlike.items()):
        first, second = known(values)[:2]
        texts.append(f"{fact} is {shown_value(first)} in {values[first]} but "
                     f"{shown_value(second)} in {values[second]}")  # fmt: skip
    one = next(iter(unlike.values()))
    return Problem(
        kind=Finding.OTHER_IDENTITY,
        message=f"The {which}'s own sessions differ in identity: {'; '.join(texts)}.",
        remedy="Give sessions of one hardware class and build a side.",
        file=one[known(one)[1]],
    )


def _unlike_identity(baseline: Facts, contender: Facts, file: str) -> Problem | None:
    texts = []
    unreadable = False
    for fact in sorted(baseline.keys() | contender.keys()):
        both = (baseline.get(fact, {}), contender.get(fact, {}))
        if any(len(known(values)) > 1 for values in both):
            continue  # already told as a mixed side
        before, after = map(the_value, both)
        if before == after != UNKNOWN:
            continue
        unreadable = unreadable or UNKNOWN in (before, after)
        texts.append(f"{fact}: {shown_difference(before, after)}")
    if not texts:
        return None
    facts = "one identity fact" if len(texts) == 1 else f"{len(texts)} identity facts"
    return Problem(
        kind=Finding.OTHER_IDENTITY,
        message=f"Baseline and contender do not agree in {facts}: {'; '.join(texts)}.",
        remedy=_MATCHING_BASELINE + (_MAKE_READABLE if unreadable else ""),
        file=file,
    )


def _foreign_identity(baseline: Facts, contender: Facts, file: str) -> Ground:
    """Only what readings took for identity binds, and only where both sides know it.

    Google Benchmark writes no more than num_cpus, caches and the build type, older ones less: a
    lack of them is no difference of machines.
    """
    texts = []
    cautions = []
    for fact in sorted(baseline.keys() | contender.keys()):
        values = {**baseline.get(fact, {}), **contender.get(fact, {})}
        unlike = known(values)
        if len(unlike) > 1:
            texts.append(f"{fact}: {shown_difference(unlike[0], unlike[1])}")
        elif UNKNOWN in values or fact not in baseline or fact not in contender:
            cautions.append(
                Caution(
                    kind=Finding.FOREIGN_FACT,
                    message=f"{fact} is not known in all files, so it was not compared.",
                )
            )
    if not texts:
        return Ground((), tuple(cautions))
    problem = Problem(
        kind=Finding.OTHER_IDENTITY,
        message=f"The files come from unlike machines or builds: {'; '.join(texts)}.",
        remedy="Measure both sides on the same machine with the same build of the library.",
        file=file,
    )
    return Ground((problem,), tuple(cautions))


def unlike_version(
    name: str, baseline: Sequence[Sequence[Reading]], contender: Sequence[Sequence[Reading]]
) -> Problem | None:
    """A path whose meaning changed between the sessions; its number means something else now."""
    versions = [
        {reading.version for session in side for reading in session}
        for side in (baseline, contender)
    ]
    if len(versions[0] | versions[1]) == 1:
        return None
    texts = [" and ".join(sorted(map(str, version))) for version in versions]
    return Problem(
        kind=Finding.OTHER_VERSION,
        message=f"{name} is version {texts[0]} in the baseline and {texts[1]} in the contender: "
        "the path was redefined in between.",
        remedy="Measure both sides with one version of ctxgate-bench; record a new baseline.",
        benchmark=name,
    )
