# SPDX-License-Identifier: Apache-2.0
"""Mishaps that people reported, re-created: `ctxgate compare` gives a right exit for every pair.

`expect.json` lists the pairs: `exit` is right, `or_exit` is right too where the output matches
`or_text`, `never` is always wrong. Every report must be a report, whatever the verdict.
"""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from ctxgate.readings.load import load_sessions

HERE = Path(__file__).parent
PAIRS: list[dict[str, Any]] = json.loads((HERE / "expect.json").read_text())
IDS = [f"{pair['case']} {pair['title']}" for pair in PAIRS]


def compare(pair: dict[str, Any], *more: str) -> subprocess.CompletedProcess[str]:
    arguments = ["--baseline", *pair["baseline"], "--contender", *pair["contender"], *more]
    return subprocess.run(
        [sys.executable, "-m", "ctxgate", "compare", *arguments],
        cwd=HERE,
        env={**os.environ, "PYTHONPATH": str(HERE.parents[1]), "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("pair", PAIRS, ids=IDS)
def test_pair(pair: dict[str, Any], tmp_path: Path) -> None:
    verdict, junit = tmp_path / "verdict.json", tmp_path / "junit.xml"
    done = compare(pair, "--json", str(verdict), "--junit", str(junit))
    output = done.stdout + done.stderr

    assert "Traceback" not in output
    assert done.returncode not in (*pair["never"], 70)
    if done.returncode not in pair["exit"]:
        assert done.returncode in pair["or_exit"], output
        assert re.search(pair["or_text"], output), output
    assert json.loads(verdict.read_bytes())["exit_code"] == done.returncode
    ET.parse(junit)


@pytest.mark.parametrize("pair", PAIRS, ids=IDS)
def test_readings(pair: dict[str, Any]) -> None:
    """What only 3 can answer is a problem of the contender, and what must be judged has none."""
    baseline = load_sessions([HERE / path for path in pair["baseline"]])
    assert baseline.problems == ()
    assert all(len(session.runs) in (1, 3) for session in baseline.sessions)
    contender = load_sessions([HERE / path for path in pair["contender"]])
    if pair["exit"] == [3]:
        assert contender.problems
    elif 3 not in (*pair["exit"], *pair["or_exit"]):
        assert contender.problems == ()
    for problem in contender.problems:
        assert any(str(HERE / path) in problem.message for path in pair["contender"])


def test_every_input_is_used() -> None:
    named = {HERE / path for pair in PAIRS for path in (*pair["baseline"], *pair["contender"])}
    inputs = {path for path in HERE.rglob("*") if path.suffix in (".json", ".js")}
    inputs.remove(HERE / "expect.json")
    unused = {path for path in inputs if not {path, *path.parents} & named}
    assert unused == set()
