# SPDX-License-Identifier: Apache-2.0
"""The CPU for a foreign program; our own chooses for itself by the same rule."""

import os
from pathlib import Path

from ctxgate.readings.model import Problem
from ctxgate.system.outcome import MeasureError, State


def choose_cpu(root: Path, cpu: int | None) -> int:
    """`cpu` if this process may run there, else the highest allowed one, isolated ones first.

    MeasureError (unfit) where the kernel refuses `cpu`.
    """
    allowed = os.sched_getaffinity(0)
    if cpu is None:
        isolated = allowed & _read_cpu_list(root / "sys/devices/system/cpu/isolated")
        return max(isolated or allowed)
    try:
        os.sched_setaffinity(0, {cpu})
    except OSError as error:
        message = f"CPU {cpu} cannot be had: sched_setaffinity: {error.strerror}"
        remedy = "name a CPU that is online and in this cpuset (see `taskset -pc $$`)"
        problem = Problem(kind="affinity", message=message, remedy=remedy)
        raise MeasureError(State.UNFIT, problem) from error
    os.sched_setaffinity(0, allowed)
    return cpu


def _read_cpu_list(path: Path) -> set[int]:
    """CPUs of a kernel list such as "2-5,8"; none where it cannot be read."""
    try:
        text = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return set()
    cpus: set[int] = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        if first.isdigit() and (not last or last.isdigit()):
            cpus.update(range(int(first), int(last or first) + 1))
    return cpus
