# SPDX-License-Identifier: Apache-2.0
"""A gate of two looks, from sessions to the verdict."""

import math

import msgspec
import pytest

from ctxgate.noise.prior import Prior
from ctxgate.readings.model import Caution, Clock, Problem, SessionSet
from ctxgate.verdict.again import SAME_SITTING
from ctxgate.verdict.judge import Judgement, Question, consider
from ctxgate.verdict.looks import Plan
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Verdict
from ctxgate.verdict.policy import Policy
from tests.verdict.sides import ARITHMETIC, OTHER, SWITCH, TWIN, side, steady

POLICY = Policy(tolerance=0.1)
LEVELS = {SWITCH: 9.0, OTHER: 9.2, TWIN: 7.0, ARITHMETIC: 6.0}
BASELINE = side({name: steady(5, level) for name, level in LEVELS.items()}, where="base")


def fresh(
    where: str = "cont", names: tuple[str, ...] = tuple(LEVELS), **moved: float
) -> SessionSet:
    """One session; `switch`, `other`, `twin`, `arithmetic` move theirs."""
    keys = {"switch": SWITCH, "other": OTHER, "twin": TWIN, "arithmetic": ARITHMETIC}
    by = {keys[key]: value for key, value in moved.items()}
    return side({name: [LEVELS[name] + by.get(name, 0.0)] for name in names}, where=where)


def again(*sessions: SessionSet) -> SessionSet:
    return SessionSet(sessions=tuple(one.sessions[0] for one in sessions))


def ask(
    first: SessionSet, confirming: SessionSet | None = None, **more: object
) -> Judgement:  # fmt: skip
    fields = {"baseline": BASELINE, "contender": first, "policy": POLICY, "looks": 2, **more}
    return consider(Question(confirming=confirming, **fields), ["a note"])  # type: ignore[arg-type]


def row(verdict: Verdict, name: str = SWITCH) -> BenchmarkVerdict:
    return next(one for one in verdict.benchmarks if one.name == name)


ASKED = (SWITCH, TWIN, ARITHMETIC)
"""What is measured again where the pipe is suspicious: it, the control and the canary."""


def confirm(*moved: dict[str, float]) -> SessionSet:
    return again(*(fresh(f"again{n}-", ASKED, **one) for n, one in enumerate(moved)))


def test_a_clean_first_look_asks_nothing() -> None:
    found = ask(fresh())
    assert found.plan is None
    assert found.verdict.verdict is Decision.PASS
    assert {one.look for one in found.verdict.benchmarks if one.gated} == {1}
    assert row(found.verdict).allowance == pytest.approx(0.001)
    assert row(found.verdict).rule.startswith(
        "Look 1 of 2 (may pass, or fail on overwhelming evidence): t interval on log floor: "
        "5 sessions (40 runs) against 1 session (8 runs)"
    )
    assert "p below 0.0333 % (0.1 % shared equally over 3 benchmarks)" in row(found.verdict).rule


def test_a_suspicious_benchmark_is_to_be_asked_again_with_control_and_canary() -> None:
    found = ask(fresh(switch=0.09, other=0.02))
    assert found.plan == Plan((SWITCH,), TWIN, (ARITHMETIC,))
    assert found.plan.names == ASKED
    assert found.verdict.verdict is Decision.INCONCLUSIVE
    assert row(found.verdict).reason.startswith(
        "Suspicious at the first look: the change is +9.42 % (p = 0.00041)"
    )
    assert "asked again in two fresh sessions" in row(found.verdict).reason
    assert row(found.verdict, OTHER).verdict is Decision.PASS


