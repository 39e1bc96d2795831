# SPDX-License-Identifier: Apache-2.0
"""What is assumed of the variance between sessions before this baseline's own is seen."""

import math
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from statistics import median

import msgspec

from ctxgate.noise.student import median_variance_ratio

PROVISIONAL_FILE = Path(__file__).with_name("provisional_prior.toml")
"""The shipped assumption: session SD 2 %, worth 4 degrees of freedom."""


_CHANCE = 2.0
"""How far above a class's own variance the median of a few benchmarks lies by chance alone."""


class Prior(msgspec.Struct, frozen=True, kw_only=True):
    """A scaled inverse chi-square prior on the variance between sessions, in squared log units.

    It has to come from other baselines than the one judged: a prior fitted to the same sessions
    raises false alarms from 1 % to 2-6 % a gate.
    """

    name: str
    provisional: bool
    session_sd: float
    degrees_of_freedom: float

    @property
    def variance(self) -> float:
        """The assumed variance between sessions (s0 squared)."""
        return self.session_sd * self.session_sd


def load_prior(path: Path) -> Prior:
    """Read a prior from a TOML file.

    Raises OSError, tomllib.TOMLDecodeError or msgspec.ValidationError: the file is data shipped
    with the program, so a fault in it is a bug and not a reading to be judged.
    """
    import tomllib

    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Prior)


@lru_cache(maxsize=1)
def provisional_prior() -> Prior:
    """The prior shipped with the program, used until a hardware class has one of its own."""
    return load_prior(PROVISIONAL_FILE)


def widened(prior: Prior, variances: Sequence[float], sessions: int) -> Prior:
    """The prior, made as wide as the baseline at hand shows its class to be; never narrower.

    `variances` are the benchmarks' variances between their `sessions` sessions. A prior of 2 % on
    a machine that varies by 5-20 % raised 4-5 % false alarms a gate with five sessions and 5-14 %
    with three (simulated, 12 benchmarks), not the 1 % allowed, because it lends degrees of freedom
    that it has no right to. Taking the median of the benchmarks wherever that is larger brings
    them to 0.9-1.4 % and costs little power. That it comes from the sessions being judged does
    not hurt, since it can only widen. A class's own prior was measured, so it is widened only from
    twice its variance on, which a few benchmarks hardly show by chance. Of what it is worth, the
    share stays that the other benchmarks vouch for: nothing is borrowed from a benchmark for
    itself.
    """
    if sessions < 2 or not variances:
        return prior
    shown = median(variances) / median_variance_ratio(sessions - 1)
    if shown <= prior.variance * (1.0 if prior.provisional else _CHANCE):
        return prior
    share = max(prior.variance / shown, 1 - 1 / len(variances))
    return msgspec.structs.replace(
        prior,
        session_sd=math.sqrt(shown),
        degrees_of_freedom=prior.degrees_of_freedom * share,
    )
