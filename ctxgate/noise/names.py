# SPDX-License-Identifier: Apache-2.0
"""What the fixed names of benchmarks say: which is a canary, which is the twin of which."""

CANARY = "canary/"
"""Prefix of the loops that watch the machine and are never gated."""

NULL_SYSCALL_CANARY = "canary/null_syscall"
"""The one canary that enters the kernel, so that a kernel change may move it."""

TAIL_SUFFIX = " p99"
"""Ends the name of the row that judges a benchmark's tail; no measured name ends so."""

_SWITCH = "switch/"
_TWIN = "twin/"


def is_canary(name: str) -> bool:
    """Whether a benchmark only watches the machine."""
    return name.startswith(CANARY)


def twin_of(name: str) -> str | None:
    """The no-switch twin of a switch benchmark: the same system calls without a hand-over."""
    return _TWIN + name.removeprefix(_SWITCH) if name.startswith(_SWITCH) else None


def measured_name(row: str) -> str:
    """The benchmark that has to be measured for a row: itself, or the one whose tail it is."""
    return row.removesuffix(TAIL_SUFFIX)


def switch_allowance(name: str) -> float:
    """How many switches per round trip a count may be off before it means something.

    0.01 where the kernel decides every hand-over (FIFO), 0.1 under SCHED_OTHER.
    """
    return 0.1 if "/other/" in name else 0.01
