# SPDX-License-Identifier: Apache-2.0
"""Recording a baseline: sessions measured before or now, refused or written. Its own command."""

import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path

import msgspec

from ctxgate.baseline.acceptance import read_accepted
from ctxgate.baseline.admission import (
    check_alike,
    check_commit,
    check_sessions,
    shared_identity,
)
from ctxgate.baseline.build import build
from ctxgate.baseline.hardware import Hardware, check_possible, class_of
from ctxgate.baseline.keygen import Keygen
from ctxgate.baseline.load import label_of, parse, read_baseline, sessions_of
from ctxgate.baseline.model import Baseline, Provenance, StoredFile
from ctxgate.baseline.problems import Kind, refuse
from ctxgate.baseline.signature import signature_of
from ctxgate.baseline.text import encode, write_whole
from ctxgate.baseline.trust import CONFIG_FACT, check_trust, side_file_of
from ctxgate.gate.accepted import accept
from ctxgate.gate.outcome import Outcome, Refused
from ctxgate.gate.scratch import scratch_directory
from ctxgate.noise.summaries import gather
from ctxgate.readings.load import load_sessions
from ctxgate.readings.model import Clock, Problem, SessionSet
from ctxgate.system import kernel_config, provenance, session_directory
from ctxgate.system.host import Host
from ctxgate.system.outcome import MeasureError, MeasureOptions, State
from ctxgate.verdict.judge import judge
from ctxgate.verdict.model import Decision, Verdict
from ctxgate.verdict.policy import Policy
from ctxgate.wall import doctor, program
from ctxgate.wall.measure import measure

_DECISIONS = {State.USAGE: Decision.USAGE_ERROR, State.BROKEN: Decision.BROKEN,
              State.UNFIT: Decision.UNFIT}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class RecordOptions:
    """One recording. Without `given` sessions `count` are measured, one every `every` seconds.

    `add` puts them to those that the baseline holds; else they take their place.
    """

    file: Path
    add: bool
    reason: str
    approved_by: str
    policy: Policy
    measuring: MeasureOptions
    given: tuple[Path, ...] = ()
    count: int = 5
    every: float = 0.0


def record(
    options: RecordOptions, host: Host, *, sleep: Callable[[float], None] = time.sleep
) -> Outcome:
    """Record, or say why not; a baseline that is there stays as it is then."""
    try:
        return _Recording(options, host, sleep).done()
    except Refused as refused:
        return refused.outcome
    except MeasureError as error:
        return Outcome(_DECISIONS[error.state], error.problems)


