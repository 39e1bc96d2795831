# SPDX-License-Identifier: Apache-2.0
"""Rows of benchmarks that were not compared, or whose comparison does not count."""

import msgspec

from ctxgate.readings.model import Problem
from ctxgate.verdict.model import BenchmarkVerdict, Decision

_RULES = {
    Decision.NOT_COMPARABLE: "Only sessions of one hardware class, clock, source and path version "
    "are compared.",
    Decision.BROKEN: "A required benchmark has to be in every run of every session.",
    Decision.INCONCLUSIVE: "A benchmark without readings on both sides is listed, not gated.",
}
_SPOILED_RULE = "If a canary moved, every wall row of that session is unfit, whatever it shows."


def plain_row(name: str, decision: Decision, reason: str, *, gated: bool) -> BenchmarkVerdict:
    """A row without figures."""
    return BenchmarkVerdict(
        name=name, verdict=decision, gated=gated, metric="", rule=_RULES[decision], reason=reason
    )


def incomparable_row(name: str, problem: Problem) -> BenchmarkVerdict:
    """The row of a benchmark whose path version differs."""
    return plain_row(name, Decision.NOT_COMPARABLE, problem.message, gated=True)


def spoil(row: BenchmarkVerdict, reason: str) -> BenchmarkVerdict:
    """The row after a canary's veto: its figures stay to be seen, its decision does not count."""
    told = f"{reason} Without that it would read: {row.verdict}."
    return msgspec.structs.replace(row, verdict=Decision.UNFIT, rule=_SPOILED_RULE, reason=told)
