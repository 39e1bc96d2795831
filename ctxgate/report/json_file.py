# SPDX-License-Identifier: Apache-2.0
"""The verdict as strict JSON, shape `verdict.schema.json`: lossless but for numbers JSON lacks."""

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from ctxgate.readings.model import Caution, Problem
from ctxgate.verdict.model import BenchmarkVerdict, FunctionCount, Side, Verdict

SCHEMA = 1
"""Grows when a reader of the old shape would misread the new one."""

Fields = dict[str, Any]


def to_json(verdict: Verdict) -> bytes:
    """UTF-8 JSON, indented, ending in a newline; the same verdict always gives the same bytes."""
    document = {
        "schema": SCHEMA,
        "verdict": verdict.verdict.value,
        "exit_code": verdict.exit_code,
        "tier": verdict.tier,
        "clock": verdict.clock,
        "proven": verdict.proven,
        "benchmarks": [_benchmark(row) for row in verdict.benchmarks],
        "problems": [_problem(problem) for problem in verdict.problems],
        "warnings": [_caution(caution) for caution in verdict.warnings],
        "notes": list(verdict.notes),
        "subject_changes": [
            {"fact": change.fact, "baseline": change.baseline, "contender": change.contender}
            for change in verdict.subject_changes
        ],
        "identity": {fact: verdict.identity[fact] for fact in sorted(verdict.identity)},
    }
    return msgspec.json.format(msgspec.json.encode(_encodable(document)), indent=2) + b"\n"


def _benchmark(row: BenchmarkVerdict) -> Fields:
    fields: Fields = {
        "name": row.name,
        "verdict": row.verdict.value,
        "gated": row.gated,
        "metric": row.metric,
        "rule": row.rule,
        "reason": row.reason,
        "baseline": _side(row.baseline),
        "contender": _side(row.contender),
        "change": row.change,
        "interval": None if row.interval is None else list(row.interval),
        "tolerance": row.tolerance,
        "mde": row.mde,
        "certifiable": row.certifiable,
        "nu": row.nu,
        "p_value": row.p_value,
        "more_sessions": row.more_sessions,
        "twin_change": row.twin_change,
        "look": row.look,
        "allowance": row.allowance,
        "functions": [_function(function) for function in row.functions],
        "profile_total": None if row.profile_total is None else dict(row.profile_total),
    }
    lost = [f"{path} is {number}" for path, number in _not_finite("", fields)]
    if lost:
        fields["reason"] = f"{row.reason} [written as null: {', '.join(lost)}]".lstrip()
    return fields


def _side(side: Side | None) -> Fields | None:
    if side is None:
        return None
    return {
        "value": side.value,
        "switches": side.switches,
        "voluntary": side.voluntary,
        "involuntary": side.involuntary,
        "sessions": side.sessions,
        "runs": side.runs,
    }


def _function(function: FunctionCount) -> Fields:
    return {
        "name": function.name,
        "baseline": function.baseline,
        "contender": function.contender,
    }


def _problem(problem: Problem) -> Fields:
    return {
        "kind": problem.kind,
        "file": problem.file,
        "benchmark": problem.benchmark,
        "message": problem.message,
        "remedy": problem.remedy,
    }


def _caution(caution: Caution) -> Fields:
    return {
        "kind": caution.kind,
        "file": caution.file,
        "benchmark": caution.benchmark,
        "message": caution.message,
    }


def _not_finite(path: str, value: object) -> list[tuple[str, float]]:
    """Where in a row stand NaN and infinities, which strict JSON cannot hold."""
    if isinstance(value, float):
        return [] if math.isfinite(value) else [(path, value)]
    if isinstance(value, Mapping):
        pairs = [(f"{path}.{key}" if path else str(key), item) for key, item in value.items()]
    elif isinstance(value, list):
        pairs = [(f"{path}[{index}]", item) for index, item in enumerate(value)]
    else:
        return []
    return [found for where, item in pairs for found in _not_finite(where, item)]


def _encodable(value: Any) -> Any:
    """Lone surrogates (bytes of odd file names) as escapes; msgspec writes NaN and inf as null."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    return value
