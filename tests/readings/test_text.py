# SPDX-License-Identifier: Apache-2.0
"""From bytes to rows: encodings that are read rightly, and messages that lead to the spot."""

import codecs
import json
from pathlib import Path
from typing import Any

import pytest

from ctxgate.readings.load import load_run
from ctxgate.readings.model import Caution, Problem, Run
from ctxgate.readings.problems import Doubt, Findings, Kind, shown
from tests.readings.documents import foreign, repetition, text_of

TEXT = text_of(foreign()).decode()
ACCENTED = json.dumps(
    foreign() | {"benchmarks": [repetition("BM \u00b5 \U0001f600", 0, 1, 5.0)]}, ensure_ascii=False
)


def read(tmp_path: Path, content: bytes) -> tuple[Run | None, list[Problem], list[Caution]]:
    path = tmp_path / "run.json"
    path.write_bytes(content)
    return load_run(path)


def only_problem(tmp_path: Path, content: bytes) -> Problem:
    _, problems, _ = read(tmp_path, content)
    (problem,) = problems
    return problem


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", codecs.BOM_UTF8),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
        ("utf-32-le", codecs.BOM_UTF32_LE),
        ("utf-32-be", codecs.BOM_UTF32_BE),
        ("utf-32-le", b""),
        ("utf-32-be", b""),
    ],
)
def test_unicode_in_any_form_gives_the_same_readings(
    tmp_path: Path, encoding: str, mark: bytes
) -> None:
    run, problems, cautions = read(tmp_path, mark + ACCENTED.encode(encoding))
    assert problems == []
    assert run is not None
    assert [(name, r.floor) for name, r in run.readings.items()] == [("BM \u00b5 \U0001f600", 5.0)]
    recoded = [] if encoding == "utf-8" else [Doubt.RECODED]
    assert [caution.kind for caution in cautions] == recoded
    assert all(encoding.upper() in caution.message for caution in cautions)


def test_latin_1_names_byte_and_line(tmp_path: Path) -> None:
    problem = only_problem(tmp_path, TEXT.replace("bench-1", "5 \u00b5s").encode("latin-1"))
    assert problem.kind == Kind.ENCODING
    assert f"{tmp_path}/run.json:4: is not UTF-8: byte 0xb5 at position" in problem.message


@pytest.mark.parametrize(
    ("old", "new", "line", "cause"),
    [
        ('"BM_pipe",\n', '"BM_pipe"\n', 21, "Expecting ',' delimiter"),
        ('"iterations": 1000', '"iterations": 1,000', 28, "grouping mark"),
        ('"iterations": 1000', '"iterations": 1.000.000', 28, "grouping mark"),
        ('"iterations": 1000', '"iterations": 1.000', 19, "iterations is 1.0"),
        ('"real_time": 7000.5', '"real_time": NaN', 29, "NaN is no finite number"),
        ('"real_time": 7000.5', '"real_time": nan', 29, "'\"real_time\": nan,' is no number"),
        ('"real_time": 7000.5', '"real_time": -1e999', 29, "-1e999 is no finite number"),
        ('"real_time": 7000.5', '"real_time": 7000.5,\n"real_time": 1', 30, '"real_time" stands'),
        ('"real_time": 7000.5', '"real_time": 0', 19, "BM_pipe: real_time is 0"),
        ('"real_time": 7001.5', '"real_time": 0', 33, "BM_pipe: real_time is 0"),
        ('"real_time": 250.25', '"real_time": "x"', 61, "BM_null: real_time is 'x'"),
        ('"real_time": 250.25', '"real_time": [1]', 61, "BM_null: real_time is a list"),
        ('"real_time": 250.25', '"real_time": {}', 61, "BM_null: real_time is an object"),
        ('"real_time": 250.25', '"real_time": true', 61, "BM_null: real_time is true"),
    ],
)
def test_the_message_leads_to_the_line(
    tmp_path: Path, old: str, new: str, line: int, cause: str
) -> None:
    assert old in TEXT
    _, problems, _ = read(tmp_path, TEXT.replace(old, new, 1).encode())
    assert f"run.json:{line}: " in problems[0].message
    assert cause in problems[0].message


