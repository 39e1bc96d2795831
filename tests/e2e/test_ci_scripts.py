# SPDX-License-Identifier: Apache-2.0
"""ci/*: what they run, and that no failure on the way is lost."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STAGES = {
    "lint": "lint",
    "cmake --preset test": "configure test",
    "cmake --build --preset test": "build test",
    "ctest --preset test": "unit tests (test)",
    "cmake --preset sanitize": "configure sanitize",
    "cmake --build --preset sanitize": "build sanitize",
    "ctest --preset sanitize": "unit tests (sanitize)",
    "python -m pytest": "Python tests",
    "python ci/summarize_tests.py": "summary",
}


class Checkout:
    """A copy of ci/ whose every command is a stand-in that notes its call and exits as told."""

    def __init__(self, root: Path) -> None:
        self.root = root / "a check out"
        shutil.copytree(ROOT / "ci", self.root / "ci")
        for name in ("ci/setup", "ci/lint", "bin/cmake", "bin/ctest"):
            self.stand_in(name)
        for name in (".venv/bin/python", ".venv/bin/ctxgate"):
            self.stand_in(name)

    def stand_in(self, name: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f'#!/bin/sh\ncall="{path.name} $*"\necho "$call" >> "{self.root}/calls"\n'
            'case "$call" in "$FAILING"*) exit 5 ;; esac\n'
        )
        path.chmod(0o755)

    def run(
        self, *command: str, failing: str = "nothing", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        (self.root / "calls").write_text("")
        kept = {key: value for key, value in os.environ.items() if key != "CI"}
        path = f"{self.root / 'bin'}:{os.environ['PATH']}"
        return subprocess.run(
            [self.root / command[0], *command[1:]],
            cwd="/",
            env={**kept, "PATH": path, "FAILING": failing, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def calls(self) -> list[str]:
        return (self.root / "calls").read_text().splitlines()


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.mark.parametrize("desk", [{}, {"CI": ""}, {"CI": "false"}, {"CI": "0"}])
def test_the_gate_may_skip_at_the_desk(checkout: Checkout, desk: dict[str, str]) -> None:
    assert checkout.run("ci/gate", "--runs", "3", **desk).returncode == 0
    assert checkout.calls() == [
        "setup ",
        "ctxgate gate --local-baseline --on-unfit=skip --runs 3",
    ]


@pytest.mark.parametrize("ci", ["true", "1", "yes"])
def test_the_gate_may_not_skip_in_ci(checkout: Checkout, ci: str) -> None:
    checkout.run("ci/gate", CI=ci)
    assert checkout.calls()[1] == "ctxgate gate --local-baseline"


def test_the_verdict_is_the_exit_status_of_the_gate(checkout: Checkout) -> None:
    assert checkout.run("ci/gate", failing="ctxgate gate").returncode == 5


def test_a_failed_set_up_is_broken_and_no_regression(checkout: Checkout) -> None:
    done = checkout.run("ci/gate", failing="setup")
    assert (done.returncode, done.stdout) == (3, "")
    assert "nothing was measured" in done.stderr
    assert checkout.calls() == ["setup "]


def test_ci_test_runs_every_stage(checkout: Checkout) -> None:
    done = checkout.run("ci/test")
    assert done.returncode == 0, done.stderr
    first, *calls = checkout.calls()
    assert first == "setup --test"
    for call, begin in zip(calls, STAGES, strict=True):
        assert call.startswith(begin)
    assert "--cov-fail-under=95" in calls[-2]


@pytest.mark.parametrize(("call", "stage"), STAGES.items())
def test_a_failed_stage_fails_the_whole(checkout: Checkout, call: str, stage: str) -> None:
    done = checkout.run("ci/test", failing=call)
    assert done.returncode == 1
    assert f"FAILED: {stage}\n" in done.stderr
    assert checkout.calls()[-1].startswith("python ci/summarize_tests.py")


def test_without_set_up_nothing_is_tested(checkout: Checkout) -> None:
    assert checkout.run("ci/test", failing="setup").returncode == 5
    assert checkout.calls() == ["setup --test"]


def test_set_up_takes_one_option_only() -> None:
    done = subprocess.run(
        [ROOT / "ci/setup", "--tests"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "usage: ci/setup [--test]\n")


def test_set_up_refuses_an_old_python(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "ci", tmp_path / "ci")
    done = subprocess.run(
        [tmp_path / "ci/setup"],
        env={**os.environ, "CTXGATE_PYTHON": "/bin/false"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "setup: CTXGATE_PYTHON=/bin/false is no Python >= 3.11\n"


@pytest.mark.parametrize("name", ["runtime", "test"])
def test_locks_hold_hashes_and_no_address(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert not re.search(r"https?:|--index|--find-links|--extra-index", text)
    requirements = re.split(r"\n(?=\w)", text.split("do not edit.\n")[1])
    assert len(requirements) > 15
    for requirement in requirements:
        assert re.match(r"[\w-]+==[\w.]+( ; .+)? \\\n +--hash=sha256:", requirement), requirement


def test_the_test_lock_holds_the_runtime_lock() -> None:
    def pins(name: str) -> set[str]:
        text = (ROOT / "requirements" / f"{name}.txt").read_text()
        return set(re.findall(r"^\w.*(?= \\$)", text, re.MULTILINE))

    assert pins("runtime") < pins("test")


def test_every_script_ends_on_a_failure() -> None:
    scripts = [path for path in (*(ROOT / "ci").iterdir(), ROOT / ".ci/run") if path.is_file()]
    shell = [path for path in scripts if path.read_text().startswith("#!/usr/bin/env bash")]
    assert len(shell) >= 6
    for path in shell:
        assert "\nset -euo pipefail\n" in path.read_text(), path
        assert os.access(path, os.X_OK), path
