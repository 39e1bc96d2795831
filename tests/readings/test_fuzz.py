# SPDX-License-Identifier: Apache-2.0
"""Any bytes, and good files with any damage: nothing raised, and no number changed in silence."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxgate.readings.load import load_run, load_sessions
from tests.readings.documents import foreign, own, text_of

GOOD = [text_of(foreign()), text_of(own()), json.dumps(foreign(1)).encode()]
NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


@pytest.fixture(scope="module")
def path() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "run.json"


def once_only(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(pairs)) == len(pairs), "a key twice"
    return dict(pairs)


def refuse(word: str) -> NoReturn:
    raise AssertionError(word)


def check(path: Path, content: bytes) -> None:
    """Whatever is read without a problem is what a slow strict parser reads, too."""
    path.write_bytes(content)
    side = load_sessions([path])
    run, problems, _ = load_run(path)
    assert list(side.problems)[: len(problems)] == problems
    if run is None:
        assert problems
        return
    if problems:
        return
    encoding = json.detect_encoding(content)
    decoder = json.JSONDecoder(object_pairs_hook=once_only, parse_constant=refuse, strict=False)
    document = decoder.decode(content.decode(encoding).lstrip("\ufeff"))
    least: dict[str, float] = {}
    for row in document["benchmarks"]:
        time = row["real_time"] * NANOSECONDS[row["time_unit"]]
        floor = time if run.foreign else row["ctxgate.floor"] * NANOSECONDS[row["time_unit"]]
        least[row["name"]] = min(floor, least.get(row["name"], floor))
    assert {name: reading.floor for name, reading in run.readings.items()} == least


@given(content=st.binary(max_size=300))
def test_any_bytes(path: Path, content: bytes) -> None:
    check(path, content)


@given(good=st.sampled_from(GOOD), data=st.data())
def test_flipped_bytes(path: Path, good: bytes, data: st.DataObject) -> None:
    damaged = bytearray(good)
    spots = st.lists(st.integers(0, len(good) - 1), min_size=1, max_size=3)
    for spot in data.draw(spots):
        damaged[spot] = data.draw(st.integers(0, 255))
    check(path, bytes(damaged))


@given(good=st.sampled_from(GOOD), data=st.data())
def test_cut(path: Path, good: bytes, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(good) - 1))
    path.write_bytes(good[:end])
    run, problems, _ = load_run(path)
    assert run is None
    assert problems


@given(good=st.sampled_from(GOOD), data=st.data())
def test_a_span_twice(path: Path, good: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(good)))
    end = data.draw(st.integers(start, min(len(good), start + 400)))
    at = data.draw(st.integers(0, len(good)))
    check(path, good[:at] + good[start:end] + good[at:])


@given(good=st.sampled_from(GOOD), data=st.data())
def test_a_line_twice_or_gone(path: Path, good: bytes, data: st.DataObject) -> None:
    lines = good.splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    times = data.draw(st.sampled_from([0, 2]))
    check(path, b"".join([*lines[:at], *(lines[at : at + 1] * times), *lines[at + 1 :]]))


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@given(good=st.sampled_from([foreign, own]), data=st.data())
def test_any_value_in_any_field(path: Path, good: Any, data: st.DataObject) -> None:
    document = good()
    rows = [document["context"], *document["benchmarks"]]
    target = data.draw(st.sampled_from(rows))
    target[data.draw(st.sampled_from(sorted(target)))] = data.draw(JSON)
    path.write_bytes(text_of(document))
    load_sessions([path])


@given(document=JSON)
def test_any_json(path: Path, document: Any) -> None:
    path.write_bytes(text_of(document))
    run, problems, _ = load_run(path)
    assert run is None
    assert problems


@given(rows=st.lists(JSON, max_size=4), context=JSON)
def test_any_rows(path: Path, rows: list[Any], context: Any) -> None:
    path.write_bytes(text_of({"context": context, "benchmarks": rows}))
    run, problems, _ = load_run(path)
    assert run is None
    assert problems
