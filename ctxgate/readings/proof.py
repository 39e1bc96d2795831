# SPDX-License-Identifier: Apache-2.0
"""The rule for a valid reading, worked out again from its counts; bench/proof has the same one."""

from typing import NamedTuple

from ctxgate.readings.problems import Kind
from ctxgate.readings.rows import Fault

_STRICT = 0.01
"""Switches per round trip that a FIFO task may be off: only a stopper thread can interfere."""

_LOOSE = 0.1
"""The same under SCHED_OTHER, where the tick lets others in; canaries always run there."""

_RT_GAPS = 2
"""One gap of 45-55 ms may be chance; two betray RT throttling, which knows FIFO tasks only."""

_OTHERS_LOOSE = 0.002
"""Foreign switches per round trip on an isolated CPU under SCHED_OTHER (2 per 1,000)."""

_CROWDED = 1 / 3
"""The share of batches in which others may have run on the CPU; beyond it they are measured too."""

_ROUNDING = 1e-9


class Counts(NamedTuple):
    """What a row counted, per round trip (migrations, changes and gaps: in all)."""

    switches: float
    least: float
    most: float
    is_range: bool
    voluntary: float
    involuntary: float
    voluntary_most: float
    involuntary_most: float
    migrations: float
    class_changes: float
    rt_gaps: float
    others: float
    crowded: float


def check_proof(name: str, counts: Counts, *, flag: bool) -> None:
    """Raises Fault unless the flag is set and the counts bear it out."""
    is_loose = "/other/" in name or name.startswith("canary/")
    against = [*_against_expectation(name, counts), *_against_counts(counts, is_loose=is_loose)]
    if not flag:
        why = "; ".join(against) or "its counts show no reason"
        raise Fault(Kind.INVALID, f"is marked invalid: {why}")
    if against:
        raise Fault(Kind.BELIED, f"is marked valid, but {'; '.join(against)}")


def _against_expectation(name: str, counts: Counts) -> list[str]:
    """What is wrong with the number of switches that the row says it expected."""
    if name.startswith(("twin/", "canary/")) and counts.most > 0:
        return [f"expects {counts.most:g} switches where there must be none"]
    if name.startswith("switch/") and not 0 < counts.least <= counts.most:
        return [f"expects {counts.least:g} to {counts.most:g} switches of a path that switches"]
    return []


def _against_counts(counts: Counts, *, is_loose: bool) -> list[str]:
    """Everything that the counts say against the reading."""
    slack = (_LOOSE if is_loose else _STRICT) + _ROUNDING
    range_slack = max(slack, _LOOSE + _ROUNDING) if counts.is_range else slack
    against = []
    if not counts.least - range_slack <= counts.switches <= counts.most + range_slack:
        expected = (
            f"{counts.least:g} to {counts.most:g}" if counts.is_range else f"{counts.least:g}"
        )
        against.append(f"{counts.switches:.4g} switches per round trip, not {expected}")
    sides = counts.voluntary + counts.involuntary
    if abs(sides - counts.switches) > slack:
        against.append(f"{counts.switches:.4g} switches, but the tasks' own add up to {sides:.4g}")
    for kind, counted, most in (
        ("voluntary", counts.voluntary, counts.voluntary_most),
        ("involuntary", counts.involuntary, counts.involuntary_most),
    ):
        if counted > most + slack:
            against.append(f"{counted:.4g} {kind} switches per round trip, more than {most:g}")
    if counts.migrations > 0:
        against.append(f"{counts.migrations:g} migrations to another CPU")
    if counts.class_changes > 0:
        against.append(f"{counts.class_changes:g} times in another scheduling class")
    if counts.rt_gaps >= _RT_GAPS and not is_loose:
        against.append(f"{counts.rt_gaps:g} gaps of 45-55 ms: real-time throttling")
    if counts.others > (_OTHERS_LOOSE if is_loose else 0.0) + _ROUNDING:
        against.append(f"{counts.others:.4g} switches to other tasks on its isolated CPU")
    if counts.crowded > _CROWDED + _ROUNDING:
        against.append(f"others ran on its CPU in {counts.crowded:.0%} of the batches")
    return against
