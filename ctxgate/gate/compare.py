# SPDX-License-Identifier: Apache-2.0
"""Judge any two sets of files or session directories."""

from collections.abc import Sequence
from pathlib import Path

from ctxgate.gate.config_symbols import with_config_symbols
from ctxgate.gate.stored import load_side
from ctxgate.readings.load import load_sessions
from ctxgate.readings.model import Problem
from ctxgate.system import session_directory
from ctxgate.system.host import Host
from ctxgate.system.outcome import State
from ctxgate.verdict.judge import judge, refuse
from ctxgate.verdict.model import Decision, Verdict, worst
from ctxgate.verdict.policy import Policy

DECISIONS = {
    State.USAGE: Decision.USAGE_ERROR,
    State.BROKEN: Decision.BROKEN,
    State.UNFIT: Decision.UNFIT,
}
"""The verdict over a session that could not be measured."""


def compare(
    baseline: Sequence[Path],
    contender: Sequence[Path],
    policy: Policy,
    host: Host | None = None,
) -> Verdict:
    """The verdict over `contender` against `baseline`; what cannot be read is a verdict too."""
    refused = refuse_unmeasured(baseline, contender)
    if refused is not None and refused.verdict is Decision.BROKEN:
        return refused
    before = load_side(baseline, host or Host.real())
    if refused is not None and not before.sessions.problems:
        return refused
    after = load_sessions(contender)
    verdict = judge(before.sessions, after, policy, notes=before.notes, prior=before.prior)
    return with_config_symbols(before.accepted(verdict), before.sessions, after)


def refuse_unmeasured(baseline: Sequence[Path], contender: Sequence[Path]) -> Verdict | None:
    """The verdict where a session directory itself says that it holds no whole session.

    An unfit contender stays unfit; a baseline that was never measured is broken.
    """
    problems: list[Problem] = []
    decisions: list[Decision] = []
    for side, paths in (("baseline", baseline), ("contender", contender)):
        for state, problem in session_directory.faults(paths):
            unfit = state is State.UNFIT and side == "contender"
            decisions.append(Decision.UNFIT if unfit else Decision.BROKEN)
            problems.append(problem)
    return refuse(worst(decisions), problems) if decisions else None
