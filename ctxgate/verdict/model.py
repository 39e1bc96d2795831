# SPDX-License-Identifier: Apache-2.0
"""The verdict object: what was decided, by which rule, on which evidence."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec

from ctxgate.readings.model import Caution, Problem


class Decision(StrEnum):
    """The verdicts, in DESIGN order of the exit-code table."""

    PASS = "pass"
    REGRESSION = "regression"
    USAGE_ERROR = "usage error"
    BROKEN = "broken"
    NOT_COMPARABLE = "not comparable"
    INCONCLUSIVE = "inconclusive"
    UNFIT = "unfit machine"
    INTERNAL_ERROR = "internal error"
    INTERRUPTED = "interrupted"

    @property
    def exit_code(self) -> int:
        """The process exit status that this verdict maps to."""
        return _EXIT_CODES[self]


_EXIT_CODES = {
    Decision.PASS: 0,
    Decision.REGRESSION: 1,
    Decision.USAGE_ERROR: 2,
    Decision.BROKEN: 3,
    Decision.NOT_COMPARABLE: 4,
    Decision.INCONCLUSIVE: 5,
    Decision.UNFIT: 6,
    Decision.INTERNAL_ERROR: 70,
    Decision.INTERRUPTED: 130,
}

_WORST_FIRST = (
    Decision.INTERRUPTED,
    Decision.INTERNAL_ERROR,
    Decision.USAGE_ERROR,
    Decision.BROKEN,
    Decision.REGRESSION,
    Decision.NOT_COMPARABLE,
    Decision.UNFIT,
    Decision.INCONCLUSIVE,
    Decision.PASS,
)


def worst(decisions: Iterable[Decision]) -> Decision:
    """The verdict of a whole from its parts; of nothing, BROKEN: nothing was measured."""
    return min(decisions, key=_WORST_FIRST.index, default=Decision.BROKEN)


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """The gated statistic of one side of a benchmark, in the clock's unit, and what it rests on."""

    value: float
    sessions: int
    runs: int
    switches: float | None = None
    voluntary: float | None = None
    involuntary: float | None = None


class FunctionCount(msgspec.Struct, frozen=True, kw_only=True):
    """Instructions per round trip in one kernel function (exact tier)."""

    name: str
    baseline: float
    contender: float


class BenchmarkVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a verdict; `change`, `interval`, `tolerance`, `mde`, `certifiable` are fractions.

    `metric` is the gated statistic ("floor", "typical"). `rule` is the decision rule in words with
    its numbers, `reason` why it came out so and what to do. `nu` are the degrees of freedom.
    `more_sessions` is how many further sessions would settle an inconclusive row. `look` is the
    look at which it was decided, `allowance` the false-alarm probability that this look spends
    over all benchmarks of its kind.
    """

    name: str
    verdict: Decision
    gated: bool
    metric: str
    rule: str
    reason: str
    baseline: Side | None = None
    contender: Side | None = None
    change: float | None = None
    interval: tuple[float, float] | None = None
    tolerance: float | None = None
    mde: float | None = None
    certifiable: float | None = None
    nu: float | None = None
    p_value: float | None = None
    more_sessions: int | None = None
    twin_change: float | None = None
    look: int | None = None
    allowance: float | None = None
    functions: tuple[FunctionCount, ...] = ()
    profile_total: Mapping[str, float] | None = None


class SubjectChange(msgspec.Struct, frozen=True, kw_only=True):
    """A fact under test that differs between the sides."""

    fact: str
    baseline: str
    contender: str


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The whole verdict; every report is a rendering of this object and of nothing else.

    `tier` is "wall" or "exact", `clock` "ns" or "instructions"; "" where nothing was measured.
    `proven` is False for foreign files, which carry no switch counts.
    `notes` are sentences that belong to the whole (same sitting, provisional prior, cause not
    separable, a new baseline suggested).
    """

    verdict: Decision
    tier: str = "wall"
    clock: str = "ns"
    proven: bool = True
    benchmarks: tuple[BenchmarkVerdict, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Caution, ...] = ()
    notes: tuple[str, ...] = ()
    subject_changes: tuple[SubjectChange, ...] = ()
    identity: Mapping[str, str] = {}

    @property
    def exit_code(self) -> int:
        """The process exit status."""
        return self.verdict.exit_code
