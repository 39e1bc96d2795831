# SPDX-License-Identifier: Apache-2.0
"""The built ctxgate-bench as its users run it: proof, refusals, exits, output."""

import contextlib
import itertools
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ctxgate.readings.load import load_run
from tests.e2e.programs import (
    bench,
    built_program,
    lasting_child,
    needs_fifo,
    needs_root,
    rows_of,
    skip_if_busy,
)

PRETEND = Path(__file__).with_name("pretend_success.py")
SYSTEM_CALLS = {  # asm/unistd.h: numbers of x86-64 and of the generic table
    "sched_setaffinity": {"x86_64": 203, "aarch64": 122},
    "sched_setscheduler": {"x86_64": 144, "aarch64": 119},
    "getrusage": {"x86_64": 98, "aarch64": 165},
}
PATHS = ("pipe", "socketpair", "eventfd", "futex", "yield")
PLACES = [f"{e}/{c}/same_cpu" for e in ("process", "thread") for c in ("fifo", "other")]
CANARIES = [f"canary/{name}" for name in ("arithmetic", "null_syscall", "cache_miss")]
NAMES = [
    *(
        f"{kind}/{place}"
        for path in PATHS
        for place in PLACES
        for kind in (f"switch/{path}", f"twin/{path}", "twin/null_syscall")
        if kind != "twin/null_syscall" or path == "pipe"
    ),
    *CANARIES,
]
LAST_CPU = max(os.sched_getaffinity(0))

pytestmark = pytest.mark.program


