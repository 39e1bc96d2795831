# SPDX-License-Identifier: Apache-2.0
"""The command as a process of its own: killed, interrupted, piped, started anywhere."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.wall.bench import environment, install_program, starts

COMMAND = [sys.executable, "-m", "ctxgate"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    install_program(tmp_path / "build")
    return tmp_path


def start(folder: Path, *argv: str, ignored: int | None = None, **environ: str) -> subprocess.Popen:  # type: ignore[type-arg]
    return subprocess.Popen(
        [*COMMAND, *argv],
        cwd=folder,
        env=environment(folder, **environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=None if ignored is None else lambda: _ignore(ignored),
    )


def _ignore(number: int) -> None:
    signal.signal(number, signal.SIG_IGN)


def measuring(folder: Path, runs: int = 1) -> int:
    """Wait until the program has been started `runs` times to measure; the last one's pid."""
    for _ in range(1000):
        if len(starts(folder)) >= runs:
            return int(starts(folder)[-1]["pid"])
        time.sleep(0.01)
    raise AssertionError("the program was not started")


def gone(pid: int) -> bool:
    for _ in range(300):
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        except OSError:
            return True
        if state[0] in "ZX":
            return True
        time.sleep(0.01)
    return False


def left(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir() if "session" in p.name)


MEASURE = ("measure", "--out", "session", "--runs", "3", "--lock-timeout", "20")


def works(folder: Path) -> None:
    """The next run works and removes what the killed one left."""
    with start(folder, *MEASURE) as process:
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert b"waiting" not in said
    assert left(folder) == ["session"]
    assert len(list((folder / "session").glob("run-*.json"))) == 3


@pytest.mark.parametrize("runs", [1, 2])
def test_killed(folder: Path, runs: int) -> None:
    with start(folder, *MEASURE, FAKE_SLEEP="0.5") as process:
        program = measuring(folder, runs)
        process.kill()
        process.communicate(timeout=20)
    assert gone(program)
    assert "session" not in left(folder)
    works(folder)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_interrupted(folder: Path, number: int, code: int) -> None:
    with start(
        folder, *MEASURE, FAKE_MODE="hang", FAKE_AT_RUN="1", ignored=signal.SIGINT
    ) as process:
        program = measuring(folder, 2)
        process.send_signal(number)
        out, said = process.communicate(timeout=20)
    assert process.returncode == code
    assert gone(program)
    assert left(folder) == []
    assert out == b""
    assert said.endswith(b"ctxgate: interrupted\n")
    assert b"Traceback" not in said
    works(folder)


def test_a_stubborn_program_is_killed_however_often_one_asks(folder: Path) -> None:
    with start(folder, *MEASURE, FAKE_MODE="stubborn") as process:
        program = measuring(folder)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode == 130
    assert gone(program)
    assert left(folder) == []


def test_one_measurement_at_a_time(folder: Path) -> None:
    with start(folder, *MEASURE, FAKE_SLEEP="0.3") as first:
        measuring(folder)
        with start(folder, "measure", "--out", "other", "--runs", "1") as second:
            _, said = second.communicate(timeout=60)
        first.communicate(timeout=60)
    assert (first.returncode, second.returncode) == (0, 0)
    assert f"held by process {first.pid}".encode() in said


def test_a_killed_recording_is_not_used(folder: Path) -> None:
    gate = ("gate", "--local-baseline", "--runs", "2")
    with start(folder, *gate, FAKE_SLEEP="0.05") as process:
        program = measuring(folder, 4)
        process.kill()
        process.communicate(timeout=20)
    assert gone(program)
    with start(folder, *gate) as process:
        out, said = process.communicate(timeout=60)
    assert process.returncode == 0
    assert b"recording 5 sessions" in said
    assert out.startswith(b"certifiable tolerance: ")


@pytest.fixture
def sides(folder: Path) -> list[str]:
    for name in ("a", "b", "c", "d"):
        with start(folder, "measure", "--out", name, "--runs", "2") as process:
            process.communicate(timeout=60)
    slow = ("measure", "--out", "slow", "--runs", "2")
    with start(folder, *slow, FAKE_FACTOR="2") as process:
        process.communicate(timeout=60)
    return ["--baseline", "a", "b", "c", "d", "--contender", "slow"]


def test_a_closed_pipe_keeps_the_status(folder: Path, sides: list[str]) -> None:
    for stderr in (subprocess.DEVNULL, subprocess.STDOUT):
        reading, writing = os.pipe()
        os.close(reading)
        finished = subprocess.run(
            [*COMMAND, "compare", *sides, "--json", "v.json"],
            cwd=folder,
            env=environment(folder),
            stdout=writing,
            stderr=stderr,
            check=False,
        )
        os.close(writing)
        assert finished.returncode == 1
        assert (folder / "v.json").exists()
        (folder / "v.json").unlink()


def test_closed_streams_keep_the_status(folder: Path, sides: list[str]) -> None:
    line = f"{shlex.join([sys.executable, '-m', 'ctxgate', 'compare', *sides])} <&- >&- 2>&-"
    finished = subprocess.run(["sh", "-c", line], cwd=folder, env=environment(folder), check=False)
    assert finished.returncode == 1


@pytest.mark.parametrize(
    "environ",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"COLUMNS": "0"},
        {"TERM": "dumb", "COLUMNS": "10"},
    ],
)
def test_poor_terminals_keep_the_status(
    folder: Path, sides: list[str], environ: dict[str, str]
) -> None:
    with start(folder, "compare", *sides, **environ) as process:
        out, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said == b""
    assert "LC_ALL" not in environ or out.isascii()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_somebody_without_a_name_or_a_home(folder: Path, sides: list[str]) -> None:
    for path in (folder, *folder.parents):
        if path == Path("/tmp"):
            break
        path.chmod(0o755)
    folder.chmod(0o777)
    environ = environment(folder)
    del environ["HOME"]
    (folder / "log").chmod(0o666)

    def become() -> None:
        os.setgroups([])
        os.setgid(4242)
        os.setuid(4242)

    def status(*argv: str) -> tuple[int, bytes]:
        finished = subprocess.run(
            [*COMMAND, *argv],
            cwd=folder,
            env=environ,
            capture_output=True,
            preexec_fn=become,
            check=False,
        )
        return finished.returncode, finished.stderr

    assert status("compare", *sides) == (1, b"")
    code, said = status("measure", "--out", "session", "--runs", "1")
    assert code == 0, said
    assert b"commit is recorded as unknown" in said
    assert status("gate", "--local-baseline")[0] == 2


def test_help_needs_no_heavy_library(folder: Path) -> None:
    code = (
        "import sys; from ctxgate.cli import main; from ctxgate.system.host import Host;"
        "status = main(['--help'], Host.real());"
        "heavy = {'numpy', 'scipy', 'rich.console', 'dask', 'jinja2'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else status)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], env=environment(folder), capture_output=True, check=False
    )
    assert (finished.returncode, finished.stderr) == (0, b"")
