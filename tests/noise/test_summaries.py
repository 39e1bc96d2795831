# SPDX-License-Identifier: Apache-2.0
import math

import pytest

from ctxgate.noise.summaries import (
    Metric,
    counts_differ,
    gather,
    quantile,
    sample_variance,
    summarise,
    summarise_tails,
    trimmed_mean,
)
from ctxgate.readings.model import Reading, Session, SessionSet
from tests.verdict.sides import reading, run


def test_quantile_by_hand() -> None:
    # place 0.25 * 7 = 1.75: a quarter of the way back from the third of eight.
    assert quantile([8, 1, 7, 2, 6, 3, 5, 4], 0.25) == pytest.approx(2.75)
    assert quantile([5.0, 1.0, 2.0, 4.0, 3.0], 0.25) == 2.0
    assert quantile([7.0], 0.25) == 7.0
    assert quantile([1.0, 2.0], 1.0) == 2.0


def test_trimmed_mean_by_hand() -> None:
    assert trimmed_mean([100, 3, 2, 4, -50], 0.2) == 3.0  # one of five from either end
    assert trimmed_mean([9, 1, 2, 3, 4, 5, 6, 1000, -7], 0.2) == pytest.approx(30 / 7)  # int(1.8)
    assert trimmed_mean([1.0, 3.0], 0.2) == 2.0


def test_variance_by_hand() -> None:
    assert sample_variance([1.0, 2.0, 3.0, 4.0]) == pytest.approx(5 / 3)
    assert sample_variance([3.0]) == 0.0


def of(floors: list[float], typicals: list[float]) -> list[Reading]:
    return [
        Reading(name="b", floor=math.exp(low), typical=math.exp(mid), mean=1.0)
        for low, mid in zip(floors, typicals, strict=True)
    ]


def test_floor_is_a_low_quantile_and_typical_a_trimmed_mean() -> None:
    session = of([1.0, 2.0, 3.0, 4.0, 9.0], [5.0, 6.0, 7.0, 8.0, 30.0])
    found = summarise([session], least_runs=5)
    assert found.floor[0].value == pytest.approx(2.0)
    assert found.typical[0].value == pytest.approx(7.0)
    assert found.floor[0].runs == 5
    assert found.floor[0].within == pytest.approx(sample_variance([1, 2, 3, 4, 9]))
    assert found.of(Metric.FLOOR) is found.floor
    assert found.of(Metric.TYPICAL) is found.typical


def test_fewer_than_five_runs_on_either_side_are_averaged_on_both() -> None:
    session = of([1.0, 2.0, 3.0, 4.0, 9.0], [5.0, 6.0, 7.0, 8.0, 30.0])
    found = summarise([session], least_runs=4)
    assert found.floor[0].value == pytest.approx(19 / 5)
    assert found.typical[0].value == pytest.approx(56 / 5)


def test_unlike_counts_are_seen() -> None:
    ten, twenty = (reading("b", 1.0, repetitions=count) for count in (10, 20))
    assert counts_differ([[ten]], [[twenty]])
    assert counts_differ([[ten, twenty]])
    assert not counts_differ([[ten], [ten]], [[ten]])


def test_gather_keeps_sessions_apart() -> None:
    first = Session(label="a", runs=(run([reading("x", 1.0)]), run([reading("x", 2.0)])))
    second = Session(label="b", runs=(run([reading("x", 3.0), reading("y", 4.0)]),))
    found = gather(SessionSet(sessions=(first, second)))
    assert [[round(math.log(one.floor)) for one in part] for part in found["x"]] == [[1, 2], [3]]
    assert [len(part) for part in found["y"]] == [0, 1]


def test_tails_are_trimmed_means_of_the_runs() -> None:
    runs = [math.exp(value) for value in (1.0, 2.0, 3.0, 4.0, 30.0)]
    (one,) = summarise_tails([runs], least_runs=5)
    assert (one.value, one.runs, one.least) == (pytest.approx(3.0), 5, pytest.approx(1.0))
    assert one.within == pytest.approx(sample_variance([1, 2, 3, 4, 30]))
    (few,) = summarise_tails([runs], least_runs=4)
    assert few.value == pytest.approx(8.0)
