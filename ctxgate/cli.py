# SPDX-License-Identifier: Apache-2.0
"""The `ctxgate` command: parse, call, print, exit code."""

import contextlib
import io
import sys
import traceback
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ctxgate import arguments, asked
from ctxgate.arguments import UsageError
from ctxgate.system.host import Host
from ctxgate.system.interruption import Interrupted, install

if TYPE_CHECKING:
    from ctxgate.gate.skip import GateResult
    from ctxgate.readings.model import Problem
    from ctxgate.system.outcome import MeasureOptions
    from ctxgate.verdict.model import Verdict
    from ctxgate.verdict.policy import Policy

USAGE_ERROR = 2
BROKEN = 3
UNFIT = 6
INTERNAL_ERROR = 70
SKIPPED = 77
INTERRUPTED = 130

_WORSE_THAN_BROKEN = (USAGE_ERROR, INTERNAL_ERROR, INTERRUPTED)


def run() -> NoReturn:
    """The console entry point."""
    install()
    sys.exit(main(sys.argv[1:], Host.real()))


def main(argv: Sequence[str], host: Host) -> int:
    """Run the command line `argv`; the exit status. Reports are on disk when it returns."""
    command = _Command(argv, host)
    try:
        return _run_to_an_end(command, host)
    except Exception as error:
        if host.environ.get("CTXGATE_DEBUG"):
            raise
        host.say(traceback.format_exc())
        host.say("ctxgate: internal error; please report the lines above and the command")
        with contextlib.suppress(Exception):  # exit 1 would be read as a regression
            command.end_early(INTERNAL_ERROR, "internal error", repr(error))
        return INTERNAL_ERROR


def _run_to_an_end(command: "_Command", host: Host) -> int:
    try:
        return command.run()
    except UsageError as error:
        host.say(f"ctxgate: {error}")
        return command.end_early(USAGE_ERROR, "usage error", str(error))
    except KeyboardInterrupt as interruption:
        code = interruption.exit_code if isinstance(interruption, Interrupted) else INTERRUPTED
        host.say("ctxgate: interrupted")
        return command.end_early(code, "interrupted", "the command was interrupted")


