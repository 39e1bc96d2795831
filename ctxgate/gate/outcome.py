# SPDX-License-Identifier: Apache-2.0
"""How a command about baselines ended."""

from collections.abc import Sequence
from dataclasses import dataclass

from ctxgate.readings.model import Problem
from ctxgate.verdict.model import Decision


@dataclass(frozen=True)
class Outcome:
    """The decision, why, what is to be said beside it, and the text that the command prints."""

    decision: Decision = Decision.PASS
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    text: str = ""

    @property
    def state(self) -> str:
        """The decision as a command that judges nothing names it."""
        return "complete" if self.decision is Decision.PASS else self.decision.value

    @property
    def exit_code(self) -> int:
        """The exit status; nothing here is ever a skip."""
        return self.decision.exit_code


class Refused(Exception):  # noqa: N818 - it is an answer, not an error of the program
    """A command stops here, and this is how it ends."""

    def __init__(self, decision: Decision, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.outcome = Outcome(decision, tuple(problems))
