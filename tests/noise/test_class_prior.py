# SPDX-License-Identifier: Apache-2.0
import math
import random

import pytest
from scipy.optimize import brentq
from scipy.special import digamma, polygamma

from ctxgate.noise.class_prior import (
    ENOUGH_BASELINES,
    MOST_FREEDOM,
    class_prior,
    inverse_trigamma,
)


def drawn(count: int, freedom: float, session_sd: float, spread: float) -> list[float]:
    """Sample variances of five sessions each, whose true variance is scaled inverse chi-square."""
    source = random.Random(3)
    found = []
    for _ in range(count):
        true = session_sd**2 * spread / source.gammavariate(spread / 2, 2)
        found.append(true * source.gammavariate(freedom / 2, 2) / freedom)
    return found


@pytest.mark.parametrize("y", [0.05, 0.5, 1.0, 2.0, 10.0, 1e4])
def test_inverse_trigamma_inverts(y: float) -> None:
    assert inverse_trigamma(float(polygamma(1, y))) == pytest.approx(y, rel=1e-9)


def test_published_values_of_trigamma() -> None:
    # Abramowitz and Stegun 6.4.1 ff: trigamma(1) is pi^2/6, trigamma(1/2) is pi^2/2.
    assert inverse_trigamma(math.pi**2 / 6) == pytest.approx(1.0, rel=1e-9)
    assert inverse_trigamma(math.pi**2 / 2) == pytest.approx(0.5, rel=1e-9)


def test_the_moments_agree_with_their_equations_solved_by_scipy() -> None:
    """Smyth 2004, section 6.2: mean and variance of log s^2 give s0 and d0."""
    variances = drawn(60, 4, 0.02, 6.0)
    logs = [math.log(one) for one in variances]
    centre = sum(logs) / 60
    scatter = sum((one - centre) ** 2 for one in logs) / 59 - float(polygamma(1, 2))
    half = brentq(lambda y: float(polygamma(1, y)) - scatter, 0.01, 1e6, xtol=1e-14)
    level = centre - float(digamma(2)) + math.log(2) + float(digamma(half)) - math.log(half)
    prior = class_prior(variances, [5] * 60, name="class")
    assert prior is not None
    assert prior.degrees_of_freedom == pytest.approx(2 * half, rel=1e-9)
    assert prior.variance == pytest.approx(math.exp(level), rel=1e-9)
    assert (prior.name, prior.provisional) == ("class", False)


def test_many_baselines_give_back_what_they_were_drawn_from() -> None:
    prior = class_prior(drawn(20_000, 4, 0.03, 8.0), [5] * 20_000, name="class")
    assert prior is not None
    assert prior.degrees_of_freedom == pytest.approx(8.0, rel=0.1)
    assert prior.session_sd == pytest.approx(0.03, rel=0.02)


def test_alike_variances_are_worth_no_more_than_twenty_sessions() -> None:
    same = class_prior([0.0004] * 30, [5] * 30, name="class")
    assert same is not None
    assert same.degrees_of_freedom == MOST_FREEDOM
    # log s^2 of five sessions lies psi(2) - log 2 below the log of the true variance
    assert same.variance == pytest.approx(0.0004 * math.exp(-float(digamma(2)) + math.log(2)))
    nearly = class_prior(drawn(2000, 4, 0.02, 400.0), [5] * 2000, name="class")
    assert nearly is not None
    assert nearly.degrees_of_freedom == MOST_FREEDOM


def test_fewer_than_twenty_make_no_prior() -> None:
    assert class_prior([0.0004] * (ENOUGH_BASELINES - 1), [5] * 19, name="class") is None
    # a variance of nothing, or of one session, tells nothing
    silent = [0.0] + [0.0004] * 20
    assert class_prior(silent[:20], [5] * 20, name="class") is None
    assert class_prior([0.0004] * 20, [1] + [5] * 19, name="class") is None
    assert class_prior(silent, [5] * 21, name="class") is not None
