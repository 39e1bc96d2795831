# SPDX-License-Identifier: Apache-2.0
"""The canaries: loops that show whether the machine moved, whatever the kernel did."""

import math
from typing import NamedTuple

import msgspec

from ctxgate.noise.certifiable import fraction
from ctxgate.noise.names import NULL_SYSCALL_CANARY, is_canary
from ctxgate.noise.prior import Prior, widened
from ctxgate.noise.summaries import Metric, Summary, mean, summarise
from ctxgate.noise.variance import session_variance
from ctxgate.readings.model import Caution, Problem, SessionSet
from ctxgate.verdict.evidence import side_of
from ctxgate.verdict.kinds import Finding
from ctxgate.verdict.model import BenchmarkVerdict, Decision
from ctxgate.verdict.movement import Movement, movements
from ctxgate.verdict.stored import Sessions
from ctxgate.verdict.wording import percent, plural

_REMEDY = (
    "Give the machine rest (`ctxgate doctor` names what disturbs it), then measure the contender "
    "again; if it stays so, the machine is not what it was: record a new baseline."
)
_RULE = (
    "Watched, never gated: floor of every contender session within its 99.9 % predictive interval."
)


class Watch(NamedTuple):
    """What the canaries say: their rows, vetoes of a session (problems), and cautions.

    `spoilt` are the numbers of the sessions that were vetoed.
    """

    rows: tuple[BenchmarkVerdict, ...]
    vetoes: tuple[Problem, ...]
    cautions: tuple[Caution, ...]
    spoilt: frozenset[int] = frozenset()


class _Floors(NamedTuple):
    name: str
    stored: tuple[Summary, ...]
    fresh: tuple[Summary, ...]


def watch_canaries(
    pairs: dict[str, tuple[Sessions, Sessions]],
    contender: SessionSet,
    prior: Prior,
    *,
    same_subject: bool,
) -> Watch:
    """Hold every canary of every contender session against the baseline's.

    `same_subject` says that no fact under test differs between the sides.
    """
    canaries = [_floors(name, *pair) for name, pair in pairs.items() if is_canary(name)]
    if not canaries:
        return Watch((), (), (_no_canary(),))
    variances = [session_variance(one.stored) for one in canaries]
    wider = widened(prior, variances, len(canaries[0].stored))
    rows = []
    vetoes = []
    cautions = []
    spoilt = set()
    for one in canaries:
        row, moved = _row(one, pairs[one.name], wider)
        # A kernel change may touch the null syscall (entry code, mitigations): then its move is
        # the finding and not a fault of the machine. The other two never enter the kernel.
        vetoing = one.name != NULL_SYSCALL_CANARY or same_subject
        for move in moved:
            message = _told(one.name, contender.sessions[move.session].label, move)
            if vetoing:
                vetoes.append(_veto(one.name, message, contender, move.session))
                spoilt.add(move.session)
            else:
                cautions.append(_caution(one.name, message))
        rows.append(_unfit(row, vetoes[-1].message) if moved and vetoing else row)
    return Watch(tuple(rows), tuple(vetoes), tuple(cautions), frozenset(spoilt))


def _floors(name: str, before: Sessions, after: Sessions) -> _Floors:
    least = min(len(readings) for side in (before, after) for readings in side)
    stored, fresh = (summarise(side, least_runs=least).floor for side in (before, after))
    return _Floors(name, stored, fresh)


def _row(
    one: _Floors, sessions: tuple[Sessions, Sessions], prior: Prior
) -> tuple[BenchmarkVerdict, list[Movement]]:
    """The row of the session that lies farthest off, and all that lie too far."""
    level = mean([session.value for session in one.stored])
    moves = movements(one.stored, one.fresh, prior)
    widest = max(moves, key=lambda move: abs(move.change))
    row = BenchmarkVerdict(
        name=one.name,
        verdict=Decision.PASS,
        gated=False,
        metric=Metric.FLOOR,
        rule=_RULE,
        reason=f"Steady: {percent(fraction(widest.change), signed=True)}, allowed "
        f"{widest.limits}; the machine is as it was.",
        baseline=side_of(sessions[0], math.exp(level)),
        contender=side_of(sessions[1], math.exp(level + widest.change)),
        change=fraction(widest.change),
        interval=(fraction(widest.change - widest.limit), fraction(widest.change + widest.limit)),
    )
    moved = [move for move in moves if move.moved]
    return _with_reason(row, moved), moved


def _with_reason(row: BenchmarkVerdict, moved: list[Movement]) -> BenchmarkVerdict:
    if not moved:
        return row
    text = (
        f"Moved in {plural(len(moved), 'session')}, by "
        f"{percent(fraction(moved[0].change), signed=True)}; allowed {moved[0].limits}."
    )
    return msgspec.structs.replace(row, reason=text)


def _unfit(row: BenchmarkVerdict, reason: str) -> BenchmarkVerdict:
    return msgspec.structs.replace(row, verdict=Decision.UNFIT, reason=reason)


def _told(name: str, session: str, one: Movement) -> str:
    return (
        f"{name} moved by {percent(fraction(one.change), signed=True)} in session {session}; "
        f"unchanged machines stay within {one.limits} in 999 sessions of 1000"
    )


def _veto(name: str, message: str, contender: SessionSet, session: int) -> Problem:
    return Problem(
        kind=Finding.CANARY_MOVED,
        message=f"{message}: the machine moved, so nothing of that session tells of the kernel.",
        remedy=_REMEDY,
        file=contender.sessions[session].runs[0].file,
        benchmark=name,
    )


def _caution(name: str, message: str) -> Caution:
    return Caution(
        kind=Finding.SYSCALL_CANARY_MOVED,
        message=f"{message}. A fact under test differs, and a kernel change may touch this one: "
        "it may be the cause and not the machine.",
        benchmark=name,
    )


def _no_canary() -> Caution:
    return Caution(
        kind=Finding.NO_CANARY,
        message="No canary on both sides: a machine that itself became slower cannot be told from "
        "a kernel that did.",
    )
