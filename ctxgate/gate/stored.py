# SPDX-License-Identifier: Apache-2.0
"""The side that a contender is compared with: session directories, or a baseline file believed."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ctxgate.baseline.acceptance import Acceptance, read_accepted
from ctxgate.baseline.keygen import Keygen
from ctxgate.baseline.load import is_baseline, label_of, read_baseline, sessions_of
from ctxgate.baseline.model import StoredFile
from ctxgate.baseline.problems import Kind, refuse
from ctxgate.baseline.trust import check_trust
from ctxgate.gate.accepted import accept
from ctxgate.gate.class_priors import prior_beside
from ctxgate.noise.prior import Prior
from ctxgate.readings.load import load_sessions
from ctxgate.readings.model import Problem, SessionSet
from ctxgate.system import kernel_config
from ctxgate.system.host import Host
from ctxgate.verdict.model import Verdict


class StoredSide(NamedTuple):
    """Sessions to compare with, what is to be said of them, and which regressions are wanted.

    `prior` is of the hardware class, where other baselines of it are at hand.
    """

    sessions: SessionSet
    notes: tuple[str, ...] = ()
    acceptances: tuple[Acceptance, ...] = ()
    prior: Prior | None = None

    def accepted(self, verdict: Verdict) -> Verdict:
        """The verdict, with the regressions that are accepted beside the baseline turned."""
        return accept(verdict, self.acceptances)


def load_side(paths: Sequence[Path], host: Host) -> StoredSide:
    """What `paths` hold; a baseline file that is not to be believed gives problems alone.

    Nothing here writes.
    """
    stored = [path for path in paths if is_baseline(path)]
    if not stored:
        return StoredSide(load_sessions(paths))
    if len(paths) > 1:
        why = (
            f"{label_of(stored[0])} is a baseline file, and {len(paths) - 1} more paths are given."
        )
        return _refused([refuse(Kind.NOT_ALONE, why, file=label_of(stored[0]))])
    read, problems = read_baseline(stored[0])
    if read is None:
        return _refused(problems)
    keygen = Keygen(host.run, host.environ)
    trust = check_trust(read, keygen, kernel_config.digest)
    acceptances, faults = read_accepted(read.path.parent, host.now().date())
    if trust.problems or faults:
        return _refused([*trust.problems, *faults])
    notes = (*trust.notes, _origin(read, host.now()))
    return StoredSide(sessions_of(read), notes, acceptances, prior_beside(read, keygen))


def _refused(problems: Sequence[Problem]) -> StoredSide:
    return StoredSide(SessionSet(sessions=(), problems=tuple(problems)))


def _origin(stored: StoredFile, now: datetime) -> str:
    """Which baseline it is, and how old."""
    baseline = stored.baseline
    latest = baseline.provenance[-1]
    return (
        f"Compared with {label_of(stored.path)} ({baseline.label}), serial {baseline.serial}, "
        f"recorded {latest.time}{_age(latest.time, now)}, approved by {latest.approved_by}."
    )


def _age(time: str, now: datetime) -> str:
    try:
        days = (now - datetime.fromisoformat(time)).days
    except (ValueError, TypeError):  # no date, or one without a zone
        return ""
    return f", {days} day{'' if days == 1 else 's'} ago"
