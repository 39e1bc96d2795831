# SPDX-License-Identifier: Apache-2.0
"""Several hundred files that a gate must not trust, each with the kind of problem it is.

Deterministic: the same list in the same order everywhere. `among` says beside which good runs the
file is put: another program's, or ctxgate-bench's.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ctxgate.readings.problems import Kind
from tests.readings.bad_rows import bad_foreign_rows, bad_own_files
from tests.readings.bad_texts import bad_documents, bad_texts


class BadFile(NamedTuple):
    name: str
    content: bytes
    kind: Kind
    among: str


def bad_files() -> list[BadFile]:
    """All of them; names are unique and fit for a file name."""
    groups = (
        ("text", "foreign", bad_texts()),
        ("document", "foreign", bad_documents()),
        ("row", "foreign", bad_foreign_rows()),
        ("own", "own", bad_own_files()),
    )
    return [bad for group in groups for bad in _named(*group)]


def _named(group: str, among: str, bad: Iterator[tuple[str, Kind, bytes]]) -> Iterator[BadFile]:
    for number, (name, kind, content) in enumerate(bad):
        plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in name)[:40]
        yield BadFile(f"{group}-{number:03}-{plain}", content, kind, among)
