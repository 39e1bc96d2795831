# SPDX-License-Identifier: Apache-2.0
"""The fake benchmark program and a host to run it on, for the tests of wall, gate and cli."""

import io
import json
import os
import random
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ctxgate.system.child import run_child
from ctxgate.system.host import Host

_SOURCE = Path(__file__).parent / "fake_program.py"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def install_program(folder: Path, name: str = "ctxgate-bench") -> Path:
    """The fake program as an executable file in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    text = _SOURCE.read_text(encoding="utf-8")
    # To the shell a command, to Python a string: a #! line can neither hold a space nor be long.
    start = f'#!/bin/sh\n"exec" "{sys.executable}" "-IS" "$0" "$@"\n'
    program.write_text(start + text.split("\n", 1)[1], encoding="utf-8")
    program.chmod(0o755)
    return program


def environment(folder: Path, **extra: str) -> dict[str, str]:
    """A small environment whose fake program logs into `folder`."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder / "home"),
        "FAKE_LOG": str(folder / "log"),
        "CTXGATE_LOCK_DIR": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        **extra,
    }


def make_host(folder: Path, *, terminal: bool = False, **environ: str) -> Host:
    """A host on which everything but the program's own processes is recorded or fixed."""
    root = folder / "root"
    (root / "proc/sys/kernel").mkdir(parents=True, exist_ok=True)
    (root / "proc/sys/kernel/osrelease").write_text("6.1.0-fake\n", encoding="utf-8")
    return Host(
        environ=environment(folder, **environ),
        stdin=io.StringIO(),
        stdout=io.StringIO(),
        stderr=Terminal() if terminal else io.StringIO(),
        root=root,
        cwd=folder,
        lock_folders=(folder,),
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        monotonic=time.monotonic,
        random=random.Random(7),
        run=run_child,
    )


def printed(host: Host) -> str:
    """What the host printed as results."""
    assert isinstance(host.stdout, io.StringIO)
    return host.stdout.getvalue()


def said(host: Host) -> str:
    """What the host said as diagnostics."""
    assert isinstance(host.stderr, io.StringIO)
    return host.stderr.getvalue()


def starts(folder: Path) -> list[dict[str, Any]]:
    """The log of the program's starts that measured (not those that were asked for facts)."""
    log = folder / "log"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return [entry for line in lines if "--facts" not in (entry := json.loads(line))["argv"]]
