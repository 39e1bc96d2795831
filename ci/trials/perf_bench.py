# SPDX-License-Identifier: Apache-2.0
"""Beside `perf bench sched pipe`: the same path, CPU and class, in alternating runs.

Both run with sched_rt_runtime_us at -1 (restored afterwards), since perf has no duty cycle and
would be throttled. perf prints one mean a round trip; its switches are counted by getrusage of the
whole command, so that the two are known to do the same.
"""

import argparse
import os
import re
import resource
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trials.harness import bench_row

RUNTIME = Path("/proc/sys/kernel/sched_rt_runtime_us")
LOOPS = 100_000


@contextmanager
def unlimited_real_time() -> Iterator[None]:
    """Lifts the real-time budget and restores it, whatever happens."""
    former = RUNTIME.read_text()
    RUNTIME.write_text("-1")
    try:
        yield
    finally:
        RUNTIME.write_text(former)


def perf_mean(cpu: int) -> tuple[float, float]:
    """Mean in ns a round trip and switches a round trip of one perf run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["chrt", "-f", "49", "taskset", "-c", str(cpu)]
    command += ["perf", "bench", "sched", "pipe", "-l", str(LOOPS)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    switches = after.ru_nvcsw + after.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw
    found = re.search(r"([\d.]+) usecs/op", output)
    if found is None:
        raise RuntimeError(f"perf printed no usecs/op: {output}")
    return float(found.group(1)) * 1000, switches / LOOPS


def spread(values: list[float]) -> float:
    """Relative interquartile range."""
    quartiles = statistics.quantiles(values, n=4)
    return (quartiles[2] - quartiles[0]) / statistics.median(values)


def main() -> None:
    """Runs both in turn and prints a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", type=Path, required=True)
    parser.add_argument("--cpu", type=int, required=True)
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    ours: list[dict[str, float]] = []
    theirs: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as name, unlimited_real_time():
        for index in range(options.runs):
            for turn in (index % 2, 1 - index % 2):
                if turn:
                    ours.append(bench_row(options.bench, options.cpu, Path(name)))
                else:
                    theirs.append(perf_mean(options.cpu))
    means = [mean for mean, _ in theirs]
    perf_switches = f"{statistics.median(switches for _, switches in theirs):.2f}"
    proven = f"{statistics.median(row['ctxgate.switches'] for row in ours):.2f}, proven in each run"
    print(f"{options.runs} alternating runs on CPU {options.cpu}, {os.uname().release}:\n")
    print("| | median of runs | spread of runs (IQR) | least to most | switches a round trip |")
    print("|---|---|---|---|---|")
    for title, values, switches in (
        ("perf bench sched pipe, mean", means, perf_switches),
        ("ctxgate-bench, mean", [row["real_time"] for row in ours], proven),
        ("ctxgate-bench, typical (p50)", [row["ctxgate.p50"] for row in ours], ""),
        ("ctxgate-bench, floor", [row["ctxgate.floor"] for row in ours], ""),
    ):
        print(
            f"| {title} | {statistics.median(values):.0f} ns | {spread(values):.2%}"
            f" | {min(values):.0f} to {max(values):.0f} ns | {switches} |"
        )
    ratio = statistics.median(row["real_time"] for row in ours) / statistics.median(means)
    print(f"\nmean to mean, medians: {ratio:.4f}")


if __name__ == "__main__":
    main()
