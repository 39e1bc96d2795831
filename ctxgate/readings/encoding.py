# SPDX-License-Identifier: Apache-2.0
"""Bytes of a file to UTF-8 text without byte order mark, or a problem that names the encoding."""

import codecs

from ctxgate.readings.problems import Doubt, Findings, Kind

# Longest first: the UTF-32 mark begins with the UTF-16 one.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def to_utf8(data: bytes, findings: Findings) -> bytes | None:
    """The text of `data` as valid UTF-8, or None with the problem in `findings`.

    UTF-16 and UTF-32 are recognised by their mark, or without one by where the zero bytes of the
    first ASCII character stand (RFC 4627, section 3).
    """
    encoding, mark = _guess(data)
    body = data[mark:] if mark else data
    if encoding == "utf-8":
        return body if body.isascii() or _is_utf8(body, findings) else None
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        findings.refuse(
            Kind.ENCODING,
            f"looks like {encoding.upper()}, but byte {mark + error.start} is not: {error.reason}",
        )
        return None
    findings.doubt(Doubt.RECODED, f"is encoded as {encoding.upper()}; read as such")
    return text.encode()


def _guess(data: bytes) -> tuple[str, int]:
    """The encoding and the length of its mark; UTF-8 where nothing speaks for another."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    by_pattern: dict[tuple[bool, ...], str] = {
        (False, False, False, True): "utf-32-be",
        (True, False, False, False): "utf-32-le",
        (False, True, False, True): "utf-16-be",
        (True, False, True, False): "utf-16-le",
    }
    return by_pattern.get(tuple(byte != 0 for byte in data[:4]), "utf-8"), 0


def _is_utf8(body: bytes, findings: Findings) -> bool:
    """Whether `body` is UTF-8; if not, the problem says which byte is not and in which line."""
    try:
        body.decode()
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        if error.reason == "unexpected end of data":
            findings.refuse(Kind.TRUNCATED, "ends inside a UTF-8 letter: it was cut", line=line)
        else:
            findings.refuse(
                Kind.ENCODING,
                f"is not UTF-8: byte 0x{body[error.start]:02x} at position {error.start}"
                " (Latin-1 or another 8-bit encoding?)",
                line=line,
            )
        return False
    return True
