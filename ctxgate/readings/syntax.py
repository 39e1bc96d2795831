# SPDX-License-Identifier: Apache-2.0
"""Why a text is not one JSON document: slow, exact and with line; asked only after a failure."""

import json
import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from ctxgate.readings.problems import Findings, Kind, shown

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_NO_NUMBER = re.compile(r"[-+]?(?:nan|inf|infinity)\b", re.IGNORECASE)
_CUT_TOKEN = re.compile(r"[\w.+-]{0,40}\s*")
_GROUPED = re.compile(r"\"(\w+)\"\s*:\s*\d{1,3}(?:[.,'\u2019\u00a0\u202f]\d{3})+")


WHITE_SPACE = " \t\r\n"
"""JSON's own; Python's includes the separators U+001C to U+001F, which no JSON parser skips."""


class Token(NamedTuple):
    """A key or a plain value of an object, where it stands and the "name" of the object so far."""

    text: str
    position: int
    is_key: bool
    repeated: bool
    name: str


def explain(text: str, findings: Findings, reason: str) -> None:
    """Add the problem that keeps `text` from being one document; `reason` if nothing better."""
    start = len(text) - len(text.lstrip(WHITE_SPACE))
    if "\0" in text:
        line = line_of(text, text.index("\0"))
        findings.refuse(Kind.ZERO_BYTES, "holds zero bytes: cut or never fully written", line=line)
        return
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        _explain_error(text, start, error, findings)
    except RecursionError:
        findings.refuse(Kind.NOT_JSON, "is not a result file: nested too deeply")
    except ValueError as error:  # an integer of more than 4,300 digits
        findings.refuse(Kind.NOT_FINITE, f"holds a number out of range: {error}")
    else:
        _explain_document(text, value, end, findings, reason)


def find_duplicate_key(text: str) -> Token | None:
    """The first key that stands twice in its object, or None; `text` must be JSON."""
    return next((token for token in _tokens(text) if token.repeated), None)


def line_of(text: str, position: int) -> int:
    """The line, from 1, in which `position` lies."""
    return text.count("\n", 0, position) + 1


class _Object(Enum):
    """All that is kept of an object while looking for a fault: a cut file may be large."""

    RESULT = "has benchmarks"
    OTHER = "has none"


def _kind_of_object(pairs: list[tuple[str, object]]) -> _Object:
    return _Object.RESULT if any(key == "benchmarks" for key, _ in pairs) else _Object.OTHER


_DECODER = json.JSONDecoder(object_pairs_hook=_kind_of_object, strict=False)


def _explain_error(text: str, start: int, error: json.JSONDecodeError, findings: Findings) -> None:
    line_text = text.split("\n")[error.lineno - 1]
    if text[start] not in "{[":
        begin = shown(text[start : start + 40].split("\n")[0])
        kind = Kind.TEXT_BEFORE if re.search(r"^\{", text, re.MULTILINE) else Kind.NOT_JSON
        findings.refuse(kind, f"does not begin as JSON but with {begin!r}", line=error.lineno)
    elif _NO_NUMBER.match(text, error.pos):
        findings.refuse(Kind.NOT_FINITE, f"{shown(line_text.strip())!r} is no number",
                        line=error.lineno)  # fmt: skip
    elif _CUT_TOKEN.fullmatch(text, error.pos) or error.msg.startswith("Unterminated string"):
        findings.refuse(Kind.TRUNCATED, "ends in the middle: cut, or the program died",
                        line=line_of(text, len(text.rstrip())))  # fmt: skip
    elif (grouped := _grouped_near(line_text, error.colno)) is not None:
        findings.refuse(Kind.NOT_JSON, f"{grouped!r} is written with a locale's grouping mark",
                        line=error.lineno)  # fmt: skip
    else:
        excerpt = shown(line_text[max(0, error.colno - 30) : error.colno + 30].strip())
        cause = f"is not JSON: {error.msg}, column {error.colno}, at {excerpt!r}"
        findings.refuse(Kind.NOT_JSON, cause, line=error.lineno)


def _grouped_near(line_text: str, column: int) -> str | None:
    """The member before `column` whose number is grouped by a locale's mark, as it is written."""
    for match in _GROUPED.finditer(line_text):
        if match.start() < column <= match.end() + 1:
            return match.group()
    return None


def _explain_document(text: str, value: object, end: int, findings: Findings, reason: str) -> None:
    rest = text[end:].lstrip(WHITE_SPACE)
    line = line_of(text, len(text) - len(rest))
    if rest.startswith(("{", "[")):
        findings.refuse(Kind.SEVERAL_DOCUMENTS, "a second document begins here", line=line)
    elif rest:
        begin = shown(rest[:40].split("\n")[0])
        findings.refuse(Kind.TEXT_AFTER, f"text follows the document: {begin!r}", line=line)
    elif isinstance(value, list) and _Object.RESULT in value:
        findings.refuse(Kind.SEVERAL_DOCUMENTS, "is a list of documents, not one of them", line=1)
    elif not isinstance(value, _Object):
        what = "a list" if isinstance(value, list) else "a single value"
        findings.refuse(Kind.NOT_GOOGLE_BENCHMARK, f"is not an object but {what}")
    else:
        _explain_values(text, findings, reason)


def _explain_values(text: str, findings: Findings, reason: str) -> None:
    """`text` is one object; a value in it is what JSON does not know or no double can hold."""
    for token in _tokens(text):
        if token.is_key or token.text[0] == '"' or not _is_no_number(token.text):
            continue
        findings.refuse(
            Kind.NOT_FINITE,
            f"{token.text[:40]} is no finite number",
            line=line_of(text, token.position),
            name=token.name,
        )
        return
    findings.refuse(Kind.NOT_JSON, f"is not JSON: {reason}")


def _is_no_number(word: str) -> bool:
    """Whether a bare word is NaN, an infinity, or a number beyond the range of a double."""
    if word in ("true", "false", "null"):
        return False
    return not abs(float(word)) < float("inf")


class _Frame:
    """An open object or list: the keys seen, the key that waits for its value, the name."""

    __slots__ = ("is_object", "key", "keys", "name")

    def __init__(self, *, is_object: bool) -> None:
        self.is_object = is_object
        self.keys: set[str] = set()
        self.key: str | None = None
        self.name = ""


def _tokens(text: str) -> Iterator[Token]:
    """Every key and plain value of a JSON text, in order."""
    stack = [_Frame(is_object=False)]
    for match in _TOKEN.finditer(text):
        token, frame = match.group(), stack[-1]
        if token in ("{", "["):
            frame.key = None
            stack.append(_Frame(is_object=token == "{"))
        elif token in ("}", "]"):
            stack.pop()
        elif token == ",":
            frame.key = None
        elif token == ":":
            continue
        elif frame.is_object and frame.key is None:
            frame.key = _string(token)
            repeated = frame.key in frame.keys
            frame.keys.add(frame.key)
            yield Token(frame.key, match.start(), True, repeated, frame.name)
        else:
            if frame.key == "name" and not frame.name and token[0] == '"':
                frame.name = _string(token)
            yield Token(token, match.start(), False, False, frame.name)


def _string(token: str) -> str:
    """The value of a string token."""
    return str(json.loads(token, strict=False)) if "\\" in token else token[1:-1]
