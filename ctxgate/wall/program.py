# SPDX-License-Identifier: Apache-2.0
"""Which benchmark program is measured, and whether it is our own."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ctxgate.readings.model import Problem
from ctxgate.system.host import Finished, Host
from ctxgate.system.outcome import MeasureError, State

PROGRAM_NAME = "ctxgate-bench"
ANSWER_LIMIT_S = 20.0
"""Our program answers --facts in well under a second; the rest is for a traced or busy machine."""

_PACKAGE = Path(__file__).resolve().parent.parent
_BUILT = (Path("build/ctxgate/bench") / PROGRAM_NAME, Path("build") / PROGRAM_NAME)
_QUOTED_LINES = 8


class Fitness(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a wall reading needs or would profit from, as `--facts` prints it.

    `state` is "good", "bad" or "unknown"; without a `required` one no reading is valid.
    """

    requirement: str
    state: str
    found: str = ""
    remedy: str = ""
    required: bool = False


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What `ctxgate-bench --facts` prints."""

    identity: dict[str, str]
    subject: dict[str, str]
    record: dict[str, str]
    fitness: tuple[Fitness, ...]


@dataclass(frozen=True, kw_only=True)
class Program:
    """A benchmark program; `facts` is None for a foreign one, which proves nothing."""

    path: Path
    facts: Facts | None

    @property
    def own(self) -> bool:
        """Whether this is ctxgate-bench."""
        return self.facts is not None


def find(bench: Path | None, host: Host) -> Path:
    """The program of `--bench`, else CTXGATE_BENCH, else the package's, else one in build/.

    MeasureError (usage) where there is none; it names every place that was looked at.
    """
    if bench is not None:
        return _named(host.cwd / bench, "--bench")
    from_environment = host.environ.get("CTXGATE_BENCH")
    if from_environment:
        return _named(host.cwd / from_environment, "CTXGATE_BENCH")
    places = [_PACKAGE / "bin" / PROGRAM_NAME]
    for start in dict.fromkeys((host.cwd, _PACKAGE.parent)):
        places += [start / built for built in _BUILT]
    for place in places:
        if _is_program(place):
            return place
    looked = ", ".join(("--bench", "CTXGATE_BENCH", *map(str, places)))
    raise _usage(f"no {PROGRAM_NAME} found; looked at {looked}", "build it with ./ci/setup")


def identify(path: Path, host: Host) -> Program:
    """Ask `path` who it is: our own prints its facts, any other Google Benchmark lists its names.

    MeasureError: usage where it is no program for this machine, broken where it gives no answer.
    """
    finished = _ask(path, ["--facts", "--benchmark_list_tests=true"], host)
    facts = _decode(finished) if finished.returncode == 0 else None
    return Program(path=path, facts=facts)


def ask_facts(program: Program, arguments: Sequence[str], host: Host) -> Facts:
    """The facts of our own program for certain choices, such as `--cpu 3`.

    MeasureError: usage or unfit where the program refuses them, broken where it gives no facts.
    """
    finished = _ask(program.path, ["--facts", *arguments], host)
    facts = _decode(finished) if finished.returncode == 0 else None
    if facts is None:
        state = {2: State.USAGE, 6: State.UNFIT}.get(finished.returncode, State.BROKEN)
        problem = Problem(
            kind="no-facts",
            message=f"{program.path} --facts {' '.join(arguments)} {ending(finished)}",
            remedy="correct what it says and try again",
            file=str(program.path),
        )
        raise MeasureError(state, problem)
    return facts


def ending(finished: Finished) -> str:
    """How a program ended, with its own last words, for a message."""
    if finished.timed_out:
        how = "did not end in time"
    elif finished.returncode < 0:
        how = f"was killed by signal {-finished.returncode}"
    else:
        how = f"ended with exit status {finished.returncode}"
    text = finished.stderr.decode(errors="backslashreplace")
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return f"{how}: " + "\n".join(lines[-_QUOTED_LINES:]) if lines else how


def environment(host: Host, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a program is started with: our environment and `extra`."""
    return {**host.environ, **(extra or {})}


def _ask(path: Path, arguments: list[str], host: Host) -> Finished:
    argv = [str(path), *arguments]
    try:
        finished = host.run(argv, environ=environment(host), limit=ANSWER_LIMIT_S)
    except OSError as error:
        raise _usage(
            f"{path} cannot be run: {error.strerror or error}",
            "give a benchmark program built for this machine with --bench",
        ) from error
    if finished.timed_out or finished.returncode < 0:
        asked = " ".join(arguments)
        problem = Problem(
            kind="no-answer",
            message=f"{path}, asked who it is ({asked}), {ending(finished)}",
            remedy="check that it is a Google Benchmark program and that it runs by itself",
            file=str(path),
        )
        raise MeasureError(State.BROKEN, problem)
    return finished


def _decode(finished: Finished) -> Facts | None:
    try:
        return msgspec.json.decode(finished.stdout, type=Facts)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _named(path: Path, by: str) -> Path:
    if _is_program(path):
        return path
    fault = "is not executable" if path.is_file() else "is no program"
    raise _usage(f"{by}: {path} {fault}", f"give the path of {PROGRAM_NAME} or your benchmark")


def _is_program(path: Path) -> bool:
    try:
        return path.is_file() and os.access(path, os.X_OK)
    except OSError:
        return False


def _usage(message: str, remedy: str) -> MeasureError:
    return MeasureError(State.USAGE, Problem(kind="program", message=message, remedy=remedy))
