# SPDX-License-Identifier: Apache-2.0
"""The drawing."""

import math
from pathlib import Path

from ctxgate.baseline.load import sessions_of
from ctxgate.baseline.show import Look, show
from ctxgate.readings.model import Clock
from tests.baseline.examples import baseline, edit, sessions, stored, write


def drawn(path: Path, *, ascii_only: bool = False) -> list[str]:
    read = stored(path)
    return show(read, sessions_of(read), Look(ascii_only=ascii_only)).splitlines()


def test_a_baseline(tmp_path: Path) -> None:
    levels = [9.0 + math.log1p(step) for step in (0.0, 0.03, -0.03)]
    path = write(tmp_path, baseline(sessions(levels, runs=1), serial=2))
    lines = drawn(path)
    assert lines[0] == f"{path}: Bench 9000, isolated CPU 3 (bench), wall tier, serial 2"
    assert lines[1] == (
        "3 sessions of 1 runs, measured 2026-11-01T00:00:00+00:00 to 2026-11-03T00:00:00+00:00"
    )
    assert lines[2].startswith("serial 1: record 2026-12-01T00:00:00+00:00, commit 0123456789ab")
    assert lines[2].endswith("approved by alice: the first (nothing: it is the first)")
    place = lines.index("switch/pipe/process/fifo/same_cpu")
    assert lines[place + 1] == " *floor   ▅█▁  8.101 µs, -3 % to +3 %, noise 3 %"
    assert lines[place + 2] == "  typical ▅█▁  8.263 µs, -3 % to +3 %, noise 3 %"
    assert lines[place + 3].startswith("  advisory: certifies ")
    assert ", tolerance 3 %, sees (MDE) " in lines[place + 3]
    canary = lines.index("canary/arithmetic")
    assert lines[canary + 3].startswith("  watched: ")
    assert lines[-1].startswith("code passes 19 times")


def test_quiet_sessions_look_quiet(tmp_path: Path) -> None:
    """The scale is the tolerance: 0.1 % of it would else look like a mountain."""
    path = write(tmp_path, baseline(sessions((9.0, 9.0005, 8.9995))))
    assert any("▅▅▄" in line for line in drawn(path))


def test_ascii(tmp_path: Path) -> None:
    text = "\n".join(drawn(write(tmp_path), ascii_only=True))
    assert text.isascii()
    assert " us, " in text


def test_many_sessions_are_cut(tmp_path: Path) -> None:
    path = write(tmp_path, baseline(sessions([9.0] * 64, runs=1, record={"git_commit": "x"})))
    lines = drawn(path)
    assert lines[1] == "64 sessions of 1 runs"
    assert any(f"{'▅' * 60} (the last 60 of 64)  8.103 µs" in line for line in lines)


def test_instructions_and_uneven_runs(tmp_path: Path) -> None:
    side = sessions((9.0, 9.0, 9.0), clock=Clock.INSTRUCTIONS)
    text = "\n".join(drawn(write(tmp_path, baseline(side))))
    assert "instructions, +0 % to +0 %, noise 0 %" in text
    assert "gating: certifies 0 %" in text


def test_a_benchmark_without_a_noise_model(tmp_path: Path) -> None:
    path = write(tmp_path)
    name = '"switch/pipe/process/fifo/same_cpu": {"metric"'
    edit(path, lambda text: text.replace(name, '"gone": {"metric"'))
    lines = drawn(path)
    place = lines.index("switch/pipe/process/fifo/same_cpu")
    assert lines[place + 1].startswith("  floor ")
    assert lines[place + 3] == ""
