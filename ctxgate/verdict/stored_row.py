# SPDX-License-Identifier: Apache-2.0
"""A decision in stored mode put into words: the row of a verdict with its rule and reason."""

import math

from ctxgate.noise.certifiable import Needed, fraction
from ctxgate.noise.summaries import Metric
from ctxgate.noise.variance import ENOUGH_SESSIONS
from ctxgate.readings.model import Clock
from ctxgate.verdict.evidence import side_of
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Side
from ctxgate.verdict.stored import Estimate, Ruling, Sessions, needed
from ctxgate.verdict.terms import Terms
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
    reason, more = _reason(found, terms, ruling, (before, after), twin)
    return BenchmarkVerdict(
        name=found.name,
        verdict=ruling.decision,
        gated=True,
        metric=found.metric,
        rule=_rule(found, terms, ruling, before, after),
        reason=reason,
        baseline=before,
        contender=after,
        change=fraction(found.delta),
        interval=(fraction(ruling.lower), fraction(ruling.upper)) if told else None,
        tolerance=fraction(terms.tolerance),
        mde=fraction(ruling.mde) if told else None,
        certifiable=fraction(ruling.certifiable) if told else None,
        nu=found.found.nu,
        p_value=found.p_dearer if told else None,
        more_sessions=sum(more) if more else None,
        twin_change=twin.change if twin else None,
        look=terms.look.number if told else None,
        allowance=terms.alpha if told else None,
    )


def _rule(found: Estimate, terms: Terms, ruling: Ruling, before: Side, after: Side) -> str:
    if found.lone:
        return (
            "Files of a foreign program with a single run as baseline are never judged, whatever "
            "the change: between two runs of unchanged code it can be any size."
        )
    tolerance = percent(fraction(terms.tolerance))
    basis = f" ({terms.basis})" if terms.basis else ""
    few = ""
    if found.sessions[0] < ENOUGH_SESSIONS:
        few = (
            f" With fewer than {ENOUGH_SESSIONS} baseline sessions never a pass, and a regression "
            f"only from {percent(fraction(ruling.material))} on."
        )
    return (
        f"{_look(terms)}t interval on log {found.metric}: {_data(before)} against "
        f"{_data(after)}, standard error {percent(found.error)}, {found.found.nu:g} degrees of "
        f"freedom. Pass: upper 95 % bound below the tolerance of {tolerance}{basis}. Regression: "
        f"estimate at or above it and p {_level(terms)} over "
        f"{plural(terms.gated, _noun(found))}).{few}"
    )


def _look(terms: Terms) -> str:
    if terms.look.of == 1:
        return ""
    if terms.look.number == 1:
        return "Look 1 of 2 (may pass, or fail on overwhelming evidence): "
    return "Look 2 of 2 (same sitting): "


def _level(terms: Terms) -> str:
    """`at most 0.1 % (1 % by Holm`, or of a first look `below 0.01 % (0.1 % shared equally`."""
    level, alpha = percent(terms.dearer.level), percent(terms.alpha)
    if terms.look.number < terms.look.of:
        return f"below {level} ({alpha} shared equally"
    return f"at most {level} ({alpha} by Holm"


def _noun(found: Estimate) -> str:
    return "tail" if found.metric is Metric.P99 else "benchmark"


def _data(side: Side) -> str:
    return f"{plural(side.sessions, 'session')} ({plural(side.runs, 'run')})"


def _reason(
    found: Estimate, terms: Terms, ruling: Ruling, sides: tuple[Side, Side], twin: Twin | None
) -> tuple[str, Needed | None]:
    """Why it came out so; for what is open also what would settle it."""
    if ruling.decision is Decision.REGRESSION:
        return _regression(found, terms, sides, twin), None
    if ruling.decision is Decision.PASS:
        return _pass(found, terms, ruling), None
    more = needed(found, terms)
    return _inconclusive(found, terms, ruling, more), more


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


def _inconclusive(found: Estimate, terms: Terms, ruling: Ruling, more: Needed | None) -> str:
    baseline = found.sessions[0]
    change = percent(fraction(found.delta), signed=True)
    if found.lone:
        return (
            f"One run as baseline cannot be told from noise: the change of {change} may be the "
            "machine's. Give at least three sessions, each of several runs in fresh processes."
        )
    if ruling.pending:
        return (
            f"Suspicious at the first look: the change is {change} ({probability(found.p_dearer)}) "
            f"and may be as large as {percent(fraction(found.upper), signed=True)}. It has to be "
            "asked again in two fresh sessions before anything is decided."
        )
    sees = (
        f"The gate sees changes from {percent(fraction(ruling.mde))} on (80 % power) and can "
        f"certify {percent(fraction(ruling.certifiable))}."
    )
    if baseline < ENOUGH_SESSIONS:
        return (
            f"{_WORDS[baseline]} never enough to pass: that shows too little of how far sessions "
            f"of unchanged code lie apart. The change of {change} is no clear regression either. "
            f"{sees} {_more(more, terms)}"
        )
    return f"{_why(found, terms, ruling)} {sees} {_more(more, terms)}"


def _why(found: Estimate, terms: Terms, ruling: Ruling) -> str:
    change = percent(fraction(found.delta), signed=True)
    tolerance = percent(fraction(terms.tolerance))
    upper = percent(fraction(found.upper), signed=True)
    if found.delta >= terms.tolerance:
        return (
            f"The change of {change} reaches the tolerance of {tolerance}, but noise can explain "
            f"it ({probability(found.p_dearer)}, needed {percent(terms.dearer.level)})."
        )
    if ruling.certifiable > terms.tolerance:
        return (
            f"Too noisy for a tolerance of {tolerance}: the change is {change}, but it may be as "
            f"large as {upper}.{_in_vain(terms)}"
        )
    return (
        f"Borderline: the change of {change} is below the tolerance of {tolerance}, but it may "
        f"be as large as {upper}."
    )


def _in_vain(terms: Terms) -> str:
    if terms.look.number == terms.look.of:
        return ""
    return " Two fresh sessions could not certify it either, so it was not asked again."


def _more(more: Needed | None, terms: Terms) -> str:
    if more is None or not any(more):
        return "Measure a fresh session and judge again." if terms.own else _BEYOND
    return f"{_sessions(more)} would settle it if the noise stays as it is."


def _sessions(needed: Needed) -> str:
    """`2 more sessions (baseline)`, `5 more sessions (3 of the baseline, 2 of the contender)`."""
    baseline, contender = needed
    total = plural(baseline + contender, "more session")
    if not contender:
        return f"{total} of the baseline"
    if not baseline:
        return f"{total} of the contender"
    return f"{total} ({baseline} of the baseline, {contender} of the contender)"
