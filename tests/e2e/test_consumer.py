# SPDX-License-Identifier: Apache-2.0
"""A project that includes ours and gates a Google Benchmark program of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.program

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "tests" / "consumer"
COMMAND = Path(sys.executable).parent / "ctxgate"
OWN_TESTS = ["consumer.own", "ring.fit", "ring.measure", "ring.gate"]


def run(
    *command: object, check: bool = True, **environment: str
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(word) for word in command],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not check or done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done


def configure(build: Path, *definitions: str) -> None:
    run("cmake", "-S", SOURCE, "-B", build, f"-DCTXGATE_COMMAND={COMMAND}", *definitions)


def listed(build: Path) -> list[str]:
    listing = run("ctest", "--test-dir", build, "--show-only=json-v1").stdout
    return [test["name"] for test in json.loads(listing)["tests"]]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the program of build/ was installed to."""
    prefix = tmp_path_factory.mktemp("a prefix")
    run("cmake", "--install", ROOT / "build", "--prefix", prefix)
    return prefix


@pytest.fixture(scope="module")
def consumer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The consumer's build, with its baseline measured just before."""
    root = tmp_path_factory.mktemp("a consumer")
    build = root / "build"
    sessions = [root / "baseline" / f"session-{number}" for number in range(3)]
    baseline = ";".join(map(str, sessions))
    # Wide, since this is a test of the wiring and the machine that runs it may be a busy one.
    # Debug builds in half the time.
    configure(
        build,
        f"-DCONSUMER_BASELINE={baseline}",
        "-DCONSUMER_TOLERANCE=80%",
        "-DCMAKE_BUILD_TYPE=Debug",
    )
    run("cmake", "--build", build, "--parallel", "2")
    for session in sessions:
        session.parent.mkdir(exist_ok=True)
        run(COMMAND, "measure", "--out", session, "--bench", build / "ring_bench", "--runs", "4")
    return build


@pytest.fixture
def gate(consumer: Path) -> Callable[..., tuple[int, str, dict[str, object]]]:
    """Runs the consumer's gate; gives ctest's exit status, its output and the verdict file."""

    def call(**environment: str) -> tuple[int, str, dict[str, object]]:
        done = run(
            "ctest", "--test-dir", consumer, "-L", "^ctxswitch$", "-V", check=False, **environment
        )
        verdict = consumer / "ctxgate-gates" / "ring" / "verdict.json"
        assert verdict.exists(), done.stdout
        return done.returncode, done.stdout, json.loads(verdict.read_bytes())

    return call


def test_only_its_own_tests_are_listed(consumer: Path) -> None:
    assert listed(consumer) == OWN_TESTS


def test_the_program_that_knows_the_machine_is_built_with_it(consumer: Path) -> None:
    assert (consumer / "ctxgate" / "ctxgate" / "bench" / "ctxgate-bench").exists()


def test_an_unchanged_program_passes(
    gate: Callable[..., tuple[int, str, dict[str, object]]],
) -> None:
    exit_code, output, verdict = gate()
    assert (exit_code, verdict["verdict"]) == (0, "pass"), output
    benchmarks = verdict["benchmarks"]
    assert isinstance(benchmarks, list)
    [row] = benchmarks
    assert (row["name"].split("/")[0], row["gated"]) == ("BM_RingPush", True)


def test_a_tenfold_program_fails(
    gate: Callable[..., tuple[int, str, dict[str, object]]],
) -> None:
    exit_code, output, verdict = gate(RING_ROUNDS="1000")
    assert (exit_code, verdict["verdict"]) == (8, "regression"), output


def test_the_installed_package_registers_the_same_tests(installed: Path, tmp_path: Path) -> None:
    configure(tmp_path, "-DCONSUMER_CTXGATE=find_package", f"-DCMAKE_PREFIX_PATH={installed}")
    assert listed(tmp_path) == OWN_TESTS
    assert run(installed / "bin" / "ctxgate-bench", "--version").stdout


def test_the_package_is_not_taken_for_a_later_one(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(later LANGUAGES NONE)\n"
        "find_package(ctxgate 0.2 REQUIRED)\n"
    )
    done = run(
        "cmake",
        "-S",
        tmp_path,
        "-B",
        tmp_path / "b",
        f"-DCMAKE_PREFIX_PATH={installed}",
        check=False,
    )
    assert done.returncode != 0
    assert "0.2" in done.stderr
