# SPDX-License-Identifier: Apache-2.0
"""Files that are no JSON document, or not one of Google Benchmark's."""

import codecs
import gzip
import json
from collections.abc import Iterator
from typing import Any

from ctxgate.readings.problems import Kind
from tests.readings.documents import foreign, text_of

Bad = tuple[str, Kind, bytes]
_GOOD = text_of(foreign(99))
_TIME = b'"real_time": 7012.875'


def bad_texts() -> Iterator[Bad]:
    """What is wrong before anything in the file means anything."""
    yield from _empty_or_cut()
    yield from _more_than_one_document()
    yield from _syntax()
    yield from _no_numbers()
    yield from _duplicate_keys()
    yield from _encodings()


def bad_documents() -> Iterator[Bad]:
    """JSON, but not a result of Google Benchmark that holds something measured."""
    value: Any
    for value in ([], [1], "text", 5, None, True):
        yield f"top level {value}", Kind.NOT_GOOGLE_BENCHMARK, text_of(value)
    for value in ({}, {"specializations": []}, {"context": {}}, {"Benchmarks": []}):
        yield f"no benchmarks {value}", Kind.NOT_GOOGLE_BENCHMARK, text_of(value)
    for value in (None, {}, 5, "text", True):
        document = foreign() | {"benchmarks": value}
        yield f"benchmarks is {value}", Kind.NOT_GOOGLE_BENCHMARK, text_of(document)
    for value in ([], 5, "text", True):
        document = foreign() | {"context": value}
        yield f"context is {value}", Kind.NOT_GOOGLE_BENCHMARK, text_of(document)
    for value in (0, 2, "1", 1.0, None, True, [1]):
        document = foreign()
        document["context"]["json_schema_version"] = value
        yield f"schema version {value}", Kind.SCHEMA_VERSION, text_of(document)
    yield "no rows", Kind.NO_ROWS, text_of(foreign() | {"benchmarks": []})
    names = [{"name": "BM_pipe"}, {"name": "BM_null"}]
    yield "list of tests", Kind.NAMES_ONLY, text_of({"benchmarks": names})
    dump = [{"name": "BM_pipe", "time_unit": "ns", "measurements": []}]
    yield "dump of compare.py", Kind.NOT_GOOGLE_BENCHMARK, text_of(dump)
    fits = [
        {"name": "BM_BigO", "run_type": "aggregate", "big_o": "N", "real_coefficient": 1.0},
        {"name": "BM_RMS", "run_type": "aggregate", "rms": 0.01},
    ]
    yield "fits only", Kind.NO_ROWS, text_of(foreign() | {"benchmarks": fits})


