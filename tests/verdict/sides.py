# SPDX-License-Identifier: Apache-2.0
"""Builders of the sides that the tests judge: sessions of runs with chosen log values."""

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

from ctxgate.readings.model import Clock, Reading, Run, Session, SessionSet

SWITCH = "switch/pipe/process/fifo/same_cpu"
TWIN = "twin/pipe/process/fifo/same_cpu"
OTHER = "switch/pipe/process/other/same_cpu"
ARITHMETIC = "canary/arithmetic"
NULL = "canary/null_syscall"
CACHE = "canary/cache_miss"
IDENTITY = {"cpu.model": "Bench 9000", "governor": "performance"}
SUBJECT = {"release": "6.1.0", "cmdline": "quiet"}


def reading(name: str, log_value: float, **changes: Any) -> Reading:
    """A proven reading whose floor is exp(log_value) ns and whose typical is 2 % above."""
    floor = math.exp(log_value)
    given: dict[str, Any] = {
        "floor": floor,
        "typical": floor * 1.02,
        "mean": floor * 1.05,
        "version": 1,
        "switches": 2.0 if name.startswith("switch/") else 0.0,
        "voluntary": 2.0 if name.startswith("switch/") else 0.0,
        "involuntary": 0.0,
    }
    return Reading(name=name, **{**given, **changes})


def bare(name: str, log_value: float, *, repetitions: int = 1, **changes: Any) -> Reading:
    """A foreign program's reading: it proves nothing."""
    unproven: dict[str, Any] = {"version": None, "switches": None, "voluntary": None}
    return reading(
        name, log_value, repetitions=repetitions, involuntary=None, **{**unproven, **changes}
    )


def run(readings: Sequence[Reading], file: str = "run-00.json", **changes: Any) -> Run:
    """One file with these readings."""
    given: dict[str, Any] = {
        "clock": Clock.NANOSECONDS,
        "foreign": False,
        "identity": IDENTITY,
        "subject": SUBJECT,
        "record": {},
        "unavailable": {},
    }
    return Run(file=file, readings={one.name: one for one in readings}, **{**given, **changes})


def side(
    logs: Mapping[str, Sequence[float]],
    *,
    runs: int = 8,
    where: str = "s",
    counts: Mapping[str, Any] | None = None,
    **changes: Any,
) -> SessionSet:
    """Sessions whose runs all give the same log value: one number a session and benchmark."""
    amount = len(next(iter(logs.values())))
    make = bare if changes.get("foreign") else reading
    sessions = []
    for index in range(amount):
        readings = [make(name, values[index], **(counts or {})) for name, values in logs.items()]
        folder = f"{where}{index}"
        sessions.append(
            Session(
                label=folder,
                runs=tuple(
                    run(readings, f"{folder}/run-{n:02}.json", **changes) for n in range(runs)
                ),
            )
        )
    return SessionSet(sessions=tuple(sessions))


def steady(count: int, level: float = 9.0, spread: float = 0.01) -> list[float]:
    """Log values whose mean is `level` and whose sample variance is `spread` squared."""
    if count == 1:
        return [level]
    marks = [index - (count - 1) / 2 for index in range(count)]
    scale = math.sqrt(sum(mark * mark for mark in marks) / (count - 1))
    return [level + spread * mark / scale for mark in marks]


def noisy(source: random.Random, count: int, level: float, spread: float) -> list[float]:
    """Log values drawn from a normal distribution."""
    return [source.gauss(level, spread) for _ in range(count)]
