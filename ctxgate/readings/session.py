# SPDX-License-Identifier: Apache-2.0
"""Whether the runs of a session, and the sessions of a side, belong together and are all there."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from ctxgate.readings.model import UNKNOWN, Problem, Run, Session
from ctxgate.readings.problems import Findings, Kind, shown


def check_session(label: str, runs: Sequence[Run], broken: Collection[Problem]) -> list[Problem]:
    """Problems of `runs` as one session; `broken` are those already found in its files."""
    found: list[Findings] = [*_check_stamps(label, runs)]
    first = runs[0]
    told = {(problem.file, problem.benchmark) for problem in broken}
    for run in runs[1:]:
        findings = Findings(run.file)
        _check_alike(first, run, findings)
        found.append(findings)
    names = {name: run for run in reversed(runs) for name in run.readings}
    for run in runs:
        findings = Findings(run.file)
        for name in sorted(names.keys() - run.readings.keys()):
            if (run.file, name) not in told:
                cause = f"is missing in this run; {names[name].file} has it"
                findings.refuse(Kind.BENCHMARK_MISSING, cause, name=name)
        found.append(findings)
    return [problem for findings in found for problem in findings.finish()[0]]


def check_side(sessions: Sequence[Session]) -> list[Problem]:
    """Problems of sessions that stand on one side of a comparison."""
    if not sessions:
        return []
    first = sessions[0].runs[0]
    problems: list[Problem] = []
    for session in sessions[1:]:
        run = session.runs[0]
        findings = Findings(run.file)
        _check_kind(first, run, findings)
        problems += findings.finish()[0]
    return problems


def _check_stamps(label: str, runs: Sequence[Run]) -> Iterator[Findings]:
    """One session id, every run of it, each once."""
    findings = Findings(label)
    yield findings
    stamps = {(run.session, run.session_runs) for run in runs}
    if len(stamps) > 1:
        said = ", ".join(sorted(_stamp_said(run) for run in runs))
        findings.refuse(Kind.SESSIONS_MIXED, f"holds runs of several sessions: {said}")
        return
    wanted = runs[0].session_runs
    if wanted is None:
        return
    by_index: dict[int | None, Run] = {}
    for run in runs:
        other = by_index.setdefault(run.run_index, run)
        if other is not run:
            twice = Findings(run.file)
            twice.refuse(Kind.RUN_TWICE, f"is run {run.run_index} again, after {other.file}")
            yield twice
    missing = [str(index) for index in range(wanted) if index not in by_index]
    if missing:
        cause = f"has {wanted - len(missing)} of {wanted} runs; missing or unreadable: "
        findings.refuse(Kind.SESSION_INCOMPLETE, cause + ", ".join(missing))


def _stamp_said(run: Run) -> str:
    where = run.file.rpartition("/")[2]
    return f"{where} of {shown(run.session, 40)}" if run.session else f"{where} of none"


def _check_alike(first: Run, run: Run, findings: Findings) -> None:
    """Runs of one session were measured in one place, on one kernel, by one program."""
    if not _check_kind(first, run, findings):
        return
    for kind, facts, others in (
        (Kind.IDENTITY_DIFFERS, first.identity, run.identity),
        (Kind.SUBJECT_DIFFERS, first.subject, run.subject),
    ):
        for fact, here, there in _differences(facts, others):
            cause = f"{shown(fact)} is {shown(there)}, but {shown(here)} in {first.file}"
            findings.refuse(kind, cause)
    for name in first.readings.keys() & run.readings.keys():
        here_version, there_version = first.readings[name].version, run.readings[name].version
        if here_version != there_version:
            cause = f"has version {there_version}, but {here_version} in {first.file}"
            findings.refuse(Kind.VERSIONS_MIXED, cause, name=name)


def _check_kind(first: Run, run: Run, findings: Findings) -> bool:
    """Whether both count the same thing, with or without proof."""
    if first.clock != run.clock:
        cause = f"its clock is {run.clock}, but {first.clock} in {first.file}"
        findings.refuse(Kind.CLOCKS_MIXED, cause)
    if first.foreign != run.foreign:
        ours, other = (run, first) if first.foreign else (first, run)
        cause = f"{ours.file} is ctxgate-bench's, {other.file} is another program's"
        findings.refuse(Kind.SOURCES_MIXED, cause)
    return not findings.problems


def _differences(
    facts: Mapping[str, str], others: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """Facts that differ. Within a session one that could not be read is no difference."""
    for fact in sorted(facts.keys() | others.keys()):
        here, there = facts.get(fact, "absent"), others.get(fact, "absent")
        if here != there and UNKNOWN not in (here, there):
            yield fact, here, there
