# SPDX-License-Identifier: Apache-2.0
"""How often whole simulated gates are right: false alarms of unchanged code, and power.

Three kinds of machine (see trials.simulated_gates), each with a prior made from six other simulated
baselines of its own and with the provisional one. A false alarm is a gate that flags any of ten
unchanged benchmarks; the allowance is 1 %. Power is how often the one changed benchmark is flagged.
Beside it the power of the procedure as facts/statistics.md simulated it ("Mode S"). Two rows more
have one session slowed by half, of the baseline's five or the contender's first.
"""

import argparse
import math
import time
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from trials.simulated_gates import (
    ALPHA,
    CELLS,
    SICK_CELLS,
    Cell,
    Outcome,
    check_summaries,
    simulate,
)

CHANGES = (0.05, 0.10, 0.20)
TABLE = {"A": (1.0, 1.0, None), "B": (0.18, 0.83, 1.0), "C": (None, 0.04, 0.78)}
"""Mode S of the table, by cell, for the changes above; None where it has no figure."""

NO_FIGURES = (None, None, None)


ROWS = [*((cell, own) for cell in CELLS for own in (True, False)), *((c, True) for c in SICK_CELLS)]
"""Each kind of machine, and whether its prior comes from six others like it."""


class Task(NamedTuple):
    """One series of gates."""

    cell: Cell
    own_prior: bool
    change: float
    gates: int
    seed: int


def perform(task: Task) -> Outcome:
    """Run the series; a function of the module, for another process to find it."""
    return simulate(
        task.cell,
        gates=task.gates,
        delta=math.log1p(task.change),
        own_prior=task.own_prior,
        seed=task.seed,
    )


def clopper_pearson(found: int, trials: int, level: float = 0.05) -> tuple[float, float]:
    """The exact binomial interval of a share."""
    from scipy.special import betaincinv

    low = float(betaincinv(found, trials - found + 1, level / 2)) if found else 0.0
    high = float(betaincinv(found + 1, trials - found, 1 - level / 2)) if found < trials else 1.0
    return low, high


def tasks(gates: int, power_gates: int) -> list[Task]:
    """Every row and change; the unchanged ones first, which take longest."""
    made = []
    for change in (0.0, *CHANGES):
        for cell, own in ROWS:
            count = power_gates if change else gates
            made.append(Task(cell, own, change, count, len(made) + 1))
    return made


def line(cell: Cell, own: bool, outcomes: dict[tuple[str, bool, float], Outcome]) -> str:
    """A row of the table."""
    still = outcomes[cell.name, own, 0.0]
    low, high = clopper_pearson(still.alarms, still.gates)
    false = f"{still.alarms / still.gates:.2%} [{low:.2%}, {high:.2%}]"
    power = [
        outcomes[cell.name, own, change].found / outcomes[cell.name, own, change].gates
        for change in CHANGES
    ]
    said = " ".join(f"{one:.2f}" for one in power)
    wanted = TABLE.get(cell.name, NO_FIGURES)
    table = " ".join("-" if one is None else f"{one:.2f}" for one in wanted)
    modes = zip(power, wanted, strict=True)
    kept = low <= ALPHA and all(mode is None or one >= mode - 0.05 for one, mode in modes)
    demands = ("kept" if kept else "MISSED") if own else "none"
    rest = f"{still.asked / still.gates:.0%} | {still.passed / still.gates:.0%}"
    return (
        f"| {cell.name} | {'six others' if own else 'provisional'} | {false} | {said} | {table} "
        f"| {rest} | {still.unfit / still.gates:.1%} | {demands} |"
    )


def main() -> None:
    """Prints the table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gates", type=int, default=10_000, help="unchanged gates a cell")
    parser.add_argument("--power-gates", type=int, default=2_000, help="changed gates a figure")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    check_summaries()
    begun = time.monotonic()
    work = tasks(options.gates, options.power_gates)
    with ProcessPoolExecutor(options.workers) as pool:
        done = list(pool.map(perform, work))
    outcomes = {
        (task.cell.name, task.own_prior, task.change): outcome
        for task, outcome in zip(work, done, strict=True)
    }
    print("| cell | prior | false alarms a gate | power 5/10/20 % | Mode S | asked again | pass "
          "| control moved | demands |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for cell, own in ROWS:
        print(line(cell, own, outcomes))
    print(f"\n{options.gates} unchanged gates a row, {options.power_gates} changed ones a figure, "
          f"{time.monotonic() - begun:.0f} s")  # fmt: skip


if __name__ == "__main__":
    main()
