# SPDX-License-Identifier: Apache-2.0
"""What must not become a baseline, each in its own words."""

from typing import Any

import msgspec
import pytest

from ctxgate.baseline.admission import check_alike, check_commit, check_sessions, shared_identity
from ctxgate.readings.model import Problem, Session, SessionSet
from tests.baseline.examples import COMMIT, IDENTITY, baseline, session, sessions
from tests.verdict.sides import SWITCH


def side(*made: Session) -> SessionSet:
    return SessionSet(sessions=made)


def refusals(given: SessionSet, **present: Any) -> list[tuple[str, str]]:
    problems = check_sessions(given, **present)
    assert all(problem.remedy for problem in problems)
    return [(problem.kind, problem.message) for problem in problems]


def test_good() -> None:
    assert refusals(sessions()) == []
    assert refusals(side(session(7)), present=baseline()) == []
    assert check_commit(COMMIT) == []


def test_what_reading_found_comes_first() -> None:
    found = Problem(kind="truncated", message="cut", remedy="again")
    broken = SessionSet(sessions=sessions().sessions, problems=(found,))
    assert refusals(broken) == [("truncated", "cut")]


def test_foreign() -> None:
    (found,) = refusals(side(session(0), session(1), session(2, foreign=True, session="")))
    assert found == (
        "foreign-session",
        "s2 holds readings of a foreign program, which nothing proves.",
    )


def test_unstamped() -> None:
    (found,) = refusals(side(session(0), session(1), session(2, session="")))
    assert found[0] == "incomplete-session"
    assert found[1].startswith("s2 carries no stamp of `ctxgate measure`")


@pytest.mark.parametrize("record", [{}, {"git_commit": "unknown"}])
def test_unknown_commit(record: dict[str, str]) -> None:
    (found,) = refusals(side(session(0), session(1), session(2, record=record)))
    assert found == ("unknown-commit", "s2 was measured at an unknown commit.")
    assert check_commit("unknown")[0].kind == "unknown-commit"


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 sessions"), (1, "one session"), (2, "2 sessions")]
)
def test_too_few(count: int, said: str) -> None:
    (found,) = refusals(side(*(session(number) for number in range(count))))
    wanted = f"A baseline needs at least 3 sessions, and these are {said}."
    assert found == ("too-few-sessions", wanted)


def test_recorded_before() -> None:
    (found,) = refusals(side(session(1)), present=baseline())
    assert found[0] == "recorded-before"
    assert "is in the baseline already, as session 0000000000000001" in found[1]


def test_given_twice() -> None:
    copy = msgspec.structs.replace(session(1), label="copy")
    (found,) = refusals(side(session(0), session(1), copy))
    assert found == ("recorded-before", "copy is session 0000000000000001 again, after s1.")


def test_unlike_machines() -> None:
    (found,) = refusals(
        side(session(0), session(1), session(2, identity={**IDENTITY, "cpu_microcode": "0x2"}))
    )
    assert found == (
        "unlike-sessions",
        "s2 does not belong with s0: cpu_microcode is '0x2' and not '0x1'.",
    )
    unknown = {**IDENTITY, "cpu_microcode": "unknown"}
    given = side(session(0), session(1), session(2, identity=unknown))
    assert refusals(given) == []
    assert shared_identity(given.sessions) == {"cpu_name": "Bench 9000"}


def test_unlike_benchmarks() -> None:
    whole = session(2)
    run = whole.runs[0]
    fewer = {name: one for name, one in run.readings.items() if name == SWITCH}
    other = {SWITCH: msgspec.structs.replace(run.readings[SWITCH], version=2)}
    for readings, said in (
        (fewer, "is missing from one of them; "),
        ({**run.readings, **other}, f"{SWITCH} is version 2 and not 1"),
    ):
        runs = tuple(msgspec.structs.replace(one, readings=readings) for one in whole.runs)
        (problem,) = check_alike((session(0), msgspec.structs.replace(whole, runs=runs)))
        assert said in problem.message


def test_many_differences_are_counted() -> None:
    unlike = {f"fact{number}": "x" for number in range(5)}
    first = session(0, identity={f"fact{number}": "y" for number in range(5)})
    (problem,) = check_alike((first, session(1, identity=unlike)))
    assert problem.message.endswith(" and 2 more.")
