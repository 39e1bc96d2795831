# SPDX-License-Identifier: Apache-2.0
import math

import pytest

from ctxgate.readings.model import Clock, SessionSet
from ctxgate.verdict.judge import judge
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Verdict
from ctxgate.verdict.policy import Floor, Policy
from tests.verdict.sides import ARITHMETIC, OTHER, SWITCH, TWIN, side


def boots(values: dict[str, float], *, sessions: int = 1, **counts: object) -> SessionSet:
    """Two boots a session, all counting the same instructions."""
    logs = {name: [math.log(value)] * sessions for name, value in values.items()}
    parts = {"floor": 1.0} | counts
    built = side(logs, runs=2, clock=Clock.INSTRUCTIONS, counts=parts)
    for session in built.sessions:
        for run in session.runs:
            for name, value in values.items():
                old = run.readings[name]
                fields = {field: getattr(old, field) for field in old.__struct_fields__}
                exact = {"typical": value, "mean": value + 0.5}
                run.readings[name] = type(old)(**{**fields, **exact})  # type: ignore[index]
    return built


def row(verdict: Verdict, name: str = SWITCH) -> BenchmarkVerdict:
    return next(one for one in verdict.benchmarks if one.name == name)


def judged(before: float, after: float, policy: Policy | None = None) -> Verdict:
    return judge(boots({SWITCH: before}), boots({SWITCH: after}), policy or Policy())


def test_the_difference_itself_decides() -> None:
    verdict = judged(10_000.0, 10_051.0)
    assert (verdict.verdict, verdict.tier, verdict.clock) == (
        Decision.REGRESSION, "exact", "instructions",
    )  # fmt: skip
    found = row(verdict)
    assert found.change == pytest.approx(0.0051, abs=1e-12)
    assert found.interval == (found.change, found.change)
    assert found.tolerance == 0.005
    assert found.mde == pytest.approx(0.0001)
    assert found.metric == "typical"
    assert found.baseline is not None
    assert (found.baseline.value, found.baseline.sessions, found.baseline.runs) == (10_000.0, 1, 2)
    assert "+0.51 % (10,051 instructions against 10,000 instructions)" in found.reason
    assert verdict.warnings == ()


def test_exactly_the_tolerance_passes() -> None:
    assert judged(10_000.0, 10_050.0).verdict is Decision.PASS
    assert judged(1_000.0, 1_005.0).verdict is Decision.PASS
    assert judged(10_000.0, 10_000.0).verdict is Decision.PASS
    assert judged(10_000.0, 10_050.0, Policy(tolerance=0.004)).verdict is Decision.REGRESSION


def test_an_absolute_floor_too() -> None:
    policy = Policy(floor={"*": Floor(instructions=10.0)})
    verdict = judged(100.0, 110.0, policy)
    assert verdict.verdict is Decision.PASS
    assert row(verdict).reason.endswith(
        "a regression would be one above 0.5 % and above 10 instructions."
    )
    verdict = judged(100.0, 111.0, policy)
    assert verdict.verdict is Decision.REGRESSION
    assert "is above 0.5 % and above 10 instructions, or if switches" in row(verdict).rule


def test_a_floor_in_time_is_for_the_other_tier_a_relative_one_for_both() -> None:
    time = Policy(floor={"*": Floor(nanoseconds=1000.0)})
    assert judged(100.0, 101.0, time).verdict is Decision.REGRESSION
    relative = Policy(floor={"*": Floor(relative=0.02)})
    assert judged(100.0, 102.0, relative).verdict is Decision.PASS
    assert judged(100.0, 103.0, relative).verdict is Decision.REGRESSION


def test_cheaper_suggests_a_new_baseline() -> None:
    verdict = judged(10_000.0, 9_900.0)
    assert verdict.verdict is Decision.PASS
    assert "It became cheaper: -1 %" in row(verdict).reason
    assert "new baseline" in row(verdict).reason


@pytest.mark.parametrize(
    ("name", "rise", "decision"),
    [
        (SWITCH, 0.009, Decision.PASS),
        (SWITCH, 0.011, Decision.REGRESSION),
        (OTHER, 0.09, Decision.PASS),
        (OTHER, 0.11, Decision.REGRESSION),
        (SWITCH, -1.0, Decision.PASS),
    ],
)
def test_more_switches_are_a_regression(name: str, rise: float, decision: Decision) -> None:
    before = boots({name: 10_000.0}, switches=2.0)
    verdict = judge(before, boots({name: 10_000.0}, switches=2.0 + rise), Policy())
    assert verdict.verdict is decision
    if decision is Decision.REGRESSION:
        assert "It switches more often" in row(verdict, name).reason


def test_without_counts_switches_decide_nothing() -> None:
    before = boots({SWITCH: 10_000.0}, switches=None)
    assert judge(before, boots({SWITCH: 10_000.0}), Policy()).verdict is Decision.PASS


def test_other_is_judged_by_its_mean() -> None:
    verdict = judge(boots({OTHER: 10_000.0}), boots({OTHER: 10_000.0}), Policy())
    assert row(verdict, OTHER).metric == "mean"
    assert row(verdict, OTHER).baseline.value == 10_000.5  # type: ignore[union-attr]


@pytest.mark.parametrize("which", ["baseline", "contender"])
def test_two_boots_that_differ_are_broken(which: str) -> None:
    mixed = SessionSet(
        sessions=(*boots({SWITCH: 10_000.0}).sessions, *boots({SWITCH: 10_001.0}).sessions)
    )
    same = boots({SWITCH: 10_000.0})
    verdict = judge(*((mixed, same) if which == "baseline" else (same, mixed)), Policy())
    assert verdict.verdict is Decision.BROKEN
    assert [one.kind for one in verdict.problems] == ["boots-differ"]
    said = f"Two boots of the {which} differ: 10,000 instructions and 10,001 instructions"
    assert said in row(verdict).reason
    assert row(verdict).change is None


def test_the_twin_tells_whether_the_syscalls_moved() -> None:
    before = boots({SWITCH: 10_000.0, TWIN: 1_000.0})
    moved = row(judge(before, boots({SWITCH: 11_000.0, TWIN: 1_100.0}), Policy()))
    assert moved.twin_change == pytest.approx(0.1)
    assert "part of the cost is in the system calls" in moved.reason
    still = row(judge(before, boots({SWITCH: 11_000.0, TWIN: 1_000.0}), Policy()))
    assert "did not move" in still.reason


def test_a_canary_is_listed_and_not_gated() -> None:
    before = boots({SWITCH: 10_000.0, ARITHMETIC: 100.0})
    verdict = judge(before, boots({SWITCH: 10_000.0, ARITHMETIC: 200.0}), Policy())
    assert verdict.verdict is Decision.PASS
    assert not row(verdict, ARITHMETIC).gated
