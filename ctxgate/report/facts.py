# SPDX-License-Identifier: Apache-2.0
"""What changed between the sides, shortened to what differs: a kernel config has 10,000 lines."""

from collections import Counter
from collections.abc import Iterator

from ctxgate.verdict.model import SubjectChange

MAX_LINES = 12
_INLINE_LIMIT = 60


def shortened(change: SubjectChange) -> list[str]:
    """Lines that show the difference: `old → new`, or `- gone` and `+ come` lines of a long fact.

    A command line is split into its words, a text of several lines into lines; order is no change
    of content and is said to be one.
    """
    before, after = change.baseline, change.contender
    multi_line = "\n" in before or "\n" in after
    if not multi_line and max(len(before), len(after)) <= _INLINE_LIMIT:
        return [f"{before or '(empty)'} → {after or '(empty)'}"]
    old, new = (text.splitlines() if multi_line else text.split() for text in (before, after))
    lines = [*_missing("-", old, new), *_missing("+", new, old)]
    if not lines:
        return ["the same parts in another order"]
    if len(lines) <= MAX_LINES:
        return lines
    rest = len(lines) - MAX_LINES
    return [*lines[:MAX_LINES], f"… and {rest:,} more; the JSON report has both sides whole"]


def _missing(sign: str, these: list[str], those: list[str]) -> Iterator[str]:
    left = Counter(these)
    left.subtract(Counter(those))
    for part in these:
        if left[part] > 0:
            left[part] -= 1
            yield f"{sign} {part}"
