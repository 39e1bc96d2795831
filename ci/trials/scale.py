# SPDX-License-Identifier: Apache-2.0
"""How long judging takes: start-up, small sets beside compare.py, a million repetitions.

The files are Google Benchmark JSON as version 1.9 writes it, made here. `--compare-py` names the
compare.py of google/benchmark and the Python to run it with; without it only our figures are shown.
"""

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMAND = [sys.executable, "-m", "ctxgate"]


def document(source: random.Random, benchmarks: int, repetitions: int) -> str:
    """One run of a foreign program."""
    rows = [
        {
            "name": f"BM_{index}",
            "family_index": index,
            "per_family_instance_index": 0,
            "run_name": f"BM_{index}",
            "run_type": "iteration",
            "repetitions": repetitions,
            "repetition_index": repetition,
            "threads": 1,
            "iterations": 100000,
            "real_time": 7000 * source.lognormvariate(0, 0.01),
            "cpu_time": 3500.0,
            "time_unit": "ns",
        }
        for index in range(benchmarks)
        for repetition in range(repetitions)
    ]
    context = {"num_cpus": 2, "caches": [], "library_build_type": "release"}
    return json.dumps({"context": context, "benchmarks": rows}, indent=1)


def sessions(folder: Path, source: random.Random, count: int, runs: int, *shape: int) -> list[Path]:
    """Session directories of that many runs each."""
    made = []
    for index in range(count):
        session = folder / f"s{index}"
        session.mkdir(parents=True)
        for run in range(runs):
            (session / f"run{run}.json").write_text(document(source, *shape))
        made.append(session)
    return made


def timed(command: list[str | Path], times: int) -> tuple[float, float, int]:
    """Median seconds, peak memory in MB of any child so far, and the last exit."""
    seconds = []
    code = 0
    for _ in range(times):
        begun = time.perf_counter()
        code = subprocess.run(command, capture_output=True, check=False).returncode
        seconds.append(time.perf_counter() - begun)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return statistics.median(seconds), peak, code


def compared(baseline: list[Path], contender: list[Path]) -> list[str | Path]:
    """The command line of a comparison."""
    return [*COMMAND, "compare", "--baseline", *baseline, "--contender", *contender]


def main() -> None:
    """Prints a line a figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compare-py", type=Path)
    parser.add_argument("--compare-python", default=sys.executable)
    options = parser.parse_args()
    source = random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"--help: {timed([*COMMAND, '--help'], 9)[0]:.2f} s")
        baseline = sessions(folder / "b", source, 5, 8, 2, 10)
        contender = sessions(folder / "c", source, 1, 8, 2, 10)
        seconds, _, code = timed(compared(baseline, contender), 9)
        print(f"compare, 8 against 40 files: {seconds:.2f} s (exit {code})")
        if options.compare_py:
            pair = [baseline[0] / "run0.json", contender[0] / "run0.json"]
            command = [options.compare_python, options.compare_py, "benchmarks", *pair]
            print(f"compare.py, one pair: {timed(command, 9)[0]:.2f} s")
        large = sessions(folder / "lb", source, 50, 10, 10, 100)
        late = sessions(folder / "lc", source, 50, 10, 10, 100)
        seconds, peak, code = timed(compared(large, late), 1)
        print(f"a million repetitions in 1000 files: {seconds:.1f} s, {peak:.0f} MB (exit {code})")
        spoilt = late[-1] / "run9.json"
        text = spoilt.read_text()
        at = text.rindex('"cpu_time"')
        spoilt.write_text(text[:at] + '"real_time": 1.0, ' + text[at:])
        seconds, peak, code = timed(compared(large, late), 1)
        print(f"the same, one key doubled in the last row: {seconds:.1f} s (exit {code})")


if __name__ == "__main__":
    main()
