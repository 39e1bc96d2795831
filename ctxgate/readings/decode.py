# SPDX-License-Identifier: Apache-2.0
"""UTF-8 text to one Google Benchmark document, whose rows are decoded one at a time.

Rows stay undecoded bytes until they are asked for: a row as a dict takes several times its text.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

import msgspec

from ctxgate.readings.problems import Doubt, Findings, Kind
from ctxgate.readings.syntax import WHITE_SPACE, explain, find_duplicate_key, line_of

Row: TypeAlias = dict[str, Any]
"""One decoded element of "benchmarks"; the values are whatever the file holds."""

_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ELEMENTS = msgspec.json.Decoder(list[msgspec.Raw])
_ANYTHING = msgspec.json.Decoder()
_WHITE_SPACE = b" \t\r\n"
# Google Benchmark escapes \b \f \n \r \t in strings and writes every other one raw (JSON forbids).
_CONTROL = bytes(byte for byte in range(1, 32) if byte not in _WHITE_SPACE)
_TO_QUESTION_MARK = bytes.maketrans(_CONTROL, b"?" * len(_CONTROL))


class Document:
    """A result file whose outline is sound; `context` is None where the file has none.

    `is_distrusted` becomes true when its rows turn out not to be what the file says.
    """

    def __init__(
        self, text: bytes, context: dict[str, Any] | None, rows: list[msgspec.Raw], keys: int
    ) -> None:
        self.context = context
        self.row_count = len(rows)
        self.is_distrusted = False
        self._text = text
        self._rows = rows
        self._keys = keys
        self._starts: list[int] = []

    def rows(self, findings: Findings) -> Iterator[tuple[int, Row]]:
        """Each row with its index; a fault of the text itself ends it, with its problem.

        After the last row it makes sure that no key stood twice anywhere: every key of the text
        ends in a quote and a colon, so where there are as many of these as keys were decoded, none
        was dropped. A string may look like the end of a key; then the slow way counts.
        """
        keys = self._keys
        for index, raw in enumerate(self._rows):
            try:
                row = _ANYTHING.decode(raw)
            except (msgspec.DecodeError, RecursionError) as error:
                self._reject(findings, str(error))
                return
            if type(row) is not dict:
                findings.refuse(Kind.BAD_ROW, "a row is not an object", line=self.line(index))
                continue
            keys += len(row)
            yield index, row
        if self._text.translate(None, _WHITE_SPACE).count(b'":') != keys:
            self._refuse_duplicate_key(findings)

    def line(self, index: int) -> int:
        """The line, from 1, in which row `index` begins; found only when a message needs it."""
        starts = self._starts
        while len(starts) <= index:
            after = starts[-1] + 1 if starts else 0
            starts.append(self._text.find(bytes(self._rows[len(starts)]), after))
        return self._text.count(b"\n", 0, starts[index]) + 1

    def _reject(self, findings: Findings, reason: str) -> None:
        self.is_distrusted = True
        findings.forget()
        explain(self._text.decode(), findings, reason)

    def _refuse_duplicate_key(self, findings: Findings) -> None:
        text = self._text.decode()
        token = find_duplicate_key(text)
        if token is None:
            return
        self.is_distrusted = True
        findings.forget()
        findings.refuse(
            Kind.DUPLICATE_KEY,
            f'the key "{token.text}" stands twice in one object: a counter or a context key'
            " shadows it",
            line=line_of(text, token.position),
            name=token.name,
        )


def decode(text: bytes, findings: Findings) -> Document | None:
    """The document in `text` (valid UTF-8), or None with the problem in `findings`."""
    if not text.strip(WHITE_SPACE.encode()):
        findings.refuse(
            Kind.EMPTY, "is empty: no benchmark ran, or the program died before the first"
        )
        return None
    try:
        return _outline(text, findings)
    except msgspec.DecodeError as error:
        return _decode_again(text, findings, str(error))
    except RecursionError:
        findings.refuse(Kind.NOT_JSON, "is not a result file: nested too deeply")
        return None


def _decode_again(text: bytes, findings: Findings, reason: str) -> Document | None:
    """`text` without raw control characters, where these are all that is wrong with it."""
    clean = text.translate(_TO_QUESTION_MARK)
    if clean != text:
        try:
            document = _outline(clean, findings)
        except (msgspec.DecodeError, RecursionError):
            pass
        else:
            findings.doubt(
                Doubt.CONTROL_CHARACTERS, "control characters stand raw in it; read as '?'"
            )
            return document
    explain(text.decode(), findings, reason)
    return None


def _outline(text: bytes, findings: Findings) -> Document | None:
    """Context and undecoded rows. Raises msgspec.DecodeError, RecursionError."""
    members = _MEMBERS.decode(text)
    if "benchmarks" not in members:
        findings.refuse(Kind.NOT_GOOGLE_BENCHMARK, 'has no "benchmarks": written by another tool')
        return None
    context = _ANYTHING.decode(members["context"]) if "context" in members else None
    if context is not None and not isinstance(context, dict):
        findings.refuse(Kind.NOT_GOOGLE_BENCHMARK, 'its "context" is not an object')
        return None
    if memoryview(members["benchmarks"])[0] != ord("["):
        findings.refuse(Kind.NOT_GOOGLE_BENCHMARK, 'its "benchmarks" is not a list')
        return None
    rows = _ELEMENTS.decode(members["benchmarks"])
    keys = len(members) + _count_keys(context)
    # The values of other members are never decoded here, so their keys are counted as text.
    keys += sum(
        bytes(raw).translate(None, _WHITE_SPACE).count(b'":')
        for member, raw in members.items()
        if member not in ("benchmarks", "context")
    )
    return Document(text, context, rows, keys)


def _count_keys(value: object) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_count_keys, value.values()))
    return sum(map(_count_keys, value)) if isinstance(value, list) else 0
