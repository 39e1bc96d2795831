# SPDX-License-Identifier: Apache-2.0
"""Whether the content of a baseline makes sense, beyond its shape."""

import itertools
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from ctxgate.baseline.model import Baseline, StoredReading, StoredSession, tier_of
from ctxgate.readings.problems import LONGEST_NAME, UNPRINTABLE, shown
from ctxgate.readings.units import LONGEST_NS

Fault = tuple[str, str]
"""What is wrong, as the end of a sentence, and the benchmark it is about (or "")."""


def check_content(baseline: Baseline) -> list[Fault]:
    """Everything that a recorded baseline could not say."""
    return [
        *_check_whole(baseline),
        *(fault for session in baseline.sessions for fault in _check_session(session)),
    ]


def _check_whole(baseline: Baseline) -> Iterator[Fault]:
    if not baseline.hardware or UNPRINTABLE.search(baseline.hardware + baseline.label):
        yield "names no hardware class that could be printed", ""
    if baseline.tier != tier_of(baseline.clock):
        yield f"is of tier {baseline.tier}, but counts {baseline.clock}", ""
    if not baseline.facts.identity:
        yield "has no identity facts that all of its runs share", ""
    serials = [entry.serial for entry in baseline.provenance]
    if not serials or serials[-1] != baseline.serial or baseline.serial < 1:
        yield f"has the serial {baseline.serial}, which its provenance does not end with", ""
    if any(low >= high for low, high in itertools.pairwise(serials)):
        yield "has a provenance whose serials do not grow", ""
    if not baseline.sessions:
        yield "holds no session", ""
    for session, times in Counter(one.session for one in baseline.sessions).items():
        if times > 1 or not session.isascii() or not session.isalnum():
            yield f"holds the session {shown(session)!r} twice, or that is no session's id", ""


def _check_session(session: StoredSession) -> Iterator[Fault]:
    if not session.runs:
        yield f"holds no run of session {session.session}", ""
    if session.run_count < 1 or any(not 0 <= run.run < session.run_count for run in session.runs):
        yield f"numbers the runs of session {session.session} beyond their count", ""
    for run in session.runs:
        where = f"in session {session.session}, run {run.run}"
        names = {reading.name for reading in run.readings}
        if len(names) != len(run.readings) or not names:
            yield f"has a benchmark twice, or none, {where}", ""
        for reading in run.readings:
            if not _is_printable(reading.name):
                yield f"names a benchmark {shown(reading.name)!r} {where}", ""
            elif not _is_sound(reading):
                yield f"has a figure that no measurement gives, {where}", reading.name


@lru_cache(maxsize=1024)
def _is_printable(name: str) -> bool:
    return not UNPRINTABLE.search(name) and 0 < len(name) <= LONGEST_NAME


def _is_sound(reading: StoredReading) -> bool:
    """Whether it is a proven reading: times above zero, counts that are there and not negative.

    Written out: this is asked of each of 160,000 readings in a thousand sessions, and generators
    took a third of the time of reading them.
    """
    for time in (reading.floor, reading.typical, reading.mean):
        if not 0.0 < time <= LONGEST_NS:
            return False
    for count in (reading.switches, reading.voluntary, reading.involuntary, reading.migrations):
        if count is None or not 0.0 <= count <= LONGEST_NS:
            return False
    for whole in (reading.version, reading.samples, reading.repetitions):
        if whole is None or whole < 1:
            return False
    for more in (reading.p90, reading.p99, reading.p999, reading.max):
        if more is not None and not 0.0 < more <= LONGEST_NS:
            return False
    for bound in (reading.switches_min, reading.switches_max):
        if bound is not None and not 0.0 <= bound <= LONGEST_NS:
            return False
    return True
