# SPDX-License-Identifier: Apache-2.0
import re

import pytest

from ctxgate.gate.tolerance import read_fraction, read_policy


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3%", 0.03),
        ("3 %", 0.03),
        (" 0.5% ", 0.005),
        ("0.03", 0.03),
        (".03", 0.03),
        ("1e-2", 0.01),
        ("150%", 1.5),
    ],
)
def test_fractions_as_people_write_them(text: str, value: float) -> None:
    assert read_fraction(text) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("", "try 3%, 0.03 or certifiable"),
        ("three", "try 3%, 0.03 or certifiable"),
        ("%", "try 3%"),
        ("3%%", "try 3%"),
        ("nan", "try 3%"),
        ("inf", "try 3%"),
        ("٣%", "try 3%"),
        ("certfiable", "did you mean certifiable?"),
        ("3,5%", "try 3.5%"),
        ("0,03", "try 0.03"),
        ("-3%", "above 0"),
        ("0", "above 0"),
        ("1e999", "above 0 and finite"),
        ("3", "would be 300 %; try 3%"),
    ],
)
def test_nonsense_is_refused_with_advice(text: str, advice: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"'{text}'")) as raised:
        read_fraction(text)
    assert advice in str(raised.value)


def test_a_policy_of_one_for_all_and_some_for_patterns() -> None:
    policy = read_policy(["3%", "twin/*=5%", "BM_ring/n=4=1%"])
    assert policy.tolerance == 0.03
    assert policy.tolerances == {"twin/*": 0.05, "BM_ring/n=4": 0.01}
    assert read_policy([]).tolerance is None
    assert read_policy(["certifiable"]).tolerance == "certifiable"
    some = read_policy(["twin/*=certifiable"])
    assert some.tolerances == {"twin/*": "certifiable"}


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["3%", "4%"], "'4%' is one value too many for all benchmarks"),
        (["twin/*=3%", "twin/*=4%"], "'twin/*=4%' is the second value for 'twin/*'"),
        (["=4%"], "'=4%' names no benchmarks; try 4% for all"),
        (["twin/*=certfiable"], "did you mean certifiable?"),
    ],
)
def test_a_policy_that_contradicts_itself_is_refused(words: list[str], text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        read_policy(words)
