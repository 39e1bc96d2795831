# SPDX-License-Identifier: Apache-2.0
"""Is this machine fit for a wall reading: judges what `ctxgate-bench --facts` says."""

from pathlib import Path

import msgspec

from ctxgate.readings.model import Problem
from ctxgate.system.host import Host
from ctxgate.system.outcome import MeasureError, State
from ctxgate.wall import program
from ctxgate.wall.program import Facts, Fitness, Program

_MARKS = {"good": "good", "bad": "BAD"}
_ONLY_FOR_FIFO = ("fifo", "rt_budget")
"""Requirements, by their names in `--facts`, that `--class other` can do without."""


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """What the machine is fit for; the JSON of `ctxgate doctor --json`."""

    schema: int
    ready: bool
    exit_code: int
    program: str
    fitness: tuple[Fitness, ...]
    identity: dict[str, str]
    subject: dict[str, str]
    record: dict[str, str]

    def problems(self) -> tuple[Problem, ...]:
        """Each requirement that is not met, with its remedy."""
        return tuple(
            Problem(
                kind="unfit", message=f"{entry.requirement}: {entry.found}", remedy=entry.remedy
            )
            for entry in self.fitness
            if entry.required and entry.state == "bad"
        )


def examine(
    bench: Path | None, host: Host, *, cpu: int | None = None, scheduling_class: str = ""
) -> Diagnosis:
    """Ask our own program about this machine.

    MeasureError where there is no such program, where it is a foreign one, or where it refuses.
    """
    found = program.identify(program.find(bench, host), host)
    return diagnose(found, host, cpu=cpu, scheduling_class=scheduling_class)


def diagnose(
    found: Program, host: Host, *, cpu: int | None = None, scheduling_class: str = ""
) -> Diagnosis:
    """As `examine`, of a program that is known."""
    if found.facts is None:
        problem = Problem(
            kind="program",
            message=f"{found.path} is not {program.PROGRAM_NAME}: it says nothing of the machine",
            remedy=f"give {program.PROGRAM_NAME} with --bench; ./ci/setup builds it",
        )
        raise MeasureError(State.USAGE, problem)
    arguments = [] if cpu is None else ["--cpu", str(cpu)]
    if scheduling_class:
        arguments += ["--class", scheduling_class]
    facts = program.ask_facts(found, arguments, host) if arguments else found.facts
    return _judge(found, facts, scheduling_class)


def _judge(found: Program, facts: Facts, scheduling_class: str) -> Diagnosis:
    """Ready unless something required is bad; what cannot be told is left to the measurement."""
    spared = _ONLY_FOR_FIFO if scheduling_class == "other" else ()
    fitness = tuple(
        msgspec.structs.replace(entry, required=entry.required and entry.requirement not in spared)
        for entry in facts.fitness
    )
    ready = not any(entry.required and entry.state == "bad" for entry in fitness)
    return Diagnosis(
        schema=1,
        ready=ready,
        exit_code=0 if ready else State.UNFIT.exit_code,
        program=str(found.path),
        fitness=fitness,
        identity=facts.identity,
        subject=facts.subject,
        record=facts.record,
    )


def render(diagnosis: Diagnosis) -> str:
    """The diagnosis for a person, the verdict last, remedies under what needs them."""
    lines = []
    for entry in diagnosis.fitness:
        mark = _MARKS.get(entry.state, "cannot tell")
        if entry.state == "bad" and not entry.required:
            mark = "could be better"
        lines.append(f"{mark:<16}{entry.requirement}: {entry.found}")
        if entry.state != "good" and entry.remedy:
            lines.append(f"{'':<16}-> {entry.remedy}")
    lines.append("")
    unmet = len(diagnosis.problems())
    if diagnosis.ready:
        lines.append("ready: this machine can give a valid wall reading")
    else:
        lines.append(f"not ready: {unmet} requirement{'s' if unmet > 1 else ''} not met")
    return "\n".join(lines)
