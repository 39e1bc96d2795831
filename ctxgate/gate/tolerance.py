# SPDX-License-Identifier: Apache-2.0
"""Tolerances as people write them."""

import difflib
import math
import re
from collections.abc import Sequence
from typing import Literal

from ctxgate.verdict.policy import CERTIFIABLE, Policy

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def read_policy(words: Sequence[str]) -> Policy:
    """The policy of `3%`, `0.03`, `certifiable`, and `PATTERN=3%` for some benchmarks.

    ValueError, with a suggestion, for anything else.
    """
    general: float | Literal["certifiable"] | None = None
    patterns: dict[str, float] = {}
    for word in words:
        pattern, equals, value = word.rpartition("=")
        if equals:
            patterns[pattern] = read_fraction(value)
        elif general is not None:
            raise ValueError(f"'{word}' is one value too many for all benchmarks")
        else:
            general = CERTIFIABLE if word.strip() == CERTIFIABLE else read_fraction(word)
    return Policy(tolerance=general, tolerances=patterns)


def read_fraction(text: str) -> float:
    """`3%`, `3 %` and `0.03` as 0.03; ValueError, with a suggestion, for what is no tolerance."""
    stripped = text.strip()
    number = stripped.removesuffix("%").strip()
    percent = stripped.endswith("%")
    if not _NUMBER.fullmatch(number):
        raise ValueError(f"'{text}' is no tolerance{_instead(number, percent)}")
    value = float(number) / (100.0 if percent else 1.0)
    if not math.isfinite(value) or value <= 0.0:
        raise ValueError(f"'{text}' has to be above 0 and finite; try 3%")
    if not percent and value >= 1.0:  # 3 for 3 % would let a threefold cost pass
        raise ValueError(f"'{text}' would be {value * 100:g} %; try {number}%")
    return value


def _instead(number: str, percent: bool) -> str:
    dotted = number.replace(",", ".")
    if dotted != number and _NUMBER.fullmatch(dotted):
        return f"; try {dotted}{'%' if percent else ''}"
    close = difflib.get_close_matches(number, [CERTIFIABLE], n=1)
    return f"; did you mean {close[0]}?" if close else "; try 3%, 0.03 or certifiable"
