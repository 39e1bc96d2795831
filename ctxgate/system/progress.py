# SPDX-License-Identifier: Apache-2.0
"""How far a measurement is: said between runs, never during one."""

from ctxgate.system.host import Host

_CLEAR = "\r\x1b[K"


def duration(seconds: float) -> str:
    """`seconds` in words a person reads: "8 s", "2 min 30 s", "1 h 5 min"."""
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def counted(number: int, noun: str) -> str:
    """`1 run`, `2 runs`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class Progress:
    """One line on a terminal, redrawn before each run; on anything else the first and last line.

    There is no ticker: a thread that wakes during a run is a switch that we would measure.
    """

    def __init__(self, host: Host, *, label: str, runs: int) -> None:
        self._host = host
        self._label = label
        self._runs = runs
        self._redraws = host.stderr.isatty() and host.environ.get("TERM") != "dumb"
        self._started = host.monotonic()

    def before(self, run: int) -> None:
        """Run number `run` (from 0) starts now."""
        if not self._redraws:
            if run == 0:
                self._host.say(f"{self._label}: {counted(self._runs, 'run')}")
            return
        left = ""
        if run:
            elapsed = self._host.monotonic() - self._started
            left = f", about {duration(elapsed / run * (self._runs - run))} left"
        line = f"{_CLEAR}{self._label}: run {run + 1} of {self._runs}{left}"
        self._host.say_unfinished(line)

    def end(self) -> None:
        """All runs are done."""
        elapsed = duration(self._host.monotonic() - self._started)
        start = _CLEAR if self._redraws else ""
        self._host.say(f"{start}{self._label}: done after {elapsed}")

    def give_up(self) -> None:
        """The measurement ends early: what is said next begins on a line of its own."""
        if self._redraws:
            self._host.say_unfinished(_CLEAR)
