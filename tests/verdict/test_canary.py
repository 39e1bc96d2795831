# SPDX-License-Identifier: Apache-2.0
import math

import pytest

from ctxgate.noise.student import critical
from ctxgate.readings.model import Session, SessionSet
from ctxgate.verdict.judge import judge
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Verdict
from ctxgate.verdict.policy import Policy
from tests.verdict.sides import ARITHMETIC, CACHE, NULL, SUBJECT, SWITCH, side, steady

POLICY = Policy(tolerance=0.1)
# B = 5, SD 1 %: SE = sqrt(0.00025 * 1.2); 99.9 % two-sided, nu = 8.
LIMIT = 5.0413054 * math.sqrt(0.0003)


def base() -> SessionSet:
    names = {SWITCH: 9.0, ARITHMETIC: 6.0, NULL: 5.0, CACHE: 7.0}
    return side({name: steady(5, level) for name, level in names.items()}, where="base")


def fresh(
    *, switch: float = 0.0, arithmetic: float = 0.0, null: float = 0.0, cache: float = 0.0,
    **changes: object,
) -> SessionSet:  # fmt: skip
    logs = {SWITCH: [9.0 + switch], ARITHMETIC: [6.0 + arithmetic], NULL: [5.0 + null],
            CACHE: [7.0 + cache]}  # fmt: skip
    return side(logs, where="cont", **changes)


def row(verdict: Verdict, name: str) -> BenchmarkVerdict:
    return next(one for one in verdict.benchmarks if one.name == name)


def test_the_limit_is_the_predictive_interval() -> None:
    assert critical(0.0005, 8) == pytest.approx(5.0413054, rel=1e-6)


def test_steady_canaries_are_listed_and_never_gated() -> None:
    verdict = judge(base(), fresh(switch=0.01), POLICY)
    assert verdict.verdict is Decision.PASS
    canary = row(verdict, ARITHMETIC)
    assert (canary.gated, canary.verdict, canary.metric) == (False, Decision.PASS, "floor")
    assert canary.reason.startswith("Steady: +0 %, allowed ")
    assert canary.interval == pytest.approx((math.expm1(-LIMIT), math.expm1(LIMIT)))
    assert "over 1 benchmark" in row(verdict, SWITCH).rule  # they take no share of the allowance
    assert verdict.warnings == ()


@pytest.mark.parametrize("name", ["arithmetic", "null", "cache"])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_canary_that_moved_makes_every_row_unfit(name: str, sign: int) -> None:
    inside = judge(base(), fresh(**{name: sign * (LIMIT - 1e-6)}), POLICY)
    assert inside.verdict is Decision.PASS
    verdict = judge(base(), fresh(**{name: sign * (LIMIT + 1e-6)}), POLICY)
    assert verdict.verdict is Decision.UNFIT
    assert verdict.exit_code == 6
    assert row(verdict, SWITCH).verdict is Decision.UNFIT
    assert "Without that it would read: pass." in row(verdict, SWITCH).reason
    assert row(verdict, SWITCH).change is not None
    (problem,) = verdict.problems
    assert problem.kind == "canary-moved"
    assert problem.file == "cont0/run-00.json"
    assert "in session cont0" in problem.message
    assert "doctor" in problem.remedy
    assert sum(one.verdict is Decision.UNFIT for one in verdict.benchmarks) == 2


def test_the_veto_comes_before_the_worst_verdict_is_taken() -> None:
    slow = judge(base(), fresh(switch=1.0), POLICY)
    assert slow.verdict is Decision.REGRESSION
    verdict = judge(base(), fresh(switch=1.0, arithmetic=0.5), POLICY)
    assert verdict.verdict is Decision.UNFIT
    assert "Without that it would read: regression." in row(verdict, SWITCH).reason


def test_a_kernel_change_may_touch_the_null_syscall() -> None:
    other = {**SUBJECT, "release": "6.2.0"}
    verdict = judge(base(), fresh(switch=1.0, null=0.5, subject=other), POLICY)
    assert verdict.verdict is Decision.REGRESSION
    (caution,) = verdict.warnings
    assert caution.kind == "syscall-canary-moved"
    assert "a kernel change may touch this one" in caution.message
    assert row(verdict, NULL).verdict is Decision.PASS
    assert row(verdict, NULL).reason.startswith("Moved in 1 session, by +64.9 %")
    # the other canaries veto whatever the subject is
    assert judge(base(), fresh(arithmetic=0.5, subject=other), POLICY).verdict is Decision.UNFIT
    assert judge(base(), fresh(cache=0.5, subject=other), POLICY).verdict is Decision.UNFIT


def test_one_moved_session_of_three_spoils_their_median() -> None:
    parts = [fresh(), fresh(arithmetic=0.5), fresh()]
    sessions = [Session(label=f"s{n}", runs=one.sessions[0].runs) for n, one in enumerate(parts)]
    verdict = judge(base(), SessionSet(sessions=tuple(sessions)), POLICY)
    assert verdict.verdict is Decision.UNFIT
    assert [problem.kind for problem in verdict.problems] == ["canary-moved"]
    assert "in session s1" in verdict.problems[0].message
    assert row(verdict, ARITHMETIC).change == pytest.approx(math.expm1(0.5))


def test_without_a_canary_there_is_a_caution() -> None:
    verdict = judge(side({SWITCH: steady(5)}), side({SWITCH: [9.0]}), POLICY)
    assert verdict.verdict is Decision.PASS
    assert [one.kind for one in verdict.warnings] == ["no-canary"]


def test_a_canary_of_the_baseline_is_required() -> None:
    verdict = judge(base(), side({SWITCH: [9.0]}), POLICY)
    assert verdict.verdict is Decision.BROKEN
    assert {one.benchmark for one in verdict.problems} == {ARITHMETIC, NULL, CACHE}


def test_canaries_alone_are_no_comparison() -> None:
    verdict = judge(side({ARITHMETIC: steady(5)}), side({ARITHMETIC: [9.0]}), POLICY)
    assert verdict.verdict is Decision.BROKEN
    assert [one.kind for one in verdict.problems] == ["nothing-compared"]


def test_a_foreign_benchmark_is_no_canary_whatever_its_name() -> None:
    facts = {"foreign": True, "subject": {}, "identity": {"num_cpus": "2"}}
    before = side({ARITHMETIC: steady(5)}, **facts)
    verdict = judge(before, side({ARITHMETIC: [10.0]}, **facts), POLICY)
    assert verdict.verdict is Decision.REGRESSION
    assert row(verdict, ARITHMETIC).gated


def test_a_broken_row_stays_broken_under_a_veto() -> None:
    logs = {ARITHMETIC: [6.9], NULL: [5.0], CACHE: [7.0]}
    verdict = judge(base(), side(logs), POLICY)
    assert row(verdict, SWITCH).verdict is Decision.BROKEN
    assert verdict.verdict is Decision.BROKEN
