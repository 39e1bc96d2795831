# SPDX-License-Identifier: Apache-2.0
import pytest

from ctxgate.gate.floor import floor_text, read_floor
from ctxgate.verdict.policy import Floor


@pytest.mark.parametrize(
    ("parts", "floor"),
    [
        (["50ns"], Floor(nanoseconds=50.0)),
        (["0.1us"], Floor(nanoseconds=100.0)),
        (["0.1 µs"], Floor(nanoseconds=100.0)),
        (["0.1μs"], Floor(nanoseconds=100.0)),  # Greek mu, as some keyboards type it
        ([" 2ms "], Floor(nanoseconds=2e6)),
        (["1e-3s"], Floor(nanoseconds=1e6)),
        (["12 instructions"], Floor(instructions=12.0)),
        (["1 instruction"], Floor(instructions=1.0)),
        (["1%"], Floor(relative=0.01)),
        (["0ns"], Floor()),
        ([], Floor()),
        (
            ["1 %", "50ns", "12 instructions"],
            Floor(relative=0.01, nanoseconds=50.0, instructions=12.0),
        ),
    ],
)
def test_floors_as_people_write_them(parts: list[str], floor: Floor) -> None:
    assert read_floor(parts) == floor


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (["50"], "'50' is without a unit; try 50ns, 0.1us, 12 instructions or 1%"),
        (["50 nanos"], "'50 nanos' is of no unit that is known here, 'nanos'; try 50ns"),
        (["50NS"], "'50NS' is of no unit that is known here, 'NS'"),
        (["fifty ns"], "'fifty ns' is no floor; try 50ns"),
        (["٣ns"], "'٣ns' is no floor"),
        (["nan ns"], "'nan ns' is no floor"),
        ([""], "'' is no floor"),
        (["%"], "'%' is no floor"),
        (["-1ns"], "'-1ns' has to be 0 or more and finite"),
        (["1e999s"], "'1e999s' has to be 0 or more and finite"),
        (["50ns", "0.1us"], "'0.1us' is the second floor in its unit"),
    ],
)
def test_nonsense_is_refused_with_advice(parts: list[str], text: str) -> None:
    with pytest.raises(ValueError) as raised:
        read_floor(parts)
    assert str(raised.value).startswith(text)


def test_floors_in_words() -> None:
    assert floor_text(Floor()) == "none"
    assert floor_text(Floor(nanoseconds=100.0)) == "100 ns"
    full = Floor(relative=0.01, nanoseconds=2500.0, instructions=12.0)
    assert floor_text(full) == "1 % and 2.5 µs and 12 instructions"
