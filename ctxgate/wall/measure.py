# SPDX-License-Identifier: Apache-2.0
"""One session: fresh processes of a benchmark program, one after another, under the host's lock."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import msgspec

from ctxgate.readings.load import load_run
from ctxgate.readings.model import Caution, Problem
from ctxgate.system import kernel_config, provenance
from ctxgate.system.host import Finished, Host
from ctxgate.system.kernel_config import KernelConfig
from ctxgate.system.lock import host_lock
from ctxgate.system.outcome import MeasureError, MeasureOptions, MeasureOutcome, State
from ctxgate.system.progress import Progress
from ctxgate.system.session_directory import Measurement, SessionDirectory, SessionRecord
from ctxgate.wall import affinity, program
from ctxgate.wall.program import Program

DEADLINE_S = 30
"""What our program allows one benchmark if it is not told (`--deadline`)."""

RUN_DEADLINES = 45
"""Deadlines in the longest run: each of our 20 places stuck, and its audit; a good run: seconds."""

RUN_GRACE_S = 30.0
"""What a program may take beyond that, to start, to end and to write."""

_PADDING_BYTES = 4096
"""A page: the environment's size moves the stack, and with it cache sets, from run to run."""

_SEED_LIMIT = 1 << 31


def measure(options: MeasureOptions, host: Host, *, label: str = "measuring") -> MeasureOutcome:
    """Measure one session into `options.out`; never raises for what the program or machine does.

    An earlier session there is removed first. A session that ends broken or unfit leaves only its
    record, a usage error and an interruption (KeyboardInterrupt passes) leave nothing.
    """
    session = f"{host.random.getrandbits(64):016x}"
    try:
        directory = SessionDirectory(host.cwd / options.out, session)
    except MeasureError as error:
        return _failed(options, error)
    sitting = _Sitting(options, host, directory, session=session, label=label)
    try:
        return sitting.measure()
    except MeasureError as error:
        return sitting.give_up(error)
    except OSError as error:
        where = f" {error.filename}" if error.filename else ""
        problem = Problem(
            kind="system",
            message=f"the session cannot be kept:{where} {error.strerror or error}",
            remedy="check the place of --out and the space on its disk",
        )
        return sitting.give_up(MeasureError(State.BROKEN, problem))
    finally:
        directory.abandon()


def describe(options: MeasureOptions, found: Program) -> Measurement:
    """What `options` ask of a program, for the session's record."""
    return Measurement(
        program=program.PROGRAM_NAME if found.own else str(found.path.resolve()),
        own=found.own,
        runs=options.runs,
        filter=options.filter,
        scheduling_class=options.scheduling_class,
        cpu=options.cpu,
        bench_args=options.bench_args,
    )


class _Sitting:
    """The state of one call of `measure`."""

    def __init__(
        self,
        options: MeasureOptions,
        host: Host,
        directory: SessionDirectory,
        *,
        session: str,
        label: str,
    ) -> None:
        self._options = options
        self._host = host
        self._directory = directory
        self._label = label
        self._session = session
        self._started = host.now().isoformat(timespec="seconds")
        self._cautions: list[Caution] = []
        self._measurement: Measurement | None = None

    def measure(self) -> MeasureOutcome:
        """The way on which nothing goes wrong; MeasureError and OSError where it does."""
        options, host = self._options, self._host
        self._directory.clear()
        found = program.identify(program.find(options.bench, host), host)
        self._measurement = describe(options, found)
        self._warn_of_choices(found)
        cpu = None if found.own else affinity.choose_cpu(host.root, options.cpu)
        stamps = self._stamps(found)
        with host_lock(host, timeout=options.lock_timeout):
            folder = self._directory.begin()
            self._keep_kernel_config(folder)
            progress = Progress(host, label=self._label, runs=options.runs)
            try:
                for run in range(options.runs):
                    progress.before(run)
                    self._run(run, found, folder, cpu, stamps)
            except BaseException:
                progress.give_up()
                raise
            self._directory.publish(self._record(State.COMPLETE))
        progress.end()
        return MeasureOutcome(
            state=State.COMPLETE, directory=options.out, cautions=tuple(self._cautions)
        )

    def give_up(self, error: MeasureError) -> MeasureOutcome:
        """End as `error` says; a usage error leaves nothing that a judge could read."""
        if error.state != State.USAGE:
            try:
                self._directory.publish(self._record(error.state, error.problems))
            except (OSError, MeasureError) as second:
                self._host.say(f"ctxgate: the session's record cannot be kept: {second}")
        return replace(_failed(self._options, error), cautions=tuple(self._cautions))

    def _record(self, state: State, problems: Sequence[Problem] = ()) -> SessionRecord:
        return SessionRecord(
            schema=1,
            state=state,
            exit_code=state.exit_code,
            session=self._session,
            started=self._started,
            finished=self._host.now().isoformat(timespec="seconds"),
            command=self._options.command,
            measurement=self._measurement,
            reasons=tuple(problems),
            cautions=tuple(self._cautions),
        )

    def _warn_of_choices(self, found: Program) -> None:
        if not found.own and self._options.scheduling_class == "fifo":
            message = "--class fifo is not for a foreign program, which keeps its own class"
            problem = Problem(kind="class", message=message, remedy="leave out --class")
            raise MeasureError(State.USAGE, problem)

    def _stamps(self, found: Program) -> dict[str, str]:
        """What every run of the session is stamped with; facts that the program has stay its own.

        A foreign file gets no facts: with them it would pass for one of ours.
        """
        stamps = {"ctxgate.session": self._session, "ctxgate.runs": str(self._options.runs)}
        if found.facts is None:
            return stamps
        record, cautions = provenance.gather(found.path, self._host)
        self._cautions += cautions
        stamps |= {
            f"ctxgate.record.{fact}": value
            for fact, value in record.items()
            if fact not in found.facts.record
        }
        if "kernel_config" not in found.facts.subject:
            stamps["ctxgate.subject.kernel_config"] = self._kernel_config.digest
        return stamps

    @cached_property
    def _kernel_config(self) -> KernelConfig:
        """Read and unpacked once: its hash goes into every run, its text beside them."""
        return kernel_config.read(self._host.root)

    def _keep_kernel_config(self, folder: Path) -> None:
        text = self._kernel_config.text
        if text:
            (folder / "meta/kernel.config").write_text(text, encoding="utf-8")

    def _run(
        self, run: int, found: Program, folder: Path, cpu: int | None, stamps: dict[str, str]
    ) -> None:
        """Run number `run`, checked; MeasureError where it is no good."""
        options, host = self._options, self._host
        digits = max(2, len(str(options.runs - 1)))
        out = folder / f"run-{run:0{digits}}.json"
        stamps = {**stamps, "ctxgate.run": str(run)}
        if found.own:
            arguments = _own_arguments(options, out, host.random.randrange(_SEED_LIMIT), stamps)
        else:
            arguments = _foreign_arguments(options, out, stamps)
        padding = "x" * host.random.randrange(_PADDING_BYTES)
        try:
            finished = host.run(
                [str(found.path), *arguments, *options.bench_args],
                environ=program.environment(host, {"CTXGATE_PADDING": padding}),
                limit=_run_limit(options, found),
                cpu=cpu,
            )
        except OSError as error:
            raise MeasureError(State.BROKEN, _run_problem(run, str(error))) from error
        _check_ending(run, found, finished)
        self._check_file(run, found, out)

    def _check_file(self, run: int, found: Program, out: Path) -> None:
        if not out.exists():
            raise MeasureError(State.BROKEN, _run_problem(run, "wrote no result file"))
        reading, problems, _ = load_run(out)
        if problems:
            named = [_named_by_run(problem, run, out) for problem in problems]
            raise MeasureError(State.BROKEN, *named)
        if found.own and (reading is None or reading.foreign):
            why = "wrote a file without the context of ctxgate-bench"
            raise MeasureError(State.BROKEN, _run_problem(run, why))


