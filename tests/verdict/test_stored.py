# SPDX-License-Identifier: Apache-2.0
import math

import pytest

from ctxgate.noise.student import critical
from ctxgate.verdict.judge import judge
from ctxgate.verdict.model import Decision
from ctxgate.verdict.policy import CERTIFIABLE, Floor, Policy
from tests.verdict.gates import ERROR, LEVEL, gate, one
from tests.verdict.sides import SWITCH, side, steady


def test_the_numbers_of_a_row() -> None:
    row = gate(0.02)
    assert row.verdict is Decision.PASS
    assert row.metric == "floor"
    assert row.nu == 8.0
    assert row.change == pytest.approx(math.expm1(0.02))
    assert row.interval is not None
    assert row.interval[0] == pytest.approx(math.expm1(0.02 - critical(0.01, 8) * ERROR))
    assert row.interval[1] == pytest.approx(math.expm1(0.02 + critical(0.05, 8) * ERROR))
    assert row.tolerance == pytest.approx(0.1)
    assert row.certifiable == pytest.approx(math.expm1(2 * critical(0.05, 8) * ERROR))
    assert row.mde == pytest.approx(math.expm1(math.log(1.1) + critical(0.2, 8) * ERROR))
    assert row.more_sessions is None
    assert row.twin_change is None
    assert row.baseline is not None
    assert row.contender is not None
    assert row.baseline.value == pytest.approx(math.exp(LEVEL))
    assert row.contender.value == pytest.approx(math.exp(LEVEL + 0.02))
    assert (row.baseline.sessions, row.baseline.runs, row.baseline.switches) == (5, 40, 2.0)
    assert (row.contender.sessions, row.contender.runs, row.contender.switches) == (1, 8, 2.0)


def test_pass_needs_the_upper_bound_below_the_tolerance() -> None:
    edge = math.log(1.1) - critical(0.05, 8) * ERROR
    assert gate(edge - 1e-6).verdict is Decision.PASS
    assert gate(edge + 1e-6).verdict is Decision.INCONCLUSIVE


def test_regression_needs_the_tolerance_and_significance() -> None:
    tolerance = math.log(1.1)
    assert tolerance > critical(0.01, 8) * ERROR
    assert gate(tolerance + 1e-9).verdict is Decision.REGRESSION
    assert gate(tolerance - 1e-9).verdict is Decision.INCONCLUSIVE
    # At 1 % the tolerance is reached long before the change is significant.
    edge = critical(0.01, 8) * ERROR
    small = Policy(tolerance=0.01)
    assert gate(edge + 1e-6, policy=small).verdict is Decision.REGRESSION
    row = gate(edge - 1e-6, policy=small)
    assert row.verdict is Decision.INCONCLUSIVE
    assert "reaches the tolerance of 1 %, but noise can explain it (p = 0.01" in row.reason


def test_reasons_say_the_numbers() -> None:
    row = gate(0.2)
    assert row.verdict is Decision.REGRESSION
    assert "22.1 % dearer (9.897 µs against 8.103 µs)" in row.reason
    assert "tolerance of 10 %" in row.reason
    assert "Switches per round trip did not change (2.00)" in row.reason
    assert "5 sessions (40 runs) against 1 session (8 runs)" in row.rule
    assert "p at most 1 % (1 % by Holm over 1 benchmark)" in row.rule
    assert "below +5.36 %, which is less than the tolerance of 10 %" in gate(0.02).reason


def test_the_contender_is_the_median_of_its_sessions() -> None:
    before = side({SWITCH: steady(5, LEVEL, 0.01)}, where="base")
    after = side({SWITCH: [LEVEL, LEVEL + 0.01, LEVEL + 2.0]}, where="cont")
    row = one(judge(before, after, Policy(tolerance=0.1)))
    assert row.change == pytest.approx(math.expm1(0.01))
    assert row.interval is not None
    error = math.sqrt(0.00025 * (0.449 + 0.2))
    assert row.interval[1] == pytest.approx(math.expm1(0.01 + critical(0.05, 8) * error))


