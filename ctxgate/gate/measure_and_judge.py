# SPDX-License-Identifier: Apache-2.0
"""The gate: is the machine fit, measure a fresh session (or take a measured one), judge it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from glob import escape
from pathlib import Path

import msgspec

from ctxgate.gate import local_baseline
from ctxgate.gate.compare import DECISIONS, refuse_unmeasured
from ctxgate.gate.config_symbols import with_config_symbols
from ctxgate.gate.confirm import measure_again
from ctxgate.gate.local_baseline import LocalBaseline
from ctxgate.gate.scratch import scratch_directory
from ctxgate.gate.skip import GateResult
from ctxgate.gate.stored import StoredSide, load_side
from ctxgate.readings.load import load_sessions
from ctxgate.readings.model import Problem, SessionSet
from ctxgate.system import session_directory
from ctxgate.system.host import Host
from ctxgate.system.outcome import MeasureError, MeasureOptions, State
from ctxgate.system.session_directory import Measurement
from ctxgate.verdict.judge import Question, consider, refuse
from ctxgate.verdict.looks import Plan
from ctxgate.verdict.model import Decision, Verdict, worst
from ctxgate.verdict.policy import CERTIFIABLE, Policy
from ctxgate.wall import doctor, program
from ctxgate.wall.measure import describe, measure
from ctxgate.wall.program import Program

_NO_BASELINE = Problem(
    kind="no-baseline",
    message="there is no baseline to compare with",
    remedy="name sessions with --baseline; at the desk `ctxgate gate --local-baseline` records "
    "one of this machine and uses it from then on",
)
_NO_BASELINE_IN_CI = Problem(
    kind="no-baseline",
    message="there is no approved baseline to compare with, and CI is set: a local one is for "
    "the desk only",
    remedy="name the sessions of an approved machine with --baseline",
)


@dataclass(frozen=True, kw_only=True)
class GateOptions:
    """One gate.

    `contender` is a session that was measured before; without it a fresh one is, and kept in
    `measuring.out` if `keep`. `local` asks for a local baseline, recorded if there is none.
    `quiet` leaves stdout to the verdict alone. `looks` 2 asks again before it says no; sessions
    that were measured before are always judged in one look.
    """

    measuring: MeasureOptions
    keep: bool
    policy: Policy
    baseline: tuple[Path, ...] = ()
    contender: tuple[Path, ...] = ()
    local: bool = False
    local_dir: Path | None = None
    quiet: bool = False
    looks: int = 2


def in_ci(host: Host) -> bool:
    """Whether CI is set; "false" and "0" are how people say that it is not."""
    return host.environ.get("CI", "").strip().lower() not in ("", "0", "false")


def gate(options: GateOptions, host: Host) -> GateResult:
    """The verdict; whatever stands in its way is a verdict too. KeyboardInterrupt passes."""
    try:
        return _Gate(options, host).result()
    except MeasureError as error:
        return GateResult(refuse(DECISIONS[error.state], error.problems))
    except OSError as error:
        problem = Problem(
            kind="system",
            message=f"a session cannot be kept: {error}",
            remedy="check the space and the rights there",
        )
        return GateResult(refuse(Decision.BROKEN, [problem]))


class _Gate:
    """One call of `gate`."""

    def __init__(self, options: GateOptions, host: Host) -> None:
        self._options = options
        self._host = host

    def result(self) -> GateResult:
        options = self._options
        if options.baseline:
            return GateResult(self._against_given())
        local = None if in_ci(self._host) else self._local()
        if local is None:
            return self._without_baseline()
        with local.claimed(self._host):
            return GateResult(self._against_local(local))

    def _against_given(self) -> Verdict:
        """Against the sessions that were named; they are read first, before time is spent."""
        options = self._options
        refused = refuse_unmeasured(options.baseline, options.contender)
        if refused is not None and refused.verdict is Decision.BROKEN:
            return refused
        baseline = load_side(options.baseline, self._host)
        if baseline.sessions.problems:
            return refuse(Decision.BROKEN, baseline.sessions.problems)
        if refused is not None:  # unfit may be skipped, a baseline that is not believed never
            return refused
        with self._contender() as contender:
            verdict = self._judge(baseline, contender, options.policy)
            return baseline.accepted(verdict)

    def _against_local(self, local: LocalBaseline) -> Verdict:
        options, host = self._options, self._host
        if not local.sessions():
            self._check_fitness()
            self._record(local)
        self._announce(local)
        with self._contender() as contender:
            verdict = self._judge_locally(local, contender)
            if verdict.verdict is not Decision.NOT_COMPARABLE or options.contender:
                return verdict
            host.say("the local baseline is no longer comparable; it is recorded again:")
            for problem in verdict.problems:
                host.say(f"  {problem.message}")
            self._record(local)
            self._announce(local)
            return self._judge_locally(local, contender)

    def _judge_locally(self, local: LocalBaseline, contender: tuple[Path, ...]) -> Verdict:
        policy = self._options.policy
        if policy.tolerance is None:
            policy = msgspec.structs.replace(policy, tolerance=CERTIFIABLE)
        note = f"Compared with the local baseline {local.folder}; remove it to record it again."
        side = StoredSide(load_sessions(local.sessions()), (note,))
        return self._judge(side, contender, policy)

    def _without_baseline(self) -> GateResult:
        """Not comparable; an unfit contender is told as well, a broken one weighs more."""
        refused = refuse_unmeasured((), self._options.contender)
        if refused is not None and refused.verdict is Decision.BROKEN:
            return GateResult(refused)
        none = _NO_BASELINE_IN_CI if in_ci(self._host) else _NO_BASELINE
        problems = [none, *(refused.problems if refused is not None else ())]
        return GateResult(refuse(Decision.NOT_COMPARABLE, problems), no_baseline=True)

    def _local(self) -> LocalBaseline | None:
        """The local baseline: one that exists, or one to be recorded if that is asked for.

        A session that was measured before is judged by an existing one only: what it was measured
        with may be gone.
        """
        options = self._options
        try:
            kind = self._kind()
            if kind is None:
                return None
            local = local_baseline.locate(kind, self._host, options.local_dir)
        except MeasureError:
            if options.local:
                raise
            return None
        recordable = options.local and not options.contender
        return local if recordable or local.sessions() else None

    def _kind(self) -> Measurement | None:
        """What kind of measurement is judged, as the contender's record or our options say."""
        if not self._options.contender:
            return describe(self._options.measuring, self._program)
        records = [session_directory.read_record(path) for path in self._options.contender]
        return next((record.measurement for record in records if record is not None), None)

    @cached_property
    def _program(self) -> Program:
        bench = self._options.measuring.bench
        return program.identify(program.find(bench, self._host), self._host)

    def _check_fitness(self) -> None:
        """MeasureError (unfit) where our own program says that no valid reading is possible."""
        if not self._program.own:
            return
        asked = self._options.measuring
        diagnosis = doctor.diagnose(
            self._program, self._host, cpu=asked.cpu, scheduling_class=asked.scheduling_class
        )
        if not diagnosis.ready:
            raise MeasureError(State.UNFIT, *diagnosis.problems())

    @contextmanager
    def _contender(self) -> Iterator[tuple[Path, ...]]:
        """The session to be judged, measured now unless it was before."""
        options = self._options
        if options.contender:
            yield options.contender
            return
        self._check_fitness()
        if options.keep:
            yield self._measure(options.measuring.out)
            return
        with scratch_directory() as scratch:
            yield self._measure(scratch / "contender")

    def _measure(self, out: Path) -> tuple[Path, ...]:
        outcome = measure(replace(self._options.measuring, out=out), self._host)
        for caution in outcome.cautions:
            self._host.say(f"caution: {caution.message}")
        if outcome.state is not State.COMPLETE:
            raise MeasureError(outcome.state, *outcome.problems)
        return (self._host.cwd / out,)

    def _record(self, local: LocalBaseline) -> None:
        outcome = local.record(self._options.measuring, self._host)
        if outcome.state is not State.COMPLETE:
            raise MeasureError(outcome.state, *outcome.problems)

    def _announce(self, local: LocalBaseline) -> None:
        """Say what the baseline can certify, before anything else stands on stdout."""
        if self._options.policy.tolerance not in (None, CERTIFIABLE):
            return
        line = local_baseline.tolerance_line(local.sessions())
        (self._host.say if self._options.quiet else self._host.show)(line)

    def _judge(self, side: StoredSide, contender: tuple[Path, ...], policy: Policy) -> Verdict:
        refused = refuse_unmeasured((), contender)
        if refused is not None:
            return refused
        baseline, notes = side.sessions, side.notes
        question = Question(
            baseline=baseline,
            prior=side.prior,
            contender=load_sessions(contender),
            policy=_narrow(policy, baseline, self._options.measuring),
            looks=1 if self._options.contender else self._options.looks,
        )
        judgement = consider(question, notes)
        if judgement.plan is None:
            return with_config_symbols(judgement.verdict, baseline, question.contender)
        verdict = self._ask_again(question, judgement.plan, judgement.verdict, notes, contender[0])
        return with_config_symbols(verdict, baseline, question.contender)

    def _ask_again(
        self, question: Question, plan: Plan, verdict: Verdict, notes: tuple[str, ...], first: Path
    ) -> Verdict:
        """The verdict after the confirming sessions; where they fail, the first look's and why."""
        try:
            again = measure_again(plan, self._options.measuring, first, self._host)
        except MeasureError as error:
            decision = worst([verdict.verdict, DECISIONS[error.state]])
            problems = (*verdict.problems, *error.problems)
            return msgspec.structs.replace(verdict, verdict=decision, problems=problems)
        confirming = load_sessions(again)
        return consider(msgspec.structs.replace(question, confirming=confirming), notes).verdict


def _narrow(policy: Policy, baseline: SessionSet, measuring: MeasureOptions) -> Policy:
    """Require only what the command line selects: `--filter` and `--class` leave out the rest.

    What the configuration file requires and the baseline does not hold at all stays required. A
    filter that this side cannot read as the program does (Google Benchmark negates with a
    leading "-") requires all of the baseline, as without one.
    """
    wanted, chosen = measuring.filter, measuring.scheduling_class
    if not (wanted or chosen) or wanted.startswith("-"):
        return policy
    try:
        pattern = re.compile(wanted)
    except re.error:
        return policy
    other = {"fifo": "/other/", "other": "/fifo/"}.get(chosen)
    runs = (run for session in baseline.sessions for run in session.runs)
    names = dict.fromkeys(name for run in runs for name in run.readings)
    listed = ("*",) if policy.required is None else policy.required
    required = [
        escape(name)
        for name in names
        if pattern.search(name)
        and not (other is not None and other in name)
        and any(fnmatchcase(name, each) for each in listed)
    ]
    absent = [
        each for each in policy.required or () if not any(fnmatchcase(n, each) for n in names)
    ]
    return msgspec.structs.replace(policy, required=(*required, *absent))
