# SPDX-License-Identifier: Apache-2.0
"""The one thing that may be skipped: a gate that could not begin, at a desk that allows it."""

from typing import NamedTuple

from ctxgate.verdict.model import Decision, Verdict


class GateResult(NamedTuple):
    """A verdict, and whether it is "not comparable" only because there is no baseline."""

    verdict: Verdict
    no_baseline: bool = False

    def may_be_skipped(self) -> bool:
        """Whether `--on-unfit=skip` turns this into a skip; nothing else ever is."""
        if self.verdict.verdict is Decision.UNFIT:
            return True
        return self.no_baseline and self.verdict.verdict is Decision.NOT_COMPARABLE