class _Command:
    """One call of the command."""

    def __init__(self, argv: Sequence[str], host: Host) -> None:
        self._argv = argv
        self._host = host
        self._arguments = Namespace(command="")

    def run(self) -> int:
        """Parse and do; exceptions are the caller's."""
        from ctxgate.report.style import decide

        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                style = decide(self._host.environ, self._host.stdout)
                self._arguments = arguments.parse(self._argv, style)
        except SystemExit:  # --help, --version
            self._host.show(printed.getvalue().rstrip("\n"))
            return 0
        return int(getattr(self, f"_{self._arguments.command}")())

    def end_early(self, code: int, state: str, why: str) -> int:
        """Write the reports of a command that did not get to its own end; the exit status."""
        from ctxgate.readings.model import Problem
        from ctxgate.verdict.judge import refuse
        from ctxgate.verdict.model import Decision

        problem = Problem(kind=state.replace(" ", "-"), message=why, remedy="see stderr")
        if self._arguments.command in ("compare", "gate"):
            return self._write_reports(_result(refuse(Decision(state), [problem])), code)
        if self._arguments.command in ("measure", "doctor", "config", "baseline"):
            return self._write_state(state, code, [problem])
        return code

    def _compare(self) -> int:
        from ctxgate.gate.compare import compare

        given = self._arguments
        settings = asked.settings(given, self._host)
        verdict = compare(given.baseline, given.contender, settings.policy, self._host)
        return self._deliver(_result(settings.applied(verdict)))

    def _gate(self) -> int:
        from ctxgate.gate.measure_and_judge import GateOptions, gate

        given = self._arguments
        asked.check_gate(given)
        settings = asked.settings(given, self._host)
        options = GateOptions(
            measuring=self._measure_options(),
            keep=given.out is not None,
            policy=settings.policy,
            baseline=settings.baseline,
            contender=tuple(given.contender),
            local=given.local_baseline,
            local_dir=given.local_dir,
            quiet=given.summary,
            looks=given.looks,
        )
        result = self._refuse_targets() or gate(options, self._host)
        return self._deliver(result._replace(verdict=settings.applied(result.verdict)))

    def _measure(self) -> int:
        from ctxgate.wall.measure import measure

        outcome = measure(self._measure_options(), self._host)
        for caution in outcome.cautions:
            self._host.say(f"caution: {caution.message}")
        self._tell(outcome.state, outcome.problems)
        code = self._write_state(outcome.state, outcome.state.exit_code, outcome.problems)
        if code == 0:
            code = self._print(f"measured a session into {outcome.directory}\n", code)
        return self._skipped(code) if code == UNFIT else code

    def _doctor(self) -> int:
        import msgspec

        from ctxgate.system.outcome import MeasureError
        from ctxgate.wall import doctor

        given = self._arguments
        try:
            diagnosis = doctor.examine(
                given.bench, self._host, cpu=given.cpu, scheduling_class=given.scheduling_class
            )
        except MeasureError as error:
            self._tell(error.state, error.problems)
            code = self._write_state(error.state, error.state.exit_code, error.problems)
        else:
            document = msgspec.json.format(msgspec.json.encode(diagnosis)) + b"\n"
            code = self._write_file(document, diagnosis.exit_code)
            code = self._print(doctor.render(diagnosis) + "\n", code)
        return self._skipped(code) if code == UNFIT else code

    def _baseline(self) -> int:
        from ctxgate.baseline_arguments import call

        outcome = call(self._arguments, self._host, self._measure_options, self._policy)
        self._tell(outcome.state, outcome.problems)
        code = self._write_state(outcome.state, outcome.exit_code, outcome.problems)
        return self._print(outcome.text, code)

    def _policy(self) -> "Policy":
        return asked.settings(self._arguments, self._host).policy

    def _completion(self) -> int:
        return self._print(arguments.completion(self._arguments.shell) + "\n", 0)

    def _config(self) -> int:
        from ctxgate.gate.settings_text import document, render

        settings = asked.settings(self._arguments, self._host)
        code = self._write_file(document(settings), 0)
        return self._print(render(settings, origin=self._arguments.origin), code)

    def _measure_options(self) -> "MeasureOptions":
        from ctxgate.system.outcome import MeasureOptions

        given = self._arguments
        return MeasureOptions(
            out=given.out or Path(),
            runs=given.runs,
            filter=given.filter,
            cpu=given.cpu,
            scheduling_class=given.scheduling_class,
            bench=given.bench,
            deadline=given.deadline,
            bench_args=tuple(given.bench_args),
            lock_timeout=given.lock_timeout,
            command=("ctxgate", *self._argv),
        )

    def _refuse_targets(self) -> "GateResult | None":
        """A broken verdict where a report could not be written: said before minutes are spent."""
        from ctxgate.readings.model import Problem
        from ctxgate.report.write import ReportError, check_targets
        from ctxgate.verdict.judge import refuse
        from ctxgate.verdict.model import Decision

        try:
            check_targets(self._targets())
        except ReportError as error:
            problem = Problem(kind="report", message=str(error), remedy="name another place")
            return _result(refuse(Decision.BROKEN, [problem]))
        return None

    def _deliver(self, result: "GateResult") -> int:
        """Write the reports, then print the verdict; the exit status."""
        from ctxgate.report.style import decide
        from ctxgate.report.summary import summary_line
        from ctxgate.report.terminal import render

        code = self._write_reports(result, result.verdict.exit_code)
        style = decide(self._host.environ, self._host.stdout)
        if self._arguments.summary:
            text = summary_line(result.verdict, ascii_only=style.ascii_only) + "\n"
        else:
            look = {"color": style.color, "ascii_only": style.ascii_only}
            text = render(result.verdict, width=style.width, **look)
        code = self._print(text, code)
        skippable = result.may_be_skipped() and code == result.verdict.exit_code
        return self._skipped(code) if skippable else code

    def _skipped(self, code: int) -> int:
        """77 in place of `code` where the user allows it, and aloud: a skip is no pass."""
        if getattr(self._arguments, "on_unfit", "fail") != "skip":
            return code
        why = f"--on-unfit=skip, otherwise exit {code}"
        self._host.say(f"ctxgate: SKIPPED, nothing was gated ({why})")
        return SKIPPED

    def _targets(self) -> dict[str, Path]:
        from ctxgate.report.write import FORMATS

        named = {kind: getattr(self._arguments, kind, None) for kind in FORMATS}
        return {kind: path for kind, path in named.items() if path is not None}

    def _write_reports(self, result: "GateResult", code: int) -> int:
        from ctxgate.report.write import ReportError, write_reports

        try:
            write_reports(result.verdict, self._targets())
        except ReportError as error:
            self._host.say(f"ctxgate: {error}")
            return _at_least_broken(code)
        return code

    def _write_state(self, state: str, code: int, problems: "Sequence[Problem]") -> int:
        """The `--json` of a command that judges nothing."""
        import msgspec

        fields = {"schema": 1, "state": state, "exit_code": code, "problems": list(problems)}
        return self._write_file(msgspec.json.format(msgspec.json.encode(fields)) + b"\n", code)

    def _write_file(self, data: bytes, code: int) -> int:
        from ctxgate.report.write import ReportError, write_atomically

        if self._arguments.json is None:
            return code
        try:
            write_atomically(self._arguments.json, data)
        except ReportError as error:
            self._host.say(f"ctxgate: {error}")
            return _at_least_broken(code)
        return code

    def _print(self, text: str, code: int) -> int:
        """Print a result; a reader that has gone changes nothing, a full disk is broken."""
        from ctxgate.report.write import ReportError, write_text

        try:
            write_text(self._host.stdout, text)
        except ReportError as error:
            self._host.say(f"ctxgate: {error}")
            return _at_least_broken(code)
        return code

    def _tell(self, state: str, problems: "Sequence[Problem]") -> None:
        for problem in problems:
            self._host.say(f"ctxgate: {state}: {problem.message}\n  -> {problem.remedy}")


def _result(verdict: "Verdict") -> "GateResult":
    from ctxgate.gate.skip import GateResult

    return GateResult(verdict)


def _at_least_broken(code: int) -> int:
    """The exit status where a report is missing as well."""
    return code if code in _WORSE_THAN_BROKEN or code > 128 else BROKEN
