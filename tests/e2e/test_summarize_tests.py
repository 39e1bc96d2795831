# SPDX-License-Identifier: Apache-2.0
"""ci/summarize_tests.py: the closing line counts what the reports hold, skips included."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "ci" / "summarize_tests.py"
PASSED = '<testcase name="a"/>'
FAILED = '<testcase name="b"><failure message="no"/></testcase>'
ERROR = '<testcase name="c"><error message="no"/></testcase>'
SKIPPED = '<testcase name="d"><skipped message="as another user only&#10;more"/></testcase>'
SAID = (
    '<testcase name="e"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>'
    "<system-out>[ RUN      ] e\n/src/x_test.cc:12: Skipped\nFIFO is refused here\n\n"
    "[  SKIPPED ] e</system-out></testcase>"
)


def summarize(folder: Path, *reports: str, missing: str = "") -> tuple[int, list[str]]:
    paths = []
    for number, cases in enumerate(reports):
        path = folder / f"{number}.xml"
        path.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
        paths.append(path)
    arguments = [*map(str, paths), *([missing] if missing else [])]
    done = subprocess.run(
        [sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


@pytest.mark.parametrize(
    ("reports", "exit_code", "line"),
    [
        ([PASSED, PASSED + PASSED], 0, "3 passed, 0 failed, 0 skipped"),
        ([PASSED + FAILED, PASSED], 1, "2 passed, 1 failed, 0 skipped"),
        ([PASSED + ERROR], 1, "1 passed, 1 failed, 0 skipped"),
        ([""], 1, "0 passed, 0 failed, 0 skipped"),
        ([SKIPPED], 1, "0 passed, 0 failed, 1 skipped"),
        ([PASSED, SKIPPED], 0, "1 passed, 0 failed, 1 skipped"),
    ],
)
def test_closing_line(tmp_path: Path, reports: list[str], exit_code: int, line: str) -> None:
    code, lines = summarize(tmp_path, *reports)
    assert (code, lines[-1]) == (exit_code, line)


def test_what_did_not_run_is_said_with_its_reason(tmp_path: Path) -> None:
    _, lines = summarize(tmp_path, PASSED + SKIPPED, SAID)
    assert lines[:2] == [
        "did not run: d: as another user only",
        "did not run: e: FIFO is refused here",
    ]


def test_a_report_that_is_missing_fails(tmp_path: Path) -> None:
    code, lines = summarize(tmp_path, PASSED, missing="gone.xml")
    assert code == 1
    assert lines[0] == "no report: gone.xml: its tests did not run"
