# SPDX-License-Identifier: Apache-2.0
import math

import pytest

from ctxgate.noise.certifiable import certifiable_tolerances
from ctxgate.noise.prior import Prior
from ctxgate.readings.model import Clock, SessionSet
from ctxgate.verdict.evidence import side_of
from ctxgate.verdict.judge import judge
from ctxgate.verdict.model import Decision
from ctxgate.verdict.policy import CERTIFIABLE, Policy
from ctxgate.verdict.wall import judge_wall
from tests.verdict.gates import LEVEL, gate, one
from tests.verdict.sides import OTHER, SWITCH, TWIN, reading, side, steady


def foreign(values: list[float], *, runs: int = 3, repetitions: int = 3) -> SessionSet:
    return side(
        {"BM_pipe": values}, runs=runs, foreign=True, subject={}, identity={"num_cpus": "2"},
        counts={"repetitions": repetitions},
    )  # fmt: skip


def test_foreign_floors_of_unlike_counts_do_not_gate() -> None:
    before = foreign(steady(5))
    assert one(judge(before, foreign([LEVEL]), Policy()), "BM_pipe").metric == "floor"
    row = one(judge(before, foreign([LEVEL], repetitions=20), Policy()), "BM_pipe")
    assert row.metric == "typical"


@pytest.mark.parametrize("runs", [1, 8])
def test_foreign_one_run_a_side_is_never_judged(runs: int) -> None:
    verdict = judge(foreign([LEVEL], runs=1), foreign([LEVEL + math.log(10)], runs=runs), Policy())
    row = one(verdict, "BM_pipe")
    assert verdict.verdict is Decision.INCONCLUSIVE
    assert "cannot be told from noise" in row.reason
    assert row.change == pytest.approx(9.0)
    assert (row.interval, row.mde, row.certifiable, row.p_value) == (None, None, None, None)
    assert row.more_sessions == 2
    assert not verdict.proven
    assert any(note.startswith("Unproven") for note in verdict.notes)


def test_foreign_sets_are_judged_by_the_same_rules() -> None:
    slow = judge(foreign(steady(5)), foreign([LEVEL + math.log(10)]), Policy())
    assert slow.verdict is Decision.REGRESSION
    assert "no switch counts" in one(slow, "BM_pipe").reason
    same = judge(foreign(steady(5)), foreign([LEVEL]), Policy(tolerance=0.1))
    assert same.verdict is Decision.PASS
    assert one(same, "BM_pipe").contender is not None
    assert one(same, "BM_pipe").contender.switches is None  # type: ignore[union-attr]
    lone = judge(foreign(steady(5), runs=1), foreign([LEVEL + 1.0], runs=1), Policy())
    assert lone.verdict is Decision.REGRESSION


@pytest.mark.parametrize(
    ("twin", "said"),
    [
        (0.0, "the syscall path itself did not move: the cost is in the switch"),
        (0.3, "part of the cost is in the system calls"),
        (-0.3, "the system calls became cheaper"),
        (0.04, "did not move"),
    ],
)
def test_a_regression_names_the_twin(twin: float, said: str) -> None:
    before = side({SWITCH: steady(5), TWIN: steady(5, 7.0)})
    after = side({SWITCH: [LEVEL + 0.3], TWIN: [7.0 + twin]})
    row = one(judge(before, after, Policy(tolerance=0.1)))
    assert row.verdict is Decision.REGRESSION
    assert row.twin_change == pytest.approx(math.expm1(twin), abs=1e-12)
    assert said in row.reason
    assert TWIN in row.reason


def test_a_regression_names_the_switches() -> None:
    before = side({OTHER: steady(5)}, counts={"switches": 2.0})
    more = judge(before, side({OTHER: [LEVEL + 1]}, counts={"switches": 2.2}), Policy())
    assert "went from 2.00 to 2.20: more hand-overs are part" in one(more, OTHER).reason
    fewer = judge(before, side({OTHER: [LEVEL + 1]}, counts={"switches": 1.5}), Policy())
    assert "went from 2.00 to 1.50: fewer hand-overs are part" in one(fewer, OTHER).reason
    same = judge(before, side({OTHER: [LEVEL + 1]}, counts={"switches": 2.09}), Policy())
    assert "did not change (2.09)" in one(same, OTHER).reason


def test_extreme_values_stay_finite() -> None:
    row = gate(690.0, spread=300.0)
    assert all(math.isfinite(x) for x in (row.change, row.mde, *row.interval))  # type: ignore[misc, arg-type]


def test_a_partial_count_proves_nothing() -> None:
    counted, bare = reading(SWITCH, 1.0), reading(SWITCH, 1.0, switches=None)
    assert side_of([[counted, bare]], 1.0).switches is None
    assert side_of([[counted], [counted]], 1.0).switches == 2.0


def test_the_clock_and_tier_are_named() -> None:
    verdict = judge(side({SWITCH: steady(5)}), side({SWITCH: [LEVEL]}), Policy())
    assert (verdict.tier, verdict.clock, verdict.proven) == ("wall", Clock.NANOSECONDS, True)
    assert any("provisional" in note for note in verdict.notes)


def test_a_baseline_noisier_than_the_prior_widens_it_and_says_so() -> None:
    names = [f"switch/p{index}/process/fifo/same_cpu" for index in range(4)]
    before = side({name: steady(5, LEVEL, 0.1) for name in names})
    verdict = judge(before, side({name: [LEVEL] for name in names}), Policy(tolerance=0.5))
    note = next(note for note in verdict.notes if "widened" in note)
    assert "vary by 10.9 % in the median benchmark" in note  # 0.1 / sqrt(0.839)
    assert verdict.benchmarks[0].nu == pytest.approx(4 + 4 * 0.75)
    quiet = judge(side({SWITCH: steady(5)}), side({SWITCH: [LEVEL]}), Policy())
    assert not any("widened" in note for note in quiet.notes)


def test_the_tolerances_told_beforehand_are_those_judged_by() -> None:
    logs = {SWITCH: steady(5, LEVEL, 0.1), TWIN: steady(5, 7.0, 0.03)}
    told = certifiable_tolerances(side(logs))
    verdict = judge(side(logs), side({SWITCH: [LEVEL], TWIN: [7.0]}), Policy(tolerance=CERTIFIABLE))
    assert {row.name: row.tolerance for row in verdict.benchmarks} == pytest.approx(told)


def test_even_its_own_tolerance_is_not_certified_by_one_or_two_sessions() -> None:
    for sessions in (1, 2):
        row = gate(0.0, sessions=sessions, policy=Policy(tolerance=CERTIFIABLE))
        assert row.verdict is Decision.INCONCLUSIVE
        assert row.more_sessions == 3 - sessions


def test_a_prior_of_the_class_is_not_called_provisional() -> None:
    own = Prior(name="class", provisional=False, session_sd=0.02, degrees_of_freedom=20.0)
    pairs = {SWITCH: ([[reading(SWITCH, 9.0)]] * 3, [[reading(SWITCH, 9.0)]])}
    wall = judge_wall(pairs, Policy(), own, foreign=False)
    assert wall.notes == ()
    assert wall.rows[0].nu == 22.0
