# SPDX-License-Identifier: Apache-2.0
"""A page of terminal text: lines of a width, colours if wanted, all text cleaned."""

from ctxgate.report.style import FALLBACK_COLUMNS
from ctxgate.report.text import clean, wrap
from ctxgate.verdict.model import Decision

PROSE_COLUMNS = 100
"""Sentences longer than this are hard to follow with the eye; tables use the whole width."""

_LEAST_COLUMNS = 20
_SGR = {"good": "32", "bad": "1;31", "warn": "1;33", "dim": "2", "strong": "1"}

_MARKS = {Decision.PASS: "✓", Decision.REGRESSION: "✗", Decision.INCONCLUSIVE: "?"}
_ASCII_MARKS = {Decision.PASS: "+", Decision.REGRESSION: "x", Decision.INCONCLUSIVE: "?"}
_ROLES = {Decision.PASS: "good", Decision.INCONCLUSIVE: "warn"}


def role_of(decision: Decision) -> str:
    """Green for a pass, yellow for what the data cannot settle, red for the rest."""
    return _ROLES.get(decision, "bad")


class Page:
    """Collects lines. Only text that went through `clean` may be given to `add`."""

    def __init__(self, *, width: int, color: bool, ascii_only: bool) -> None:
        self.width = max(width if width > 0 else FALLBACK_COLUMNS, _LEAST_COLUMNS)
        self._color = color
        self._ascii_only = ascii_only
        self._lines: list[str] = []

    def clean(self, text: str) -> str:
        """`text` as this page's character set can show it, on one line."""
        return clean(text, ascii_only=self._ascii_only)

    def mark(self, decision: Decision) -> str:
        """One letter that tells the verdicts apart without colour."""
        return (_ASCII_MARKS if self._ascii_only else _MARKS).get(decision, "!")

    def paint(self, text: str, role: str) -> str:
        """`text` in the colour of a role ("good", "bad", "warn", "dim", "strong"; "" is plain)."""
        return f"\x1b[{_SGR[role]}m{text}\x1b[0m" if self._color and role and text else text

    def add(self, line: str = "") -> None:
        """One finished line."""
        self._lines.append(line)

    def paragraph(
        self, text: str, *, indent: int = 0, hang: int = 0, role: str = "", full: bool = False
    ) -> None:
        """A wrapped sentence; lines after the first are indented by `hang` more.

        With `full` it takes the page's whole width, as tables do. No text gives no line.
        """
        if not text:
            return
        room = (self.width if full else min(self.width, PROSE_COLUMNS)) - indent - hang
        for number, line in enumerate(wrap(self.clean(text), max(room, 8))):
            margin = " " * (indent + (hang if number else 0))
            self.add(margin + self.paint(line, role))

    def heading(self, text: str) -> None:
        """A section's title after an empty line."""
        self.add()
        self.paragraph(text, role="strong")

    def text(self) -> str:
        """The page, ending in a newline."""
        return "\n".join(self._lines) + "\n"
