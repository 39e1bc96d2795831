# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, SIGTERM and a closed terminal end the command, after one undisturbed clean-up."""

import signal
from types import FrameType

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """The command was told to end by the signal `number`."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def exit_code(self) -> int:
        """130 for Ctrl-C, 143 for SIGTERM, as a shell would have it."""
        return 128 + self.number


def install() -> None:
    """Turn the ending signals into `Interrupted`, also a SIGINT that was inherited ignored.

    A shell starts background jobs of a script with SIGINT ignored; they must end all the same.
    SIGHUP stays ignored if it was (nohup). After the first one further signals are ignored: a
    second Ctrl-C must not leave a process behind; the clean-up takes 2 s at most.
    """
    for number in _ENDING:
        if number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN:
            continue
        signal.signal(number, _end)


def _end(number: int, _frame: FrameType | None) -> None:
    for other in _ENDING:
        signal.signal(other, signal.SIG_IGN)
    raise Interrupted(number)
