# SPDX-License-Identifier: Apache-2.0
import errno
import os
import sys
import time
from pathlib import Path

import pytest

from ctxgate.system import child
from ctxgate.system.child import KEPT_BYTES, run_child
from ctxgate.system.host import Finished


def python(code: str, *, limit: float = 10.0, cpu: int | None = None) -> Finished:
    return run_child([sys.executable, "-c", code], environ=os.environ, limit=limit, cpu=cpu)


def gone(pid: int) -> bool:
    """Whether the process is no more, or a zombie of somebody else."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        except OSError:
            return True
        if state[0] in "ZX":
            return True
        time.sleep(0.02)
    return False


def test_ends_with_its_status_and_its_words() -> None:
    finished = python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(6)")
    assert finished == Finished(6, b"out\n", b"err\n", timed_out=False)


def test_a_signal_is_a_negative_status() -> None:
    assert python("import os; os.kill(os.getpid(), 11)").returncode == -11


def test_keeps_the_end_of_a_long_output() -> None:
    finished = python(f"print('a' * {KEPT_BYTES}); print('the end')")
    assert len(finished.stdout) == KEPT_BYTES
    assert finished.stdout.endswith(b"a\nthe end\n")


def test_has_no_input_and_a_group_of_its_own() -> None:
    code = "import os, sys; print(len(sys.stdin.read()), os.getpgrp() == os.getpid())"
    assert python(code).stdout == b"0 True\n"


def test_reads_what_it_is_given_and_then_the_end() -> None:
    code = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])"
    argv = [sys.executable, "-c", code]
    finished = run_child(argv, environ=os.environ, limit=10.0, stdin=b"x" * 100_000 + b"the end")
    assert finished.stdout == b"dne eht" + b"x" * 100_000


def test_asked_the_kernel_to_die_with_us() -> None:
    code = (
        "import ctypes; n = ctypes.c_int(); "
        "ctypes.CDLL(None).prctl(2, ctypes.byref(n)); print(n.value)"
    )
    assert python(code).stdout == b"9\n"


def test_tells_whose_death_to_follow() -> None:
    code = "import os; print(os.environ['CTXGATE_PARENT'] == str(os.getppid()))"
    assert python(code).stdout == b"True\n"


def test_runs_on_the_cpu_and_gives_ours_back() -> None:
    before = os.sched_getaffinity(0)
    cpu = max(before)
    finished = python("import os; print(os.sched_getaffinity(0))", cpu=cpu)
    assert finished.stdout.decode() == f"{{{cpu}}}\n"
    assert os.sched_getaffinity(0) == before


@pytest.mark.parametrize("has_pidfd", [True, False])
def test_the_limit_ends_it(monkeypatch: pytest.MonkeyPatch, has_pidfd: bool) -> None:
    if not has_pidfd:
        monkeypatch.setattr(os, "pidfd_open", _refuse(errno.ENOSYS))
    monkeypatch.setattr(child, "_POLL_S", 0.02)
    finished = python("import time; time.sleep(600)", limit=0.3)
    assert finished.timed_out
    assert finished.returncode == -15


def test_a_stubborn_one_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "GRACE_S", 0.2)
    code = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"
    finished = python(code, limit=0.7)
    assert finished.timed_out
    assert finished.returncode == -9


def test_without_pidfd_an_end_is_seen_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "pidfd_open", _refuse(errno.EPERM))
    monkeypatch.setattr(child, "_POLL_S", 0.02)
    assert python("raise SystemExit(4)") == Finished(4, b"", b"", timed_out=False)


def test_what_it_leaves_behind_is_killed() -> None:
    code = (
        "import subprocess, sys; "
        "print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']).pid)"
    )
    assert gone(int(python(code).stdout))


def test_an_interruption_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def interrupted(pid: int, _limit: float) -> bool:
        seen.append(pid)
        if len(seen) == 1:
            raise KeyboardInterrupt
        return False

    monkeypatch.setattr(child, "_wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        python("import time; time.sleep(600)")
    assert gone(seen[0])


def test_what_cannot_be_started_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run_child([str(tmp_path / "nothing")], environ={}, limit=1.0)


def test_signals_to_a_group_that_is_gone_are_no_fault() -> None:
    child._signal_group(2**22 - 1, 15)


def _refuse(number: int):  # type: ignore[no-untyped-def]
    def refuse(_pid: int) -> int:
        raise OSError(number, os.strerror(number))

    return refuse
