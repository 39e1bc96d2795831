# SPDX-License-Identifier: Apache-2.0
"""The decision in the exact tier: instructions have no noise, so the difference itself decides."""

from collections.abc import Mapping

import msgspec

from ctxgate.noise.names import is_canary, switch_allowance, twin_of
from ctxgate.noise.summaries import Metric
from ctxgate.readings.model import Clock, Problem, Reading
from ctxgate.verdict.evidence import side_of
from ctxgate.verdict.kinds import Finding
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Side
from ctxgate.verdict.policy import Policy
from ctxgate.verdict.stored import Sessions
from ctxgate.verdict.wording import Twin, amount, cause, percent


class _Exact(msgspec.Struct, frozen=True):
    """One benchmark's exact values: all that the boots of either side gave, and the sides."""

    name: str
    metric: Metric
    values: tuple[list[float], list[float]]
    before: Side
    after: Side
    tolerance: float
    floor: float

    @property
    def change(self) -> float:
        return (self.after.value - self.before.value) / self.before.value

    @property
    def difference(self) -> str:
        sides = [amount(side.value, Clock.INSTRUCTIONS) for side in (self.after, self.before)]
        return f"{percent(self.change, signed=True)} ({sides[0]} against {sides[1]})"

    @property
    def limit(self) -> str:
        """What a difference has to be above to be a regression."""
        least = f" and above {amount(self.floor, Clock.INSTRUCTIONS)}" if self.floor else ""
        return f"{percent(self.tolerance)}{least}"


def judge_exact(
    pairs: Mapping[str, tuple[Sessions, Sessions]], policy: Policy
) -> tuple[tuple[BenchmarkVerdict, ...], tuple[Problem, ...]]:
    """Judge benchmarks in instructions; a problem for each whose boots of one side disagree.

    Under FIFO the value is the exact median of single round trips, under OTHER their mean. A
    canary is compared as well and listed, not gated.
    """
    found = [_read(name, before, after, policy) for name, (before, after) in pairs.items()]
    twins = {
        one.name: Twin(one.name, one.change, abs(one.change) >= one.tolerance / 2) for one in found
    }
    rows = []
    problems = []
    for one in found:
        decision, reason = _decide(one, twins.get(twin_of(one.name) or ""))
        rows.append(_row(one, decision, reason, twins.get(twin_of(one.name) or "")))
        if decision is Decision.BROKEN:
            problems.append(_boots_differ(one.name, reason))
    return tuple(rows), tuple(problems)


def _read(name: str, before: Sessions, after: Sessions, policy: Policy) -> _Exact:
    metric = Metric.MEAN if "/other/" in name else Metric.TYPICAL
    values = [sorted({_value(one, metric) for s in side for one in s}) for side in (before, after)]
    return _Exact(
        name,
        metric,
        (values[0], values[1]),
        side_of(before, values[0][0]),
        side_of(after, values[1][0]),
        policy.tolerance_of(name, Clock.INSTRUCTIONS) or 0.0,
        policy.floor_of(name, Clock.INSTRUCTIONS, values[0][0]),
    )


def _value(reading: Reading, metric: Metric) -> float:
    return reading.mean if metric is Metric.MEAN else reading.typical


def _row(one: _Exact, decision: Decision, reason: str, twin: Twin | None) -> BenchmarkVerdict:
    told = decision is not Decision.BROKEN
    return BenchmarkVerdict(
        name=one.name,
        verdict=decision,
        gated=not is_canary(one.name),
        metric=one.metric,
        rule=f"Exact {one.metric}: a regression if the difference is above {one.limit}, or if "
        f"switches per round trip rise by more than {switch_allowance(one.name)}.",
        reason=reason,
        baseline=one.before,
        contender=one.after,
        change=one.change if told else None,
        interval=(one.change, one.change) if told else None,
        tolerance=one.tolerance,
        mde=1 / one.before.value,  # one instruction
        twin_change=twin.change if twin else None,
    )


def _decide(one: _Exact, twin: Twin | None) -> tuple[Decision, str]:
    for which, values in zip(("baseline", "contender"), one.values, strict=True):
        if len(values) > 1:
            least, most = (amount(value, Clock.INSTRUCTIONS) for value in (values[0], values[-1]))
            return Decision.BROKEN, (
                f"Two boots of the {which} differ: {least} and {most}. An exact reading repeats "
                "bit for bit."
            )
    before, after = one.before, one.after
    if one.change > one.tolerance and after.value - before.value > one.floor:
        return Decision.REGRESSION, (
            f"It became dearer by {one.difference}, which is more than the tolerance of "
            f"{percent(one.tolerance)}. {cause(one.name, before, after, twin)}"
        )
    known = before.switches is not None and after.switches is not None
    risen = (after.switches or 0.0) - (before.switches or 0.0)
    if known and risen > switch_allowance(one.name):
        return Decision.REGRESSION, (
            f"It switches more often: {after.switches:.4g} times a round trip instead of "
            f"{before.switches:.4g}. The instructions: {one.difference}."
        )
    if one.change < -one.tolerance:
        return Decision.PASS, (
            f"It became cheaper: {one.difference}. Record a new baseline, or a later regression "
            "of that size goes unseen."
        )
    return Decision.PASS, (
        f"The difference is {one.difference}; a regression would be one above {one.limit}."
    )


def _boots_differ(name: str, reason: str) -> Problem:
    return Problem(
        kind=Finding.BOOTS_DIFFER,
        message=f"{name}: {reason}",
        remedy="Boot again; something in the guest depends on the host, its time or its seed.",
        benchmark=name,
    )
