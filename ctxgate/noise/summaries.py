# SPDX-License-Identifier: Apache-2.0
"""A session's runs reduced to one log number a benchmark and metric.

Each run gives one number; repetitions inside a run are never treated as evidence of their own,
because tests on them raise 30-85 % false alarms on unchanged code.
"""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from ctxgate.readings.model import Reading, SessionSet

FEW_RUNS = 5
"""Below this many runs a session is summarised by the plain mean: nothing is left to trim."""

_FLOOR_QUANTILE = 0.25
_TRIMMED_SHARE = 0.20


class Metric(StrEnum):
    """The statistic of a run that a gate rests on."""

    FLOOR = "floor"
    TYPICAL = "typical"
    MEAN = "mean"
    P99 = "p99"


class Summary(NamedTuple):
    """One metric of one benchmark in one session, in log units.

    `within` is the sample variance between the session's runs (0 for a single one), `least` the
    cheapest of them.
    """

    value: float
    within: float
    runs: int
    least: float = -math.inf


class Summaries(NamedTuple):
    """Every session of one side for one benchmark, by metric."""

    floor: tuple[Summary, ...]
    typical: tuple[Summary, ...]

    def of(self, metric: Metric) -> tuple[Summary, ...]:
        """The sessions' summaries of one of the two gated metrics."""
        return self.floor if metric is Metric.FLOOR else self.typical


def gather(side: SessionSet) -> dict[str, list[list[Reading]]]:
    """Each benchmark's readings, one list a session in the order of the side's sessions.

    A session that lacks the benchmark has an empty list.
    """
    gathered: dict[str, list[list[Reading]]] = {}
    count = len(side.sessions)
    for index, session in enumerate(side.sessions):
        for run in session.runs:
            for name, reading in run.readings.items():
                sessions = gathered.get(name)
                if sessions is None:
                    sessions = gathered[name] = [[] for _ in range(count)]
                sessions[index].append(reading)
    return gathered


def quantile(values: Sequence[float], share: float) -> float:
    """The quantile by linear interpolation between order statistics (Hyndman and Fan's type 7)."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def trimmed_mean(values: Sequence[float], share: float) -> float:
    """The mean without the `share` lowest and the `share` highest values, counts rounded down."""
    cut = int(share * len(values))
    return mean(sorted(values)[cut : len(values) - cut])


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean, summed without rounding on the way."""
    return math.fsum(values) / len(values)


def sample_variance(values: Sequence[float]) -> float:
    """The variance with n-1 in the denominator; 0 for fewer than two values."""
    if len(values) < 2:
        return 0.0
    centre = mean(values)
    return math.fsum((value - centre) ** 2 for value in values) / (len(values) - 1)


def summarise(sessions: Sequence[Sequence[Reading]], *, least_runs: int) -> Summaries:
    """Reduce one benchmark's sessions to log floor and log typical.

    Floor is the 25 % quantile over runs, typical the 20 %-trimmed mean, so that one or two sick
    runs of eight move neither. `least_runs` is the smallest run count of any session on either
    side: below five, all sessions are averaged plainly, because a quantile of eight runs against
    a mean of three would show a change where there is none.
    """
    few = least_runs < FEW_RUNS
    floors = []
    typicals = []
    for readings in sessions:
        floor = [math.log(reading.floor) for reading in readings]
        typical = [math.log(reading.typical) for reading in readings]
        low = mean(floor) if few else quantile(floor, _FLOOR_QUANTILE)
        middle = mean(typical) if few else trimmed_mean(typical, _TRIMMED_SHARE)
        floors.append(Summary(low, sample_variance(floor), len(floor), min(floor)))
        typicals.append(Summary(middle, sample_variance(typical), len(typical), min(typical)))
    return Summaries(tuple(floors), tuple(typicals))


def summarise_tails(sessions: Sequence[Sequence[float]], *, least_runs: int) -> tuple[Summary, ...]:
    """Reduce one benchmark's 99 % quantiles, one a run, to a log number a session.

    The machinery of the typical value: quantiles of single runs are what varies from run to run;
    pooled round trips would not be independent.
    """
    few = least_runs < FEW_RUNS
    summaries = []
    for quantiles in sessions:
        logs = [math.log(one) for one in quantiles]
        middle = mean(logs) if few else trimmed_mean(logs, _TRIMMED_SHARE)
        summaries.append(Summary(middle, sample_variance(logs), len(logs), min(logs)))
    return tuple(summaries)


def counts_differ(*sides: Sequence[Sequence[Reading]]) -> bool:
    """Whether the runs rest on unlike numbers of repetitions, here or between the sides.

    The least of twenty repetitions lies below the least of ten in unchanged code, so a floor taken
    from them must not gate.
    """
    return len({reading.repetitions for side in sides for one in side for reading in one}) > 1
