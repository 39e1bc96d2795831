# SPDX-License-Identifier: Apache-2.0
"""The built programs that the end-to-end tests run."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = ("build-test/ctxgate/bench", "build/ctxgate/bench")


def built_program() -> Path:
    """`ctxgate-bench`: CTXGATE_BENCH, else of the test preset, else of the default one."""
    named = os.environ.get("CTXGATE_BENCH")
    candidates = [Path(named)] if named else [ROOT / f / "ctxgate-bench" for f in _FOLDERS]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    pytest.fail("ctxgate-bench is not built: run ./ci/test, which builds it first")


def bench(
    *arguments: str | Path, prefix: tuple[str, ...] = (), env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*prefix, built_program(), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **(env or {})},
    )


def lasting_child(pid: int) -> int:
    """The partner of a running program: its first child tries what is allowed, for some ms."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    until = time.monotonic() + 10
    while time.monotonic() < until:
        seen = children.read_text().strip()
        time.sleep(0.1)
        if seen and seen == children.read_text().strip():
            return int(seen)
    pytest.fail("the program started no partner within 10 s")


def skip_if_busy(done: subprocess.CompletedProcess[str]) -> None:
    """Skip, aloud, where others keep the CPU so busy that SCHED_OTHER cannot be measured."""
    if done.returncode == 6 and "others ran on the CPU" in done.stderr:
        pytest.skip(f"not measured: {done.stderr.strip()}")


def fifo_is_refused() -> bool:
    done = bench("--filter", "^switch/pipe/process/fifo", "--out", "/dev/null")
    return done.returncode == 6


needs_fifo = pytest.mark.skipif(fifo_is_refused(), reason="SCHED_FIFO is refused here")
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="needs root")


def rows_of(path: Path) -> dict[str, dict[str, Any]]:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    document = json.loads(path.read_text(), parse_constant=refuse)
    return {row["name"]: row for row in document["benchmarks"]}
