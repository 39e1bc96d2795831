# SPDX-License-Identifier: Apache-2.0
"""Numbers with their units, with as many digits as say something."""

import math

_TIMES = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"))
_MOST_DECIMALS = 4


def value_text(value: float, clock: str, *, like: float | None = None) -> str:
    """A value of the clock, `2.014 µs` or `11,837 instr`; unit and decimals follow `like`.

    Giving the baseline as `like` for both sides lets the eye compare digit by digit.
    """
    if not math.isfinite(value):
        return _not_finite(value)
    if clock == "instructions":
        return f"{value:,.{0 if value.is_integer() else 1}f} instr"
    scale_by = abs(value if like is None or not math.isfinite(like) else like)
    size, unit = next(((s, u) for s, u in _TIMES if scale_by >= s), (1.0, "ns" if clock else ""))
    return f"{value / size:.{_four_digits(scale_by / size)}f} {unit}".rstrip()


def _four_digits(value: float) -> int:
    """Decimals that give four significant digits; a switch costs 4 digits of ns, noise the rest."""
    if value == 0.0:
        return 0
    return min(max(3 - math.floor(math.log10(value)), 0), 6)


def signed_percent(fraction: float, *, apart_from: float | None = None) -> str:
    """A change, `+0.8 %`; with more digits where rounding would make it equal to `apart_from`.

    2.96 % below a tolerance of 3 % must not be printed as 3.0 %: the verdict would look wrong.
    """
    if not math.isfinite(fraction):
        return f"{_not_finite(fraction, sign='+')} %"
    percent = fraction * 100
    decimals = _decimals(abs(percent))
    if apart_from is not None and abs(fraction - apart_from) > 1e-9:
        while (
            decimals < _MOST_DECIMALS
            and f"{percent:.{decimals}f}" == f"{apart_from * 100:.{decimals}f}"
        ):
            decimals += 1
    if percent == 0.0:
        return "0.0 %"
    return f"{percent:+.{decimals}f} %"


def _decimals(size: float) -> int:
    if size >= 100:
        return 0
    for decimals in (1, 2, 3):
        if size == 0.0 or size >= 0.95 * 10.0**-decimals:
            return decimals
    return _MOST_DECIMALS


def percent(fraction: float) -> str:
    """A tolerance or MDE, `3 %`, `0.5 %`, `2.14 %`: no sign, no trailing zeros."""
    if not math.isfinite(fraction):
        return f"{_not_finite(fraction)} %"
    size = fraction * 100
    decimals = max(_decimals(abs(size)), 2 if abs(size) < 10 else 0)
    text = f"{size:.{decimals}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} %"


def count_text(switches: float) -> str:
    """Switches per round trip, `2.00`."""
    return f"{switches:.2f}" if math.isfinite(switches) else _not_finite(switches)


def plural(count: int, noun: str) -> str:
    """`1 benchmark`, `12 benchmarks`, `1,200 benchmarks`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _not_finite(value: float, *, sign: str = "") -> str:
    if math.isnan(value):
        return "?"
    return f"{sign if value > 0 else '-'}∞"
