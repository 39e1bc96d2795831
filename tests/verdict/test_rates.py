# SPDX-License-Identifier: Apache-2.0
"""Whole simulated gates with fixed seeds: the stated error rates are the real ones."""

import math
import random

import pytest

from ctxgate.noise.prior import provisional_prior
from ctxgate.verdict.model import BenchmarkVerdict, Decision
from ctxgate.verdict.policy import CERTIFIABLE, Policy
from ctxgate.verdict.stored import Sessions
from ctxgate.verdict.wall import judge_wall
from tests.verdict.sides import noisy, reading

GATES = 2000


def sessions(values: list[float]) -> Sessions:
    return [[reading("b", value)] for value in values]


def simulate(
    source: random.Random,
    policy: Policy,
    *,
    baseline: int,
    spread: float,
    delta: float = 0.0,
    count: int = 4,
) -> tuple[BenchmarkVerdict, ...]:
    """One gate over `count` benchmarks of equal noise; the first changes by `delta`."""
    pairs = {
        f"b{index}": (
            sessions(noisy(source, baseline, 9.0, spread)),
            sessions(noisy(source, 1, 9.0 + (delta if index == 0 else 0.0), spread)),
        )
        for index in range(count)
    }
    return judge_wall(pairs, policy, provisional_prior(), foreign=False)[0]


def most_likely(count: int, rate: float) -> int:
    """The largest number of events that a rate gives in `count` trials 999 times in 1000."""
    from scipy.stats import binom

    return int(binom.ppf(0.999, count, rate))


@pytest.mark.parametrize(("baseline", "spread"), [(5, 0.02), (3, 0.05), (5, 0.10)])
def test_unchanged_code_raises_at_most_one_alarm_in_a_hundred_gates(
    baseline: int, spread: float
) -> None:
    source = random.Random(baseline)
    policy = Policy(tolerance=0.001)  # so small that significance alone stands against an alarm
    alarms = 0
    for _ in range(GATES):
        rows = simulate(source, policy, baseline=baseline, spread=spread)
        alarms += any(row.verdict is Decision.REGRESSION for row in rows)
    assert alarms <= most_likely(GATES, policy.alpha)


def test_one_and_two_sessions_raise_hardly_any_alarm() -> None:
    source = random.Random(12)
    policy = Policy(tolerance=0.001)
    for baseline in (1, 2):
        rows = [simulate(source, policy, baseline=baseline, spread=0.02) for _ in range(500)]
        assert sum(any(row.verdict is Decision.REGRESSION for row in one) for one in rows) <= 1
        assert not any(row.verdict is Decision.PASS for one in rows for row in one)


@pytest.mark.parametrize("spread", [0.02, 0.05])
def test_a_change_of_the_mde_is_found_four_times_in_five(spread: float) -> None:
    source = random.Random(7)
    policy = Policy(tolerance=0.03)
    found = 0
    gates = GATES // 2
    for _ in range(gates):
        state = source.getstate()
        stated = simulate(source, policy, baseline=8, spread=spread)[0].mde
        assert stated is not None
        source.setstate(state)  # the same sessions, with the change put into the first
        rows = simulate(source, policy, baseline=8, spread=spread, delta=math.log1p(stated))
        found += rows[0].verdict is Decision.REGRESSION
    assert 0.76 <= found / gates <= 0.92


@pytest.mark.parametrize("spread", [0.02, 0.05])
def test_unchanged_code_passes_its_certifiable_tolerance_19_times_in_20(spread: float) -> None:
    source = random.Random(19)
    policy = Policy(tolerance=CERTIFIABLE)
    passed = sum(
        row.verdict is Decision.PASS
        for _ in range(GATES // 4)
        for row in simulate(source, policy, baseline=5, spread=spread)
    )
    trials = GATES // 4 * 4
    assert trials - passed <= most_likely(trials, 0.05)


def test_a_change_of_twice_the_tolerance_hardly_ever_passes() -> None:
    source = random.Random(5)
    policy = Policy(tolerance=0.06)
    passed = sum(
        simulate(source, policy, baseline=5, spread=0.02, delta=math.log(1.12))[0].verdict
        is Decision.PASS
        for _ in range(GATES)
    )
    assert passed <= most_likely(GATES, 0.05)
