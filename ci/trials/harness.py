# SPDX-License-Identifier: Apache-2.0
"""What the harness costs: ctxgate-bench against the least C loop of the same path, in pairs.

Each pair is one process of each, in alternating order; the figure is the median of the pairs'
ratios with a distribution-free 95 % interval (order statistics of the sign test).
"""

import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

from trials.figures import median_interval

NAME = "switch/pipe/process/fifo/same_cpu"


def bench_row(bench: Path, cpu: int, folder: Path) -> dict[str, float]:
    """The proven row of one run of the program, in ns a round trip."""
    out = folder / "run.json"
    command = [bench, "--filter", f"^{NAME}$", "--cpu", str(cpu), "--out", out]
    subprocess.run(command, check=True)
    (row,) = json.loads(out.read_text())["benchmarks"]
    if row["ctxgate.valid"] != 1:
        raise RuntimeError(f"an unproven reading: {row}")
    return dict(row)


def loop_mean(loop: Path, cpu: int, count: int) -> float:
    """The mean of one run of the C loop, in ns a round trip."""
    output = subprocess.run(
        [loop, str(cpu), str(count)], check=True, capture_output=True, text=True
    ).stdout
    mean, switches = output.split()
    if int(switches) != count:
        raise RuntimeError(f"the loop switched {switches} times in {count} round trips")
    return float(mean)


def main() -> None:
    """Runs the pairs and prints one line of Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", type=Path, required=True)
    parser.add_argument("--cpu", type=int, required=True)
    parser.add_argument("--pairs", type=int, default=400)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        loop = folder / "pipe_loop"
        source = Path(__file__).with_name("pipe_loop.c")
        subprocess.run(["cc", "-O2", "-Wall", "-Werror", "-o", loop, source], check=True)
        pairs = []
        for index in range(options.pairs):
            if index % 2:
                ours = bench_row(options.bench, options.cpu, folder)["real_time"]
                theirs = loop_mean(loop, options.cpu, 25_600)
            else:
                theirs = loop_mean(loop, options.cpu, 25_600)
                ours = bench_row(options.bench, options.cpu, folder)["real_time"]
            pairs.append((ours, theirs))
    ratio, low, high = median_interval([ours / theirs for ours, theirs in pairs])
    print("| pairs | ctxgate-bench, median of means | C loop | median ratio | 95 % interval |")
    print("|---|---|---|---|---|")
    print(
        f"| {len(pairs)} | {statistics.median(p[0] for p in pairs):.0f} ns"
        f" | {statistics.median(p[1] for p in pairs):.0f} ns"
        f" | {ratio:.4f} | {low:.4f} to {high:.4f} |"
    )


if __name__ == "__main__":
    main()
