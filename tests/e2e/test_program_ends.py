# SPDX-License-Identifier: Apache-2.0
"""The built ctxgate-bench killed, and run with file capabilities: what is left, and what is not."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.e2e.programs import built_program, lasting_child, needs_fifo, rows_of

pytestmark = pytest.mark.program


@pytest.fixture
def with_capabilities(tmp_path: Path) -> list[str]:
    """A command that runs the program with file capabilities and as an ordinary user."""
    program = tmp_path / "ctxgate-bench"
    shutil.copy(built_program(), program)
    if os.getuid() != 0 or shutil.which("setcap") is None:
        pytest.skip("needs root and setcap")
    capabilities = "cap_sys_nice,cap_ipc_lock+ep"
    if subprocess.run(["setcap", capabilities, program], check=False).returncode != 0:
        pytest.skip("file capabilities cannot be set here")
    tmp_path.chmod(0o777)
    for folder in tmp_path.parents[:2]:
        folder.chmod(0o755)
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", str(program)]


@needs_fifo
def test_with_file_capabilities_it_measures(tmp_path: Path, with_capabilities: list[str]) -> None:
    out = tmp_path / "run.json"
    command = [*with_capabilities, "--class=fifo", "--filter=pipe", "--out", out]
    for _ in range(2):  # into a new file, and in place of one
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert rows_of(out)["switch/pipe/thread/fifo/same_cpu"]["ctxgate.valid"] == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ctxgate-bench", "run.json"]


def test_with_file_capabilities_the_partner_dies_too(
    tmp_path: Path, with_capabilities: list[str]
) -> None:
    command = [*with_capabilities, "--class=other", "--filter=pipe/process"]
    kill_and_check(command, tmp_path / "run.json", "program")


def test_with_file_capabilities_it_dies_with_the_process_that_runs_it(
    tmp_path: Path, with_capabilities: list[str]
) -> None:
    names = tmp_path / "pid"
    # A shell, since the test's own Python may lie where that user cannot read.
    script = f"CTXGATE_PARENT=$$ '{with_capabilities[-1]}' --class=other >'{tmp_path}/out' &"
    script += f" echo $! >'{names}'; wait"
    parent = subprocess.Popen([*with_capabilities[:-1], "sh", "-c", script])
    until = time.monotonic() + 10
    while (not names.exists() or not names.read_text()) and time.monotonic() < until:
        time.sleep(0.005)
    program = Path("/proc") / names.read_text().strip()
    time.sleep(0.05)
    parent.kill()
    parent.wait()
    while program.exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert not program.exists()


@pytest.mark.parametrize("victim", ["program", "partner"])
def test_killed_it_leaves_no_process_and_no_file(tmp_path: Path, victim: str) -> None:
    # The path that lasts longest; the unit tests kill the partner of each.
    command = [str(built_program()), "--class=other", "--filter=pipe/process"]
    kill_and_check(command, tmp_path / "run.json", victim)


def kill_and_check(command: list[str], out: Path, victim: str) -> None:
    before = set(out.parent.iterdir())
    command = [*command, "--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 10
    partner = lasting_child(process.pid)
    os.kill(process.pid if victim == "program" else partner, signal.SIGKILL)
    _, stderr = process.communicate(timeout=60)
    while Path(f"/proc/{partner}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{partner}").exists()
    if victim == "program":
        assert process.returncode == -signal.SIGKILL
        assert set(out.parent.iterdir()) == before
    else:
        assert process.returncode == 3
        assert "killed by signal 9" in stderr
