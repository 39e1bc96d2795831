# SPDX-License-Identifier: Apache-2.0
from itertools import permutations

import pytest

from ctxgate.noise.holm import Step, holm


def test_by_hand() -> None:
    # alpha = 0.05, m = 4: 0.005 <= 0.0125, 0.01 <= 0.0167, then 0.03 > 0.025 stops.
    steps = holm([0.01, 0.04, 0.03, 0.005], 0.05)
    assert [step.rejected for step in steps] == [True, False, False, True]
    assert [step.level for step in steps] == pytest.approx([0.05 / 3, 0.0125, 0.0125, 0.0125])


def test_the_order_of_the_benchmarks_does_not_matter() -> None:
    for order in permutations([0.001, 0.02, 0.9]):
        rejected = {p: step.rejected for p, step in zip(order, holm(order, 0.05), strict=True)}
        assert rejected == {0.001: True, 0.02: True, 0.9: False}


def test_stops_at_the_first_that_stands() -> None:
    # 0.04 alone would meet the last level 0.05, but 0.03 already failed at 0.025.
    assert [step.rejected for step in holm([0.03, 0.04], 0.05)] == [False, False]


def test_edges() -> None:
    assert holm([], 0.01) == []
    assert holm([0.01], 0.01) == [Step(True, 0.01)]
    assert holm([0.0100001], 0.01) == [Step(False, 0.01)]