def test_improvement_is_a_pass_that_suggests_a_new_baseline() -> None:
    before = side({SWITCH: steady(5, LEVEL, 0.01)})
    verdict = judge(before, side({SWITCH: [LEVEL - 0.2]}), Policy(tolerance=0.1))
    row = one(verdict)
    assert verdict.verdict is Decision.PASS
    assert "18.1 % cheaper" in row.reason
    assert "record a new baseline" in row.reason
    assert any(note.startswith("1 benchmark became cheaper") for note in verdict.notes)
    # Cheaper by less than the tolerance is no improvement to speak of.
    small = judge(before, side({SWITCH: [LEVEL - 0.09]}), Policy(tolerance=0.1))
    assert small.verdict is Decision.PASS
    assert "cheaper" not in one(small).reason


def test_one_baseline_session_never_passes() -> None:
    for delta in (-1.0, 0.0, 0.05):
        row = gate(delta, sessions=1, policy=Policy(tolerance=0.5))
        assert row.verdict is Decision.INCONCLUSIVE
        assert "One baseline session is never enough to pass" in row.reason
    assert row.more_sessions == 2
    assert "2 more sessions of the baseline would settle it" in row.reason


def test_one_baseline_session_fails_only_on_a_huge_change() -> None:
    # five errors sqrt(2 * 0.0004) are 14.1 %, three tolerances of 3 % are 8.9 %
    assert gate(0.1410, sessions=1, policy=Policy()).verdict is Decision.INCONCLUSIVE
    row = gate(0.1415, sessions=1, policy=Policy())
    assert row.verdict is Decision.REGRESSION
    assert "a regression only from 15.2 % on" in row.rule
    assert row.mde == pytest.approx(math.expm1(0.1414214 + 0.9409646 * math.sqrt(0.0008)), rel=1e-5)


def test_two_baseline_sessions_never_pass_and_fail_only_on_a_large_change() -> None:
    row = gate(0.0, sessions=2, policy=Policy(tolerance=0.5))
    assert row.verdict is Decision.INCONCLUSIVE
    assert "Two baseline sessions are never enough to pass" in row.reason
    # three tolerances of 10 %: 3 log(1.1)
    edge = 3 * math.log(1.1)
    assert gate(edge - 1e-6, sessions=2).verdict is Decision.INCONCLUSIVE
    assert gate(edge + 1e-6, sessions=2).verdict is Decision.REGRESSION
    # five errors: s2 = (4 * 0.0004 + 0.0001) / 5 = 0.00034
    edge = 5 * math.sqrt(0.00034 * 1.5)
    tight = Policy(tolerance=0.01)
    assert gate(edge - 1e-6, sessions=2, policy=tight).verdict is Decision.INCONCLUSIVE
    assert gate(edge + 1e-6, sessions=2, policy=tight).verdict is Decision.REGRESSION
    assert gate(0.0, sessions=3, policy=Policy(tolerance=0.5)).verdict is Decision.PASS


def test_too_noisy_says_what_the_gate_sees_and_what_would_do() -> None:
    row = gate(0.0, policy=Policy())
    assert row.verdict is Decision.INCONCLUSIVE
    assert "Too noisy for a tolerance of 3 %" in row.reason
    assert "can certify 6.65 %" in row.reason
    assert "sees changes from 6.78 % on" in row.reason
    assert row.more_sessions is not None
    assert f"{row.more_sessions} more sessions" in row.reason
    # With so many sessions of the same noise, unchanged code does pass.
    assert row.more_sessions == 13
    assert "13 more sessions (3 of the baseline, 10 of the contender)" in row.reason


def test_borderline() -> None:
    row = gate(0.08)
    assert row.verdict is Decision.INCONCLUSIVE
    assert "Borderline: the change of +8.33 % is below the tolerance of 10 %" in row.reason
    assert row.more_sessions is not None


def test_hopeless_noise_advises_another_method() -> None:
    row = gate(0.0, spread=0.5, policy=Policy())
    assert row.more_sessions is None
    assert "interleaved" in row.reason


def test_more_contender_sessions_alone() -> None:
    row = gate(0.075, sessions=12)
    assert row.verdict is Decision.INCONCLUSIVE
    assert "1 more session of the contender would settle it" in row.reason


def test_certifiable_tolerance() -> None:
    policy = Policy(tolerance=CERTIFIABLE)
    own = math.expm1(2 * critical(0.05, 8) * ERROR)
    passed = gate(critical(0.05, 8) * ERROR - 1e-6, policy=policy)
    assert passed.verdict is Decision.PASS
    assert passed.tolerance == pytest.approx(own)
    assert passed.certifiable == pytest.approx(own)
    assert "(the smallest this gate can certify)" in passed.rule
    failed = gate(critical(0.05, 8) * ERROR + 1e-6, policy=policy)
    assert failed.verdict is Decision.INCONCLUSIVE
    assert failed.more_sessions is None
    assert failed.reason.endswith("Measure a fresh session and judge again.")
    assert gate(2 * critical(0.05, 8) * ERROR, policy=policy).verdict is Decision.REGRESSION


