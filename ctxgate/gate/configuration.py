# SPDX-License-Identifier: Apache-2.0
"""`ctxgate.toml`: found, read, and refused where it says what no gate understands.

Its shape is `configuration.schema.json`; a test holds the two together.
"""

import difflib
import hashlib
import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ctxgate.gate.floor import read_floor
from ctxgate.gate.printable import printable
from ctxgate.gate.tolerance import read_fraction, read_tolerance
from ctxgate.verdict.policy import Floor, Tolerance

FILE_NAME = "ctxgate.toml"
DEFAULT = "default"
"""The key of a table that stands for every benchmark without a pattern of its own."""

_KNOWN = ("tolerance", "floor", "required", "baseline")
_ALMOST_DEFAULT = 0.85
"""`defualt`, `Default` and `defaults` are this much like `default`; `BM_default` is not."""
_NESTED = "; a pattern that holds a dot stands in quotes as a whole"

_T = TypeVar("_T")


class ConfigurationError(Exception):
    """The settings are wrong; the text names the file or option and, if it can, what instead."""


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """What one file says; what it leaves out is None or empty.

    `path` is as reports show it, `digest` the SHA-256 of the file's bytes, `sets` the keys
    that hold something. The paths of `baseline` are ready to be opened.
    """

    path: str
    digest: str
    sets: tuple[str, ...] = ()
    tolerance: Tolerance | None = None
    tolerances: Mapping[str, Tolerance] = {}
    floor: Floor | None = None
    floors: Mapping[str, Floor] = {}
    required: tuple[str, ...] | None = None
    baseline: tuple[Path, ...] = ()


def find(start: Path) -> Path | None:
    """The file in `start` or above, up to the root of the repository; None without one.

    Outside a repository only `start` is looked at: /tmp/ctxgate.toml may be anybody's.
    """
    folders = [start, *start.parents]
    root = next((n for n, each in enumerate(folders) if os.path.lexists(each / ".git")), 0)
    files = (folder / FILE_NAME for folder in folders[: root + 1])
    return next((file for file in files if os.path.lexists(file)), None)


def read(path: Path, shown: str) -> Configuration:
    """What the file `path` says, which texts call `shown`. ConfigurationError if it is wrong."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        cause = getattr(error, "strerror", None) or str(error)
        raise ConfigurationError(f"{shown}: cannot be read: {cause}") from error
    try:
        fields = _fields(_parse(data), path.parent)
    except ValueError as error:
        raise ConfigurationError(f"{shown}: {printable(str(error))}") from error
    return Configuration(path=shown, digest=hashlib.sha256(data).hexdigest(), **fields)


def _parse(data: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"is not UTF-8 (at byte {error.start})") from error
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    except ValueError as error:
        unquoted = "after a key" in str(error)
        hint = '; a pattern stands in quotes: "switch/*" = "3%"' if unquoted else ""
        raise ValueError(f"is not TOML: {error}{hint}") from error


def _fields(document: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    for key in document:
        if key not in _KNOWN:
            raise ValueError(f"unknown key {_quoted(key)}{_suggestion(key, _KNOWN)}")
    tolerance, tolerances = _table(document, "tolerance", _tolerance)
    floor, floors = _table(document, "floor", _floor)
    baseline = _strings(document, "baseline", "baselines/today") or ()
    return {
        "sets": tuple(key for key, value in document.items() if value),
        "tolerance": tolerance,
        "tolerances": tolerances,
        "floor": floor,
        "floors": floors,
        "required": _strings(document, "required", "switch/*"),
        "baseline": tuple(folder / path for path in baseline),
    }


def _table(
    document: Mapping[str, Any], name: str, value_of: Callable[[object], _T]
) -> tuple[_T | None, dict[str, _T]]:
    """The value for all benchmarks, and those of patterns."""
    table = document.get(name, {})
    if not isinstance(table, dict):
        raise ValueError(f'{name} is {_kind(table)}; write [{name}] and below it default = "3%"')
    values: dict[str, _T] = {}
    for key, value in table.items():
        _check_key(name, key, value)
        try:
            values[key] = value_of(value)
        except ValueError as error:
            raise ValueError(f"{name}.{_quoted(key)}: {error}") from error
    if DEFAULT in values and "*" in values:
        raise ValueError(f'{name}: default and "*" both stand for every benchmark; keep one')
    return values.pop(DEFAULT, None), values


def _check_key(name: str, key: str, value: object) -> None:
    """Every key of a table is a pattern, so that those meant otherwise have to be told."""
    if not key:
        raise ValueError(f'{name}: "" names no benchmark; write default for all')
    if key in ("required", "baseline") and isinstance(value, list):
        raise ValueError(f"{key} stands in [{name}]; move it above the first line in brackets")
    alike = difflib.SequenceMatcher(None, key, DEFAULT).ratio()
    if key != DEFAULT and alike >= _ALMOST_DEFAULT:
        raise ValueError(f"{name}: unknown key {_quoted(key)}; did you mean default?")


def _tolerance(value: object) -> Tolerance:
    if isinstance(value, str):
        return read_tolerance(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return read_fraction(repr(value))
    wrong = f'{_kind(value)} is no tolerance; try "3%", 0.03 or "certifiable"'
    raise ValueError(f"{wrong}{_NESTED if isinstance(value, dict) else ''}")


def _floor(value: object) -> Floor:
    """Either one floor, or a table of a relative and of absolute ones."""
    if isinstance(value, str):
        return read_floor([value])
    if not isinstance(value, dict) or not value:
        raise ValueError(f'{_kind(value)} is no floor; try "50ns" or "1%"')
    for key in value:
        if key not in ("relative", "absolute"):
            close = _suggestion(key, ("relative", "absolute"))
            raise ValueError(f"unknown key {_quoted(key)}{close}{_NESTED}")
    relative = value.get("relative", "0%")
    absolute = value.get("absolute", [])
    absolute = [absolute] if isinstance(absolute, str) else absolute
    if not isinstance(relative, str) or not relative.rstrip().endswith("%"):
        raise ValueError('relative has to be a percentage in quotes; try "1%"')
    if not isinstance(absolute, list) or not all(isinstance(each, str) for each in absolute):
        raise ValueError('absolute has to be a string, or an array of them; try "50ns"')
    if any(each.rstrip().endswith("%") for each in absolute):
        raise ValueError("absolute has no percentages; they stand in relative")
    return read_floor([relative, *absolute])


def _strings(document: Mapping[str, Any], name: str, example: str) -> tuple[str, ...] | None:
    if name not in document:
        return None
    found = document[name]
    wanted = f'it has to be an array of strings; try {name} = ["{example}"]'
    if not isinstance(found, list):
        raise ValueError(f"{name} is {_kind(found)}; {wanted}")
    if not found:
        raise ValueError(f"{name} is empty, which would say nothing; leave it out or fill it")
    for value in found:
        if not isinstance(value, str) or not value:
            raise ValueError(f"{name} holds {_kind(value)}; {wanted}")
        if found.count(value) > 1:
            raise ValueError(f"{name} holds {_quoted(value)} twice")
    return tuple(found)


def _kind(value: object) -> str:
    if value in ("", {}):
        return "an empty string" if value == "" else "an empty table"
    kinds = {bool: "a boolean", str: "a string", list: "an array", dict: "a table"}
    return kinds.get(type(value), "a number" if isinstance(value, (int, float)) else "a date")


def _quoted(key: str) -> str:
    return f'"{key}"'


def _suggestion(key: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(key, known, n=1)
    named = f"{', '.join(known[:-1])} and {known[-1]}"
    return f"; did you mean {close[0]}?" if close else f"; known are {named}"
