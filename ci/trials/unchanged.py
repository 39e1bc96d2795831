# SPDX-License-Identifier: Apache-2.0
"""How often the gate is right: unchanged code, and a pipe slowed by twice its stated MDE.

Both against one local baseline, at the certifiable tolerance. The slowed program is the same code
with extra null system calls a round trip in the pipe path, as many as twice the MDE of
switch/pipe/process/fifo/same_cpu calls for.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

PIPE = "switch/pipe/process/fifo/same_cpu"
NULL = "twin/null_syscall/process/fifo/same_cpu"


def gate(arguments: list[str | Path], report: Path, extra_calls: int = 0) -> dict[str, Any]:
    """One gate at the desk; its verdict file."""
    report.unlink(missing_ok=True)
    environment = {key: value for key, value in os.environ.items() if key != "CI"}
    environment["CTXGATE_TEST_EXTRA_SYSCALLS"] = str(extra_calls)
    command = [sys.executable, "-m", "ctxgate", "gate", "--json", report, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if not report.exists():
        raise RuntimeError(f"exit {done.returncode} without a report: {done.stderr}")
    verdict: dict[str, Any] = json.loads(report.read_text())
    if verdict["exit_code"] != done.returncode:
        raise RuntimeError(f"exit {done.returncode}, but the report says {verdict['exit_code']}")
    return verdict


def series(
    title: str, count: int, arguments: list[str | Path], report: Path, extra_calls: int
) -> Counter[str]:
    """Gates in a row, a line each; how often each verdict came."""
    seen: Counter[str] = Counter()
    for index in range(count):
        verdict = gate(arguments, report, extra_calls)
        seen[verdict["verdict"]] += 1
        pipe = next(row for row in verdict["benchmarks"] if row["name"] == PIPE)
        others = Counter(
            row["verdict"]
            for row in verdict["benchmarks"]
            if row["verdict"] != "pass" and row["name"] != PIPE
        )
        problems = "; ".join(problem["message"] for problem in verdict["problems"])
        line = f"{title} {index + 1:2}: {verdict['verdict']:12} pipe {pipe['change']:+.2%}"
        print(f"{line} {pipe['verdict']}; others {dict(others)} {problems}", flush=True)
    return seen


def main() -> None:
    """Records the baseline by the first gate, then runs both series and prints the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", type=Path, required=True)
    parser.add_argument("--slowed", type=Path, required=True)
    parser.add_argument("--gates", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        local, report = Path(name) / "local", Path(name) / "verdict.json"
        at_desk = ["--local-baseline", "--local-dir", local, "--bench", options.bench]
        rows = {row["name"]: row for row in gate(at_desk, report)["benchmarks"]}
        mde = rows[PIPE]["mde"]
        wanted = 2 * mde * rows[PIPE]["baseline"]["value"]
        calls = math.ceil(wanted / rows[NULL]["baseline"]["value"])
        print(f"certifiable tolerance of the pipe {rows[PIPE]['tolerance']:.2%}, MDE {mde:.2%};")
        print(f"to be slowed by {calls} null system calls a round trip\n")
        unchanged = series("unchanged", options.gates, at_desk, report, 0)
        # The same sessions; a local baseline of its own would hold the slowed program's.
        stored = ["--tolerance", "certifiable", "--baseline", *sorted(local.glob("*/session-*"))]
        judged = [*stored, "--bench", options.slowed]
        slowed = series("slowed", options.gates, judged, report, calls)
    print(f"\nunchanged: {dict(unchanged)}\nslowed: {dict(slowed)}")


if __name__ == "__main__":
    main()
