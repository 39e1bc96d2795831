# SPDX-License-Identifier: Apache-2.0
"""One verdict object of each kind, as the judge would make it."""

import math
from typing import Any

from ctxgate.readings.model import Caution, Problem
from ctxgate.verdict.model import (
    BenchmarkVerdict,
    Decision,
    FunctionCount,
    Side,
    SubjectChange,
    Verdict,
)

RULE = (
    "stored, look 1: pass if the upper bound (95 %) is below the tolerance; "
    "prior s0 2 %, d0 4 (provisional), nu 8"
)
PIPE = "switch/pipe/process/fifo/same_cpu"


def side(value: float = 2014.3, **changes: Any) -> Side:
    return Side(
        **(
            {
                "value": value,
                "sessions": 5,
                "runs": 40,
                "switches": 2.0,
                "voluntary": 2.0,
                "involuntary": 0.0,
            }
            | changes
        )
    )


def row(name: str = PIPE, change: float | None = 0.008, **changes: Any) -> BenchmarkVerdict:
    moved = change or 0.0
    fields: dict[str, Any] = {
        "name": name,
        "verdict": Decision.PASS,
        "gated": True,
        "metric": "floor",
        "rule": RULE,
        "reason": "the upper bound is below the tolerance",
        "baseline": side(),
        "contender": side(2014.3 * (1 + moved), sessions=1, runs=8),
        "change": change,
        "interval": (moved - 0.017, moved + 0.008),
        "tolerance": 0.03,
        "mde": 0.021,
        "certifiable": 0.0186,
        "nu": 8.0,
        "p_value": 0.21,
    }
    return BenchmarkVerdict(**(fields | changes))


def twelve_rows() -> list[BenchmarkVerdict]:
    names = [
        f"{kind}/{path}/{task}/fifo/same_cpu"
        for kind, path in (("switch", "pipe"), ("twin", "pipe"), ("twin", "null_syscall"))
        for task in ("process", "thread")
    ]
    names += [name.replace("fifo", "other") for name in names]
    return [row(name, 0.008 - 0.002 * index) for index, name in enumerate(names)]


IDENTITY = {
    "cpu.model": "AMD EPYC 7B13",
    "cpu.microcode": "0xa0011d1",
    "compiler": "gcc 12",
    "governor": "performance",
}
CMDLINE = "BOOT_IMAGE=/boot/vmlinuz ro quiet console=ttyS0 isolcpus=1 nohz_full=1 rcu_nocbs=1"
CONFIG = "\n".join(f"CONFIG_OPTION_{number}=y" for number in range(300))

CHANGES = (
    SubjectChange(fact="kernel.release", baseline="6.1.0-18-amd64", contender="6.1.0-21-amd64"),
    SubjectChange(
        fact="kernel.cmdline",
        baseline=CMDLINE,
        contender=CMDLINE.replace("quiet", "mitigations=auto,nosmt"),
    ),
    SubjectChange(
        fact="kernel.config",
        baseline=CONFIG,
        contender=CONFIG.replace("CONFIG_OPTION_7=y", "# CONFIG_OPTION_7 is not set"),
    ),
    SubjectChange(fact="kernel.sched_min_granularity_ns", baseline="3000000", contender=""),
)


def passed() -> Verdict:
    return Verdict(
        verdict=Decision.PASS,
        benchmarks=tuple(twelve_rows()),
        subject_changes=CHANGES[:1],
        identity=IDENTITY,
        notes=("the class prior is provisional: s0 2 %, d0 4, until 20 baselines are there",),
    )


def regressed() -> Verdict:
    rows = twelve_rows()
    slower = row(
        PIPE,
        0.1243,
        verdict=Decision.REGRESSION,
        reason="the lower bound is above zero and the estimate at or above the tolerance",
        contender=side(2264.7, sessions=3, runs=24, switches=2.5, involuntary=0.5),
        interval=(0.1092, 0.1394),
        p_value=0.00031,
        twin_change=0.001,
        look=2,
        allowance=0.009,
    )
    free = row(
        "switch/eventfd/process/fifo/same_cpu",
        None,
        gated=False,
        baseline=None,
        interval=None,
        reason="new: the baseline has no such benchmark",
        rule="",
        tolerance=None,
        mde=None,
    )
    unsure = row(
        "twin/pipe/thread/other/same_cpu",
        0.02,
        verdict=Decision.INCONCLUSIVE,
        interval=(-0.01, 0.0504),
        mde=0.052,
        more_sessions=6,
        reason="the interval holds both zero and the tolerance",
    )
    kept = [one for one in rows if one.name not in (slower.name, unsure.name)]
    return Verdict(
        verdict=Decision.REGRESSION,
        benchmarks=(*kept, free, slower, unsure),
        subject_changes=CHANGES,
        identity=IDENTITY,
        notes=(
            "4 facts differ between the sides: the cause is not separable",
            "look 2 was measured in the same sitting",
        ),
        warnings=(
            *(
                Caution(
                    kind="binary", message="binary hash differs", file=f"contender/run-{n:02}.json"
                )
                for n in range(8)
            ),
            *(Caution(kind="load", message=f"load average {n}.5 during run {n}") for n in range(5)),
            Caution(kind="age", message="the baseline is 140 days old", file="baselines/epyc.json"),
        ),
    )


