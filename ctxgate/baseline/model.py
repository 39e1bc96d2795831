# SPDX-License-Identifier: Apache-2.0
"""What a baseline file holds; the shape is published as `baseline.schema.json`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from ctxgate.readings.model import Clock, Reading

MARK = "ctxgate_baseline"
"""The top-level key by which a file is known to be a baseline, whatever its name."""

SCHEMA: Literal[1] = 1
"""Grows when a reader of the old shape would misread the new one."""

LOCAL = "local"
"""The hardware class of a baseline that lies outside every repository and is nobody's concern."""


class StoredReading(Reading, frozen=True, kw_only=True, omit_defaults=True,
                    forbid_unknown_fields=True):  # fmt: skip
    """A reading as it is stored: what is absent from it is left out of the file."""


class StoredFacts(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Facts that hold for all that they stand above: the file, a session, or a run.

    `unavailable` are benchmarks that the machine cannot give, with reasons.
    """

    identity: Mapping[str, str] = {}
    subject: Mapping[str, str] = {}
    record: Mapping[str, str] = {}
    unavailable: Mapping[str, str] = {}


class StoredRun(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One process: number `run` of its session; `facts` are those that the others do not share."""

    run: int
    facts: StoredFacts = StoredFacts()
    readings: tuple[StoredReading, ...]


class StoredSession(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One sitting: its id as `ctxgate measure` stamped it, and how many runs it had then."""

    session: str
    run_count: int
    facts: StoredFacts = StoredFacts()
    runs: tuple[StoredRun, ...]


class Provenance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One recording: who wanted it and why, and how it compared with the baseline before it.

    `commit` is the one checked out when it was recorded, `sessions` the ids that it brought.
    """

    serial: int
    action: Literal["record", "add"]
    time: str
    commit: str
    command: str
    reason: str
    approved_by: str
    compared: str
    sessions: tuple[str, ...]


class StoredPrior(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The assumption about the noise that the model below started from."""

    name: str
    session_sd: float
    degrees_of_freedom: float


class BenchmarkNoise(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one fresh session of as many runs can be held to; all but `value` and `nu` fractions.

    `value` is the level of the quieter `metric` in the clock's unit, `s` the moderated standard
    deviation between sessions, `nu` its degrees of freedom (null where there is no noise).
    `gating` is false where the certifiable tolerance exceeds the tolerance, and for canaries.
    """

    metric: str
    value: float
    s: float
    nu: float | None
    certifiable: float
    mde: float
    tolerance: float
    gating: bool


class NoiseModel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The noise as it was when recorded. It informs; a gate works it out again from the sessions.

    `alpha` is the false-alarm allowance of the gate that the MDE is stated for.
    """

    alpha: float
    prior: StoredPrior | None
    benchmarks: Mapping[str, BenchmarkNoise]


class Baseline(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A baseline of one hardware class and tier.

    `provenance` has one entry a serial, the latest last. `facts` are those that all runs share.
    """

    ctxgate_baseline: Literal[1] = SCHEMA
    hardware: str
    label: str
    tier: Literal["wall", "exact"]
    clock: Clock
    serial: int
    provenance: tuple[Provenance, ...]
    noise: NoiseModel
    facts: StoredFacts
    sessions: tuple[StoredSession, ...]


class StoredFile(NamedTuple):
    """A baseline with the bytes that it was read from, which are what a signature vouches for."""

    path: Path
    data: bytes
    baseline: Baseline


def tier_of(clock: Clock) -> Literal["wall", "exact"]:
    """The tier whose readings count in `clock`."""
    return "exact" if clock is Clock.INSTRUCTIONS else "wall"
