# SPDX-License-Identifier: Apache-2.0
"""One benchmark against a baseline of known spread, and the figures that follow by hand."""

import math

from ctxgate.verdict.judge import judge
from ctxgate.verdict.model import BenchmarkVerdict, Verdict
from ctxgate.verdict.policy import Policy
from tests.verdict.sides import SWITCH, side, steady

LEVEL = 9.0


def one(verdict: Verdict, name: str = SWITCH) -> BenchmarkVerdict:
    return next(row for row in verdict.benchmarks if row.name == name)


def gate(
    delta: float,
    *,
    sessions: int = 5,
    fresh: int = 1,
    spread: float = 0.01,
    policy: Policy | None = None,
    **changes: object,
) -> BenchmarkVerdict:
    """One benchmark whose contender lies `delta` (log) above a baseline of SD `spread`."""
    before = side({SWITCH: steady(sessions, LEVEL, spread)}, where="base", **changes)
    after = side({SWITCH: [LEVEL + delta] * fresh}, where="cont", **changes)
    return one(judge(before, after, policy or Policy(tolerance=0.1)))


# With B = 5 and SD 1 %: s2 = 0.00025, SE = sqrt(0.0003) = 0.017321, nu = 8.
ERROR = math.sqrt(0.00025 * 1.2)
