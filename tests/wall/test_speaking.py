# SPDX-License-Identifier: Apache-2.0
"""What a person sees meanwhile, and how a person ends it."""

import io
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ctxgate.system import interruption
from ctxgate.system.host import Host, _lock_folders, _usable, _working_directory
from ctxgate.system.interruption import Interrupted, install
from ctxgate.system.progress import Progress, duration
from tests.wall.bench import make_host, said


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 s"),
        (59.4, "59 s"),
        (60.0, "1 min"),
        (150.0, "2 min 30 s"),
        (3600.0, "1 h"),
        (3900.0, "1 h 5 min"),
    ],
)
def test_durations_as_a_person_reads_them(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def measured(host: Host) -> str:
    clock = iter([0.0, 10.0, 20.0, 30.0])
    progress = Progress(replace(host, monotonic=lambda: next(clock)), label="session", runs=3)
    for run in range(3):
        progress.before(run)
    progress.end()
    return said(host)


def test_a_terminal_is_redrawn_between_runs(tmp_path: Path) -> None:
    assert measured(make_host(tmp_path, terminal=True)) == (
        "\r\x1b[Ksession: run 1 of 3"
        "\r\x1b[Ksession: run 2 of 3, about 20 s left"
        "\r\x1b[Ksession: run 3 of 3, about 10 s left"
        "\r\x1b[Ksession: done after 30 s\n"
    )


@pytest.mark.parametrize("terminal", [False, True])
def test_a_log_gets_the_first_and_the_last_line(tmp_path: Path, terminal: bool) -> None:
    host = make_host(tmp_path, terminal=terminal, TERM="dumb")
    clock = iter([0.0, 30.0])
    progress = Progress(replace(host, monotonic=lambda: next(clock)), label="session", runs=3)
    for run in range(3):
        progress.before(run)
    progress.give_up()
    progress.end()
    assert said(host) == "session: 3 runs\nsession: done after 30 s\n"


def test_giving_up_clears_the_line(tmp_path: Path) -> None:
    host = make_host(tmp_path, terminal=True)
    Progress(host, label="session", runs=3).give_up()
    assert said(host) == "\r\x1b[K"


@pytest.fixture
def _handlers():  # type: ignore[no-untyped-def]
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.usefixtures("_handlers")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_ending_signal_is_raised_once(number: int, code: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    install()
    with pytest.raises(Interrupted) as raised:
        signal.raise_signal(number)
    assert raised.value.exit_code == code
    assert all(signal.getsignal(other) == signal.SIG_IGN for other in interruption._ENDING)
    signal.raise_signal(number)


@pytest.mark.usefixtures("_handlers")
def test_nohup_stays() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    install()
    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN


def test_streams_that_are_gone_never_raise(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    host = make_host(tmp_path)
    with os.fdopen(os.dup(writing), "w", buffering=1) as gone:
        host = replace(host, stdout=gone, stderr=gone)
        host.show("result")
        host.say("diagnostic")
    os.close(writing)
    host.show("closed")
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        replace(host, stderr=full).say("nobody will read this")


def test_letters_that_an_encoding_lacks_are_escaped() -> None:
    raw = io.BytesIO()
    stream = _usable(io.TextIOWrapper(raw, encoding="ascii"))
    stream.write("µs")
    stream.flush()
    assert raw.getvalue() == b"\\xb5s"
    plain = io.StringIO()
    assert _usable(plain) is plain


def test_a_closed_stream_is_a_null_stream() -> None:
    with _usable(None) as stream:
        stream.write("nowhere")
        assert stream.read() == ""


def test_the_real_host_is_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    host = Host.real()
    assert host.cwd == Path.cwd()
    assert host.root == Path("/")
    assert host.now().tzinfo is not None
    finished = host.run([sys.executable, "-c", ""], environ=host.environ, limit=10.0)
    assert finished.returncode == 0
    host.stdout.close()


def test_a_deleted_working_directory_is_a_dot(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> Path:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "cwd", gone)
    assert _working_directory() == Path()


def test_containers_may_share_a_lock() -> None:
    assert _lock_folders({}) == (Path("/run/lock"), Path("/tmp"))
    assert _lock_folders({"CTXGATE_LOCK_DIR": "/shared"}) == (Path("/shared"),)
