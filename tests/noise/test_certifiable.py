# SPDX-License-Identifier: Apache-2.0
import math

import pytest

from ctxgate.noise.certifiable import (
    MOST_SESSIONS,
    Needed,
    certifiable,
    certifiable_tolerances,
    fraction,
    mde,
    sessions_needed,
)
from ctxgate.noise.student import critical
from ctxgate.noise.variance import Spread, standard_error
from ctxgate.readings.model import Clock, Session, SessionSet
from tests.verdict.sides import ARITHMETIC, SWITCH, TWIN, run, side, steady


def test_formulas_by_hand() -> None:
    # t(0.95, 8) = 1.8595, t(0.99, 8) = 2.8965, t(0.8, 8) = 0.8889
    assert certifiable(0.01, 8) == pytest.approx(0.037191, abs=1e-6)
    assert mde(0.01, 8, alpha=0.01, tolerance=0.001) == pytest.approx(0.037854, abs=1e-6)
    assert mde(0.01, 8, alpha=0.01, tolerance=0.05) == pytest.approx(0.058889, abs=1e-6)


def test_the_printed_multiples_of_the_session_sd() -> None:
    # Five sessions without a prior: 4.67 s at 19 in 20, the second term at 4 in 5 gives 3.37 s.
    error = math.sqrt(1.2)
    assert certifiable(error, 4) == pytest.approx(4.67, abs=5e-3)
    assert (critical(0.05, 4) + critical(0.2, 4)) * error == pytest.approx(3.37, abs=1e-2)


def test_fraction_stays_finite() -> None:
    assert fraction(math.log(1.5)) == pytest.approx(0.5)
    assert fraction(1e9) < float("inf")
    assert fraction(-1e9) == -1.0


def width(found: Spread, more: Needed, have: tuple[int, int], level: float) -> float:
    counts = (have[0] + more.baseline, have[1] + more.contender)
    return critical(level, found.nu + more.baseline) * standard_error(found, *counts)


@pytest.mark.parametrize("half_width", [0.009, 0.01, 0.0148, 0.02, 0.03])
@pytest.mark.parametrize("have", [(3, 1), (5, 1), (5, 2), (8, 3)])
@pytest.mark.parametrize("extra", [0.0, 0.0002])
def test_the_fewest_sessions_that_do(
    half_width: float, have: tuple[int, int], extra: float
) -> None:
    found = Spread(0.0004, 4.0 + have[0] - 1, extra)
    needed = sessions_needed(found, have, half_width=half_width)
    assert needed is not None
    assert width(found, needed, have, 0.05) <= half_width
    total = sum(needed)
    for baseline in range(total):
        fewer = Needed(baseline, total - 1 - baseline)
        assert width(found, fewer, have, 0.05) > half_width


def test_a_thin_baseline_is_asked_up_to_three() -> None:
    assert sessions_needed(Spread(1e-9, 4.0, 0.0), (1, 1), half_width=0.01) == Needed(2, 0)
    assert sessions_needed(Spread(1e-9, 5.0, 0.0), (2, 1), half_width=0.01) == Needed(1, 0)


def test_no_number_of_sessions_does() -> None:
    assert sessions_needed(Spread(0.04, 8.0, 0.0), (5, 1), half_width=0.015) is None
    assert sessions_needed(Spread(0.0004, 8.0, 0.0), (5, 1), half_width=1e-9) is None


def test_the_limit_counts_both_sides() -> None:
    for half_width in (0.004, 0.0045, 0.005, 0.0055, 0.006):
        needed = sessions_needed(Spread(0.0004, 8.0, 0.0), (5, 1), half_width=half_width)
        assert needed is None or sum(needed) <= MOST_SESSIONS


def test_tolerances_of_a_baseline() -> None:
    logs = {SWITCH: steady(5, 9.0, 0.01), TWIN: steady(5, 7.0, 0.0), ARITHMETIC: steady(5, 7.0)}
    found = certifiable_tolerances(side(logs))
    assert list(found) == [SWITCH, TWIN]
    # s2 = (4 * 0.0004 + 4 * 0.0001) / 8, SE = sqrt(s2 * 1.2), 2 t(0.95, 8) SE
    assert found[SWITCH] == pytest.approx(math.expm1(2 * 1.859548 * math.sqrt(0.0003)), rel=1e-6)
    assert found[TWIN] == pytest.approx(math.expm1(2 * 1.859548 * math.sqrt(0.00024)), rel=1e-6)


def test_nothing_is_certified_by_two_sessions_or_gaps_or_instructions() -> None:
    assert certifiable_tolerances(side({SWITCH: steady(2)})) == {}
    assert certifiable_tolerances(side({SWITCH: steady(5)}, clock=Clock.INSTRUCTIONS)) == {}
    whole = side({SWITCH: steady(3)})
    gap = SessionSet(sessions=(*whole.sessions, Session(label="gap", runs=(run([]),))))
    assert certifiable_tolerances(gap) == {}
    assert certifiable_tolerances(SessionSet(sessions=())) == {}