def _run_limit(options: MeasureOptions, found: Program) -> float:
    """Seconds after which a run is ended from outside; a foreign program has no other limit."""
    if options.deadline is not None and not found.own:
        return options.deadline + RUN_GRACE_S
    return (options.deadline or DEADLINE_S) * RUN_DEADLINES + RUN_GRACE_S


def _own_arguments(
    options: MeasureOptions, out: Path, seed: int, stamps: dict[str, str]
) -> list[str]:
    arguments = ["--out", str(out), "--seed", str(seed)]
    if options.filter:
        arguments += ["--filter", options.filter]
    if options.cpu is not None:
        arguments += ["--cpu", str(options.cpu)]
    if options.scheduling_class:
        arguments += ["--class", options.scheduling_class]
    if options.deadline is not None:
        arguments += ["--deadline", str(options.deadline)]
    for key, value in stamps.items():
        arguments += ["--context", f"{key}={value}"]
    return arguments


def _foreign_arguments(options: MeasureOptions, out: Path, stamps: dict[str, str]) -> list[str]:
    """Google Benchmark's own; the stamp lets a reader notice a missing run."""
    context = ",".join(f"{key}={value}" for key, value in stamps.items())
    arguments = [
        f"--benchmark_out={out}",
        "--benchmark_out_format=json",
        f"--benchmark_context={context}",
    ]
    if options.filter:
        arguments.append(f"--benchmark_filter={options.filter}")
    return arguments


def _check_ending(run: int, found: Program, finished: Finished) -> None:
    """MeasureError unless the run ended well; only our own program's 2 and 6 mean something."""
    if finished.returncode == 0 and not finished.timed_out:
        return
    state = State.BROKEN
    if found.own and not finished.timed_out:
        state = {2: State.USAGE, 6: State.UNFIT}.get(finished.returncode, State.BROKEN)
    raise MeasureError(state, _run_problem(run, program.ending(finished), state))


def _run_problem(run: int, what: str, state: State = State.BROKEN) -> Problem:
    remedies = {
        State.USAGE: "correct the command line; `ctxgate-bench --list` names the benchmarks",
        State.UNFIT: "do what the program says; `ctxgate doctor` lists all that it needs",
    }
    return Problem(
        kind="run",
        message=f"run {run}: the benchmark program {what}",
        remedy=remedies.get(
            state, "run the program by itself, correct what it says, measure again"
        ),
    )


def _named_by_run(problem: Problem, run: int, out: Path) -> Problem:
    """`problem` without the hidden folder, which is gone by the time somebody reads it."""
    message = problem.message.replace(str(out), out.name)
    return msgspec.structs.replace(problem, message=f"run {run}: {message}", file=out.name)


def _failed(options: MeasureOptions, error: MeasureError) -> MeasureOutcome:
    return MeasureOutcome(state=error.state, directory=options.out, problems=error.problems)
