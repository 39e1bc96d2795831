# SPDX-License-Identifier: Apache-2.0
"""The command line of `ctxgate`: its options, and what their values mean."""

import argparse
import difflib
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from ctxgate import __version__
from ctxgate.baseline_arguments import add_actions
from ctxgate.report.style import Style

SHELLS = ("bash", "zsh", "tcsh")
_EXIT_CODES = """\
exit status: 0 pass; 1 regression; 2 usage error; 3 broken; 4 not comparable; 5 inconclusive;
6 unfit machine; 70 internal error; 77 skipped (--on-unfit=skip); 130 interrupted; 143 terminated"""


class UsageError(Exception):
    """The command line is wrong; the text says what and, if that can be guessed, what instead."""


class _Parser(argparse.ArgumentParser):
    """An argparse parser that raises instead of exiting and takes no abbreviations."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_abbrev=False, **kwargs)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}{self._suggestion(message)} (see {self.prog} --help)")

    def _suggestion(self, message: str) -> str:
        """What was probably meant by a word that argparse does not know."""
        found = re.search(r"(?:unrecognized arguments|invalid choice): '?([^\s'=,]+)", message)
        if found is None:
            return ""
        known = [option for action in self._actions for option in action.option_strings]
        for action in self._actions:
            known += [str(choice) for choice in action.choices or ()]
        close = difflib.get_close_matches(found[1], known, n=1)
        return f"; did you mean {close[0]}?" if close else ""


def parse(argv: Sequence[str], style: Style) -> argparse.Namespace:
    """What the command line asks for; UsageError where it is wrong.

    --help and --version print to sys.stdout, help in `style`, and raise SystemExit.
    """
    parser, commands = _build(style)
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        name = " ".join((arguments.command, *filter(None, [getattr(arguments, "action", "")])))
        commands[name].error(f"unrecognized arguments: {' '.join(unknown)}")
    return arguments


def completion(shell: str) -> str:
    """The completion script for a shell."""
    import shtab

    parser, _ = _build(Style(width=80, color=False, ascii_only=True))
    return str(shtab.complete(parser, shell))


def _build(style: Style) -> tuple[_Parser, dict[str, _Parser]]:
    formatter = partial(_formatter, style=style)
    parser = _Parser(
        prog="ctxgate",
        formatter_class=formatter,
        description="Tells before merging whether switching between tasks became dearer.",
        epilog=_EXIT_CODES,
    )
    parser.add_argument("--version", action="version", version=f"ctxgate {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    made: dict[str, _Parser] = {}

    def add(name: str, text: str) -> _Parser:
        made[name] = commands.add_parser(
            name, help=text, description=text, epilog=_EXIT_CODES, formatter_class=formatter
        )
        return made[name]

    measure = add("measure", "Measure one session on this machine.")
    _add_out(measure, required=True)
    _add_measuring(measure)
    _add_on_unfit(measure)
    _add_path(measure, "--json", "write how the measurement ended")
    compare = add("compare", "Judge any two sets of result files or session directories.")
    _add_sides(compare, required=True)
    _add_judging(compare)
    gate = add("gate", "Measure a session and judge it.")
    _add_out(gate, required=False)
    _add_measuring(gate)
    _add_sides(gate, required=False)
    _add_gating(gate)
    _add_judging(gate)
    _add_on_unfit(gate)
    doctor = add("doctor", "Tell whether this machine can give a valid wall reading.")
    _add_program(doctor)
    _add_on_unfit(doctor)
    _add_path(doctor, "--json", "write the diagnosis")
    _add_config(add("config", "Show the settings in effect: command line, ctxgate.toml, defaults."))
    _add_baseline(add, made, formatter)
    add("completion", "Print a shell's completion script.").add_argument("shell", choices=SHELLS)
    return parser, made


def _add_baseline(
    add: Callable[[str, str], _Parser],
    made: dict[str, _Parser],
    formatter: partial[argparse.HelpFormatter],
) -> None:
    parser = add("baseline", "Record, add to, show, verify or sign a stored baseline.")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def add_action(name: str, text: str) -> argparse.ArgumentParser:
        made[f"baseline {name}"] = actions.add_parser(
            name, help=text, description=text, epilog=_EXIT_CODES, formatter_class=formatter
        )
        return made[f"baseline {name}"]

    add_actions(add_action, _add_measuring)


def _add_out(parser: _Parser, *, required: bool) -> None:
    text = "directory of the session; an earlier session there is replaced"
    _add_path(parser, "--out", text if required else f"keep the session: {text}", required)


def _add_program(parser: argparse.ArgumentParser) -> None:
    _add_path(parser, "--bench", "benchmark program (default: CTXGATE_BENCH, else ctxgate-bench)")
    parser.add_argument("--cpu", metavar="N", type=_whole(0), help="measure on this CPU")
    parser.add_argument(
        "--class",
        dest="scheduling_class",
        choices=("fifo", "other"),
        default="",
        help="only this scheduling class (default: both)",
    )


def _add_measuring(parser: argparse.ArgumentParser) -> None:
    _add_program(parser)
    parser.add_argument(
        "--runs", metavar="N", type=_whole(1), default=8, help="processes a session (default: 8)"
    )
    parser.add_argument(
        "--filter", metavar="RE", default="", help="only benchmarks whose name it is found in"
    )
    parser.add_argument(
        "--deadline",
        metavar="SECONDS",
        type=_whole(1),
        help="give up a benchmark (of a foreign program: a run) after that time",
    )
    parser.add_argument(
        "--lock-timeout",
        metavar="SECONDS",
        type=_seconds,
        help="wait no longer for another measurement on this host (default: as long as it takes)",
    )
    parser.add_argument(
        "--bench-args",
        metavar="ARGUMENT",
        nargs=argparse.REMAINDER,
        action="extend",
        default=[],
        help="hand all that follows to the program (or one argument: --bench-args=ARGUMENT)",
    )


def _add_sides(parser: _Parser, *, required: bool) -> None:
    _add_side(parser, "--baseline", "to compare with", required=required)
    text = "to be judged" + ("" if required else " (default: measure)")
    _add_side(parser, "--contender", text, required=required)


def _add_side(parser: _Parser, option: str, text: str, *, required: bool) -> None:
    parser.add_argument(
        option,
        metavar="PATH",
        type=Path,
        nargs="+",
        action="extend",
        required=required,
        default=[] if not required else None,
        help=f"result files or session directories {text}",
    )


def _add_config(parser: _Parser) -> None:
    parser.add_argument("what", choices=("show",), help="show: print them")
    parser.add_argument(
        "--origin", action="store_true", help="print also where each setting was taken from"
    )
    _add_file(parser)
    _add_side(parser, "--baseline", "to compare with", required=False)
    _add_tolerance(parser)
    _add_path(parser, "--json", "write the settings as JSON, each with its origin")


def _add_file(parser: _Parser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="read the settings from FILE (default: ctxgate.toml in this directory or above it, up "
        "to the root of the repository)",
    )
    group.add_argument("--no-config", action="store_true", help="read no ctxgate.toml")


def _add_gating(parser: _Parser) -> None:
    parser.add_argument(
        "--looks",
        type=int,
        choices=(1, 2),
        default=2,
        help="2: measure what is suspicious again in two fresh sessions before saying no "
        "(default); 1: decide on one session",
    )
    parser.add_argument(
        "--local-baseline",
        action="store_true",
        help="use a baseline of this machine, recorded the first time and when it no longer fits",
    )
    _add_path(
        parser, "--local-dir", "where local baselines are kept (default: the state directory)"
    )


def _add_tolerance(parser: _Parser) -> None:
    parser.add_argument(
        "--tolerance",
        metavar="T",
        nargs="+",
        action="extend",
        default=[],
        help="the change that matters: 3%%, 0.03, certifiable, or PATTERN=3%% for some benchmarks "
        "(default: that of ctxgate.toml, else 3%% wall, 0.5%% exact; certifiable with a local "
        "baseline)",
    )


def _add_judging(parser: _Parser) -> None:
    _add_tolerance(parser)
    _add_file(parser)
    _add_path(parser, "--json", "write the verdict as JSON")
    _add_path(parser, "--junit", "write the verdict as JUnit XML")
    parser.add_argument(
        "--summary", action="store_true", help="print the verdict as one line for a commit message"
    )


def _add_on_unfit(parser: _Parser) -> None:
    parser.add_argument(
        "--on-unfit",
        choices=("fail", "skip"),
        default="fail",
        help="skip: exit 77 where the machine is unfit or there is no baseline (default: fail)",
    )


def _add_path(
    parser: argparse.ArgumentParser, option: str, text: str, required: bool = False
) -> None:
    metavar = "DIR" if option in ("--out", "--local-dir") else "FILE"
    parser.add_argument(option, metavar=metavar, type=Path, required=required, help=text)


def _whole(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < least:
            raise argparse.ArgumentTypeError(f"'{text}' is no whole number from {least}")
        return int(text)

    return read


def _seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,8}(\.[0-9]*)?", text):
        raise argparse.ArgumentTypeError(f"'{text}' is no number of seconds")
    return float(text)


def _formatter(prog: str, *, style: Style) -> argparse.HelpFormatter:
    """How help looks; rich is imported only where help is printed in colour."""
    if not style.color:
        return argparse.RawDescriptionHelpFormatter(prog, width=style.width)
    from rich.console import Console
    from rich_argparse import RawDescriptionRichHelpFormatter

    console = Console(width=style.width, force_terminal=True)
    return RawDescriptionRichHelpFormatter(prog, console=console)
