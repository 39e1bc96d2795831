# SPDX-License-Identifier: Apache-2.0
"""Text that came from outside, made safe to show: one line, nothing that moves a cursor."""

import re
import unicodedata

from rich.cells import cell_len

# Letters of our own texts (and of units in other people's) that have a common ASCII spelling; any
# other letter is escaped. The rule that names stay recognisable beats prettiness here.
_ASCII = {
    "\N{MICRO SIGN}": "u",
    "\N{GREEK SMALL LETTER MU}": "u",
    "\N{PLUS-MINUS SIGN}": "+/-",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{RIGHTWARDS ARROW}": "->",
    "\N{LESS-THAN OR EQUAL TO}": "<=",
    "\N{GREATER-THAN OR EQUAL TO}": ">=",
    "\N{NOT EQUAL TO}": "!=",
    "\N{INFINITY}": "inf",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
}

# Cc controls (ESC, CR, LF ...), Cf invisible (bidi overrides, zero width), Cs lone surrogates,
# Co/Cn without meaning (U+FFFE is illegal in XML), Zl/Zp line breaks: none may reach a terminal.
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

_GLUED = re.compile(r"(?<=[\d.∞]) (?=%|ns\b|µs\b|us\b|ms\b|s\b|instr\b)")
_GLUE = "\N{NO-BREAK SPACE}"


def clean(text: str, *, ascii_only: bool = False) -> str:
    """One printable line: what could move the cursor, break the line or hide is shown as an escape.

    With `ascii_only` the result is strictly ASCII: `µ` becomes `u`, an unknown letter `\\u....`.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(letter, ascii_only) for letter in text)


def _shown(letter: str, ascii_only: bool) -> str:
    if " " <= letter <= "~":
        return letter
    category = unicodedata.category(letter)
    if category in _UNSAFE or category == "Zs":
        return _escape(letter)
    if ascii_only:
        return _ASCII.get(letter) or _escape(letter)
    return letter


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape", "surrogatepass").decode("ascii")


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters: the middle gives way, since names differ at their ends."""
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 3
    return f"{text[: limit - 1 - tail]}…{text[len(text) - tail :]}"


def fold(text: str, width: int) -> list[str]:
    """Cut `text` into pieces of at most `width` cells, after a `/` where one is near."""
    pieces: list[str] = []
    while cell_len(text) > width:
        cut = _fitting(text, width)
        slash = text.rfind("/", 0, cut) + 1
        cut = slash if slash > cut // 2 else cut
        pieces.append(text[:cut])
        text = text[cut:]
    return [*pieces, text]


def _fitting(text: str, width: int) -> int:
    """How many letters fill at most `width` cells; at least one, so that folding ends."""
    fits = width  # no letter takes less than a cell but combining ones, which then come on top
    while fits > 1 and cell_len(text[:fits]) > width:
        fits -= 1
    while fits < len(text) and cell_len(text[: fits + 1]) <= width:
        fits += 1
    return max(fits, 1)


def wrap(text: str, width: int) -> list[str]:
    """Break a cleaned line at spaces, never between a number and its unit."""
    lines: list[str] = []
    line = ""
    for word in _GLUED.sub(_GLUE, text).split(" "):
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = fold(word, width)
        lines.extend(full)
    return [piece.replace(_GLUE, " ").rstrip(" ") for piece in [*lines, line]]
