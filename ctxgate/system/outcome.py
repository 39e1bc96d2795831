# SPDX-License-Identifier: Apache-2.0
"""What a measurement is asked for and how it can end."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ctxgate.readings.model import Caution, Problem


class State(StrEnum):
    """How a measurement ended."""

    COMPLETE = "complete"
    USAGE = "usage error"
    BROKEN = "broken"
    UNFIT = "unfit"

    @property
    def exit_code(self) -> int:
        """The exit status of a command that only measures."""
        return _EXIT_CODES[self]


_EXIT_CODES = {State.COMPLETE: 0, State.USAGE: 2, State.BROKEN: 3, State.UNFIT: 6}


@dataclass(frozen=True, kw_only=True)
class MeasureOptions:
    """One session to be measured; None and "" leave a choice to the program.

    `deadline` (seconds) is for one benchmark of our own program, for a run of a foreign one;
    `lock_timeout` (seconds) bounds the wait for another measurement on this host.
    """

    out: Path
    runs: int = 8
    filter: str = ""
    cpu: int | None = None
    scheduling_class: str = ""
    bench: Path | None = None
    deadline: int | None = None
    bench_args: tuple[str, ...] = ()
    lock_timeout: float | None = None
    command: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class MeasureOutcome:
    """How a measurement ended and why; `problems` is empty only for a complete session."""

    state: State
    directory: Path
    problems: tuple[Problem, ...] = ()
    cautions: tuple[Caution, ...] = ()


class MeasureError(Exception):
    """A measurement cannot go on; `state` is how it ends, `problems` say why."""

    def __init__(self, state: State, *problems: Problem) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.state = state
        self.problems = problems
