#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Behaves like ctxgate-bench (or, with FAKE_FOREIGN, like any Google Benchmark program).

Environment: FAKE_LOG appends a JSON line a start; FAKE_EXIT and FAKE_MODE (hang, stubborn, crash,
silent, garbage, foreign_file, orphan, chatty) misbehave, only in run FAKE_AT_RUN if that is set;
FAKE_FITNESS=bad, FAKE_CPU_MODEL, FAKE_SLEEP vary the machine, FAKE_FACTOR slows the benchmarks in
which FAKE_SLOWED is found (all but the canaries).
"""

import json
import os
import random
import re
import signal
import sys
import time
from pathlib import Path

NAMES = (
    "switch/pipe/process/fifo/same_cpu",
    "switch/pipe/process/other/same_cpu",
    "twin/pipe/process/fifo/same_cpu",
    "canary/arithmetic",
)
FITNESS = (
    {
        "requirement": "fifo",
        "state": os.environ.get("FAKE_FITNESS", "good"),
        "found": "RLIMIT_RTPRIO is 0 and CAP_SYS_NICE is missing",
        "remedy": "setcap cap_sys_nice+ep on the program",
        "required": True,
    },
    {
        "requirement": "governor",
        "state": "bad",
        "found": "powersave",
        "remedy": "cpupower frequency-set -g performance",
        "required": False,
    },
    {"requirement": "steal", "state": "unknown", "found": "unreadable", "remedy": ""},
)


def main(argv):
    options, context = read(argv)
    log(argv)
    foreign = bool(os.environ.get("FAKE_FOREIGN"))
    if "--facts" in options:
        return answer(foreign, options)
    at = os.environ.get("FAKE_AT_RUN")
    run = context.get("ctxgate.run")
    time.sleep(float(os.environ.get("FAKE_SLEEP", "0")))
    if at is None or at == run:
        if "FAKE_EXIT" in os.environ:
            sys.stderr.write("fake: RLIMIT_RTPRIO refuses SCHED_FIFO\nfake: setcap helps" + "\n")
            return int(os.environ["FAKE_EXIT"])
        done = misbehave(os.environ.get("FAKE_MODE", ""), options)
        if done is not None:
            return done
    write(options, document(foreign, options, context))
    return 0


def read(argv):
    options, context = {}, {}
    rest = list(argv)
    while rest:
        key, equals, value = rest.pop(0).partition("=")
        if not equals and key != "--facts":
            value = rest.pop(0)
        if key == "--context":
            name, _, text = value.partition("=")
            context[name] = text
        elif key == "--benchmark_context":
            context.update(pair.split("=", 1) for pair in value.split(","))
        options[key.replace("--benchmark_", "--")] = value
    return options, context


def log(argv):
    if "FAKE_LOG" in os.environ:
        line = {
            "argv": argv,
            "pid": os.getpid(),
            "padding": len(os.environ.get("CTXGATE_PADDING", "")),
            "cpus": sorted(os.sched_getaffinity(0)),
        }
        with Path(os.environ["FAKE_LOG"]).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")


def answer(foreign, options):
    mode = os.environ.get("FAKE_FACTS", "")
    if mode == "hang":
        time.sleep(60)
    if mode == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if foreign:
        sys.stderr.write("error: unrecognized command-line flag: --facts" + "\n")
        return 1
    if options.get("--cpu") == "99":
        sys.stderr.write("fake: CPU 99 does not exist" + "\n")
        return int(os.environ.get("FAKE_CPU_EXIT", "2"))
    facts = {"identity": identity(), "subject": {"release": "6.1"}, "record": {"load": "0.1"}}
    sys.stdout.write(json.dumps({**facts, "fitness": FITNESS}))
    return 0


def misbehave(mode, options):
    if mode == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if mode in ("hang", "stubborn"):
        time.sleep(600)
    if mode == "crash":
        with Path(options["--out"]).open("w", encoding="utf-8") as stream:
            stream.write('{"context": {"date": "20')
        os.kill(os.getpid(), signal.SIGSEGV)
    if mode == "silent":
        return 0
    if mode == "garbage":
        write(options, None)
        return 0
    if mode == "foreign_file":
        write(options, document(True, options, {}))
        return 0
    if mode == "orphan":
        import subprocess

        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    if mode == "chatty":
        sys.stderr.write("line\n" * 300_000 + "\n")
    return None


def identity():
    return {"cpu_model": os.environ.get("FAKE_CPU_MODEL", "Fake 9000"), "governor": "performance"}


def document(foreign, options, context):
    if foreign:
        names = [n for n in ("BM_ring", "BM_queue") if re.search(options.get("--filter", ""), n)]
        rows = [row(name, foreign, options) for name in names]
        return {"context": {**google(), **context}, "benchmarks": rows}
    stamp = {
        "ctxgate.schema": "1",
        "ctxgate.clock": "ns",
        "ctxgate.unavailable": "{}",
        "ctxgate.subject.release": "6.1",
        **{f"ctxgate.identity.{fact}": value for fact, value in identity().items()},
        **context,
    }
    chosen = options.get("--class", "")
    other = {"fifo": "/other/", "other": "/fifo/"}.get(chosen, "no name")
    names = [n for n in NAMES if re.search(options.get("--filter", ""), n) and other not in n]
    rows = [row(name, foreign, options) for name in names]
    return {"context": {**google(), **stamp}, "benchmarks": rows}


def google():
    return {
        "date": "2026-01-01T00:00:00+00:00",
        "num_cpus": 2,
        "caches": [],
        "library_build_type": "release",
        "library_version": "v1.9.4",
    }


def row(name, foreign, options):
    noise = random.Random(f"{options.get('--seed')}{name}{os.getpid()}").gauss(0.0, 0.002)
    slowed = re.search(os.environ.get("FAKE_SLOWED", "^(?!canary/)"), name)
    factor = float(os.environ.get("FAKE_FACTOR", "1")) if slowed else 1.0
    value = 4000.0 * factor * (1.0 + noise)
    fields = {
        "name": name,
        "run_name": name,
        "run_type": "iteration",
        "repetitions": 1,
        "repetition_index": 0,
        "threads": 1,
        "iterations": 10000,
        "real_time": value,
        "cpu_time": value,
        "time_unit": "ns",
    }
    if foreign:
        return fields
    switches = 2.0 if name.startswith("switch/") else 0.0
    counters = {
        "version": 1.0,
        "switches": switches,
        "switches_expected": switches,
        "voluntary": switches,
        "involuntary": 0.0,
        "migrations": 0.0,
        "page_faults": 0.0,
        "rt_gaps": 0.0,
        "steal_ms": 0.0,
        "valid": 1.0,
        "samples": 10000.0,
        "floor": value * 0.98,
        "p50": value,
        "p90": value * 1.1,
        "p99": value * 1.3,
        "p999": value * 1.5,
        "max": value * 2.0,
    }
    return {**fields, **{f"ctxgate.{key}": number for key, number in counters.items()}}


def write(options, content):
    text = "no JSON" if content is None else json.dumps(content, indent=2)
    with Path(options["--out"]).open("w", encoding="utf-8") as stream:
        stream.write(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
