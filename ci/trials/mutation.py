# SPDX-License-Identifier: Apache-2.0
"""Deliberate breakages of the deciding code, each of which must turn a test red.

Every breakage is made in a copy of the checkout, and only the tests named beside it are run. It is
caught if a test fails (pytest's exit 1); an error of collection or no test at all (exits 2 to 5)
would be the breakage's own fault and is told as such. The unbroken copy has to pass them first.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Breakage(NamedTuple):
    """`text`, which stands once in `file`, becomes `broken`; `tests` have to notice."""

    what: str
    file: str
    text: str
    broken: str
    tests: str


BREAKAGES = (
    Breakage(
        "a slower contender is taken for a faster one",
        "ctxgate/verdict/exact.py",
        "(self.after.value - self.before.value) / self.before.value",
        "(self.before.value - self.after.value) / self.before.value",
        "tests/verdict",
    ),
    Breakage(
        "more switches a round trip do not matter in the exact tier",
        "ctxgate/verdict/exact.py",
        "known and risen > switch_allowance(one.name)",
        "known and risen > 1000 * switch_allowance(one.name)",
        "tests/verdict",
    ),
    Breakage(
        "two boots that differ are judged all the same",
        "ctxgate/verdict/exact.py",
        "if len(values) > 1:",
        "if len(values) > 2:",
        "tests/verdict",
    ),
    Breakage(
        "a busy machine needs twice the load",
        "ctxgate/verdict/load.py",
        "load > cpus + 1",
        "load > 2 * cpus + 2",
        "tests/verdict",
    ),
    Breakage(
        "Holm spends the whole allowance on each benchmark",
        "ctxgate/noise/holm.py",
        "level = alpha / (count - rank)",
        "level = alpha",
        "tests/noise",
    ),
    Breakage(
        "a benchmark noisier than its class is judged by the class",
        "ctxgate/noise/variance.py",
        "return max(variance, shrunk), nu",
        "return shrunk, nu",
        "tests/noise",
    ),
    Breakage(
        "one contender session counts as two",
        "ctxgate/noise/variance.py",
        "{1: 1.0, 2: 0.5, 3: 0.449}",
        "{1: 0.5, 2: 0.5, 3: 0.449}",
        "tests/noise",
    ),
    Breakage(
        "fast sessions are sick too",
        "ctxgate/noise/sick.py",
        "values[session] - level >",
        "abs(values[session] - level) >",
        "tests/noise",
    ),
    Breakage(
        "a floor gates where the counts of repetitions differ",
        "ctxgate/noise/quieter.py",
        "if quieter and not unlike",
        "if quieter",
        "tests/noise",
    ),
    Breakage(
        "migrations are no reason to doubt a reading",
        "ctxgate/readings/proof.py",
        "counts.migrations > 0",
        "counts.migrations > 1e6",
        "tests/readings",
    ),
    Breakage(
        "a twin may switch",
        "ctxgate/readings/proof.py",
        'name.startswith(("twin/", "canary/")) and',
        'name.startswith("canary/") and',
        "tests/readings",
    ),
    Breakage(
        "a row marked invalid is believed",
        "ctxgate/readings/proof.py",
        "    if not flag:",
        "    if not flag and against:",
        "tests/readings",
    ),
    Breakage(
        "a benchmark that stands twice in a file is taken once",
        "ctxgate/readings/own.py",
        "if name in seen:",
        "if name in seen and not name:",
        "tests/readings",
    ),
    Breakage(
        "a baseline states a tolerance that it cannot certify",
        "ctxgate/baseline/noise.py",
        "gating=not is_canary(name) and certified <= wanted",
        "gating=not is_canary(name)",
        "tests/baseline",
    ),
    Breakage(
        "a canary of a baseline gates",
        "ctxgate/baseline/noise.py",
        "gating=not is_canary(name),",
        "gating=True,",
        "tests/baseline",
    ),
)


def main() -> int:
    """Exit 0 if every breakage was caught, 1 if one survived or could not be made."""
    parser = argparse.ArgumentParser(prog="ci/trial mutation", description=__doc__)
    parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ctxgate-mutation-") as scratch:
        copy = Path(scratch)
        for part in ("ctxgate", "tests", "baselines", "ci"):
            shutil.copytree(ROOT / part, copy / part, symlinks=True)
        shutil.copy(ROOT / "pyproject.toml", copy)
        # A baseline outside a repository is a local one, and the tests tell the two apart.
        subprocess.run(["git", "init", "--quiet", scratch], check=True)
        for tests in sorted({one.tests for one in BREAKAGES}):
            code = _run(copy, tests)
            print(f"unbroken: {tests}: {'passes' if code == 0 else f'pytest exit {code}'}")
            if code:
                return 1
        caught = [_try(copy, one) for one in BREAKAGES]
    print(f"{sum(caught)} of {len(caught)} breakages turned a test red")
    return 0 if all(caught) else 1


def _try(copy: Path, one: Breakage) -> bool:
    file = copy / one.file
    whole = file.read_text(encoding="utf-8")
    if whole.count(one.text) != 1:
        print(f"cannot be made: {one.what}: its text stands {whole.count(one.text)} times")
        return False
    file.write_text(whole.replace(one.text, one.broken), encoding="utf-8")
    try:
        code = _run(copy, one.tests)
    finally:
        file.write_text(whole, encoding="utf-8")
    told = {0: "SURVIVED", 1: "caught"}.get(code, f"pytest exit {code}")
    print(f"{told}: {one.what} ({one.file})", flush=True)
    return code == 1


def _run(copy: Path, tests: str) -> int:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
