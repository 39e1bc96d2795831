# SPDX-License-Identifier: Apache-2.0
import math

import pytest

from ctxgate.report.units import count_text, percent, plural, signed_percent, value_text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0 ns"),
        (0.25, "0.2500 ns"),
        (38.4, "38.40 ns"),
        (999.9, "999.9 ns"),
        (1000.0, "1.000 µs"),
        (2014.3, "2.014 µs"),
        (20143.0, "20.14 µs"),
        (2.5e6, "2.500 ms"),
        (3.25e9, "3.250 s"),
        (-38.4, "-38.40 ns"),
        (math.nan, "?"),
        (math.inf, "∞"),
        (-math.inf, "-∞"),
    ],
)
def test_times_get_four_digits_and_the_unit_that_fits(value: float, shown: str) -> None:
    assert value_text(value, "ns") == shown


def test_a_tiny_time_does_not_get_endless_decimals() -> None:
    assert value_text(1.5e-9, "ns") == "0.000000 ns"


def test_a_value_without_clock_has_no_unit() -> None:
    assert value_text(12.5, "") == "12.50"


def test_the_other_side_follows_the_unit_of_the_baseline() -> None:
    assert value_text(1003.0, "ns", like=998.0) == "1003.0 ns"
    assert value_text(20143.0, "ns", like=2014.3) == "20.143 µs"
    assert value_text(2014.3, "ns", like=math.nan) == "2.014 µs"


@pytest.mark.parametrize(("value", "shown"), [(11837.0, "11,837 instr"), (50.25, "50.2 instr")])
def test_instructions(value: float, shown: str) -> None:
    assert value_text(value, "instructions") == shown


@pytest.mark.parametrize(
    ("fraction", "shown"),
    [
        (0.008, "+0.8 %"),
        (-0.0142, "-1.4 %"),
        (0.0, "0.0 %"),
        (0.0004, "+0.04 %"),
        (0.00004, "+0.004 %"),
        (0.000004, "+0.0004 %"),
        (9.0, "+900 %"),
        (math.inf, "+∞ %"),
        (-math.inf, "-∞ %"),
        (math.nan, "? %"),
    ],
)
def test_changes_have_a_sign_and_digits_that_say_something(fraction: float, shown: str) -> None:
    assert signed_percent(fraction) == shown


def test_a_change_is_never_printed_as_the_tolerance_that_it_misses() -> None:
    assert signed_percent(0.0296, apart_from=0.03) == "+2.96 %"
    assert signed_percent(0.02996, apart_from=0.03) == "+2.996 %"
    assert signed_percent(0.03, apart_from=0.03) == "+3.0 %"
    assert signed_percent(0.02999999, apart_from=0.03) == "+3.0000 %"
    assert signed_percent(0.01, apart_from=0.03) == "+1.0 %"


@pytest.mark.parametrize(
    ("fraction", "shown"),
    [
        (0.03, "3 %"),
        (0.005, "0.5 %"),
        (0.0214, "2.14 %"),
        (0.1234, "12.3 %"),
        (0.1, "10 %"),
        (1.0, "100 %"),
        (2.5, "250 %"),
        (0.00001, "0.001 %"),
        (0.0, "0 %"),
        (math.inf, "∞ %"),
        (math.nan, "? %"),
    ],
)
def test_limits_have_no_sign_and_no_empty_digits(fraction: float, shown: str) -> None:
    assert percent(fraction) == shown


def test_counts() -> None:
    assert count_text(2.0) == "2.00"
    assert count_text(math.inf) == "∞"
    assert plural(1, "run") == "1 run"
    assert plural(0, "run") == "0 runs"
    assert plural(1200, "run") == "1,200 runs"
