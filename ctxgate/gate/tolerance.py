# SPDX-License-Identifier: Apache-2.0
"""Tolerances as people write them."""

import difflib
import math
import re
from collections.abc import Sequence

from ctxgate.verdict.policy import CERTIFIABLE, Policy, Tolerance

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
"""A number as people write it; float() would take `nan`, `1_000` and digits of other scripts."""


def read_policy(words: Sequence[str]) -> Policy:
    """The policy of `3%`, `0.03`, `certifiable`, and `PATTERN=3%` for some benchmarks.

    ValueError, with a suggestion, for anything else.
    """
    general: Tolerance | None = None
    patterns: dict[str, Tolerance] = {}
    for word in words:
        pattern, equals, value = word.rpartition("=")
        if not equals and general is not None:
            raise ValueError(f"'{word}' is one value too many for all benchmarks")
        if equals and not pattern:
            raise ValueError(f"'{word}' names no benchmarks; try {value} for all")
        if pattern in patterns:
            raise ValueError(f"'{word}' is the second value for '{pattern}'")
        if equals:
            patterns[pattern] = read_tolerance(value)
        else:
            general = read_tolerance(word)
    return Policy(tolerance=general, tolerances=patterns)


def read_tolerance(text: str) -> Tolerance:
    """A fraction, or `certifiable`; ValueError, with a suggestion, for what is no tolerance."""
    return CERTIFIABLE if text.strip() == CERTIFIABLE else read_fraction(text)


def read_fraction(text: str) -> float:
    """`3%`, `3 %` and `0.03` as 0.03; ValueError, with a suggestion, for what is no tolerance."""
    stripped = text.strip()
    number = stripped.removesuffix("%").strip()
    percent = stripped.endswith("%")
    if not NUMBER.fullmatch(number):
        raise ValueError(f"'{text}' is no tolerance{_instead(number, percent)}")
    value = float(number) / (100.0 if percent else 1.0)
    if not math.isfinite(value) or value <= 0.0:
        raise ValueError(f"'{text}' has to be above 0 and finite; try 3%")
    if not percent and value >= 1.0:  # 3 for 3 % would let a threefold cost pass
        raise ValueError(f"'{text}' would be {value * 100:g} %; try {number}%")
    return value


def _instead(number: str, percent: bool) -> str:
    dotted = number.replace(",", ".")
    if dotted != number and NUMBER.fullmatch(dotted):
        return f"; try {dotted}{'%' if percent else ''}"
    close = difflib.get_close_matches(number, [CERTIFIABLE], n=1)
    return f"; did you mean {close[0]}?" if close else "; try 3%, 0.03 or certifiable"
