# SPDX-License-Identifier: Apache-2.0
import pytest

from ctxgate.readings.model import SessionSet
from ctxgate.verdict.load import busy_machine
from tests.verdict.sides import SWITCH, side


def measured_under(load: str, cpus: str = "0-1") -> SessionSet:
    return side({SWITCH: [9.0]}, record={"load_average": load}, identity={"cpus_online": cpus})


QUIET = measured_under("0.10 0.20 0.30")


@pytest.mark.parametrize(
    ("load", "cpus"),
    [
        ("3.00 1 1", "0-1"),
        ("", "0-1"),
        ("unknown", "0-1"),
        ("9 9 9", "unknown"),
        ("6 1 1", "0-3,7"),
    ],
)
def test_the_measurement_itself_is_no_news(load: str, cpus: str) -> None:
    assert busy_machine(QUIET, measured_under(load, cpus)) == []


def test_others_are_named_with_the_load_and_the_side() -> None:
    (contender,) = busy_machine(QUIET, measured_under("3.01 1 1"))
    assert contender.kind == "busy-machine"
    assert "while the contender was measured: a load of 3.0 on 2 CPUs" in contender.message
    assert contender.file == "s0/run-00.json"
    (baseline,) = busy_machine(measured_under("8.5 1 1", "0,2-4,6"), QUIET)
    assert "while the baseline was measured: a load of 8.5 on 5 CPUs" in baseline.message
