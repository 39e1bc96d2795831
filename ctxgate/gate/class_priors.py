# SPDX-License-Identifier: Apache-2.0
"""What the other baselines of a hardware class say of how much its sessions vary."""

from ctxgate.baseline.keygen import Keygen
from ctxgate.baseline.load import label_of, read_baseline, sessions_of
from ctxgate.baseline.model import StoredFile
from ctxgate.baseline.noise import settle
from ctxgate.baseline.trust import check_trust
from ctxgate.noise.class_prior import class_prior
from ctxgate.noise.names import is_canary
from ctxgate.noise.prior import Prior, provisional_prior
from ctxgate.noise.summaries import gather
from ctxgate.noise.variance import session_variance
from ctxgate.readings.model import Clock
from ctxgate.system import kernel_config


def prior_beside(stored: StoredFile, keygen: Keygen) -> Prior | None:
    """The prior of `stored`'s hardware class, from the other baselines in its folder.

    None where they hold fewer than twenty variances: then the provisional prior stands. A baseline
    that shares a session with `stored` is left out (a prior from the sessions that are judged
    raises false alarms from 1 % to 2-6 % a gate), and so is one that is not to be believed.
    """
    variances: list[float] = []
    counts: list[int] = []
    names: list[str] = []
    for path in sorted(stored.path.parent.glob("*.json")):
        other = None if path.samefile(stored.path) else read_baseline(path)[0]
        if other is None or not _is_of_its_class(other, stored):
            continue
        if check_trust(other, keygen, kernel_config.digest).problems:
            continue
        found = _variances(other)
        variances += found
        counts += [len(other.baseline.sessions)] * len(found)
        names.append(label_of(path))
    hardware = stored.baseline.hardware
    return class_prior(variances, counts, name=f"prior of {hardware} from {', '.join(names)}")


def _is_of_its_class(other: StoredFile, stored: StoredFile) -> bool:
    one, two = other.baseline, stored.baseline
    shared = {s.session for s in one.sessions} & {s.session for s in two.sessions}
    return (one.hardware, one.clock, two.clock) == (
        two.hardware,
        Clock.NANOSECONDS,
        Clock.NANOSECONDS,
    ) and not shared


def _variances(other: StoredFile) -> list[float]:
    """The variance between sessions of each benchmark that gates."""
    gathered = {
        name: sessions
        for name, sessions in gather(sessions_of(other)).items()
        if all(sessions) and not is_canary(name)
    }
    settled = settle(gathered, provisional_prior())
    return [session_variance(values) for _, values, _ in settled.values()]
