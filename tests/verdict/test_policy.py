# SPDX-License-Identifier: Apache-2.0
import pytest

from ctxgate.readings.model import Clock
from ctxgate.verdict.policy import CERTIFIABLE, Floor, Policy, most_specific

NS, EXACT = Clock.NANOSECONDS, Clock.INSTRUCTIONS


def test_defaults_of_the_tiers() -> None:
    assert Policy().tolerance_of("x", NS) == 0.03
    assert Policy().tolerance_of("x", EXACT) == 0.005
    assert Policy(tolerance=0.1).tolerance_of("x", NS) == 0.1
    assert Policy(tolerance=0.1).tolerance_of("x", EXACT) == 0.1


def test_certifiable_is_each_benchmarks_own() -> None:
    policy = Policy(tolerance=CERTIFIABLE, tolerances={"switch/pipe/*": 0.07})
    assert policy.tolerance_of("twin/pipe/x", NS) is None
    assert policy.tolerance_of("switch/pipe/x", NS) == 0.07
    assert policy.tolerance_of("twin/pipe/x", EXACT) == 0.005


def test_the_most_specific_pattern_wins() -> None:
    table = {"switch/*": 1, "switch/pipe/*": 2, "*": 3, "switch/pipe/[x]": 4, "switch/a[b]": 5}
    assert most_specific(table, "switch/futex/x") == 1
    assert most_specific(table, "switch/pipe/y") == 2
    assert most_specific(table, "twin/pipe/x") == 3
    assert most_specific(table, "switch/pipe/x") == 4
    assert most_specific(table, "switch/a[b]") == 5
    assert most_specific({"switch/*": 1}, "Switch/pipe") is None


def test_the_command_line_beats_the_file_however_special_its_pattern() -> None:
    policy = Policy(
        tolerance=0.1,
        tolerances={"switch/*": 0.05},
        configured={"switch/pipe/x": 0.01, "twin/*": 0.02, "twin/pipe/*": CERTIFIABLE},
    )
    assert policy.tolerance_of("switch/pipe/x", NS) == 0.05
    assert policy.tolerance_of("twin/futex/x", NS) == 0.02
    assert policy.tolerance_of("twin/pipe/x", NS) is None
    assert policy.tolerance_of("twin/pipe/x", EXACT) == 0.005
    assert policy.tolerance_of("canary/x", NS) == 0.1
    certified = Policy(tolerances={"switch/*": CERTIFIABLE}, configured={"switch/pipe": 0.01})
    assert certified.tolerance_of("switch/pipe", NS) is None
    assert certified.tolerance_of("twin/pipe", NS) == 0.03


def test_floors() -> None:
    policy = Policy(floor={"switch/*": Floor(nanoseconds=50.0, instructions=12.0, relative=0.01)})
    assert policy.floor_of("switch/pipe", NS, 1000.0) == 50.0
    assert policy.floor_of("switch/pipe", NS, 8000.0) == 80.0
    assert policy.floor_of("switch/pipe", EXACT, 1000.0) == 12.0
    assert policy.floor_of("switch/pipe", EXACT, 8000.0) == 80.0
    assert policy.floor_of("twin/pipe", NS, 8000.0) == 0.0
    assert Policy(floor={"*": Floor(nanoseconds=50.0)}).floor_of("x", EXACT, 1000.0) == 0.0


@pytest.mark.parametrize("value", [0.0, -0.03, float("nan"), float("inf")])
def test_no_gate_can_be_run_with_such_tolerances(value: float) -> None:
    with pytest.raises(ValueError, match="tolerance: a tolerance has to be above 0"):
        Policy(tolerance=value)
    with pytest.raises(ValueError, match=r"switch/\*: a tolerance has to be above 0"):
        Policy(tolerances={"switch/*": value})
    with pytest.raises(ValueError, match=r"switch/\*: a tolerance has to be above 0"):
        Policy(configured={"switch/*": value})


def test_no_gate_can_be_run_with_such_floors_and_allowances() -> None:
    with pytest.raises(ValueError, match=r"x: a floor has to be 0 or more, not -1"):
        Policy(floor={"x": Floor(instructions=-1.0)})
    with pytest.raises(ValueError, match="floor"):
        Policy(floor={"x": Floor(relative=float("nan"))})
    for alpha in (0.0, 0.5, -1.0, float("nan")):
        with pytest.raises(ValueError, match="alpha"):
            Policy(alpha=alpha)
