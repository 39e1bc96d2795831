# SPDX-License-Identifier: Apache-2.0
import io
import os
import pty
from pathlib import Path
from typing import TextIO, cast

import pytest

from ctxgate.report.style import Style, columns, decide, wants_ascii, wants_color


@pytest.mark.parametrize(
    ("environ", "is_tty", "wanted"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}, True, False),
        ({"NO_COLOR": "1", "GITHUB_ACTIONS": "true"}, False, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1", "CLICOLOR": "0", "TERM": "dumb"}, False, True),
        ({"FORCE_COLOR": "0", "CLICOLOR_FORCE": "1"}, True, False),
        ({"FORCE_COLOR": ""}, False, False),
        ({"CLICOLOR_FORCE": "1", "CLICOLOR": "0"}, False, True),
        ({"CLICOLOR_FORCE": "0"}, False, False),
        ({"CLICOLOR_FORCE": "0"}, True, True),
        ({"CLICOLOR": "0"}, True, False),
        ({"CLICOLOR": "0", "GITHUB_ACTIONS": "true"}, False, False),
        ({"CLICOLOR": "1"}, False, False),
        ({"CLICOLOR": "1"}, True, True),
        ({"GITHUB_ACTIONS": "true"}, False, True),
        ({"GITHUB_ACTIONS": "false"}, False, False),
    ],
)
def test_colour_precedence(environ: dict[str, str], is_tty: bool, wanted: bool) -> None:
    assert wants_color(environ, is_tty=is_tty) is wanted


@pytest.mark.parametrize(
    ("encoding", "wanted"),
    [
        ("utf-8", False),
        ("UTF-8", False),
        (None, False),
        ("ascii", True),
        ("ANSI_X3.4-1968", True),
        ("latin-1", True),
        ("no-such-codec", True),
    ],
)
def test_marks_need_an_encoding_that_has_them(encoding: str | None, wanted: bool) -> None:
    assert wants_ascii(encoding) is wanted


@pytest.mark.parametrize(
    ("environ", "tty", "wanted"),
    [
        ({"COLUMNS": "72"}, 100, 72),
        ({"COLUMNS": "72"}, None, 72),
        ({"COLUMNS": "0"}, 100, 100),
        ({"COLUMNS": "-5"}, 100, 100),
        ({"COLUMNS": "wide"}, None, 120),
        ({"COLUMNS": "²"}, None, 120),
        ({"COLUMNS": "9" * 5000}, None, 999999),
        ({"COLUMNS": "0"}, 0, 80),
        ({}, 0, 80),
        ({}, 40, 40),
        ({}, None, 120),
    ],
)
def test_width(environ: dict[str, str], tty: int | None, wanted: int) -> None:
    assert columns(environ, tty) == wanted


def test_a_file_is_no_terminal(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w", encoding="ascii") as stream:
        assert decide({}, stream) == Style(width=120, color=False, ascii_only=True)


def test_streams_that_are_none_or_closed_do_not_matter(tmp_path: Path) -> None:
    assert decide({}, cast(TextIO, None)) == Style(width=120, color=False, ascii_only=False)
    stream = (tmp_path / "out").open("w", encoding="utf-8")
    stream.close()
    assert decide({}, stream).color is False


def test_a_terminal_in_memory_has_no_descriptor() -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert decide({}, Screen()) == Style(width=80, color=True, ascii_only=False)


def test_a_real_terminal_of_no_columns() -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0), os.fdopen(theirs, "w", encoding="utf-8") as screen:
        assert decide({}, screen) == Style(width=80, color=True, ascii_only=False)
