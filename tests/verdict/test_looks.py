# SPDX-License-Identifier: Apache-2.0
"""The looks of a gate, on summaries whose figures follow by hand.

Baselines have five sessions of SD 1 %: s2 = 0.00025, nu = 8; SE = sqrt(s2 * 1.2) with one contender
session and sqrt(s2 * 0.649) with three.
"""

import math

import pytest

from ctxgate.noise.prior import provisional_prior
from ctxgate.noise.student import critical
from ctxgate.noise.summaries import Metric, Summary
from ctxgate.verdict.looks import Case, Family, Limit, Looked, Plan, take_looks
from ctxgate.verdict.model import Decision
from ctxgate.verdict.stored import Reduced
from ctxgate.verdict.terms import FIRST, LAST, ONLY, Look
from tests.verdict.sides import steady

LEVEL = 9.0
ERROR = math.sqrt(0.00025 * 1.2)
LAST_ERROR = math.sqrt(0.00025 * 0.649)
T20 = critical(0.2, 8)
T5 = critical(0.05, 8)


def reduced(
    name: str, *deltas: float, spread: float = 0.01, sessions: int = 5, least: float | None = None
) -> Reduced:
    """A benchmark whose contender sessions lie so far above its baseline."""
    stored = tuple(Summary(one, 0.0, 8, one) for one in steady(sessions, LEVEL, spread))
    fresh = tuple(
        Summary(LEVEL + delta, 0.0, 8, LEVEL + (delta if least is None else least))
        for delta in deltas
    )
    return Reduced(name, Metric.FLOOR, stored, fresh, provisional_prior())


def look(
    *benchmarks: Reduced, looks: int = 2, tolerance: float = 0.1, alpha: float = 0.01
) -> Looked:
    limit = Limit(math.log1p(tolerance))
    return take_looks([Family(benchmarks, alpha, lambda _: limit)], looks)


def decisions(looked: Looked) -> list[Decision]:
    return [case.ruling.decision for case in looked.cases]


def first(looked: Looked) -> Case:
    return looked.cases[0]


def test_the_shares_of_the_allowance_add_up_to_one() -> None:
    assert (ONLY.share, FIRST.share, LAST.share) == (1.0, 0.1, 0.9)
    assert Look(1, 2) == FIRST


class TestFirstLook:
    def test_a_pass_is_a_pass(self) -> None:
        looked = look(reduced("a", 0.01), reduced("b", 0.0))
        assert decisions(looked) == [Decision.PASS, Decision.PASS]
        assert looked.plan is None
        assert [case.terms.look for case in looked.cases] == [FIRST, FIRST]
        assert first(looked).terms.alpha == pytest.approx(0.001)

    def test_a_pass_is_not_asked_again_however_small_its_p_value(self) -> None:
        looked = look(reduced("a", 0.05))
        assert first(looked).found.p_dearer < 0.02
        assert decisions(looked) == [Decision.PASS]
        assert looked.plan is None

    def test_it_fails_only_on_overwhelming_evidence(self) -> None:
        still = reduced("still", 0.0)
        edge = critical(0.0005, 8) * ERROR  # a tenth of 1 % over two benchmarks
        tight = {"tolerance": 0.01}
        early = look(reduced("a", edge + 1e-6), still, **tight)
        assert decisions(early)[0] is Decision.REGRESSION
        assert first(early).terms.dearer.level == pytest.approx(0.0005)
        assert early.plan is None or "a" not in early.plan.suspicious
        late = look(reduced("a", edge - 1e-6), still, **tight)
        assert decisions(late)[0] is Decision.INCONCLUSIVE
        assert first(late).ruling.pending
        # one look at the same session would have said no at its full share
        assert decisions(look(reduced("a", edge - 1e-6), still, looks=1, **tight))[0] is (
            Decision.REGRESSION
        )

    def test_the_cheapest_run_has_to_bear_it_out(self) -> None:
        """Most runs in a slow mode make a slow session, and no regression."""
        still = reduced("still", 0.0)
        assert decisions(look(reduced("a", 0.25), still))[0] is Decision.REGRESSION
        mode = look(reduced("a", 0.25, least=0.01), still)
        assert first(mode).ruling.pending
        assert mode.plan == Plan(("a",), "still")

    def test_where_everything_moved_nothing_fails_at_once(self) -> None:
        looked = look(reduced("a", 1.0), reduced("b", 1.0))
        assert [case.ruling.pending for case in looked.cases] == [True, True]
        assert looked.plan == Plan(("a", "b"), None)


