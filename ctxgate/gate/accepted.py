# SPDX-License-Identifier: Apache-2.0
"""Regressions that are wanted, applied to a verdict. Pure: what expired was refused before."""

from collections.abc import Sequence

import msgspec

from ctxgate.baseline.acceptance import Acceptance
from ctxgate.noise.names import switch_allowance
from ctxgate.verdict.kinds import decision_of
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Verdict, worst
from ctxgate.verdict.wording import percent


def accept(verdict: Verdict, acceptances: Sequence[Acceptance]) -> Verdict:
    """The verdict with every accepted regression as a pass, and a note for each.

    Only a row within its entry's limit is turned. One that switches more often than before is not:
    the limit speaks of the cost, and another number of hand-overs is another thing.
    """
    rows = []
    notes = []
    for row in verdict.benchmarks:
        entry = _entry_for(row, acceptances)
        if entry is None:
            rows.append(row)
            continue
        told = (
            f"Accepted by {entry.approver} up to {entry.limit} until {entry.expires}: "
            f"{entry.reason}"
        )
        rows.append(
            msgspec.structs.replace(row, verdict=Decision.PASS, reason=f"{told} [{row.reason}]")
        )
        notes.append(f"{row.name}: {percent(row.change or 0.0, signed=True)}. {told}")
    if not notes:
        return verdict
    parts = [row.verdict for row in rows if row.gated]
    parts += [decision_of(problem) for problem in verdict.problems]
    return msgspec.structs.replace(
        verdict,
        verdict=worst(parts),
        benchmarks=tuple(rows),
        notes=(*notes, *verdict.notes),
    )


def _entry_for(row: BenchmarkVerdict, acceptances: Sequence[Acceptance]) -> Acceptance | None:
    if row.verdict is not Decision.REGRESSION or row.change is None or _switches_more(row):
        return None
    change = row.change
    return next((one for one in acceptances if one.covers(row.name, change)), None)


def _switches_more(row: BenchmarkVerdict) -> bool:
    sides = (row.baseline, row.contender)
    before, after = (None if side is None else side.switches for side in sides)
    return before is not None and after is not None and after - before > switch_allowance(row.name)
