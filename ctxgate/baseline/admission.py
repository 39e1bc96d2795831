# SPDX-License-Identifier: Apache-2.0
"""What must not become a baseline: every reason for refusing sessions, each in its own words."""

from collections.abc import Iterator, Mapping, Sequence

from ctxgate.baseline.model import Baseline
from ctxgate.baseline.problems import Kind, refuse
from ctxgate.readings.model import UNKNOWN, Problem, Run, Session, SessionSet
from ctxgate.readings.problems import shown

ENOUGH = 3
"""Sessions; fewer never let anything pass, so they are no baseline."""

COMMIT_FACT = "git_commit"
"""The recorded fact that holds the commit a session was measured at."""

_MOST_NAMED = 3


def check_sessions(given: SessionSet, present: Baseline | None = None) -> list[Problem]:
    """Every reason against recording `given`, or against adding it to `present`.

    What was wrong while reading (broken, incomplete, unproven) comes first, as it was found.
    """
    problems = list(given.problems)
    for session in given.sessions:
        problems += _check_session(session, present)
    problems += check_alike(given.sessions)
    problems += _check_twice(given.sessions)
    count = len(given.sessions) + (len(present.sessions) if present is not None else 0)
    if count < ENOUGH:
        sessions = "one session" if count == 1 else f"{count} sessions"
        why = f"A baseline needs at least {ENOUGH} sessions, and these are {sessions}."
        problems.append(refuse(Kind.TOO_FEW, why))
    return problems


def check_commit(commit: str) -> list[Problem]:
    """Whether it is known which commit is checked out while recording."""
    if commit != UNKNOWN:
        return []
    return [refuse(Kind.UNKNOWN_COMMIT, "It is not known which commit is recorded here.")]


def shared_identity(sessions: Sequence[Session]) -> dict[str, str]:
    """The identity facts that all runs have, with one known value."""
    runs = [run for session in sessions for run in session.runs]
    return {
        fact: value
        for fact, value in runs[0].identity.items()
        if value != UNKNOWN and all(run.identity.get(fact) == value for run in runs)
    }


def _check_session(session: Session, present: Baseline | None) -> Iterator[Problem]:
    first = session.runs[0]
    if first.foreign:
        why = f"{session.label} holds readings of a foreign program, which nothing proves."
        yield refuse(Kind.FOREIGN, why, file=session.label)
        return
    if not (first.session.isascii() and first.session.isalnum()):
        why = f"{session.label} carries no stamp of `ctxgate measure`, so whether all of its "
        yield refuse(Kind.UNSTAMPED, f"{why}runs are there cannot be told.", file=session.label)
    commits = {run.record.get(COMMIT_FACT, UNKNOWN) for run in session.runs}
    if UNKNOWN in commits:
        why = f"{session.label} was measured at an unknown commit."
        yield refuse(Kind.UNKNOWN_COMMIT, why, file=session.label)
    held = {one.session for one in present.sessions} if present is not None else set()
    if first.session in held:
        why = f"{session.label} is in the baseline already, as session {shown(first.session, 40)}."
        yield refuse(Kind.RECORDED_BEFORE, why, file=session.label)


def _check_twice(sessions: Sequence[Session]) -> Iterator[Problem]:
    """Two copies of a session would halve a noise that nobody measured."""
    seen: dict[str, str] = {}
    for session in sessions:
        stamp = session.runs[0].session
        other = seen.setdefault(stamp, session.label)
        if stamp and other != session.label:
            why = f"{session.label} is session {shown(stamp, 40)} again, after {other}."
            yield refuse(Kind.RECORDED_BEFORE, why, file=session.label)


def check_alike(sessions: Sequence[Session]) -> list[Problem]:
    """Sessions of one baseline agree in identity and hold the same benchmarks and versions."""
    problems = []
    for session in sessions[1:]:
        first = sessions[0].runs[0]
        run = session.runs[0]
        texts = [*_unlike_facts(first.identity, run.identity), *_unlike_benchmarks(first, run)]
        if texts:
            more = f" and {len(texts) - _MOST_NAMED} more" if len(texts) > _MOST_NAMED else ""
            why = f"{session.label} does not belong with {sessions[0].label}: "
            why += "; ".join(texts[:_MOST_NAMED])
            problems.append(refuse(Kind.UNLIKE_SESSIONS, f"{why}{more}.", file=session.label))
    return problems


def _unlike_facts(here: Mapping[str, str], there: Mapping[str, str]) -> Iterator[str]:
    for fact in sorted(here.keys() | there.keys()):
        old, new = here.get(fact, UNKNOWN), there.get(fact, UNKNOWN)
        if old != new and UNKNOWN not in (old, new):
            yield f"{shown(fact)} is {shown(new, 80)!r} and not {shown(old, 80)!r}"


def _unlike_benchmarks(here: Run, there: Run) -> Iterator[str]:
    for name in sorted(here.readings.keys() ^ there.readings.keys()):
        yield f"{name} is missing from one of them"
    for name in sorted(here.readings.keys() & there.readings.keys()):
        old, new = here.readings[name].version, there.readings[name].version
        if old != new:
            yield f"{name} is version {new} and not {old}"