def test_a_pattern_beats_the_certifiable_tolerance() -> None:
    policy = Policy(tolerance=CERTIFIABLE, tolerances={"switch/*": 0.2})
    assert gate(0.1, policy=policy).tolerance == pytest.approx(0.2)
    assert gate(0.1, policy=policy).verdict is Decision.PASS


def test_an_absolute_floor_has_to_be_exceeded_as_well() -> None:
    # exp(9) = 8103 ns; 22 % are 1794 ns
    assert (
        gate(0.2, policy=Policy(floor={"switch/*": Floor(nanoseconds=1700.0)})).verdict
        is Decision.REGRESSION
    )
    row = gate(0.2, policy=Policy(floor={"switch/*": Floor(nanoseconds=1900.0)}))
    assert row.verdict is Decision.INCONCLUSIVE
    assert row.tolerance == pytest.approx(1900 / math.exp(9))
    row = gate(0.2, policy=Policy(floor={"switch/*": Floor(nanoseconds=5000.0)}))
    assert row.verdict is Decision.PASS
    assert "below the tolerance of 61.7 % (its floor, more than the relative tolerance)" in row.rule
    # the relative tolerance still holds where it is the larger one
    row = gate(0.02, policy=Policy(tolerance=0.1, floor={"*": Floor(nanoseconds=1.0)}))
    assert row.tolerance == pytest.approx(0.1)
    assert "floor, more" not in row.rule


def test_a_relative_floor_limits_what_is_certifiable() -> None:
    own = gate(0.0, policy=Policy(tolerance=CERTIFIABLE))
    assert own.tolerance == own.certifiable
    low = gate(0.0, policy=Policy(tolerance=CERTIFIABLE, floor={"*": Floor(relative=0.01)}))
    assert low.tolerance == own.tolerance
    assert "(the smallest this gate can certify)" in low.rule
    high = gate(0.0, policy=Policy(tolerance=CERTIFIABLE, floor={"*": Floor(relative=0.25)}))
    assert high.tolerance == pytest.approx(0.25)
    assert "below the tolerance of 25 % (its floor, more than the relative tolerance)" in high.rule


def test_holm_spends_one_allowance_over_all_benchmarks() -> None:
    # p of this change alone is 0.8 %: enough for one benchmark, not for its share of ten.
    delta = critical(0.008, 8) * ERROR
    policy = Policy(tolerance=0.01)
    assert gate(delta, policy=policy).verdict is Decision.REGRESSION
    names = [f"switch/p{index}/process/fifo/same_cpu" for index in range(9)]
    before = side({name: steady(5, LEVEL, 0.01) for name in [SWITCH, *names]})
    after = side({SWITCH: [LEVEL + delta]} | {name: [LEVEL] for name in names})
    row = one(judge(before, after, policy))
    assert row.verdict is Decision.INCONCLUSIVE
    assert "p at most 0.1 % (1 % by Holm over 10 benchmarks)" in row.rule
    assert row.interval is not None
    assert row.interval[0] == pytest.approx(math.expm1(delta - critical(0.001, 8) * ERROR))
    # Nine clear regressions leave the tenth the whole allowance.
    clear = side({SWITCH: [LEVEL + delta]} | {name: [LEVEL + 1] for name in names})
    row = one(judge(before, clear, policy))
    assert row.verdict is Decision.REGRESSION
    assert row.interval is not None
    assert row.interval[0] > 0


def test_the_quieter_metric_gates_and_is_named() -> None:
    assert gate(0.0).metric == "floor"
    before = side({SWITCH: steady(5, LEVEL, 0.01)})
    quiet = side({SWITCH: steady(5, LEVEL, 0.01)}, counts={"typical": 9000.0})
    after = side({SWITCH: [LEVEL]}, counts={"typical": 9900.0})
    assert one(judge(before, after, Policy())).metric == "floor"
    row = one(judge(quiet, after, Policy(tolerance=0.05)))
    assert row.metric == "typical"
    assert row.verdict is Decision.REGRESSION
    assert row.change == pytest.approx(0.1)
