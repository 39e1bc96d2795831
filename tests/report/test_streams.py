# SPDX-License-Identifier: Apache-2.0
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from ctxgate.report.write import ReportError, write_text

CHILD = """
import sys
from pathlib import Path
from ctxgate.report.style import decide
from ctxgate.report.terminal import render
from ctxgate.report.write import write_reports, write_text
from tests.report import verdicts
import os

verdict = verdicts.regressed()
write_reports(verdict, {"json": Path(sys.argv[1])})
style = decide(os.environ, sys.stdout)
text = render(verdict, width=style.width, color=style.color, ascii_only=style.ascii_only)
for _ in range(int(sys.argv[2])):
    write_text(sys.stdout, text)
sys.exit(verdict.exit_code)
"""


def child(report: Path, times: int = 1) -> list[str]:
    return [sys.executable, "-c", CHILD, str(report), str(times)]


def test_letters_that_the_stream_lacks_are_escaped() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    write_text(stream, "µ 漢 \udcff\n")
    assert raw.getvalue() == b"\\xb5 \\u6f22 \\udcff\n"


def test_a_stream_in_memory_or_none_will_do() -> None:
    memory = io.StringIO()
    write_text(memory, "µ")
    assert memory.getvalue() == "µ"
    write_text(None, "µ")


def test_a_gone_reader_in_memory_is_no_error() -> None:
    class Gone(io.StringIO):
        def flush(self) -> None:
            raise BrokenPipeError

    write_text(Gone(), "text")


def test_the_stream_of_a_gone_reader_is_sent_to_dev_null() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as stream:
        write_text(stream, "text")
        assert os.fstat(stream.fileno()).st_rdev == Path("/dev/null").stat().st_rdev
        write_text(stream, "more")


def test_a_full_disk_is_an_error_that_names_the_stream() -> None:
    with (
        Path("/dev/full").open("w") as stream,
        pytest.raises(ReportError, match="cannot write to /dev/full: No space left on device"),
    ):
        write_text(stream, "text")


def test_after_a_full_disk_the_exit_is_the_callers() -> None:
    script = (
        "import sys; from ctxgate.report.write import *\n"
        "try: write_text(sys.stdout, 'x')\n"
        "except ReportError as error: sys.stderr.write(str(error)); sys.exit(3)"
    )
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", script], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 3
    assert done.stderr == "cannot write to stdout: No space left on device"


@pytest.mark.parametrize("times", [1, 200])
def test_a_closed_pipe_changes_neither_the_exit_nor_the_reports(tmp_path: Path, times: int) -> None:
    report = tmp_path / "v.json"
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        done = subprocess.run(child(report, times), stdout=pipe, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr == b""
    assert json.loads(report.read_text("utf-8"))["verdict"] == "regression"


def test_a_closed_standard_output_changes_nothing_either(tmp_path: Path) -> None:
    command = 'exec "$@" >&-'
    done = subprocess.run(
        ["sh", "-c", command, "sh", *child(tmp_path / "v.json")], stderr=subprocess.PIPE
    )
    assert done.returncode == 1
    assert done.stderr == b""


def test_an_ascii_locale_gets_ascii(tmp_path: Path) -> None:
    environ = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    environ.pop("PYTHONIOENCODING", None)
    done = subprocess.run(child(tmp_path / "v.json"), env=environ, capture_output=True)
    assert done.returncode == 1
    assert done.stderr == b""
    assert done.stdout.isascii()
    assert b"2.014 us" in done.stdout


def test_a_terminal_of_no_columns(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    environ = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    environ |= {"TERM": "xterm", "PYTHONUTF8": "1"}
    running = subprocess.Popen(
        child(tmp_path / "v.json"), env=environ, stdout=theirs, stderr=subprocess.PIPE
    )
    os.close(theirs)
    shown = b""
    while chunk := _read(ours):
        shown += chunk
    os.close(ours)
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 1
    assert errors == b""
    lines = shown.decode().splitlines()
    assert lines[0].startswith("\x1b[1;31m✗ regression - 1 of 12 benchmarks")
    assert "✗ verdict: regression (exit 1)" in lines[-2] + lines[-1]


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # Linux says EIO once the other end is closed
        return b""