def exact_regression() -> Verdict:
    functions = tuple(
        FunctionCount(name=name, baseline=before, contender=after)
        for name, before, after in (
            ("__schedule", 496.0, 508.0),
            ("pick_next_task_rt", 80.0, 342.0),
            ("pipe_read", 210.0, 210.0),
        )
    )
    one = row(
        PIPE,
        0.0241,
        verdict=Decision.REGRESSION,
        metric="typical",
        rule="exact: the difference itself against the tolerance",
        reason="the difference is above the tolerance",
        baseline=side(11837.0, sessions=1, runs=2),
        contender=side(12122.3, sessions=1, runs=2),
        interval=(0.0241, 0.0241),
        tolerance=0.005,
        mde=0.0001,
        functions=functions,
        profile_total={"baseline": 11902.4, "contender": 12190.1},
    )
    return Verdict(
        verdict=Decision.REGRESSION, tier="exact", clock="instructions", benchmarks=(one,)
    )


def inconclusive() -> Verdict:
    rows = tuple(
        row(
            f"BM_Pipe/{size}",
            0.04,
            verdict=Decision.INCONCLUSIVE,
            baseline=side(1.3e6, sessions=1, runs=1, switches=None),
            contender=side(1.352e6, sessions=1, runs=1, switches=None),
            interval=(-math.inf, math.inf),
            mde=math.inf,
            nu=0.0,
            p_value=None,
            rule="stored, look 1",
            reason="one run a side cannot be told from noise; measure 5 sessions a side",
        )
        for size in (1, 64, 4096)
    )
    return Verdict(
        verdict=Decision.INCONCLUSIVE,
        proven=False,
        benchmarks=rows,
        notes=("unproven: nothing in these files proves that a switch happened",),
        warnings=(Caution(kind="foreign", message="no ctxgate context", file="old.json"),),
    )


def broken() -> Verdict:
    return Verdict(
        verdict=Decision.BROKEN,
        benchmarks=(row(), row("switch/pipe/thread/fifo/same_cpu", -0.03)),
        problems=(
            Problem(
                kind="truncated",
                message="the JSON ends in the middle of a row, at byte 40960",
                remedy="measure this session again, or remove the file from both sides",
                file="sessions/2026-08-01/run-03.json",
            ),
            *(
                Problem(
                    kind="valid flag",
                    message="ctxgate.valid is 1 although 1.20 switches were counted and 2 expected",
                    remedy="look for a second task on that CPU, then measure again",
                    file=f"sessions/2026-08-01/run-0{n}.json",
                    benchmark=PIPE,
                )
                for n in range(6)
            ),
        ),
    )


def not_comparable() -> Verdict:
    return Verdict(
        verdict=Decision.NOT_COMPARABLE,
        tier="wall",
        problems=(
            Problem(
                kind="identity",
                message="cpu.microcode differs: 0xa0011d1 in the baseline, 0xa0011d5 now",
                remedy="record a baseline with this microcode",
            ),
        ),
        identity=IDENTITY,
    )


def unfit() -> Verdict:
    return Verdict(
        verdict=Decision.UNFIT,
        problems=(
            Problem(
                kind="fifo",
                message="SCHED_FIFO is refused by the rlimit: RLIMIT_RTPRIO is 0",
                remedy="setcap cap_sys_nice+ep build/ctxgate-bench, or ulimit -r 99",
            ),
            Problem(kind="tracer", message="process 812 traces this one", remedy="stop strace"),
        ),
    )


def empty(decision: Decision = Decision.BROKEN) -> Verdict:
    return Verdict(verdict=decision, tier="", clock="")


ALL = {
    "pass": passed,
    "regression": regressed,
    "exact": exact_regression,
    "inconclusive": inconclusive,
    "broken": broken,
    "not-comparable": not_comparable,
    "unfit": unfit,
    "empty": empty,
}