class _Recording:
    """One call of `record`."""

    def __init__(self, options: RecordOptions, host: Host, sleep: Callable[[float], None]) -> None:
        self._options = options
        self._host = host
        self._sleep = sleep
        self._path = host.cwd / options.file
        self._notes: list[str] = []
        self._due = 0.0

    def done(self) -> Outcome:
        commit, _ = provenance.git_commit(self._host)
        _refuse_if(check_commit(commit))
        present = self._present()
        with self._directories() as directories:
            side = self._read(directories)
            adds = present is not None and self._options.add
            _refuse_if(check_sessions(side, present.baseline if present and adds else None))
            compared = self._compare(present, side)
            whole = self._joined(present, side)
            _refuse_if(check_alike(whole.sessions))
            hardware = self._hardware(whole)
            history = self._history(present, side, commit, compared)
            baseline = build(whole, hardware, history, self._tolerance_of(whole))
            data = encode(baseline)
            _refuse_if(parse(self._path, data)[1])
            self._write(data, _config_text(directories, baseline))
        action = "added to" if self._options.add else "recorded"
        text = f"{action} {label_of(self._options.file)}: serial {baseline.serial}, "
        text += f"{len(baseline.sessions)} sessions of {hardware.label}\n"
        return Outcome(notes=tuple(self._notes), text=text)

    def _present(self) -> StoredFile | None:
        """The baseline that is there; it has to be one that can be believed."""
        if not self._path.exists():
            if self._options.add:
                why = f"There is no baseline {label_of(self._options.file)} to add to."
                _refuse_if([refuse(Kind.NOTHING_TO_ADD_TO, why)])
            if not self._path.parent.is_dir():
                why = f"There is no folder {label_of(self._path.parent)}."
                _refuse_if([refuse(Kind.NOT_WRITTEN, why)])
            return None
        present, problems = read_baseline(self._path)
        if present is None:
            raise Refused(Decision.BROKEN, problems)
        keygen = Keygen(self._host.run, self._host.environ)
        trust = check_trust(present, keygen, kernel_config.digest)
        _refuse_if(trust.problems)
        self._notes += trust.notes
        return present

    @contextmanager
    def _directories(self) -> Iterator[Sequence[Path]]:
        """The directories of the sessions: those given, or fresh ones that go afterwards."""
        if self._options.given:
            yield [self._host.cwd / path for path in self._options.given]
            return
        self._check_machine()
        with scratch_directory() as scratch:
            yield [self._measured(scratch, index) for index in range(self._options.count)]

    def _check_machine(self) -> None:
        """Refuse before hours are spent what would be refused after them."""
        asked = self._options.measuring
        found = program.identify(program.find(asked.bench, self._host), self._host)
        diagnosis = doctor.diagnose(
            found, self._host, cpu=asked.cpu, scheduling_class=asked.scheduling_class
        )
        if not diagnosis.ready:
            raise MeasureError(State.UNFIT, *diagnosis.problems())
        _refuse_if(check_possible(diagnosis.identity, self._path.parent))

    def _measured(self, scratch: Path, index: int) -> Path:
        options, host = self._options, self._host
        if index:
            self._sleep(max(0.0, self._due - host.monotonic()))
        self._due = host.monotonic() + options.every
        out = scratch / f"session-{index}"
        label = f"baseline session {index + 1} of {options.count}"
        outcome = measure(replace(options.measuring, out=out), host, label=label)
        if outcome.state is not State.COMPLETE:
            raise MeasureError(outcome.state, *outcome.problems)
        return out

    def _read(self, directories: Sequence[Path]) -> SessionSet:
        faults = session_directory.faults(directories)
        if faults:
            states = {state for state, _ in faults}
            decision = Decision.UNFIT if states == {State.UNFIT} else Decision.BROKEN
            raise Refused(decision, [problem for _, problem in faults])
        return load_sessions(directories)

    def _compare(self, present: StoredFile | None, side: SessionSet) -> str:
        """How the sessions compare with the baseline that is there; Refused where they must not."""
        if present is None:
            return "nothing: it is the first"
        today = self._host.now().date()
        acceptances, problems = read_accepted(self._path.parent, today)
        _refuse_if(problems)
        before = sessions_of(present)
        policy = self._options.policy
        if not self._options.add:
            policy = self._require_common(before, side)
            if not policy.required:
                return "nothing: no benchmark in common"
        verdict = accept(judge(before, side, policy), acceptances)
        said = f"{verdict.verdict.value} against serial {present.baseline.serial}"
        if verdict.verdict is Decision.REGRESSION:
            raise Refused(Decision.REGRESSION, _regressed(verdict))
        if verdict.verdict is Decision.NOT_COMPARABLE and not self._options.add:
            self._notes.append(
                "The baseline that is replaced is not comparable with these sessions, so whether "
                "they regressed is not known: " + _messages(verdict)
            )
        elif verdict.verdict not in (Decision.PASS, Decision.INCONCLUSIVE):
            raise Refused(verdict.verdict, verdict.problems)
        return said

    def _require_common(self, before: SessionSet, side: SessionSet) -> Policy:
        """A new baseline may lack a benchmark of the old one, or have another; that is said."""
        old, new = gather(before).keys(), gather(side).keys()
        if old - new:
            names = ", ".join(sorted(old - new))
            self._notes.append(f"The baseline that is replaced held more benchmarks: {names}.")
        required = tuple(escape(name) for name in sorted(old & new))
        return msgspec.structs.replace(self._options.policy, required=required)

    def _joined(self, present: StoredFile | None, side: SessionSet) -> SessionSet:
        if present is None or not self._options.add:
            return side
        return SessionSet(sessions=(*sessions_of(present).sessions, *side.sessions))

    def _hardware(self, side: SessionSet) -> Hardware:
        """The approved class that the sessions come from; instructions are the same anywhere."""
        if side.sessions[0].runs[0].clock is Clock.INSTRUCTIONS:
            return Hardware(name="any", label="instructions, the same on any machine")
        identity = shared_identity(side.sessions)
        hardware, problems = class_of(identity, self._path.parent)
        if hardware is None:
            raise Refused(Decision.BROKEN, problems)
        return hardware

    def _history(
        self, present: StoredFile | None, side: SessionSet, commit: str, compared: str
    ) -> tuple[Provenance, ...]:
        before = present.baseline.provenance if present is not None else ()
        command = shlex.join(self._options.measuring.command)
        entry = Provenance(
            serial=before[-1].serial + 1 if before else 1,
            action="add" if self._options.add else "record",
            time=self._host.now().isoformat(timespec="seconds"),
            commit=commit,
            command=command.encode(errors="backslashreplace").decode(),
            reason=self._options.reason,
            approved_by=self._options.approved_by,
            compared=compared,
            sessions=tuple(session.runs[0].session for session in side.sessions),
        )
        return (*before, entry)

    def _tolerance_of(self, side: SessionSet) -> Callable[[str], float | None]:
        clock = side.sessions[0].runs[0].clock
        return lambda name: self._options.policy.tolerance_of(name, clock)

    def _write(self, data: bytes, config: str | None) -> None:
        """The new file first: should we be killed, its old signature calls it edited."""
        signature, side = signature_of(self._path), side_file_of(self._path)
        try:
            write_whole(self._path, data)
            if config is not None:
                write_whole(side, config.encode())
            elif not self._options.add:
                side.unlink(missing_ok=True)
            if signature.exists():
                signature.unlink()
                self._notes.append(f"Its signature is void and removed; sign {self._path} again.")
        except OSError as error:
            why = f"{label_of(self._path)} cannot be written: {error.strerror}."
            _refuse_if([refuse(Kind.NOT_WRITTEN, why)])


def _refuse_if(problems: Sequence[Problem]) -> None:
    if problems:
        raise Refused(Decision.BROKEN, problems)


def _regressed(verdict: Verdict) -> list[Problem]:
    return [
        refuse(
            Kind.REGRESSED,
            f"{row.name} regressed against the baseline that is there: {row.reason}",
            benchmark=row.name,
        )
        for row in verdict.benchmarks
        if row.gated and row.verdict is Decision.REGRESSION
    ]


def _messages(verdict: Verdict) -> str:
    return " ".join(problem.message for problem in verdict.problems)


def _config_text(directories: Sequence[Path], baseline: Baseline) -> str | None:
    """The kernel configuration kept beside the latest session that the file's facts name."""
    subjects = [baseline.facts, *(one.facts for one in baseline.sessions)]
    known = {facts.subject.get(CONFIG_FACT, "") for facts in subjects}
    for directory in reversed(directories):
        try:
            text = (directory / "meta/kernel.config").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if kernel_config.digest(text) in known:
            return text
    return None
