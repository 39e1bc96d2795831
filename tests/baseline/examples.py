# SPDX-License-Identifier: Apache-2.0
"""Sessions as `ctxgate measure` stamps them, baselines made of them, keys and approved machines."""

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ctxgate.baseline.build import build
from ctxgate.baseline.hardware import Hardware
from ctxgate.baseline.keygen import Keygen
from ctxgate.baseline.load import read_baseline
from ctxgate.baseline.model import Baseline, Provenance, StoredFile
from ctxgate.baseline.text import encode
from ctxgate.readings.model import Clock, Run, Session, SessionSet
from ctxgate.system import kernel_config
from ctxgate.system.child import run_child
from tests.verdict.sides import ARITHMETIC, OTHER, SWITCH, TWIN, reading

IDENTITY = {"cpu_name": "Bench 9000", "cpu_microcode": "0x1"}
CONFIG = "CONFIG_HZ=250\nCONFIG_PSI=y\n"
HARDWARE = Hardware(name="bench", label="Bench 9000, isolated CPU 3", identity=IDENTITY)
NAMES = (SWITCH, OTHER, TWIN, ARITHMETIC)
COMMIT = "0123456789abcdef0123456789abcdef01234567"

needs_keygen = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen is missing: no signature is checked"
)


def session(number: int, level: float = 9.0, *, runs: int = 2, **changes: Any) -> Session:
    """Session `number`, all of its runs there, at exp(level) ns."""
    made = []
    for index in range(runs):
        readings = [
            reading(name, level + 0.001 * index, samples=5000, migrations=0.0, p90=9000.0,
                    p99=9500.0, p999=9900.0, max=20000.0)
            for name in NAMES
        ]  # fmt: skip
        given: dict[str, Any] = {
            "clock": Clock.NANOSECONDS,
            "foreign": False,
            "identity": IDENTITY,
            "subject": {
                "release": "6.1.0",
                "kernel_config": kernel_config.digest(CONFIG),
            },
            "record": {
                "git_commit": COMMIT,
                "boot_id": f"boot-{number}",
                "date": f"2026-11-{number % 28 + 1:02}T00:00:00+00:00",
                "load_average": f"0.{index} 0.1 0.1",
                "host_name": "secret",
                "executable": "/home/somebody/ctxgate-bench",
            },
            "unavailable": {"switch/futex/process/fifo/same_cpu": "no futex here"},
            "session": f"{number:016x}",
            "run_index": index,
            "session_runs": runs,
        }
        one = {reading.name: reading for reading in readings}
        made.append(
            Run(file=f"s{number}/run-{index:02}.json", readings=one, **{**given, **changes})
        )
    return Session(label=f"s{number}", runs=tuple(made))


def sessions(
    levels: Sequence[float] = (9.0, 9.01, 8.99), *, first: int = 0, **changes: Any
) -> SessionSet:
    """A session a level, numbered from `first`."""
    made = [session(number, level, **changes) for number, level in enumerate(levels, first)]
    return SessionSet(sessions=tuple(made))


def entry(serial: int = 1, **changes: Any) -> Provenance:
    given: dict[str, Any] = {
        "action": "record",
        "time": "2026-12-01T00:00:00+00:00",
        "commit": COMMIT,
        "command": "ctxgate baseline record bench-wall.json",
        "reason": "the first",
        "approved_by": "alice",
        "compared": "nothing: it is the first",
        "sessions": ("0000000000000000",),
    }
    return Provenance(serial=serial, **{**given, **changes})


def baseline(side: SessionSet | None = None, *, serial: int = 1) -> Baseline:
    history = tuple(entry(number) for number in range(1, serial + 1))
    return build(side or sessions(), HARDWARE, history, lambda _: 0.03)


def write(folder: Path, made: Baseline | None = None, name: str = "bench-wall.json") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(encode(made or baseline()))
    return path


def stored(path: Path) -> StoredFile:
    read, problems = read_baseline(path)
    assert read is not None, problems
    return read


def approve(folder: Path, identity: dict[str, str] | None = None, name: str = "bench") -> None:
    """List one class of machines beside the baselines."""
    facts = "\n".join(
        f"{fact} = {json.dumps(value)}" for fact, value in (identity or IDENTITY).items()
    )
    text = (
        f'[[hardware]]\nname = "{name}"\nlabel = "{HARDWARE.label}"\n[hardware.identity]\n{facts}\n'
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "approved-hardware.toml").write_text(text, encoding="utf-8")


def accept_text(folder: Path, **changes: str) -> None:
    """One accepted regression beside the baselines."""
    fields = {
        "benchmark": '"switch/pipe/*"',
        "limit": '"5 %"',
        "reason": '"wanted"',
        "approver": '"alice"',
        "expires": "2027-01-31",
        **changes,
    }
    text = "\n".join(f"{key} = {value}" for key, value in fields.items())
    (folder / "accepted.toml").write_text(f"[[accepted]]\n{text}\n", encoding="utf-8")


def make_key(folder: Path, name: str = "key") -> Path:
    """A fresh key pair without a passphrase."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(path)]
    subprocess.run(argv, check=True, stdin=subprocess.DEVNULL)
    return path


def allow(
    folder: Path, *keys: Path, principal: str = "alice@example.org", options: str = ""
) -> None:
    """List the keys in allowed_signers."""
    lines = [f"{principal} {options}{key.with_suffix('.pub').read_text()}" for key in keys]
    (folder / "allowed_signers").write_text("# who may sign\n\n" + "".join(lines))


def keygen(environ: dict[str, str] | None = None) -> Keygen:
    import os

    return Keygen(run_child, environ or dict(os.environ))


def edit(path: Path, change: Callable[[str], str]) -> None:
    before = path.read_text(encoding="utf-8")
    after = change(before)
    assert before != after
    path.write_text(after, encoding="utf-8")
