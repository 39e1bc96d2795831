# SPDX-License-Identifier: Apache-2.0
"""kill -9 at random moments: no process, no lock, no half file is left, and the next run works.

For each victim (ctxgate itself, the program, the program's partner) a measurement is started and
the victim killed after a random time; then its processes must be gone, the output directory absent
or whole, nothing else beside it, and the lock free.
"""

import argparse
import fcntl
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

VICTIMS = ("ctxgate", "program", "partner")
LOCKS = (Path("/run/lock/ctxgate.lock"), Path("/tmp/ctxgate.lock"))


def children(pid: int) -> list[int]:
    """The living children of all threads of a process."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(word) for word in task.read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def victim_of(ctxgate: int, kind: str, until: float) -> int | None:
    """The process to kill: waits until it exists, at most until `until`."""
    while time.monotonic() < until:
        generations = [ctxgate]
        for _ in range(VICTIMS.index(kind)):
            generations = [child for parent in generations for child in children(parent)]
        if generations:
            return generations[-1]
    return None


def named(name: str) -> list[int]:
    """Processes whose executable has that name."""
    found = []
    for link in Path("/proc").glob("[0-9]*/exe"):
        try:
            if link.readlink().name == name:
                found.append(int(link.parent.name))
        except OSError:
            continue
    return found


def lock_is_free() -> bool:
    """Whether the host-wide lock can be taken at once."""
    for path in LOCKS:
        if path.exists():
            with path.open("rb") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    return False
    return True


def once(bench: Path, kind: str, folder: Path, source: random.Random) -> str:
    """One kill; what was left, or "clean"."""
    out = folder / "session"
    command = [sys.executable, "-m", "ctxgate", "measure", "--out", out, "--runs", "2"]
    command += ["--bench", bench]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    begun = time.monotonic()
    time.sleep(source.uniform(0.0, 3.0))
    victim = victim_of(process.pid, kind, begun + 6)
    if victim is not None:
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            victim = None
    code = process.wait(timeout=60)
    until = time.monotonic() + 5
    while named(bench.name) and time.monotonic() < until:
        time.sleep(0.02)
    if named(bench.name):
        return f"processes left: {named(bench.name)}"
    if not lock_is_free():
        return "the lock is held"
    runs = sorted(out.glob("*.json")) if out.is_dir() else []
    if code == 0 and len(runs) != 2:
        return f"exit 0 with {len(runs)} runs"
    if code != 0 and runs:
        return f"exit {code} with {len(runs)} runs in place"
    if kind != "ctxgate" and victim is not None and code not in (0, 3):
        return f"exit {code} after the {kind} was killed"
    return "clean" if victim is not None else "clean (ended before the kill)"


def main() -> None:
    """Kills each victim as often as asked, then measures once undisturbed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    bench = options.bench.resolve()
    source = random.Random(options.seed)
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind in VICTIMS:
            seen: Counter[str] = Counter()
            for _ in range(options.kills):
                seen[once(bench, kind, folder, source)] += 1
            print(f"{kind}: {dict(seen)}", flush=True)
            failed |= any(not word.startswith("clean") for word in seen)
        command = [sys.executable, "-m", "ctxgate", "measure", "--out", folder / "session"]
        done = subprocess.run([*command, "--runs", "2", "--bench", bench], check=False)
        beside = sorted(path.name for path in folder.iterdir())
        print(f"next run: exit {done.returncode}; beside each other: {beside}")
        failed |= done.returncode != 0 or beside != ["session"]
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