class TestSuspicion:
    def test_a_small_p_value(self) -> None:
        # At a tolerance of 3 % nothing passes: the bound alone is 3.2 % wide. 3 % cannot be
        # certified by the last look either (4.7 %), so that p alone decides.
        for delta, suspicious in ((T20 * ERROR - 1e-6, False), (T20 * ERROR + 1e-6, True)):
            looked = look(reduced("a", delta), tolerance=0.03)
            assert (looked.plan is not None) is suspicious
            assert first(looked).ruling.pending is suspicious
            assert decisions(looked) == [Decision.INCONCLUSIVE]

    def test_a_tolerance_that_the_last_look_may_certify(self) -> None:
        certifiable = math.expm1(2 * T5 * LAST_ERROR)
        delta = T20 * ERROR - 1e-5  # not suspicious by its p value
        for tolerance, suspicious in ((certifiable - 1e-6, False), (certifiable + 1e-6, True)):
            looked = look(reduced("a", delta), tolerance=tolerance)
            assert (looked.plan is not None) is suspicious

    def test_figures_are_those_of_the_last_look(self) -> None:
        ruling = first(look(reduced("a", 0.0), reduced("b", 0.0))).ruling
        assert ruling.certifiable == pytest.approx(2 * T5 * LAST_ERROR)
        seen = math.log(1.1) + T20 * LAST_ERROR
        assert ruling.mde == pytest.approx(seen)
        tight = first(look(reduced("a", 0.0), reduced("b", 0.0), tolerance=0.001)).ruling
        assert tight.mde == pytest.approx((critical(0.0045, 8) + T20) * LAST_ERROR)

    def test_a_thin_baseline_is_asked_only_where_it_looks_dearer(self) -> None:
        assert look(reduced("a", 0.0, sessions=2), tolerance=0.5).plan is None
        assert look(reduced("a", 0.2, sessions=2), tolerance=0.5).plan is not None

    def test_a_lone_foreign_run_is_never_asked_again(self) -> None:
        lone = reduced("a", 2.0, sessions=1)._replace(lone=True)
        assert look(lone).plan is None
        assert decisions(look(lone)) == [Decision.INCONCLUSIVE]

    def test_a_tail_is_measured_by_its_benchmark(self) -> None:
        tail = reduced("a p99", 0.09)._replace(metric=Metric.P99)
        families = [
            Family([reduced("a", 0.0), reduced("b", 0.0)], 0.007, lambda _: Limit(0.1)),
            Family([tail], 0.002, lambda _: Limit(0.1)),
        ]
        looked = take_looks(families, 2)
        assert looked.plan == Plan(("a",), "a")
        assert looked.plan.names == ("a",)
        assert [case.terms.gated for case in looked.cases] == [2, 2, 1]


class TestControl:
    def test_it_is_the_quietest_that_did_not_move(self) -> None:
        looked = look(
            reduced("suspicious", 0.09),
            reduced("noisy", 0.0, spread=0.012),
            reduced("quiet", 0.0),
            reduced("quieter, but moved", 0.05, spread=0.001),
            reduced("quieter, but cheaper", -0.05, spread=0.001),
        )
        assert looked.plan is not None
        assert looked.plan.control == "quiet"
        assert looked.plan.names == ("suspicious", "quiet")

    def test_its_movement_is_told_for_each_confirming_session(self) -> None:
        limit = critical(0.0005, 8) * ERROR
        control = reduced("b", 0.0, limit - 1e-6, -limit - 1e-6)
        looked = look(reduced("a", 0.09, 0.0, 0.0), control)
        assert [(move.session, move.moved) for move in looked.control] == [(1, False), (2, True)]
        assert looked.control[1].change == pytest.approx(-limit - 1e-6)
        assert looked.control[1].limit == pytest.approx(limit)
        # before the confirming sessions there is nothing to tell
        assert look(reduced("a", 0.09), reduced("b", 0.0)).control == ()


