# SPDX-License-Identifier: Apache-2.0
"""What each kind of verdict looks like, as a person or a CI system sees it."""

from collections.abc import Callable

import pytest

from ctxgate.report.json_file import to_json
from ctxgate.report.junit import to_junit
from ctxgate.report.summary import summary_line
from ctxgate.report.terminal import render
from tests.report import verdicts

Golden = Callable[[str, str | bytes], None]


@pytest.mark.parametrize("kind", verdicts.ALL)
def test_wide_terminal(kind: str, golden: Golden) -> None:
    text = render(verdicts.ALL[kind](), width=140, color=False, ascii_only=False)
    golden(f"{kind}.wide.txt", text)


@pytest.mark.parametrize("kind", verdicts.ALL)
def test_narrow_ascii_terminal(kind: str, golden: Golden) -> None:
    text = render(verdicts.ALL[kind](), width=60, color=False, ascii_only=True)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 60
    golden(f"{kind}.narrow-ascii.txt", text)


@pytest.mark.parametrize("kind", ["pass", "regression", "inconclusive", "broken"])
def test_colour(kind: str, golden: Golden) -> None:
    text = render(verdicts.ALL[kind](), width=140, color=True, ascii_only=False)
    golden(f"{kind}.colour.txt", text)


def test_forty_columns(golden: Golden) -> None:
    text = render(verdicts.regressed(), width=40, color=False, ascii_only=False)
    assert max(map(len, text.splitlines())) <= 40
    golden("regression.forty.txt", text)


@pytest.mark.parametrize("kind", verdicts.ALL)
def test_json(kind: str, golden: Golden) -> None:
    golden(f"{kind}.json", to_json(verdicts.ALL[kind]()))


@pytest.mark.parametrize("kind", verdicts.ALL)
def test_junit(kind: str, golden: Golden) -> None:
    golden(f"{kind}.junit.xml", to_junit(verdicts.ALL[kind]()))


def test_summary(golden: Golden) -> None:
    lines = [summary_line(make()) for make in verdicts.ALL.values()]
    golden("summary.txt", "\n".join(lines) + "\n")
