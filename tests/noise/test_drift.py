# SPDX-License-Identifier: Apache-2.0
import itertools
import math
from statistics import NormalDist

import pytest

from ctxgate.noise.drift import common_series, trend_p_value


@pytest.mark.parametrize("count", [3, 5, 6, 7])
def test_a_rise_is_the_rarest_of_all_orders(count: int) -> None:
    rise = [0.1 * index for index in range(count)]
    assert trend_p_value(rise) == pytest.approx(2 / math.factorial(count))
    assert trend_p_value(rise[::-1]) == pytest.approx(2 / math.factorial(count))


def test_all_orders_are_counted() -> None:
    # 2 1 3 4 5: squared steps 1 + 4 + 1 + 1 = 7; no more have the two rises (4) and 2 1 3 4 5,
    # 1 2 3 5 4 and both backwards (7).
    assert trend_p_value([2.0, 1.0, 3.0, 4.0, 5.0]) == pytest.approx(6 / 120)
    # 3 5 1 4 2 has 4 + 16 + 9 + 4 = 33, nearly the largest
    assert trend_p_value([3.0, 5.0, 1.0, 4.0, 2.0]) > 0.9


def test_the_p_value_is_one_on_the_average_order() -> None:
    chances = [trend_p_value(order) for order in itertools.permutations(range(5))]
    for level in (0.05, 0.1, 0.5):
        assert sum(chance <= level for chance in chances) / 120 <= level


def test_many_sessions_by_the_normal_approximation() -> None:
    # Bartels 1982: mean 2, variance 4 (n-2)(5 n^2 - 2 n - 9) / (5 n (n+1)(n-1)^2)
    count = 12
    ratio = 11 / 143  # eleven steps of one over the squared deviations (n^3 - n) / 12
    deviation = math.sqrt(4 * 10 * (720 - 24 - 9) / (5 * 12 * 13 * 121))
    expected = NormalDist().cdf((ratio - 2) / deviation)
    assert trend_p_value(list(range(count))) == pytest.approx(expected, rel=1e-9)
    assert expected < 1e-3
    assert trend_p_value([index % 2 + 0.01 * index for index in range(count)]) > 0.5


def test_nothing_to_tell_by() -> None:
    assert trend_p_value([]) == 1.0
    assert trend_p_value([1.0, 2.0]) == 1.0
    assert trend_p_value([3.0] * 9) == 1.0


def test_a_step_is_a_trend_and_equal_values_share_their_ranks() -> None:
    assert trend_p_value([1.0] * 6 + [2.0] * 6) < 0.01


def test_the_common_series_is_what_the_benchmarks_share() -> None:
    drift = [0.0, 1.0, 2.0, 3.0]
    noise = [0.3, -0.3, -0.3, 0.3]
    series = common_series([
        [d + n for d, n in zip(drift, noise, strict=True)],
        [10 * (d - n) for d, n in zip(drift, noise, strict=True)],
        [5.0] * 4,
    ])  # fmt: skip
    steps = [after - before for before, after in itertools.pairwise(series)]
    assert steps == pytest.approx([steps[0]] * 3)
    assert common_series([[5.0] * 4]) == []
    assert common_series([]) == []