def test_a_second_document_is_found_by_its_line(tmp_path: Path) -> None:
    problem = only_problem(tmp_path, f"{TEXT}\n\n{TEXT}".encode())
    assert f"run.json:{TEXT.count(chr(10)) + 3}: a second document" in problem.message


def test_the_duplicate_names_key_and_benchmark(tmp_path: Path) -> None:
    text = TEXT.replace('"real_time": 251.25', '"real_time": 251.25, "cost": 1, "c\\u006fst": 2')
    problem = only_problem(tmp_path, text.encode())
    assert problem.kind == Kind.DUPLICATE_KEY
    assert problem.benchmark == "BM_null"
    assert 'the key "cost" stands twice' in problem.message


@pytest.mark.parametrize("label", ['x\\": y', ": z", "\\\\", '\\":\\":', "a\\u0022: b"])
def test_a_text_that_looks_like_a_key_is_none(tmp_path: Path, label: str) -> None:
    content = TEXT.replace('"threads": 1', f'"label": "{label}", "threads": 1').encode()
    run, problems, cautions = read(tmp_path, content)
    assert (problems, cautions) == ([], [])
    assert run is not None
    assert run.readings["BM_pipe"].floor == 7000.5


@pytest.mark.parametrize("member", [{"a": 1}, [{"a": 1}, {"a": 2}], "x", 5])
def test_members_beyond_the_format_are_let_be(tmp_path: Path, member: Any) -> None:
    run, problems, _ = read(tmp_path, text_of(foreign() | {"summary": member}))
    assert problems == []
    assert run is not None


def test_counters_may_be_anything_but_twice(tmp_path: Path) -> None:
    document = foreign()
    document["benchmarks"][0] |= {"nested": {"a": [1, {"a": 2}]}, "nothing": None}
    run, problems, _ = read(tmp_path, text_of(document))
    assert problems == []
    assert run is not None


@pytest.mark.parametrize("control", ["\x01", "\x1b", "\x0b"])
def test_raw_control_characters_are_read_and_told(tmp_path: Path, control: str) -> None:
    content = TEXT.replace('"threads": 1', f'"label": "{control}", "threads": 1').encode()
    run, problems, cautions = read(tmp_path, content)
    assert problems == []
    assert run is not None
    assert run.readings["BM_pipe"].floor == 7000.5
    assert [caution.kind for caution in cautions] == [Doubt.CONTROL_CHARACTERS]


def test_shown_is_one_short_printable_line() -> None:
    assert shown("a\nb\u202e\ud800") == "a\ufffdb\ufffd\ufffd"
    assert shown("x" * 500) == "x" * 200 + "..."
    assert shown("\u00b5 |:") == "\u00b5 |:"


def test_findings_word_file_line_and_name() -> None:
    findings = Findings("f.json")
    findings.refuse(Kind.FAILED, "failed", line=3, name="BM")
    findings.refuse(Kind.EMPTY, "is empty")
    problems, cautions = findings.finish()
    assert [p.message for p in problems] == ["f.json:3: BM: failed", "f.json: is empty"]
    assert [p.benchmark for p in problems] == ["BM", ""]
    assert cautions == []


def test_every_kind_has_a_remedy() -> None:
    for kind in Kind:
        findings = Findings("f")
        findings.refuse(kind, "x")
        assert findings.problems[0].remedy


def test_equal_rows_are_told_apart_by_their_lines(tmp_path: Path) -> None:
    row = repetition("BM", 0, 1, 0.0)
    _, problems, _ = read(tmp_path, text_of({"benchmarks": [row, row]}))
    assert [p.message.split("run.json")[1].split(":")[1] for p in problems] == ["3", "17"]
