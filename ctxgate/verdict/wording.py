# SPDX-License-Identifier: Apache-2.0
"""The phrases that rules and reasons are built from: amounts, percentages, counts, causes."""

from typing import NamedTuple

from ctxgate.noise.names import switch_allowance
from ctxgate.readings.model import Clock
from ctxgate.verdict.model import Side

_MIX_ALLOWANCE = 0.05
"""Involuntary switches per round trip; idle sessions of one kernel agree within 0.02."""


class Twin(NamedTuple):
    """How the no-switch twin of a benchmark fared; `moved` if beyond noise and half a tolerance."""

    name: str
    change: float
    moved: bool


def percent(fraction: float, *, signed: bool = False) -> str:
    """A fraction as percent with three significant digits, more only where they are whole.

    `3 %`, `0.0833 %`, with `signed` `+5.21 %`.
    """
    value = 100 * fraction + 0.0  # so that -0.0 reads as 0
    text = f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    if "e" in text:
        text = f"{value:.1e}"
    return f"{'+' if signed and value >= 0 else ''}{text} %"


def amount(value: float, clock: Clock) -> str:
    """A value in its clock's unit: `9.31 us`, `11837 instructions`."""
    if clock is Clock.INSTRUCTIONS:
        return f"{value:,.10g} instructions"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if value >= size:
            return f"{value / size:.4g} {unit}"
    return f"{value:.4g} ns"


def plural(count: int, noun: str) -> str:
    """`1 session`, `5 sessions`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def probability(p: float) -> str:
    """A p value; one too small for a float is below 1e-300."""
    return f"p = {p:.2g}" if p > 0 else "p < 1e-300"


def cause(name: str, baseline: Side, contender: Side, twin: Twin | None) -> str:
    """What moved beside the gated value: switches per round trip and the no-switch twin."""
    parts = [_switches(name, baseline, contender), *_mix(baseline, contender)]
    if twin is not None:
        moved = (
            "so part of the cost is in the system calls and not in the switch"
            if twin.moved and twin.change > 0
            else "so the system calls became cheaper and the switch is what costs more"
            if twin.moved
            else "so the syscall path itself did not move: the cost is in the switch"
        )
        parts.append(f"{twin.name}, the same without a switch: "
                     f"{percent(twin.change, signed=True)}, {moved}.")  # fmt: skip
    return " ".join(parts)


def _mix(baseline: Side, contender: Side) -> list[str]:
    """A changed share of involuntary switches: the same number, decided otherwise."""
    before, after = baseline.involuntary, contender.involuntary
    if before is None or after is None or abs(after - before) <= _MIX_ALLOWANCE:
        return []
    return [
        f"Of them {before:.2f} were involuntary and now {after:.2f}: the scheduler lets the woken "
        "task preempt more or less often, by its own rules or because others were runnable."
    ]


def _switches(name: str, baseline: Side, contender: Side) -> str:
    before, after = baseline.switches, contender.switches
    if before is None or after is None:
        return "The files carry no switch counts."
    if abs(after - before) <= switch_allowance(name):
        return f"Switches per round trip did not change ({after:.2f})."
    more = "more" if after > before else "fewer"
    return (
        f"Switches per round trip went from {before:.2f} to {after:.2f}: {more} hand-overs are "
        "part of the change."
    )