class TestLastLook:
    def test_the_median_of_three_is_judged_at_nine_tenths(self) -> None:
        still = reduced("still", 0.0)
        level = 0.009 / 2
        edge = critical(level, 8) * LAST_ERROR
        for far, decision in ((-1e-6, Decision.INCONCLUSIVE), (1e-6, Decision.REGRESSION)):
            sessions = (0.05, edge + far, 0.0)
            looked = look(reduced("a", *sessions), still, tolerance=0.02)
            case = first(looked)
            assert decisions(looked)[0] is decision
            assert case.terms.look == LAST
            assert case.terms.dearer.level == pytest.approx(level)
            assert case.terms.alpha == pytest.approx(0.009)
            assert case.found.sessions == (5, 3)
            assert case.found.delta == pytest.approx(edge + far)

    def test_one_sick_session_of_three_spares_unchanged_code(self) -> None:
        still = reduced("still", 0.0)
        for sessions in ((0.4, 0.0, 0.01), (0.065, 0.4, 0.0)):
            looked = look(reduced("a", *sessions, least=0.0), still)
            assert decisions(looked)[0] is Decision.PASS
            assert first(looked).terms.look == LAST

    def test_a_first_session_in_which_everything_moved_does_not_count(self) -> None:
        sick = look(reduced("a", 0.4, 0.0, 0.01), reduced("b", 0.4, 0.01, -0.01))
        assert decisions(sick) == [Decision.PASS, Decision.PASS]
        assert first(sick).found.sessions == (5, 2)
        assert first(sick).found.delta == pytest.approx(0.005)
        slow = look(reduced("a", 0.4, 0.4, 0.4), reduced("b", 0.4, 0.4, 0.4))
        assert decisions(slow) == [Decision.REGRESSION, Decision.REGRESSION]

    def test_what_was_not_suspicious_counts_with_p_1_and_stands(self) -> None:
        """Three sessions of the control are there; what the first look said of it stays."""
        control = reduced("control", 0.0, 0.5, 0.5)
        looked = look(reduced("a", 0.09, 0.2, 0.2), control)
        assert decisions(looked) == [Decision.REGRESSION, Decision.PASS]
        assert looked.cases[1].terms.look == FIRST
        assert looked.cases[1].found.sessions == (5, 1)

    def test_an_early_regression_stands(self) -> None:
        looked = look(reduced("a", 0.5, 0.0, 0.0), reduced("b", 0.09, 0.0, 0.0), reduced("c", 0.0))
        assert decisions(looked)[:2] == [Decision.REGRESSION, Decision.PASS]
        assert first(looked).terms.look == FIRST

    def test_a_tolerance_that_the_noise_settled_stays_what_it_was(self) -> None:
        def own(found: object) -> Limit:
            del found
            return Limit(2 * T5 * ERROR, "the smallest")

        families = [Family([reduced("a", 0.04, 0.0, 0.0), reduced("b", 0.0)], 0.01, own)]
        case = first(take_looks(families, 2))
        assert case.terms.look == LAST
        assert case.terms.tolerance == pytest.approx(2 * T5 * ERROR)
        assert case.terms.own


def test_one_look_judges_all_sessions_together() -> None:
    looked = look(reduced("a", 0.4, 0.0, 0.01), looks=1)
    assert first(looked).found.sessions == (5, 3)
    assert first(looked).terms.look == ONLY
    assert (looked.plan, looked.control) == (None, ())


def test_nothing_to_judge() -> None:
    assert take_looks([Family([], 0.01, lambda _: Limit(0.1))], 2) == Looked((), None, ())
