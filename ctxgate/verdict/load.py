# SPDX-License-Identifier: Apache-2.0
"""Whether others kept the machine busy while a side was measured."""

from ctxgate.readings.model import Caution, Run, SessionSet
from ctxgate.verdict.facts import runs_of
from ctxgate.verdict.kinds import Finding


def busy_machine(baseline: SessionSet, contender: SessionSet) -> list[Caution]:
    """A caution for each side that had more runnable tasks than CPUs before one of its runs.

    The measurement itself adds up to one to the load average of the last minute, so a load of one
    more than the CPUs is the least that tells of others.
    """
    cautions = []
    for side, which in ((baseline, "baseline"), (contender, "contender")):
        loads = [(load, run) for run in runs_of(side) if (load := _load(run)) is not None]
        load, run = max(loads, key=lambda pair: pair[0], default=(0.0, None))
        if run is not None and (cpus := _cpus(run)) and load > cpus + 1:
            cautions.append(
                Caution(
                    kind=Finding.BUSY_MACHINE,
                    message=f"The machine was busy with something else while the {which} was "
                    f"measured: a load of {load:.1f} on {cpus} CPUs.",
                    file=run.file,
                )
            )
    return cautions


def _load(run: Run) -> float | None:
    """The load average of the last minute when the run began; None where it was not recorded."""
    words = run.record.get("load_average", "").split()
    try:
        return float(words[0]) if words else None
    except ValueError:
        return None


def _cpus(run: Run) -> int:
    """How many CPUs were online, from a kernel list such as 0-3,6; 0 if that cannot be told."""
    count = 0
    for part in run.identity.get("cpus_online", "").split(","):
        first, _, last = part.partition("-")
        if not first.isdecimal() or not (last or first).isdecimal():
            return 0
        count += int(last or first) - int(first) + 1
    return count
