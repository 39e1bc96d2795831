# SPDX-License-Identifier: Apache-2.0
"""Text of a file that somebody else may have written, fit for a terminal."""


def printable(text: str) -> str:
    """`text` with everything that could move the cursor, break a line or hide as an escape."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
