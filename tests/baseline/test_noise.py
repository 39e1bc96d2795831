# SPDX-License-Identifier: Apache-2.0
"""The noise model agrees with the figures that follow by hand."""

import math

import pytest
from scipy import stats

from ctxgate.baseline.noise import noise_model
from ctxgate.noise.certifiable import certifiable_tolerances
from ctxgate.noise.prior import provisional_prior
from ctxgate.readings.model import Clock
from tests.baseline.examples import NAMES, sessions
from tests.verdict.sides import ARITHMETIC, OTHER, SWITCH, TWIN, steady


def test_by_hand() -> None:
    """Five sessions of SD 1 %: s2 = (4 0.0004 + 4 0.0001)/8, nu = 8, SE = sqrt(1.2 s2)."""
    found = noise_model(sessions(steady(5, 9.0, 0.01), runs=1), lambda _: 0.1)
    assert found.alpha == 0.01
    assert found.prior is not None
    assert found.prior.session_sd == provisional_prior().session_sd == 0.02
    assert list(found.benchmarks) == list(NAMES)
    row = found.benchmarks[SWITCH]
    error = math.sqrt(0.00025 * 1.2)
    wanted = math.log1p(0.1)
    assert row.metric == "floor"
    assert row.value == pytest.approx(math.exp(9.0), rel=1e-5)
    assert row.s == pytest.approx(math.sqrt(0.00025), rel=1e-5)
    assert row.nu == 8.0
    certified = math.expm1(2 * stats.t.isf(0.05, 8) * error)
    assert row.certifiable == pytest.approx(certified, rel=1e-5)
    share = 0.01 / 3  # the canary is not gated
    power = stats.t.isf(0.2, 8)
    sees = max((stats.t.isf(share, 8) + power) * error, wanted + power * error)
    assert row.mde == pytest.approx(math.expm1(sees), rel=1e-5)
    assert row.tolerance == pytest.approx(0.1)
    assert row.gating is True
    assert found.benchmarks[ARITHMETIC].gating is False


def test_instructions_have_no_noise() -> None:
    """No prior and nothing to certify; one instruction is seen, and a canary gates nothing."""
    found = noise_model(sessions([9.0, 9.0], clock=Clock.INSTRUCTIONS), lambda _: 0.005)
    assert found.prior is None
    gating = {name: row.gating for name, row in found.benchmarks.items()}
    assert gating == {SWITCH: True, OTHER: True, TWIN: True, ARITHMETIC: False}
    row = found.benchmarks[SWITCH]
    assert (row.metric, row.s, row.nu, row.certifiable) == ("typical", 0.0, None, 0.0)
    assert row.tolerance == 0.005
    assert row.mde == pytest.approx(1 / row.value, rel=1e-5)


def test_what_cannot_be_certified_is_advisory() -> None:
    side = sessions(steady(5, 9.0, 0.01), runs=1)
    row = noise_model(side, lambda _: 0.03).benchmarks[SWITCH]
    assert row.gating is False
    # Here significance is what is hard to reach, at a third of the allowance each.
    error = math.sqrt(0.00025 * 1.2)
    sees = (stats.t.isf(0.01 / 3, 8) + stats.t.isf(0.2, 8)) * error
    assert row.mde == pytest.approx(math.expm1(sees), rel=1e-5)
    own = noise_model(side, lambda _: None).benchmarks[SWITCH]
    assert own.gating is True
    assert own.tolerance == own.certifiable


def test_it_agrees_with_what_a_gate_announces() -> None:
    side = sessions((9.0, 9.02, 8.97, 9.01))
    announced = certifiable_tolerances(side)
    found = noise_model(side, lambda _: 0.03).benchmarks
    for name, tolerance in announced.items():
        assert found[name].certifiable == pytest.approx(tolerance, rel=1e-5)
