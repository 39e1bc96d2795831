# SPDX-License-Identifier: Apache-2.0
"""Admitted sessions to a baseline, ready to be written."""

from ctxgate.baseline.hardware import Hardware
from ctxgate.baseline.model import Baseline, Provenance, tier_of
from ctxgate.baseline.noise import Tolerance, noise_model
from ctxgate.baseline.store import store
from ctxgate.readings.model import SessionSet


def build(
    side: SessionSet,
    hardware: Hardware,
    history: tuple[Provenance, ...],
    tolerance: Tolerance,
) -> Baseline:
    """The baseline of `side`; the last entry of `history` says where it comes from."""
    facts, sessions = store(side.sessions)
    clock = side.sessions[0].runs[0].clock
    return Baseline(
        hardware=hardware.name,
        label=hardware.label,
        tier=tier_of(clock),
        clock=clock,
        serial=history[-1].serial,
        provenance=history,
        noise=noise_model(side, tolerance),
        facts=facts,
        sessions=sessions,
    )
