# SPDX-License-Identifier: Apache-2.0
from ctxgate.verdict.facts import shown_difference


def test_of_long_values_the_difference_is_shown() -> None:
    same = "; ".join(f"L{n} Data {n} KiB shared by" for n in range(1, 5))
    assert shown_difference(f"{same} 0-1", f"{same} 0") == "'... 0-1' against '... 0'"
    assert shown_difference("0-1", "0") == "'0-1' against '0'"
    assert shown_difference("unknown", "x" * 90).startswith("unknown against 'xxx")
    assert shown_difference("a" * 90, "b" * 90) == f"'{'a' * 80}...' against '{'b' * 80}...'"
