# SPDX-License-Identifier: Apache-2.0
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ctxgate.report.text import clean, fold, shorten, wrap

anything = st.text(st.characters(codec=None))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("switch/pipe|a:b,c 50%", "switch/pipe|a:b,c 50%"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\nb\r\tc\x00\x7f", "a\\nb\\r\\tc\\x00\\x7f"),
        ("\x9b31m", "\\x9b31m"),
        ("\u202egnp", "\\u202egnp"),
        ("a\u200bb\u2028", "a\\u200bb\\u2028"),
        ("run-\udcff", "run-\\udcff"),
        ("\ufffe", "\\ufffe"),
        ("a\xa0b", "a\\xa0b"),
        ("µs ±1 漢", "µs ±1 漢"),
    ],
)
def test_what_could_move_the_cursor_is_escaped(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2.0 µs ±1 — a → b", "2.0 us +/-1 - a -> b"),
        ("≤ ≥ ≠ ∞ \xd7 … “x” \u2018y\u2019", "<= >= != inf x ... \"x\" 'y'"),
        ("漢é😀", "\\u6f22\\xe9\\U0001f600"),
        ("\u03bcs", "us"),
    ],
)
def test_ascii_spelling(text: str, shown: str) -> None:
    assert clean(text, ascii_only=True) == shown


@given(anything)
def test_cleaned_text_is_one_printable_line(text: str) -> None:
    for ascii_only in (False, True):
        shown = clean(text, ascii_only=ascii_only)
        assert len(shown.splitlines()) <= 1
        assert not {unicodedata.category(letter) for letter in shown} & {"Cc", "Cf", "Cs", "Zl"}
        shown.encode("ascii" if ascii_only else "utf-8")


def test_shortening_keeps_both_ends() -> None:
    assert shorten("abc", 3) == "abc"
    assert shorten("abcdefghij", 7) == "abcd…ij"
    assert len(shorten("x" * 999, 200)) == 200


def test_folding_prefers_slashes() -> None:
    assert fold("switch/pipe/process", 14) == ["switch/pipe/", "process"]
    assert fold("a/bcdefghijkl", 8) == ["a/bcdefg", "hijkl"]
    assert fold("abc", 8) == ["abc"]


def test_folding_counts_cells_not_letters() -> None:
    assert fold("漢字漢字", 5) == ["漢字", "漢字"]
    assert fold("e\u0301e\u0301e", 2) == ["e\u0301e\u0301", "e"]


@given(anything, st.integers(1, 30))
def test_folding_loses_nothing_and_fits(text: str, width: int) -> None:
    cleaned = clean(text)
    pieces = fold(cleaned, width)
    assert "".join(pieces) == cleaned
    assert all(cell_len(piece) <= max(width, 2) for piece in pieces)


def test_wrapping_never_parts_a_number_from_its_unit() -> None:
    assert wrap("change +0.8 % of 2.014 µs", 12) == ["change", "+0.8 % of", "2.014 µs"]
    assert wrap("", 10) == [""]


@given(anything, st.integers(2, 30))
def test_wrapping_fits(text: str, width: int) -> None:
    assert all(cell_len(line) <= width for line in wrap(clean(text), width))
