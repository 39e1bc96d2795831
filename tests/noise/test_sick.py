# SPDX-License-Identifier: Apache-2.0
import math
import random

import pytest

from ctxgate.noise.certifiable import certifiable_tolerances
from ctxgate.noise.prior import provisional_prior
from ctxgate.noise.sick import sick_sessions
from tests.verdict.sides import SWITCH, TWIN, side, steady

PRIOR = provisional_prior()
HALF = math.log(1.5)


def baseline(*sick: int, sessions: int = 5, count: int = 4, by: float = HALF) -> list[list[float]]:
    source = random.Random(4)
    rows = [[9.0 + source.gauss(0, 0.02) for _ in range(sessions)] for _ in range(count)]
    for row in rows:
        for number in sick:
            row[number] += by
    return rows


@pytest.mark.parametrize("number", range(5))
def test_one_in_five_slowed_by_half_is_found(number: int) -> None:
    assert sick_sessions(baseline(number), PRIOR) == [number]


def test_healthy_and_quick_sessions_stay() -> None:
    assert sick_sessions(baseline(), PRIOR) == []
    assert sick_sessions(baseline(1, by=-HALF), PRIOR) == []
    assert sick_sessions([], PRIOR) == []


def test_four_sessions_cannot_spare_one() -> None:
    assert sick_sessions(baseline(1, sessions=4), PRIOR) == []


def test_one_noisy_benchmark_makes_no_session_sick() -> None:
    rows = baseline()
    rows[0][2] += 1.0
    assert sick_sessions(rows, PRIOR) == []
    rows[1][2] += 1.0  # half of them
    assert sick_sessions(rows, PRIOR) == [2]


def test_at_most_one_in_five_is_left_out() -> None:
    assert sick_sessions(baseline(3, 7, sessions=40, by=2.0), PRIOR) == [3, 7]
    assert len(sick_sessions(baseline(0, 1, sessions=9, by=3.0), PRIOR)) <= 1


def test_the_limit_by_hand() -> None:
    # Four others at 9 with SD 0: s2 = 4 * 0.0004 / 7 with nu 7, t(0.999, 7) = 4.785290;
    # the median variance of the others is 0, so the prior stays as it is.
    edge = 4.785290 * math.sqrt(4 * 0.0004 / 7 * 1.25)
    for far, found in ((edge * 0.9999, []), (edge * 1.0001, [4])):
        assert sick_sessions([[9.0, 9.0, 9.0, 9.0, 9.0 + far]], PRIOR) == found


def test_a_noisy_machine_has_no_sick_sessions() -> None:
    source = random.Random(8)
    found = 0
    for _ in range(200):
        rows = [[source.gauss(9, 0.2) for _ in range(5)] for _ in range(6)]
        found += bool(sick_sessions(rows, PRIOR))
    assert found == 0


def test_the_tolerances_of_a_baseline_leave_it_out() -> None:
    healthy = {SWITCH: steady(4), TWIN: steady(4, 7.0)}
    sick = {name: [*logs[:2], logs[0] + HALF, *logs[2:]] for name, logs in healthy.items()}
    assert certifiable_tolerances(side(sick)) == certifiable_tolerances(side(healthy))
