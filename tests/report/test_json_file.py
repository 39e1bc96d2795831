# SPDX-License-Identifier: Apache-2.0
import json
import math
from pathlib import Path
from typing import Any, NoReturn

import jsonschema
import msgspec
import pytest
from hypothesis import given

import ctxgate.report.json_file
from ctxgate.report.json_file import to_json
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Side, Verdict
from tests.report import hostile, verdicts

SCHEMA = json.loads(
    Path(ctxgate.report.json_file.__file__).with_name("verdict.schema.json").read_text("utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def _refuse(constant: str) -> NoReturn:
    raise AssertionError(constant)


def strict(data: bytes) -> Any:
    """Parse as JSON proper: Python's parser would take NaN."""
    return json.loads(data.decode("utf-8"), parse_constant=_refuse)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"].endswith(":1")
    assert SCHEMA["$defs"]["decision"]["enum"] == [decision.value for decision in Decision]


@pytest.mark.parametrize("kind", verdicts.ALL)
def test_every_kind_keeps_to_the_schema(kind: str) -> None:
    VALIDATOR.validate(strict(to_json(verdicts.ALL[kind]())))


@given(hostile.verdicts)
def test_any_verdict_keeps_to_the_schema(verdict: Verdict) -> None:
    document = strict(to_json(verdict))
    VALIDATOR.validate(document)
    assert document["verdict"] == verdict.verdict.value
    assert document["exit_code"] == verdict.exit_code
    assert len(document["benchmarks"]) == len(verdict.benchmarks)


@pytest.mark.parametrize(
    "spoil",
    [
        {"schema": 2},
        {"verdict": "fine"},
        {"extra": 1},
        {"exit_code": 7},
        {"problems": [{"kind": "x"}]},
        {"benchmarks": [{"name": "x"}]},
    ],
)
def test_the_schema_refuses(spoil: dict[str, Any]) -> None:
    document = strict(to_json(verdicts.passed()))
    assert not VALIDATOR.is_valid(document | spoil)


@pytest.mark.parametrize(
    ("struct", "definition"), [(BenchmarkVerdict, "benchmark"), (Side, "side")]
)
def test_no_field_of_the_model_is_left_out(struct: type, definition: str) -> None:
    fields = {field.encode_name for field in msgspec.structs.fields(struct)}
    assert set(SCHEMA["$defs"][definition]["properties"]) == fields


def test_the_shape_that_the_design_promises() -> None:
    document = strict(to_json(verdicts.regressed()))
    worst = next(row for row in document["benchmarks"] if row["verdict"] == "regression")
    assert document["schema"] == 1
    assert document["exit_code"] == 1
    assert worst["gated"] is True
    assert worst["baseline"]["switches"] == 2.0
    assert worst["contender"]["switches"] == 2.5
    assert worst["change"] == 0.1243
    assert worst["interval"] == [0.1092, 0.1394]
    assert worst["tolerance"] == 0.03
    assert worst["twin_change"] == 0.001
    config = document["subject_changes"][2]
    assert config["fact"] == "kernel.config"
    assert config["baseline"] == verdicts.CONFIG


def test_names_are_kept_whole_and_unescaped() -> None:
    name = "a|b:c,\n%0A\x1b[2J" + "x" * 500
    verdict = Verdict(verdict=Decision.PASS, benchmarks=(verdicts.row(name),))
    assert strict(to_json(verdict))["benchmarks"][0]["name"] == name


def test_a_number_that_json_lacks_is_null_and_the_reason_says_so() -> None:
    row = verdicts.row(
        mde=math.inf, interval=(-math.inf, 0.01), baseline=verdicts.side(math.nan), reason=""
    )
    shown = strict(to_json(Verdict(verdict=Decision.PASS, benchmarks=(row,))))["benchmarks"][0]
    assert shown["mde"] is None
    assert shown["interval"] == [None, 0.01]
    assert shown["baseline"]["value"] is None
    assert shown["reason"] == (
        "[written as null: baseline.value is nan, interval[0] is -inf, mde is inf]"
    )


def test_the_order_of_identity_does_not_show() -> None:
    there = Verdict(verdict=Decision.PASS, identity={"a": "1", "b": "2"})
    back = Verdict(verdict=Decision.PASS, identity={"b": "2", "a": "1"})
    assert to_json(there) == to_json(back)
