# SPDX-License-Identifier: Apache-2.0
import pytest

from ctxgate.noise.prior import provisional_prior
from ctxgate.noise.quieter import settle_metrics
from ctxgate.noise.summaries import Metric, Summaries, Summary
from tests.verdict.sides import steady

PRIOR = provisional_prior()


def both(floor: float, typical: float, sessions: int = 5) -> Summaries:
    return Summaries(*(
        tuple(Summary(value, 0.0, 8) for value in steady(sessions, 9.0, spread))
        for spread in (floor, typical)
    ))  # fmt: skip


def metrics(*sides: Summaries, unlike: bool = False) -> list[Metric]:
    return [metric for metric, _ in settle_metrics(sides, [unlike] * len(sides), PRIOR)]


def test_the_quieter_of_one_benchmark() -> None:
    assert metrics(both(0.01, 0.03)) == [Metric.FLOOR]
    assert metrics(both(0.03, 0.01)) == [Metric.TYPICAL]
    assert metrics(both(0.02, 0.02)) == [Metric.FLOOR]
    assert metrics(both(0.01, 0.03), unlike=True) == [Metric.TYPICAL]
    assert metrics(both(0.0, 0.0, sessions=1)) == [Metric.FLOOR]
    assert settle_metrics([], [], PRIOR) == []


def test_what_looks_quiet_by_chance_does_not_gate() -> None:
    """Typical varies by 10 % in nine benchmarks; that it is 1 % in the tenth is luck."""
    sides = [*[both(0.02, 0.10)] * 9, both(0.02, 0.01)]
    assert metrics(*sides) == [Metric.FLOOR] * 10


def test_each_metric_has_its_own_prior() -> None:
    settled = settle_metrics(
        [both(0.02, 0.10), both(0.02, 0.10), both(0.5, 0.10)], [False] * 3, PRIOR
    )
    assert [metric for metric, _ in settled] == [Metric.FLOOR, Metric.FLOOR, Metric.TYPICAL]
    assert settled[0][1].session_sd == pytest.approx(0.02 / 0.8392**0.5, rel=1e-3)
    assert settled[2][1].session_sd == pytest.approx(0.10 / 0.8392**0.5, rel=1e-3)
