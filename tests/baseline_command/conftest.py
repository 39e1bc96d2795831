# SPDX-License-Identifier: Apache-2.0
"""A repository with a fake program, and a baseline of three of its sessions."""

import gzip
import itertools
import os
import random
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ctxgate.cli import main
from ctxgate.system.host import Host
from tests.baseline.examples import COMMIT, approve
from tests.baseline_command.commands import CONFIG, FAKE, FILE, WHY, Run
from tests.wall.bench import install_program, make_host, said


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with approved machines, the fake program where a build puts it, and a git."""
    install_program(tmp_path / "build")
    (tmp_path / ".git").mkdir()
    git = tmp_path / "bin/git"
    git.parent.mkdir()
    git.write_text(f'#!/bin/sh\necho ${{FAKE_COMMIT-{COMMIT}}}\ntest -n "${{FAKE_COMMIT-x}}"\n')
    git.chmod(0o755)
    approve(tmp_path / "baselines", FAKE, name="fake")
    config = tmp_path / "root/proc/config.gz"
    config.parent.mkdir(parents=True)
    config.write_bytes(gzip.compress(CONFIG.encode()))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Run:
    """Run one command line: exit status and host."""
    calls = itertools.count()

    def once(*argv: str, **environ: str) -> tuple[int, Host]:
        path = f"{folder / 'bin'}:{os.environ['PATH']}"
        host = make_host(folder, **{"PATH": path, **environ})
        seed = random.Random(next(calls))
        later = replace(host, now=lambda: datetime(2026, 12, 24, tzinfo=UTC), random=seed)
        return main(argv, later), later

    return once


@pytest.fixture
def sessions(run: Run) -> list[str]:
    """Three sessions of two runs."""
    for name in ("s0", "s1", "s2"):
        assert run("measure", "--out", name, "--runs", "2")[0] == 0
    return ["s0", "s1", "s2"]


@pytest.fixture
def recorded(run: Run, sessions: list[str]) -> Path:
    """A baseline of the three sessions."""
    status, host = run("baseline", "record", FILE, "--session", *sessions, *WHY)
    assert status == 0, said(host)
    return Path(FILE)