def test_two_fresh_sessions_clear_it() -> None:
    found = ask(fresh(switch=0.09, other=0.02), confirm({}, {"switch": 0.01}))
    verdict = found.verdict
    assert verdict.verdict is Decision.PASS
    assert verdict.problems == ()
    pipe = row(verdict)
    assert (pipe.look, pipe.allowance) == (2, pytest.approx(0.009))
    assert pipe.change == pytest.approx(math.expm1(0.01))
    assert pipe.contender is not None
    assert (pipe.contender.sessions, pipe.contender.runs) == (3, 24)
    assert pipe.rule.startswith("Look 2 of 2 (same sitting): t interval on log floor: ")
    assert "against 3 sessions (24 runs)" in pipe.rule
    assert "p at most 0.3 % (0.9 % by Holm over 3 benchmarks)" in pipe.rule
    control = row(verdict, TWIN)
    assert (control.look, control.contender and control.contender.sessions) == (1, 1)
    assert verdict.notes[:3] == (
        "a note",
        f"1 benchmark suspicious at the first look ({SWITCH}): measured again in two fresh "
        f"sessions, with {TWIN} as control.",
        SAME_SITTING,
    )
    assert [caution.kind for caution in verdict.warnings] == []


def test_two_fresh_sessions_bear_it_out() -> None:
    slow = {"switch": 0.12}
    verdict = ask(fresh(switch=0.09, other=0.02), confirm(slow, slow)).verdict
    assert verdict.verdict is Decision.REGRESSION
    assert row(verdict).look == 2
    assert row(verdict).change == pytest.approx(math.expm1(0.12))
    assert [one.verdict for one in verdict.benchmarks if one.gated] == [
        Decision.REGRESSION,
        Decision.PASS,
        Decision.PASS,
    ]


def test_what_stays_open_is_inconclusive_and_says_what_would_do() -> None:
    # the bound at the last look is 2.4 % wide
    verdict = ask(
        fresh(switch=0.09, other=0.02), confirm({"switch": 0.08}, {"switch": 0.08})
    ).verdict
    assert verdict.verdict is Decision.INCONCLUSIVE
    assert row(verdict).reason.startswith("Borderline: the change of +8.33 %")
    assert row(verdict).more_sessions is not None


def test_too_noisy_for_the_last_look_is_not_asked_again() -> None:
    found = ask(fresh(), policy=Policy(tolerance=0.03))
    assert found.plan is None
    assert "Too noisy for a tolerance of 3 %" in row(found.verdict).reason
    assert "Two fresh sessions could not certify it either" in row(found.verdict).reason
    assert "can certify 4.85 %" in row(found.verdict).reason


@pytest.mark.parametrize("sign", [1, -1])
def test_a_control_that_moved_makes_the_confirming_sessions_unfit(sign: int) -> None:
    slow = {"switch": 0.12}
    verdict = ask(
        fresh(switch=0.09, other=0.02), confirm(slow, {**slow, "twin": sign * 0.2})
    ).verdict
    assert verdict.verdict is Decision.UNFIT
    (problem,) = verdict.problems
    assert problem.kind == "control-moved"
    assert problem.benchmark == TWIN
    assert problem.file == "again1-0/run-00.json"
    assert f"{TWIN}, which stood still at the first look, moved by" in problem.message
    assert row(verdict).verdict is Decision.UNFIT
    assert "Without that it would read: regression." in row(verdict).reason
    # what the first look decided stands
    assert row(verdict, TWIN).verdict is Decision.PASS
    assert row(verdict, OTHER).verdict is Decision.PASS


def test_a_canary_that_moved_in_between_spoils_the_last_look_alone() -> None:
    slow = {"switch": 0.12}
    verdict = ask(
        fresh(switch=0.09, other=0.02), confirm(slow, {**slow, "arithmetic": 0.3, "twin": 0.3})
    ).verdict
    assert verdict.verdict is Decision.UNFIT
    assert [one.kind for one in verdict.problems] == ["canary-moved", "control-moved"]
    assert row(verdict).verdict is Decision.UNFIT
    assert row(verdict).reason.count("Without that it would read") == 1
    assert row(verdict, OTHER).verdict is Decision.PASS
    assert row(verdict, ARITHMETIC).verdict is Decision.UNFIT


