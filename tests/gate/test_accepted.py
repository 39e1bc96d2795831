# SPDX-License-Identifier: Apache-2.0
"""Accepted regressions in a verdict."""

from datetime import date
from typing import Any

import pytest

from ctxgate.baseline.acceptance import Acceptance
from ctxgate.gate.accepted import accept
from ctxgate.readings.model import Clock, Problem
from ctxgate.verdict.judge import judge
from ctxgate.verdict.model import Decision, Verdict
from ctxgate.verdict.policy import Policy
from tests.verdict.gates import one
from tests.verdict.sides import OTHER, SWITCH, side, steady


def entry(benchmark: str = "switch/*", limit: str = "25 %") -> Acceptance:
    return Acceptance(
        benchmark=benchmark,
        limit=limit,
        reason="CONFIG_PSI=y is wanted",
        approver="alice",
        expires=date(2027, 1, 31),
    )


def dearer(by: float = 0.2, names: tuple[str, ...] = (SWITCH, OTHER), **counts: Any) -> Verdict:
    before = side({name: steady(5) for name in names})
    after = side({name: [9.0 + by] for name in names}, where="c", counts=counts)
    return judge(before, after, Policy(tolerance=0.1))


def test_within_the_limit() -> None:
    verdict = accept(dearer(), [entry()])
    assert verdict.verdict is Decision.PASS
    row = one(verdict)
    assert row.verdict is Decision.PASS
    assert row.change == pytest.approx(0.2214, rel=1e-3)
    said = "Accepted by alice up to 25 % until 2027-01-31: CONFIG_PSI=y is wanted"
    assert row.reason.startswith(f"{said} [It became 22.1 % dearer")
    assert verdict.notes[:2] == (f"{SWITCH}: +22.1 %. {said}", f"{OTHER}: +22.1 %. {said}")


def test_beyond_the_limit() -> None:
    before = dearer()
    assert accept(before, [entry(limit="20 %")]) is before
    assert before.verdict is Decision.REGRESSION


def test_of_several_entries_one_that_covers_it() -> None:
    entries = [entry(limit="1 %"), entry(SWITCH), entry("canary/*")]
    verdict = accept(dearer(), entries)
    assert one(verdict).verdict is Decision.PASS
    assert one(verdict, OTHER).verdict is Decision.REGRESSION
    assert verdict.verdict is Decision.REGRESSION


def test_nothing_to_accept() -> None:
    unchanged = dearer(0.0)
    assert accept(unchanged, [entry()]) is unchanged
    assert accept(dearer(), []).verdict is Decision.REGRESSION


def test_more_switches_are_another_thing() -> None:
    verdict = accept(dearer(names=(SWITCH,), switches=3.0), [entry()])
    assert one(verdict).verdict is Decision.REGRESSION


def test_what_else_is_wrong_stays_wrong() -> None:
    import msgspec

    problem = Problem(kind="truncated", message="cut", remedy="again")
    before = msgspec.structs.replace(dearer(), problems=(problem,))
    verdict = accept(before, [entry()])
    assert one(verdict).verdict is Decision.PASS
    assert verdict.verdict is Decision.BROKEN


def test_in_instructions() -> None:
    before = side({SWITCH: [9.0, 9.0]}, clock=Clock.INSTRUCTIONS)
    after = side({SWITCH: [9.05]}, where="c", clock=Clock.INSTRUCTIONS)
    verdict = judge(before, after, Policy())
    assert verdict.verdict is Decision.REGRESSION
    assert accept(verdict, [entry(limit="5.2 %")]).verdict is Decision.PASS
