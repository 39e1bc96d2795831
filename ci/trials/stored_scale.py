# SPDX-License-Identifier: Apache-2.0
"""How long `compare` takes against a baseline of many sessions, and whether the cost is linear.

The sessions are those of the shipped example, 20 benchmarks of them, over and over under new names;
the contender is a session measured now. `--svg FILE` draws the times.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from ctxgate.baseline.load import read_baseline
from ctxgate.baseline.model import Baseline, StoredRun
from ctxgate.baseline.text import encode
from trials.scale import COMMAND, timed

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "baselines/example-wall.json"
SESSIONS = (10, 100, 300, 600, 1000)
FILTER = "^(switch|twin)/[a-z]+/process/"  # 5 paths with their twins, FIFO and OTHER: 20
BENCHMARKS = 20
WIDTH, HEIGHT, MARGIN = 640, 320, 56


def repeated(example: Baseline, sessions: int) -> Baseline:
    """The example with that many sessions, each under a name of its own."""
    made = []
    for number in range(sessions):
        old = example.sessions[number % len(example.sessions)]
        runs = tuple(_narrowed(run) for run in old.runs)
        made.append(msgspec.structs.replace(old, session=f"{number:016x}", runs=runs))
    entry = msgspec.structs.replace(
        example.provenance[0], sessions=tuple(one.session for one in made)
    )
    noise = msgspec.structs.replace(
        example.noise,
        benchmarks={n: b for n, b in example.noise.benchmarks.items() if _wanted(n)},
    )
    return msgspec.structs.replace(example, sessions=tuple(made), provenance=(entry,), noise=noise)


def _wanted(name: str) -> bool:
    return "/process/" in name and "null_syscall" not in name


def _narrowed(run: StoredRun) -> StoredRun:
    readings = tuple(one for one in run.readings if _wanted(one.name))
    if len(readings) != BENCHMARKS:
        raise SystemExit(f"{len(readings)} benchmarks, not {BENCHMARKS}: the example has changed")
    return msgspec.structs.replace(run, readings=readings)


def svg(points: Sequence[tuple[int, float]], slope: float, start: float) -> str:
    """The times as dots over the straight line through them."""
    most, longest = max(n for n, _ in points), max(max(s for _, s in points), 3.0) * 1.1
    x = [MARGIN + n / most * (WIDTH - 2 * MARGIN) for n in (0, most)]

    def y(seconds: float) -> float:
        return HEIGHT - MARGIN - seconds / longest * (HEIGHT - 2 * MARGIN)

    def text(at: float, down: float, words: str, anchor: str = "middle") -> str:
        return f'<text x="{at:.1f}" y="{down:.1f}" text-anchor="{anchor}">{words}</text>'

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text(WIDTH / 2, 22, "ctxgate compare: seconds against stored sessions of 20 benchmarks"),
        f'<path d="M{x[0]},{y(0)}H{x[1]}M{x[0]},{y(0)}V{y(longest)}" stroke="black" fill="none"/>',
        f'<path d="M{x[0]},{y(3)}H{x[1]}" stroke="firebrick" stroke-dasharray="4 4"/>',
        text(x[1], y(3) - 5, "3 s", "end"),
        f'<path d="M{x[0]},{y(start):.1f}L{x[1]},{y(start + slope * most):.1f}" stroke="gray"/>',
    ]
    for number, seconds in points:
        at = MARGIN + number / most * (WIDTH - 2 * MARGIN)
        lines.append(f'<circle cx="{at:.1f}" cy="{y(seconds):.1f}" r="4" fill="steelblue"/>')
        lines.append(text(at, y(seconds) - 8, f"{seconds:.2f}"))
        lines.append(text(at, y(0) + 16, f"{number:,}"))
    lines += [text(WIDTH / 2, HEIGHT - 12, "sessions in the baseline"), "</svg>"]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Prints a line a size, and the line through them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", type=Path, required=True)
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    read, problems = read_baseline(EXAMPLE)
    if read is None:
        raise SystemExit(f"{EXAMPLE}: {problems}")
    points = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        contender = folder / "contender"
        measure = ["measure", "--bench", options.bench, "--filter", FILTER, "--out", contender]
        seconds, _, code = timed([*COMMAND, *measure], 1)
        print(f"a contender of {BENCHMARKS} benchmarks: {seconds:.0f} s (exit {code})")
        (folder / "allowed_signers").write_text("")
        hardware = EXAMPLE.with_name("approved-hardware.toml").read_text()
        (folder / "approved-hardware.toml").write_text(hardware)
        config = EXAMPLE.with_name("example-wall.kernel.config").read_bytes()
        (folder / "example-wall.kernel.config").write_bytes(config)
        path = folder / "example-wall.json"
        for sessions in SESSIONS:
            path.write_bytes(encode(repeated(read.baseline, sessions)))
            command = [*COMMAND, "compare", "--baseline", path, "--contender", contender]
            seconds, peak, code = timed(command, 3)
            points.append((sessions, seconds))
            size = path.stat().st_size / 1e6
            print(f"{sessions:5} sessions, {size:.0f} MB: {seconds:.2f} s, {peak:.0f} MB of memory")
    slope, start = np.polyfit([n for n, _ in points], [s for _, s in points], 1)
    print(f"line through them: {start:.2f} s + {slope * 1000:.2f} s a thousand sessions")
    if options.svg:
        options.svg.write_text(svg(points, float(slope), float(start)))


if __name__ == "__main__":
    main()