@needs_fifo
def test_a_whole_run_is_proven(tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    stamps = {"session": "s1", "run": "0", "runs": "1"}
    context = [f"--context=ctxgate.{key}={value}" for key, value in stamps.items()]
    done = bench("--out", out, "--seed", "3", "--audit", *context)
    skip_if_busy(done)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    rows = rows_of(out)
    assert set(rows) == set(NAMES)
    for name, row in rows.items():
        check_row(name, row)
    for path, entity in itertools.product(PATHS, ("process", "thread")):
        row = rows[f"switch/{path}/{entity}/fifo/same_cpu"]
        counted, absent = ("involuntary", "voluntary")[:: 1 if path == "yield" else -1]
        assert row[f"ctxgate.{counted}"] == pytest.approx(2, abs=0.01), path
        assert row[f"ctxgate.{absent}"] == pytest.approx(0, abs=0.01), path
        assert row[f"ctxgate.{absent}_max"] == 0
    run, problems, _ = load_run(out)
    assert problems == []
    assert run is not None
    assert run.session == "s1"
    assert run.readings["switch/pipe/process/fifo/same_cpu"].switches == pytest.approx(2, abs=0.01)


def check_row(name: str, row: dict[str, Any]) -> None:
    assert row["ctxgate.valid"] == 1, name
    assert row["run_name"] == name
    kind, path = name.split("/")[:2]
    slack = 0.01 if "/fifo/" in name else 0.1
    if (kind, path, "/other/" in name) == ("switch", "yield", True):
        assert 2 - slack <= row["ctxgate.switches"] <= 4 + slack
    else:
        wanted = 2.0 if kind == "switch" else 0.0
        assert row["ctxgate.switches"] == pytest.approx(wanted, abs=slack), name
    if kind == "switch":
        block = 8 if path == "yield" else 1
        assert row["iterations"] == (25_600 if path == "pipe" else 12_800)
        assert row["ctxgate.samples"] == row["iterations"] / block
        assert row["ctxgate.block"] == block
        assert row.get("label", "") == ("timed in blocks of 8" if block == 8 else "")
        if "ctxgate.audit_switches" in row:
            audited = row["ctxgate.audit_switches"]
            assert audited == pytest.approx(row["ctxgate.switches"], abs=2 * slack), name
    quantiles = [row[f"ctxgate.{key}"] for key in ("p50", "p90", "p99", "p999", "max")]
    assert quantiles == sorted(quantiles)
    assert 0 < row["ctxgate.floor"] <= row["real_time"]


def test_the_class_other_needs_no_right_and_counts_without_perf(tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    program = tmp_path / "ctxgate-bench"
    shutil.copy(built_program(), program)
    prefix: tuple[str, ...] = ()
    if os.getuid() == 0:
        tmp_path.chmod(0o777)
        for folder in tmp_path.parents[:2]:  # pytest's own, closed to others
            folder.chmod(0o755)
        prefix = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    command = [*prefix, program, "--class=other", "--filter=pipe", "--audit", "--out", out]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    skip_if_busy(done)
    assert (done.returncode, done.stderr) == (0, "")
    for name, row in rows_of(out).items():
        wanted = 2.0 if name.startswith("switch/") else 0.0
        assert row["ctxgate.switches"] == pytest.approx(wanted, abs=0.1), name


@needs_root
def test_fifo_without_the_right_is_refused_with_cause_and_remedy(tmp_path: Path) -> None:
    program = tmp_path / "ctxgate-bench"
    shutil.copy(built_program(), program)
    out = tmp_path / "run.json"
    done = subprocess.run(
        ["setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice", program, "--out", out],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 6
    assert "unfit machine: fifo: SCHED_FIFO priority 49 was refused" in done.stderr
    assert "CAP_SYS_NICE" in done.stderr
    assert "emedy" in done.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("sched_setaffinity", "is not in effect"),
        ("sched_setscheduler", "is not in effect"),
        ("getrusage", "the kernel counted 0.000 switches"),
    ],
)
def test_pretended_success_is_never_a_number(tmp_path: Path, call: str, said: str) -> None:
    if len(os.sched_getaffinity(0)) == 1 and call == "sched_setaffinity":
        pytest.skip("one CPU: the pretended mask is the true one")
    number = SYSTEM_CALLS[call].get(platform.machine())
    if number is None:
        pytest.skip("system call numbers of this architecture are not listed")
    out = tmp_path / "run.json"
    scheduling_class = "fifo" if call == "sched_setscheduler" else "other"
    done = bench(
        f"--class={scheduling_class}",
        "--filter=switch",
        "--out",
        out,
        prefix=(sys.executable, str(PRETEND), str(number)),
    )
    if done.returncode == 77:
        pytest.skip("seccomp is refused here")
    assert done.returncode in (3, 6)
    assert said in done.stderr
    if out.exists():
        _, problems, _ = load_run(out)
        assert problems, "the reader takes what the program calls unproven"


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two CPUs")
def test_forced_onto_two_cpus_it_is_broken(tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    command = [built_program(), "--class=other", "--filter=switch/pipe/process", "--out", out]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    partner = lasting_child(process.pid)
    while process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.sched_setaffinity(partner, os.sched_getaffinity(0))
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "not pinned to its CPU" in stderr
    _, problems, _ = load_run(out)
    assert [problem.benchmark for problem in problems] == ["switch/pipe/process/other/same_cpu"]


@pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")
def test_traced_it_refuses_and_names_the_tracer(tmp_path: Path) -> None:
    done = bench("--class=other", prefix=("strace", "-f", "-o", str(tmp_path / "trace")))
    assert done.returncode == 6
    assert "unfit machine: tracer: traced by" in done.stderr


def test_usage_errors() -> None:
    for arguments, said in (
        (["--filter=nothing-like-this"], "no benchmark matches 'nothing-like-this'"),
        (["--filter=("], "no regular expression"),
        (["--nonsense=1"], "unknown option --nonsense"),
        (["--require=absent"], "--require 'absent' matches no benchmark"),
        (["--class=rr"], "fifo or other"),
    ):
        done = bench(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr


def test_an_output_that_cannot_be_written_is_said_before_anything_is_measured() -> None:
    done = bench("--class=other", "--out", "/nonexistent/run.json")
    assert done.returncode == 3
    assert "/nonexistent/run.json: No such file or directory" in done.stderr


def test_the_environment_of_google_benchmark_changes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    stray = {
        "BENCHMARK_FILTER": "nothing",
        "BENCHMARK_REPETITIONS": "3",
        "BENCHMARK_REPORT_AGGREGATES_ONLY": "true",
        "BENCHMARK_FORMAT": "csv",
        "BENCHMARK_OUT": str(tmp_path / "stray"),
    }
    done = bench("--class=other", "--filter=canary/arithmetic", f"--benchmark_out={out}", env=stray)
    assert done.returncode == 0
    assert list(rows_of(out)) == ["canary/arithmetic"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.json"]


def test_facts_and_listing() -> None:
    done = bench("--facts", "--benchmark_list_tests=true")
    facts = json.loads(done.stdout)
    assert done.returncode == 0
    assert set(facts) == {"identity", "subject", "record", "fitness"}
    assert (
        facts["identity"]["measured_cpu"] == str(LAST_CPU) or facts["identity"]["isolated"] == "yes"
    )
    assert facts["subject"]["kernel_release"] == platform.release()
    assert bench("--list").stdout.split() == NAMES
    assert bench("--list", "--filter=^canary/").stdout.split() == CANARIES


def test_the_seed_shuffles_the_order(tmp_path: Path) -> None:
    orders = set()
    for seed in range(6):
        out = tmp_path / f"{seed}.json"
        assert bench("--filter=^canary/", f"--seed={seed}", "--out", out).returncode == 0
        orders.add(tuple(rows_of(out)))
    assert len(orders) > 1