def _empty_or_cut() -> Iterator[Bad]:
    # White space to Python and to no JSON parser.
    for separator in (b"\x1c", b"\x1f{}", b"{\x1d}", b"\f"):
        yield f"separator {separator!r}", Kind.NOT_JSON, separator
    for name, content in (("nothing", b""), ("spaces", b"  \n\t\r\n"), ("mark", codecs.BOM_UTF8),
                          ("UTF-16 mark", codecs.BOM_UTF16_LE)):  # fmt: skip
        yield f"empty {name}", Kind.EMPTY, content
    for percent in range(1, 100, 4):
        yield f"cut at {percent} %", Kind.TRUNCATED, _GOOD[: len(_GOOD) * percent // 100]
    for short in range(1, 5):
        yield f"cut {short} from the end", Kind.TRUNCATED, _GOOD.rstrip()[:-short]
    inside = _GOOD.replace(b"bench-1", "bench-\u00e9".encode())
    cut = inside.index("\u00e9".encode()) + 1
    yield "cut inside a letter", Kind.TRUNCATED, inside[:cut]
    middle = len(_GOOD) // 2
    yield "zeros only", Kind.ZERO_BYTES, bytes(4096)
    yield "zeros at the end", Kind.ZERO_BYTES, _GOOD + bytes(512)
    yield "zeros from the middle", Kind.ZERO_BYTES, _GOOD[:middle] + bytes(512)
    yield "zeros in it", Kind.ZERO_BYTES, _GOOD[:middle] + bytes(64) + _GOOD[middle + 64 :]


def _more_than_one_document() -> Iterator[Bad]:
    compact = json.dumps(foreign(98)).encode()
    yield "two", Kind.SEVERAL_DOCUMENTS, _GOOD + b"\n" + _GOOD
    yield "two without a space", Kind.SEVERAL_DOCUMENTS, compact + compact
    yield "lines", Kind.SEVERAL_DOCUMENTS, compact + b"\n" + compact + b"\n"
    yield "array", Kind.SEVERAL_DOCUMENTS, b"[" + compact + b",\n" + _GOOD + b"]"
    yield "array of one", Kind.SEVERAL_DOCUMENTS, b"[" + _GOOD + b"]"
    yield "appended list", Kind.SEVERAL_DOCUMENTS, _GOOD + b"[]"
    for text in ("Running ./bench\n", "***WARNING*** debug\n", "window.DATA\n", "$ ./bench\n"):
        yield f"before {text}", Kind.TEXT_BEFORE, text.encode() + _GOOD
    for text in ("done", ",", "}", "\n# end", "\x1b[0m", "BM_pipe 7000 ns"):
        yield f"after {text}", Kind.TEXT_AFTER, _GOOD + text.encode()
    other = text_of(foreign(97))
    overlaid = _GOOD[:700] + other[300:900] + _GOOD[900:]
    yield "overlaid", Kind.NOT_JSON, overlaid


def _syntax() -> Iterator[Bad]:
    replacements = (
        (b'"BM_pipe",', b'"BM_pipe"'),
        (b'"BM_pipe",', b"'BM_pipe',"),
        (b'"BM_pipe",', b"BM_pipe,"),
        (b'"name": ', b"name: "),
        (b'"name": ', b'"name" '),
        (b'"BM_pipe",', b'"C:\\hello",'),
        (b'"BM_pipe",', b'"\\u12G4",'),
        (b'"BM_pipe",', b'"\\ud800",'),
        (b'"BM_pipe",', b'"BM_pipe", // the pipe'),
        (b'"BM_pipe",', b'"BM_pipe", /* the pipe */'),
        (b'"threads": 1,', b'"threads": 1,\n[Warning] meter.cc:719 duplicate\n'),
        (b'"threads": 1,', b'"threads": True,'),
        (b'"threads": 1,', b'"threads": None,'),
        (b'"threads": 1,', b'"threads": undefined,'),
        (b'"threads": 1,', b'"threads": 01,'),
        (b'"threads": 1,', b'"threads": +1,'),
        (b'"threads": 1,', b'"threads": 0x1,'),
        (b'"threads": 1,', b'"threads": 1.,'),
        (b'"threads": 1,', b'"threads": .1,'),
        (b'"threads": 1,', b'"threads": 1e,'),
        (b'"threads": 1,', b'"threads": ,'),
        (b'"threads": 1,', b'"threads": 1,,'),
        (b'"threads": 1,', b'"threads": 12%,'),
        (b'"iterations": 1000,', b'"iterations": 1,000,'),
        (b'"iterations": 1000,', b'"iterations": 1.000.000,'),
        (b'"iterations": 1000,', b'"iterations": 1 000,'),
        (b'"iterations": 1000,', b'"iterations": 1\'000,'),
        (b'"time_unit": "ns"', b'"time_unit": "ns",'),
        (b'"benchmarks": [', b'"benchmarks": [['),
        (b'"benchmarks": [', b'"benchmarks": ]'),
    )
    for old, new in replacements:
        assert old in _GOOD
        yield new.decode(), Kind.NOT_JSON, _GOOD.replace(old, new, 1)
    yield "nested without end", Kind.NOT_JSON, b"[" * 100_000
    yield "nested in it", Kind.NOT_JSON, b'{"benchmarks": ' + b"[" * 50_000 + b"]" * 50_000 + b"}"
    yield "a list that is closed as an object", Kind.NOT_JSON, b'{"benchmarks": [}'
    yield "script", Kind.NOT_JSON, b"window.BENCHMARK_DATA = {\n  'entries': {}\n}"


def _no_numbers() -> Iterator[Bad]:
    words = (b"NaN", b"Infinity", b"-Infinity", b"nan", b"inf", b"-inf", b"-nan", b"1e999",
             b"-1e999", b"9" * 5000)  # fmt: skip
    assert _TIME in _GOOD
    for word in words:
        in_time = _GOOD.replace(_TIME, b'"real_time": ' + word, 1)
        yield f"real_time {word[:9].decode()}", Kind.NOT_FINITE, in_time
        in_counter = _GOOD.replace(_TIME, _TIME + b', "ratio": ' + word, 1)
        yield f"counter {word[:9].decode()}", Kind.NOT_FINITE, in_counter
    for word in (b"NaN", b"Infinity", b"1e999"):
        in_context = _GOOD.replace(b'"num_cpus": 2', b'"num_cpus": ' + word, 1)
        yield f"context {word.decode()}", Kind.NOT_FINITE, in_context


def _duplicate_keys() -> Iterator[Bad]:
    keys = ("name", "run_name", "run_type", "repetitions", "repetition_index", "threads",
            "iterations", "real_time", "cpu_time", "time_unit")  # fmt: skip
    for key in keys:
        shadowed = _GOOD.replace(_TIME, _TIME + f', "{key}": 1.0'.encode(), 1)
        yield f"row {key}", Kind.DUPLICATE_KEY, shadowed
    for new in (
        b', "cost": 1, "cost": 2',
        b', "real\\u005ftime": 1.0',
        b', "real_time" : 1.0',
        b', "real_time"\n\t: 1.0',
        b', "label": "x\\": y", "real_time": 1.0',
        b', "label": ": z", "real_time": 1.0',
    ):
        yield new.decode(), Kind.DUPLICATE_KEY, _GOOD.replace(_TIME, _TIME + new, 1)
    for old, new in (
        (b'"date":', b'"date": "yesterday", "date":'),
        (b'"num_cpus":', b'"num_cpus": 64, "num_cpus":'),
        (b'"level":', b'"level": 2, "level":'),
        (b'"benchmarks":', b'"benchmarks": [], "benchmarks":'),
        (b'"context":', b'"context": {"num_cpus": 2}, "context":'),
    ):
        yield f"context {new.decode()}", Kind.DUPLICATE_KEY, _GOOD.replace(old, new, 1)


def _encodings() -> Iterator[Bad]:
    for byte in (0xB5, 0xE9, 0x80, 0xFF, 0xC0):
        content = _GOOD.replace(b"bench-1", b"bench-" + bytes([byte]))
        yield f"byte {byte:x}", Kind.ENCODING, content
    yield "half a pair", Kind.ENCODING, _GOOD.replace(b"bench-1", b"\xed\xa0\x80")
    utf16 = codecs.BOM_UTF16_LE + _GOOD.decode().encode("utf-16-le")
    yield "UTF-16 with half a unit", Kind.ENCODING, utf16[:-1]
    yield "UTF-16 with half a pair", Kind.ENCODING, utf16 + b"\x00\xd8"
    yield "UTF-16 cut", Kind.TRUNCATED, utf16[: len(utf16) // 4 * 2]
    yield "gzip", Kind.ENCODING, gzip.compress(_GOOD, mtime=0)
    yield "picture", Kind.ENCODING, b"\x89PNG\r\n\x1a\n" + bytes(40)
    yield "program", Kind.ZERO_BYTES, b"\x7fELF\x02\x01\x01" + bytes(57)