def test_a_canary_that_moved_at_the_first_look_asks_nothing() -> None:
    found = ask(fresh(switch=0.09, arithmetic=0.3))
    assert found.verdict.verdict is Decision.UNFIT
    assert found.plan is None
    assert row(found.verdict, TWIN).verdict is Decision.UNFIT


def test_where_everything_moved_there_is_no_control() -> None:
    moved = {"switch": 0.4, "other": 0.4, "twin": 0.4}
    first = fresh(**moved)
    plan = ask(first).plan
    assert plan is not None
    assert plan.control is None
    calm = again(*(fresh(f"again{n}-") for n in range(2)))
    verdict = ask(first, calm).verdict
    assert verdict.verdict is Decision.PASS
    assert [one.kind for one in verdict.warnings] == ["no-control"]
    assert "only the two confirming ones are judged" in verdict.warnings[0].message
    pipe = row(verdict)
    assert pipe.contender is not None
    assert pipe.contender.sessions == 2
    assert pipe.change == pytest.approx(0.0, abs=1e-12)
    slow = again(*(fresh(f"again{n}-", **moved) for n in range(2)))
    assert ask(first, slow).verdict.verdict is Decision.REGRESSION


def test_many_suspicious_names_are_not_all_listed() -> None:
    names = [f"switch/p{n}/process/fifo/same_cpu" for n in range(8)]
    before = side({name: steady(5) for name in [*names, TWIN]})
    after = side({name: [9.09] for name in names} | {TWIN: [9.0]})
    confirming = again(after, after)
    verdict = ask(after, confirming, baseline=before).verdict
    note = next(one for one in verdict.notes if "suspicious" in one)
    assert "8 benchmarks suspicious" in note
    assert "p4/process/fifo/same_cpu and 3 more)" in note


def test_a_benchmark_that_was_not_measured_again_is_broken() -> None:
    lacking = again(fresh("again0-", ASKED), fresh("again1-", (TWIN, ARITHMETIC)))
    verdict = ask(fresh(switch=0.09, other=0.02), lacking).verdict
    assert verdict.verdict is Decision.BROKEN
    (problem,) = verdict.problems
    assert problem.kind == "required-missing"
    assert f"{SWITCH} was to be asked again and is missing" in problem.message


def test_problems_and_cautions_of_the_confirming_sessions_travel() -> None:
    problem = Problem(kind="truncated", message="cut", remedy="again")
    caution = Caution(kind="recoded", message="was UTF-16")
    spoilt = msgspec.structs.replace(confirm({}, {}), problems=(problem,), cautions=(caution,))
    verdict = ask(fresh(switch=0.09, other=0.02), spoilt).verdict
    assert verdict.verdict is Decision.BROKEN
    assert problem in verdict.problems
    assert caution in verdict.warnings


def test_another_machine_in_between_is_not_comparable() -> None:
    other = side({name: [LEVELS[name]] for name in ASKED}, identity={"cpu.model": "Other"})
    verdict = ask(fresh(switch=0.09), again(other, other)).verdict
    assert verdict.verdict is Decision.NOT_COMPARABLE


def test_problems_at_the_first_look_ask_nothing() -> None:
    found = ask(fresh(names=(SWITCH, OTHER, ARITHMETIC), switch=0.09))
    assert found.verdict.verdict is Decision.BROKEN
    assert found.plan is None


def test_instructions_are_never_asked_again() -> None:
    exact = {"runs": 1, "clock": Clock.INSTRUCTIONS}
    before = side({SWITCH: [9.0]}, **exact)
    found = ask(side({SWITCH: [9.5]}, **exact), baseline=before)
    assert found.verdict.verdict is Decision.REGRESSION
    assert found.plan is None
    assert (row(found.verdict).look, row(found.verdict).allowance) == (None, None)


def test_a_class_prior_is_used_where_it_is_given() -> None:
    own = Prior(name="class", provisional=False, session_sd=0.01, degrees_of_freedom=20.0)
    found = ask(fresh(), prior=own)
    assert row(found.verdict).nu == 24.0
    assert not any("provisional" in note for note in found.verdict.notes)
