# SPDX-License-Identifier: Apache-2.0
"""A baseline as text that a person can review in a diff, and onto disk whole or not at all."""

import os
from pathlib import Path
from typing import Any

import msgspec

from ctxgate.baseline.model import Baseline

_ONE_LINE = ("readings", "benchmarks")
"""Members of these stand one a line, so that a change of one benchmark is a change of one line."""

_PARTIAL = ".partial-"


def encode(baseline: Baseline) -> bytes:
    """UTF-8 JSON ending in a newline; the same baseline always gives the same bytes."""
    return f"{_text(msgspec.to_builtins(baseline), '', '')}\n".encode()


def _text(value: Any, name: str, indent: str) -> str:
    if not value or not isinstance(value, dict | list | tuple):
        return _flat(value)
    inner = f"{indent} "
    one_line = name in _ONE_LINE
    if isinstance(value, dict):
        parts = [
            f"{_flat(key)}: {_flat(item) if one_line else _text(item, key, inner)}"
            for key, item in value.items()
        ]
        begin, end = "{", "}"
    else:
        parts = [_flat(item) if one_line else _text(item, "", inner) for item in value]
        begin, end = "[", "]"
    lines = ",\n".join(f"{inner}{part}" for part in parts)
    return f"{begin}\n{lines}\n{indent}{end}"


def _flat(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def write_whole(path: Path, data: bytes) -> None:
    """Put `data` at `path`, which readers see whole or not at all. Raises OSError."""
    partial = path.with_name(f".{path.name}{_PARTIAL}{os.getpid()}")
    try:
        with partial.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
