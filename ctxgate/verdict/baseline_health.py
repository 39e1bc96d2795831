# SPDX-License-Identifier: Apache-2.0
"""The health of a baseline: its age, sessions that drift, sessions that were sick.

No clock: the runs say when they were.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from ctxgate.noise.drift import common_series, trend_p_value
from ctxgate.readings.model import Caution, Session, SessionSet
from ctxgate.verdict.kinds import Finding
from ctxgate.verdict.wording import plural, probability

_LEVEL = 0.01
"""A trend this unlikely by chance is told. Of five sessions no order is: a rise of all five comes
once in sixty."""


def age_notes(baseline: SessionSet, contender: SessionSet) -> list[str]:
    """How much older the baseline's youngest session is than the contender's, from a day on."""
    before, after = (
        [date for session in side.sessions if (date := _date(session)) is not None]
        for side in (baseline, contender)
    )
    if not before or not after:
        return []
    days = (max(after) - max(before)).days
    if days < 1:
        return []
    return [f"The baseline's youngest session is {plural(days, 'day')} older than the contender's."]


def drift_cautions(baseline: SessionSet, stored: Sequence[Sequence[float]]) -> list[Caution]:
    """A caution where the baseline's sessions follow a trend or a step.

    `stored` are the summaries of its sessions, a row a benchmark. They are put in the order of
    their dates where all have one, else taken as they were given.
    """
    dates = [_date(session) for session in baseline.sessions]
    known = [date for date in dates if date is not None]
    order = list(range(len(dates)))
    if len(known) == len(dates):
        order.sort(key=known.__getitem__)
    chance = trend_p_value(common_series([[values[index] for index in order] for values in stored]))
    if chance >= _LEVEL:
        return []
    return [
        Caution(
            kind=Finding.BASELINE_DRIFTS,
            message=f"The baseline's {plural(len(dates), 'session')} follow a trend "
            f"({probability(chance)} by chance): the machine became faster or slower while it was "
            "recorded. The change is judged against their mean; record it anew if that is past.",
        )
    ]


def sick_cautions(baseline: SessionSet, sick: Sequence[int]) -> list[Caution]:
    """A caution for each of the baseline's sessions that was left out."""
    return [
        Caution(
            kind=Finding.SICK_SESSION,
            message=f"The baseline's session {baseline.sessions[number].label} is slower than all "
            "its others in most benchmarks, further than one healthy session in a thousand: "
            "something disturbed it, so it was left out. Record it anew.",
            file=baseline.sessions[number].runs[0].file,
        )
        for number in sick
    ]


def _date(session: Session) -> datetime | None:
    """When the session's first run was written; None where its file does not say so."""
    text = session.runs[0].record.get("date", "")
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        return None
    return date if date.tzinfo is not None else date.replace(tzinfo=UTC)
