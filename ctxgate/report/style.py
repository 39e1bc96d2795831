# SPDX-License-Identifier: Apache-2.0
"""How the terminal wants its text: colour, width, character set. Decided once, from outside facts.

Colour: NO_COLOR beats FORCE_COLOR and CLICOLOR_FORCE, which beat CLICOLOR and whether it is a
terminal (no-color.org, bixense.com/clicolors). GitHub's log shows colour without being a terminal.
"""

import os
from collections.abc import Mapping
from typing import TextIO

import msgspec

FALLBACK_COLUMNS = 80
"""For a terminal that claims 0 columns (serial lines and some containers do)."""

LOG_COLUMNS = 120
"""For files and CI logs, which do not wrap."""

_PROBE = "µ±→✓✗…∞≠"


class Style(msgspec.Struct, frozen=True, kw_only=True):
    """What `ctxgate.report.terminal.render` needs to know of where its text goes."""

    width: int
    color: bool
    ascii_only: bool


def decide(environ: Mapping[str, str], stream: TextIO) -> Style:
    """The style for a stream; never raises, whatever the stream or the environment claims."""
    tty = _is_tty(stream)
    return Style(
        width=columns(environ, _tty_columns(stream) if tty else None),
        color=wants_color(environ, is_tty=tty),
        ascii_only=wants_ascii(getattr(stream, "encoding", None)),
    )


def wants_color(environ: Mapping[str, str], *, is_tty: bool) -> bool:
    """Whether escape sequences for colour are welcome."""
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return environ["FORCE_COLOR"] not in ("0", "false")
    if environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    if environ.get("CLICOLOR") == "0":
        return False
    if environ.get("GITHUB_ACTIONS") == "true":
        return True
    return is_tty and environ.get("TERM") != "dumb"


def wants_ascii(encoding: str | None) -> bool:
    """Whether the stream's encoding lacks the marks that the tables use."""
    try:
        _PROBE.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def columns(environ: Mapping[str, str], tty_columns: int | None) -> int:
    """Width in cells: COLUMNS if it is a positive number, else the terminal's, else a default.

    `tty_columns` is None where the stream is no terminal and 0 where the terminal does not know.
    """
    asked = environ.get("COLUMNS", "")
    if asked.isascii() and asked.isdigit() and int(asked[:6]) > 0:
        return int(asked[:6])
    if tty_columns is None:
        return LOG_COLUMNS
    return tty_columns if tty_columns > 0 else FALLBACK_COLUMNS


def _is_tty(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # None (closed descriptor), or already closed
        return False


def _tty_columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return 0
