# SPDX-License-Identifier: Apache-2.0
"""Simulated gates of known truth, decided by the product's own code.

The cells of facts/statistics.md, section 4.2: the log of a reading is a session's effect (half of
its variance shared by all benchmarks), a process's, a repetition's and spikes; 8 processes of 5
repetitions, 10 benchmarks, 5 baseline sessions, 1 contender session and 2 confirming ones.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ctxgate.noise.class_prior import class_prior
from ctxgate.noise.prior import Prior, provisional_prior
from ctxgate.noise.quieter import settle_metrics
from ctxgate.noise.sick import sick_sessions
from ctxgate.noise.summaries import Metric, Summaries, Summary, sample_variance
from ctxgate.verdict.looks import Family, Limit, take_looks
from ctxgate.verdict.model import Decision
from ctxgate.verdict.stored import Reduced

BENCHMARKS = 10
BASELINE = 5
FRESH = 3
PROCESSES = 8
REPETITIONS = 5
OTHER_BASELINES = 6
TOLERANCE = 0.03
ALPHA = 0.01
_SHARED = 0.5
_SPIKE_SHARE = 0.05
_SPIKE_MEAN = 0.3
_MODE_SHARE = 0.3
_MODE = math.log(1.25)
_SICK = math.log(1.5)
_BATCH = 50

Values = NDArray[np.float64]


class Cell(NamedTuple):
    """The standard deviations (log) of a kind of machine, and the peculiarities it has.

    `sick` is the number of a session in which everything is slowed by half.
    """

    name: str
    session: float
    process: float
    repetition: float
    spikes: bool = False
    modes: bool = False
    sick: int | None = None


CELLS = (
    Cell("A", 0.005, 0.01, 0.005),
    Cell("B", 0.02, 0.03, 0.01, spikes=True),
    Cell("C", 0.02, 0.01, 0.01, spikes=True, modes=True),
)
SICK_CELLS = (
    Cell("B, sick baseline session", 0.02, 0.03, 0.01, spikes=True, sick=2),
    Cell("B, sick first session", 0.02, 0.03, 0.01, spikes=True, sick=BASELINE),
)


class Outcome(NamedTuple):
    """What many gates came to: how many flagged any benchmark, how many the changed one."""

    gates: int
    alarms: int
    found: int
    passed: int
    unfit: int
    asked: int


def simulate(cell: Cell, *, gates: int, delta: float, own_prior: bool, seed: int) -> Outcome:
    """Gates whose first benchmark changed by `delta` (log); the others are unchanged.

    With `own_prior` each gate has a prior from six other simulated baselines, else the provisional
    one.
    """
    source = np.random.default_rng(seed)
    total = np.zeros(6, dtype=int)
    for start in range(0, gates, _BATCH):
        count = min(_BATCH, gates - start)
        sides = _metrics(_draw(source, cell, count, BASELINE + FRESH, delta))
        others = (
            _metrics(_draw(source, cell, count * OTHER_BASELINES, BASELINE, 0.0))
            if own_prior
            else None
        )
        for index in range(count):
            prior = provisional_prior() if others is None else _fitted(others, index)
            total += np.array(_gate(_reduced(sides, index, prior)))
    return Outcome(*(int(one) for one in total))


def _draw(
    source: np.random.Generator, cell: Cell, gates: int, sessions: int, delta: float
) -> Values:
    """Log values: gate, session, benchmark, process, repetition."""
    shape = (gates, sessions, BENCHMARKS, PROCESSES, REPETITIONS)
    session = math.sqrt(_SHARED) * source.standard_normal((*shape[:2], 1, 1, 1))
    session = session + math.sqrt(1 - _SHARED) * source.standard_normal((*shape[:3], 1, 1))
    process = cell.process * source.standard_normal((*shape[:4], 1))
    if cell.modes:
        process += _MODE * (source.random((*shape[:4], 1)) < _MODE_SHARE)
    values = cell.session * session + process + cell.repetition * source.standard_normal(shape)
    if cell.spikes:
        values += source.exponential(_SPIKE_MEAN, shape) * (source.random(shape) < _SPIKE_SHARE)
    values[:, BASELINE:, 0] += delta
    if cell.sick is not None and sessions > BASELINE:  # never in the baselines of the prior
        values[:, cell.sick] += _SICK
    return values


class _Metrics(NamedTuple):
    """Session summaries of both metrics: value, variance within and least run of each session."""

    floor: tuple[Values, Values, Values]
    typical: tuple[Values, Values, Values]


def _metrics(values: Values) -> _Metrics:
    """What ctxgate.noise.summaries makes of the runs, for all gates at once."""
    floor, typical = values.min(axis=-1), np.median(values, axis=-1)
    cut = int(0.2 * PROCESSES)
    trimmed = np.sort(typical, axis=-1)[..., cut : PROCESSES - cut].mean(axis=-1)
    return _Metrics(
        (np.quantile(floor, 0.25, axis=-1), floor.var(axis=-1, ddof=1), floor.min(axis=-1)),
        (trimmed, typical.var(axis=-1, ddof=1), typical.min(axis=-1)),
    )


def _reduced(metrics: _Metrics, gate: int, prior: Prior) -> list[Reduced]:
    """What ctxgate.verdict.stored.reduce makes of a gate, without the sick sessions."""
    both = [
        Summaries(*(_summaries(metric, gate, name) for metric in metrics))
        for name in range(BENCHMARKS)
    ]
    return _settled(both, list(range(BASELINE)), prior)


def _settled(both: Sequence[Summaries], kept: list[int], prior: Prior) -> list[Reduced]:
    stored = [Summaries(*(tuple(one[k] for k in kept) for one in sides)) for sides in both]
    settled = settle_metrics(stored, [False] * len(both), prior)
    reduced = [
        Reduced(f"b{name}", metric, before.of(metric), sides.of(metric)[BASELINE:], own)
        for name, (before, sides, (metric, own)) in enumerate(
            zip(stored, both, settled, strict=True)
        )
    ]
    sick = sick_sessions([one.stored_values for one in reduced], prior)
    if sick and len(kept) == BASELINE:
        return _settled(both, [k for k in kept if k not in sick], prior)
    return reduced


def _summaries(metric: tuple[Values, ...], gate: int, name: int) -> tuple[Summary, ...]:
    value, within, least = (one[gate, :, name].tolist() for one in metric)
    return tuple(
        Summary(v, w, PROCESSES, low) for v, w, low in zip(value, within, least, strict=True)
    )


def _fitted(others: _Metrics, gate: int) -> Prior:
    """The prior from the variances that the gates of six other baselines would rest on."""
    variances = []
    for baseline in range(gate * OTHER_BASELINES, (gate + 1) * OTHER_BASELINES):
        both = [
            Summaries(*(_summaries(metric, baseline, name) for metric in others))
            for name in range(BENCHMARKS)
        ]
        settled = settle_metrics(both, [False] * BENCHMARKS, provisional_prior())
        for sides, (metric, _) in zip(both, settled, strict=True):
            variances.append(sample_variance([one.value for one in sides.of(metric)]))
    fitted = class_prior(variances, [BASELINE] * len(variances), name="class prior")
    return fitted or provisional_prior()


def _gate(reduced: Sequence[Reduced]) -> tuple[int, ...]:
    """One gate: 1, any flagged, the first flagged, verdict pass, verdict unfit, asked again."""
    family = Family(reduced, ALPHA, lambda _: Limit(math.log1p(TOLERANCE)))
    looked = take_looks([family], 2)
    unfit = any(move.moved for move in looked.control)
    flagged = [
        case.ruling.decision is Decision.REGRESSION and not (unfit and case.terms.look.number == 2)
        for case in looked.cases
    ]
    passed = all(case.ruling.decision is Decision.PASS for case in looked.cases)
    return (
        1, int(any(flagged)), int(flagged[0]), int(passed and not unfit), int(unfit),
        int(looked.plan is not None),
    )  # fmt: skip


def check_summaries() -> None:
    """The summaries above are those of the product, on one drawn session; AssertionError if not."""
    from ctxgate.noise.summaries import summarise
    from ctxgate.readings.model import Reading

    values = _draw(np.random.default_rng(1), CELLS[2], 1, BASELINE + FRESH, 0.0)
    sessions = [
        [
            Reading(
                name="b0",
                floor=math.exp(min(run)),
                typical=math.exp(float(np.median(run))),
                mean=1.0,
            )
            for run in session[0]
        ]
        for session in values[0].tolist()
    ]
    product = summarise(sessions, least_runs=PROCESSES)
    metrics = _metrics(values)
    for metric, ours in ((Metric.FLOOR, metrics.floor), (Metric.TYPICAL, metrics.typical)):
        theirs, drawn = list(product.of(metric)), list(_summaries(ours, 0, 0))
        if not np.allclose(theirs, drawn, rtol=1e-12, atol=1e-15):
            raise AssertionError(f"{metric}: {theirs} and {drawn}")
