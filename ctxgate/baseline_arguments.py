# SPDX-License-Identifier: Apache-2.0
"""The command line of `ctxgate baseline`: its options, and the calls that they stand for."""

import argparse
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxgate.gate.outcome import Outcome
    from ctxgate.system.host import Host
    from ctxgate.system.outcome import MeasureOptions
    from ctxgate.verdict.policy import Policy

Add = Callable[[str, str], ArgumentParser]


def add_actions(add: Add, add_measuring: Callable[[ArgumentParser], None]) -> None:
    """The actions; `add` makes the parser of one, `add_measuring` gives it a session's options."""
    record = add("record", "Record a new baseline from sessions measured before, or now.")
    _add_recording(record, add_measuring)
    more = add("add", "Add sessions to a baseline.")
    _add_recording(more, add_measuring)
    show = add("show", "Draw the sessions of a baseline with their noise, MDE and tolerance.")
    _add_files(show)
    verify = add("verify", "Check signature, machine, serial and acceptances of a baseline.")
    _add_files(verify)
    verify.add_argument(
        "--base",
        metavar="PATH",
        type=Path,
        help="the base branch's file, or its folder of baselines: a lower serial is refused",
    )
    sign = add("sign", "Sign a baseline with an SSH key.")
    _add_files(sign)
    sign.add_argument(
        "--key",
        metavar="FILE",
        type=Path,
        required=True,
        help="private key, or the .pub of one in the ssh-agent",
    )


def call(
    given: Namespace,
    host: "Host",
    measuring: "Callable[[], MeasureOptions]",
    policy: "Callable[[], Policy]",
) -> "Outcome":
    """Do what the command line asks for, and say aloud what is to be known beside the result."""
    outcome = _do(given, host, measuring, policy)
    for note in outcome.notes:
        host.say(f"note: {note}")
    return outcome


def _do(
    given: Namespace,
    host: "Host",
    measuring: "Callable[[], MeasureOptions]",
    policy: "Callable[[], Policy]",
) -> "Outcome":
    from ctxgate.gate import baselines

    if given.action == "show":
        from ctxgate.baseline.show import Look
        from ctxgate.report.style import decide

        look = Look(ascii_only=decide(host.environ, host.stdout).ascii_only)
        return baselines.show_files(given.file, look)
    if given.action == "verify":
        return baselines.verify_files(given.file, given.base, host)
    if given.action == "sign":
        return baselines.sign_files(given.file, given.key, host)
    from ctxgate.gate.recording import RecordOptions, record

    options = RecordOptions(
        file=given.file,
        add=given.action == "add",
        reason=given.reason,
        approved_by=given.approved_by,
        policy=policy(),
        measuring=measuring(),
        given=tuple(given.session),
        count=given.sessions,
        every=given.every * 60.0,
    )
    return record(options, host)


def _add_files(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, nargs="+", help="baseline file")
    _add_json(parser)


def _add_json(parser: ArgumentParser) -> None:
    parser.add_argument("--json", metavar="FILE", type=Path, help="write how it ended")


def _add_recording(parser: ArgumentParser, add_measuring: Callable[[ArgumentParser], None]) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="baseline file")
    parser.add_argument(
        "--session",
        metavar="DIR",
        type=Path,
        nargs="+",
        action="extend",
        default=[],
        help="session directories measured before (default: measure)",
    )
    parser.add_argument(
        "--sessions", metavar="N", type=_whole, default=5, help="sessions to measure (default: 5)"
    )
    parser.add_argument(
        "--every",
        metavar="MINUTES",
        type=_whole,
        default=0,
        help="begin a session so often (default: one after another)",
    )
    for option, text in (
        ("--reason", "why the baseline is recorded; stands in the file"),
        ("--approved-by", "who approved it; stands in the file"),
    ):
        parser.add_argument(option, metavar="TEXT", type=_text, required=True, help=text)
    parser.add_argument(
        "--tolerance",
        metavar="T",
        nargs="+",
        action="extend",
        default=[],
        help="as for compare: what a regression against the present baseline is, and the MDE's",
    )
    _add_json(parser)
    # ctxgate.toml is looked for as by `gate`; a baseline is what is made here, not given.
    parser.set_defaults(out=None, config=None, no_config=False, baseline=[])
    add_measuring(parser)


def _text(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise argparse.ArgumentTypeError(f"{text!r} is no line of text")
    return text.strip()


def _whole(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number")
    return int(text)
