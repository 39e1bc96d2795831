# SPDX-License-Identifier: Apache-2.0
"""A decision in stored mode put into words: the row of a verdict with its rule and reason."""

import math

from ctxgate.noise.certifiable import Needed, fraction
from ctxgate.noise.variance import ENOUGH_SESSIONS
from ctxgate.readings.model import Clock
from ctxgate.verdict.evidence import side_of
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Side
from ctxgate.verdict.stored import Estimate, Ruling, Sessions, Terms
from ctxgate.verdict.wording import Twin, amount, cause, percent, plural, probability

_WORDS = {1: "One baseline session is", 2: "Two baseline sessions are"}
_BEYOND = (
    "No number of further sessions up to a hundred would settle it; measure both sides "
    "interleaved in one sitting, or allow a larger tolerance."
)


def stored_row(
    found: Estimate,
    terms: Terms,
    ruling: Ruling,
    sessions: tuple[Sessions, Sessions],
    twin: Twin | None,
) -> BenchmarkVerdict:
    """The row of one gated benchmark; all widths become fractions of the baseline.

    A lone foreign run has no interval and no MDE: nothing was measured that could tell them.
    """
    before, after = (
        side_of(side, math.exp(level)) for side, level in zip(sessions, found.levels, strict=True)
    )
    told = not found.lone
    return BenchmarkVerdict(
        name=found.name,
        verdict=ruling.decision,
        gated=True,
        metric=found.metric,
        rule=_rule(found, terms, ruling, before, after),
        reason=_reason(found, terms, ruling, (before, after), twin),
        baseline=before,
        contender=after,
        change=fraction(found.delta),
        interval=(fraction(ruling.lower), fraction(ruling.upper)) if told else None,
        tolerance=fraction(terms.tolerance),
        mde=fraction(ruling.mde) if told else None,
        certifiable=fraction(ruling.certifiable) if told else None,
        nu=found.found.nu,
        p_value=found.p_dearer if told else None,
        more_sessions=sum(ruling.needed) if ruling.needed else None,
        twin_change=twin.change if twin else None,
    )


def _rule(found: Estimate, terms: Terms, ruling: Ruling, before: Side, after: Side) -> str:
    if found.lone:
        return (
            "Files of a foreign program with a single run as baseline are never judged, whatever "
            "the change: between two runs of unchanged code it can be any size."
        )
    tolerance = percent(fraction(terms.tolerance))
    own = " (the smallest this gate can certify)" if terms.own else ""
    own = " (its floor, more than the relative tolerance)" if terms.raised else own
    few = ""
    if found.sessions[0] < ENOUGH_SESSIONS:
        few = (
            f" With fewer than {ENOUGH_SESSIONS} baseline sessions never a pass, and a regression "
            f"only from {percent(fraction(ruling.material))} on."
        )
    return (
        f"t interval on log {found.metric}: {_data(before)} against {_data(after)}, standard "
        f"error {percent(found.error)}, {found.found.nu:g} degrees of freedom. Pass: upper 95 % "
        f"bound below the tolerance of {tolerance}{own}. Regression: estimate at or above it and "
        f"p at most {percent(terms.dearer.level)} ({percent(terms.alpha)} by Holm over "
        f"{plural(terms.gated, 'benchmark')}).{few}"
    )


def _data(side: Side) -> str:
    return f"{plural(side.sessions, 'session')} ({plural(side.runs, 'run')})"


def _reason(
    found: Estimate, terms: Terms, ruling: Ruling, sides: tuple[Side, Side], twin: Twin | None
) -> str:
    if ruling.decision is Decision.REGRESSION:
        return _regression(found, terms, sides, twin)
    if ruling.decision is Decision.PASS:
        return _pass(found, terms, ruling)
    return _inconclusive(found, terms, ruling)


def _regression(
    found: Estimate, terms: Terms, sides: tuple[Side, Side], twin: Twin | None
) -> str:  # fmt: skip
    before, after = (amount(side.value, Clock.NANOSECONDS) for side in sides)
    return (
        f"It became {percent(fraction(found.delta))} dearer ({after} against {before}), which is "
        f"at least the tolerance of {percent(fraction(terms.tolerance))}, and noise does not "
        f"explain it ({probability(found.p_dearer)}). {cause(found.name, *sides, twin)}"
    )


def _pass(found: Estimate, terms: Terms, ruling: Ruling) -> str:
    bound = percent(fraction(ruling.upper), signed=True)
    text = (
        f"With 95 % confidence the change is below {bound}, which is less than the tolerance of "
        f"{percent(fraction(terms.tolerance))}."
    )
    if ruling.improved:
        return (
            f"It became {percent(-fraction(found.delta))} cheaper, and noise does not explain it "
            f"({probability(found.p_cheaper)}): record a new baseline, or a later regression of "
            f"that size goes unseen. {text}"
        )
    return text


def _inconclusive(found: Estimate, terms: Terms, ruling: Ruling) -> str:
    baseline = found.sessions[0]
    change = percent(fraction(found.delta), signed=True)
    if found.lone:
        return (
            f"One run as baseline cannot be told from noise: the change of {change} may be the "
            "machine's. Give at least three sessions, each of several runs in fresh processes."
        )
    sees = (
        f"The gate sees changes from {percent(fraction(ruling.mde))} on (80 % power) and can "
        f"certify {percent(fraction(ruling.certifiable))}."
    )
    if baseline < ENOUGH_SESSIONS:
        return (
            f"{_WORDS[baseline]} never enough to pass: that shows too little of how far sessions "
            f"of unchanged code lie apart. The change of {change} is no clear regression either. "
            f"{sees} {_more(ruling, terms)}"
        )
    tolerance = percent(fraction(terms.tolerance))
    upper = percent(fraction(found.upper), signed=True)
    if found.delta >= terms.tolerance:
        why = (
            f"The change of {change} reaches the tolerance of {tolerance}, but noise can explain "
            f"it ({probability(found.p_dearer)}, needed {percent(terms.dearer.level)})."
        )
    elif ruling.certifiable > terms.tolerance:
        why = (
            f"Too noisy for a tolerance of {tolerance}: the change is {change}, but it may be as "
            f"large as {upper}."
        )
    else:
        why = (
            f"Borderline: the change of {change} is below the tolerance of {tolerance}, but it may "
            f"be as large as {upper}."
        )
    return f"{why} {sees} {_more(ruling, terms)}"


def _more(ruling: Ruling, terms: Terms) -> str:
    if ruling.needed is None or not any(ruling.needed):
        return "Measure a fresh session and judge again." if terms.own else _BEYOND
    return f"{_sessions(ruling.needed)} would settle it if the noise stays as it is."


def _sessions(needed: Needed) -> str:
    """`2 more sessions (baseline)`, `5 more sessions (3 of the baseline, 2 of the contender)`."""
    baseline, contender = needed
    total = plural(baseline + contender, "more session")
    if not contender:
        return f"{total} of the baseline"
    if not baseline:
        return f"{total} of the contender"
    return f"{total} ({baseline} of the baseline, {contender} of the contender)"
