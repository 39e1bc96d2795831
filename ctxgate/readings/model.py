# SPDX-License-Identifier: Apache-2.0
"""What a checked Google Benchmark file says: readings, runs, sessions, and what is wrong."""

from collections.abc import Mapping
from enum import StrEnum

import msgspec

UNKNOWN = "unknown"
"""The value of a fact that could not be read; it never equals anything, itself included."""


class Clock(StrEnum):
    """What a reading counts; readings of different clocks are never compared."""

    NANOSECONDS = "ns"
    INSTRUCTIONS = "instructions"


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Something a gate must not trust; it makes the verdict broken (or what `kind` maps to).

    `message` says what is wrong and where, `remedy` what to do about it; `file` and `benchmark`
    are empty where the problem belongs to none.
    """

    kind: str
    message: str
    remedy: str
    file: str = ""
    benchmark: str = ""


class Caution(msgspec.Struct, frozen=True, kw_only=True):
    """Something to know; it travels with the result and fails nothing."""

    kind: str
    message: str
    file: str = ""
    benchmark: str = ""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One benchmark in one run, in the unit of the run's clock and per round trip.

    `floor` is the run's cheapest batches, `typical` its median. For a foreign program they are the
    least and the median of `repetitions` values, and every count is None: it proves nothing.
    """

    name: str
    floor: float
    typical: float
    mean: float
    repetitions: int = 1
    samples: int | None = None
    version: int | None = None
    switches: float | None = None
    switches_min: float | None = None
    switches_max: float | None = None
    voluntary: float | None = None
    involuntary: float | None = None
    migrations: float | None = None
    p90: float | None = None
    p99: float | None = None
    p999: float | None = None
    max: float | None = None


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One process of a benchmark program: one JSON file.

    `identity` holds the facts that must match, `subject` those under test, `record` those that are
    only noted. `session`, `run_index`, `session_runs` are what `ctxgate measure` stamped into the
    file, so that an incomplete session is noticed; "" and None where it did not.
    """

    file: str
    clock: Clock
    foreign: bool
    readings: Mapping[str, Reading]
    identity: Mapping[str, str]
    subject: Mapping[str, str]
    record: Mapping[str, str]
    unavailable: Mapping[str, str]
    session: str = ""
    run_index: int | None = None
    session_runs: int | None = None


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """The runs of one sitting on one machine and boot; the unit of replication."""

    label: str
    runs: tuple[Run, ...]


class SessionSet(msgspec.Struct, frozen=True, kw_only=True):
    """One side of a comparison, with everything that was found wrong while reading it."""

    sessions: tuple[Session, ...]
    problems: tuple[Problem, ...] = ()
    cautions: tuple[Caution, ...] = ()
