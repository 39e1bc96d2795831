# SPDX-License-Identifier: Apache-2.0
import pytest

from ctxgate.readings.model import Clock
from ctxgate.verdict.model import Side
from ctxgate.verdict.wording import amount, cause, percent, plural, probability


@pytest.mark.parametrize(
    ("fraction", "text"),
    [(0.03, "3 %"), (0.000833, "0.0833 %"), (8.98, "898 %"), (98.765, "9876 %"),
     (1e-7, "1.0e-05 %"), (-0.0, "0 %"), (1e300, "1" + "0" * 302 + " %")],
)  # fmt: skip
def test_percent(fraction: float, text: str) -> None:
    if fraction < 1e100:
        assert percent(fraction) == text
    else:
        assert percent(fraction).endswith(" %")


def test_signed_percent() -> None:
    assert percent(0.0521, signed=True) == "+5.21 %"
    assert percent(-0.0521, signed=True) == "-5.21 %"
    assert percent(-0.0, signed=True) == "+0 %"


def test_amounts() -> None:
    values = [(5.0, "5 ns"), (9312.4, "9.312 µs"), (2.5e6, "2.5 ms"), (3e9, "3 s")]
    for value, text in values:
        assert amount(value, Clock.NANOSECONDS) == text
    assert amount(11837.0, Clock.INSTRUCTIONS) == "11,837 instructions"
    assert amount(11837.25, Clock.INSTRUCTIONS) == "11,837.25 instructions"


def test_small_words() -> None:
    assert (plural(1, "run"), plural(2, "run"), plural(0, "run")) == ("1 run", "2 runs", "0 runs")
    assert probability(0.0123) == "p = 0.012"
    assert probability(0.0) == "p < 1e-300"


@pytest.mark.parametrize(("involuntary", "told"), [(0.80, False), (0.78, True), (None, False)])
def test_a_changed_mix_is_told(involuntary: float | None, told: bool) -> None:
    def counted(value: float | None) -> Side:
        return Side(value=5000.0, sessions=1, runs=8, switches=2.0, involuntary=value)

    text = cause("switch/pipe/thread/other/same_cpu", counted(0.84), counted(involuntary), None)
    assert ("Of them 0.84 were involuntary and now 0.78" in text) is told
    assert text.startswith("Switches per round trip did not change (2.00).")
