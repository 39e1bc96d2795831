# SPDX-License-Identifier: Apache-2.0
"""Measure again what the first look left suspicious: two fresh sessions at once."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ctxgate.system.host import Host
from ctxgate.system.outcome import MeasureError, MeasureOptions, State
from ctxgate.verdict.looks import Plan
from ctxgate.verdict.terms import SESSIONS_AT_LAST
from ctxgate.wall.measure import measure

AGAIN = "meta/again-{}"
"""Where the confirming sessions lie in the first one's directory: they go when it goes."""

_SPECIAL = re.compile(r"[][\\^$.*+?(){}|]")

_LONGEST_FILTER = 100_000
"""Characters; Linux takes arguments of 128 KiB. Beyond that all is measured again."""


def measure_again(plan: Plan, options: MeasureOptions, first: Path, host: Host) -> list[Path]:
    """Two sessions of exactly what `plan` names, into the directory of the `first` session.

    Each is fresh processes in an order of its own, as any session. MeasureError where one fails.
    """
    host.say(
        f"suspicious: {', '.join(plan.suspicious)}; measured again in two fresh sessions"
        + (f" with {plan.control} as control" if plan.control is not None else "")
    )
    count = SESSIONS_AT_LAST - 1
    made = []
    for number in range(1, count + 1):
        out = first / AGAIN.format(number)
        asked = replace(options, out=out, filter=exact_filter(plan.names, options.filter))
        outcome = measure(asked, host, label=f"confirming session {number} of {count}")
        if outcome.state is not State.COMPLETE:
            raise MeasureError(outcome.state, *outcome.problems)
        made.append(out)
    return made


def exact_filter(names: Sequence[str], otherwise: str) -> str:
    """A regular expression that finds these names and no others; `otherwise` if it got too long.

    Such as std::regex and POSIX both read it: a plain group, and a backslash only where needed.
    """
    alternatives = "|".join(_SPECIAL.sub(r"\\\g<0>", name) for name in names)
    found = f"^({alternatives})$"
    return found if len(found.encode(errors="surrogateescape")) <= _LONGEST_FILTER else otherwise
