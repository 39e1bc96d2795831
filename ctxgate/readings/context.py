# SPDX-License-Identifier: Apache-2.0
"""The "context" of a result file: whose it is, where and when it was measured, of which session."""

from collections.abc import Mapping
from typing import Any

import msgspec

from ctxgate.readings.model import Clock
from ctxgate.readings.problems import Doubt, Findings, Kind, shown

OWN = "ctxgate."
_SCHEMA = "1"
_STAMP = ("ctxgate.session", "ctxgate.run", "ctxgate.runs")
_FACTS = ("identity", "subject", "record")
# What Google's own context says of the hardware and the build; the rest changes by itself.
_FOREIGN_IDENTITY = ("num_cpus", "caches", "library_build_type")


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """A checked context; the fields as in `Run`. `library` is "" before Google Benchmark 1.8.4."""

    foreign: bool
    clock: Clock = Clock.NANOSECONDS
    identity: Mapping[str, str] = {}
    subject: Mapping[str, str] = {}
    record: Mapping[str, str] = {}
    unavailable: Mapping[str, str] = {}
    session: str = ""
    run_index: int | None = None
    session_runs: int | None = None
    library: str = ""


def read_context(raw: Mapping[str, Any] | None, findings: Findings) -> Context | None:
    """The context of a file, or None with the problem in `findings`.

    A file is ours if a context key begins with `ctxgate.`; one that carries only the stamp of
    `ctxgate measure` (session, run, runs) is another program's that measure ran.
    """
    if raw is None:
        findings.doubt(
            Doubt.NO_CONTEXT, 'has no "context": nothing says where and how it was measured'
        )
        return Context(foreign=True)
    version = raw.get("json_schema_version", 1)
    if type(version) is not int or version != 1:
        cause = f"has json_schema_version {shown(str(version))}; only 1 is known"
        findings.refuse(Kind.SCHEMA_VERSION, cause)
        return None
    ours = {key: value for key, value in raw.items() if key.startswith(OWN)}
    not_text = [key for key, value in ours.items() if not isinstance(value, str)]
    if not_text:
        findings.refuse(Kind.BAD_CONTEXT, f"context key {shown(not_text[0])} is not a string")
        return None
    stamp = _read_stamp(ours, findings)
    if stamp is None:
        return None
    foreign = all(key in _STAMP for key in ours)
    return _foreign(raw, stamp) if foreign else _own(raw, ours, stamp, findings)


def library_version(version: str) -> tuple[int, ...]:
    """`v1.9.5` or `v1.9.5-3-gabc` as (1, 9, 5); () where it says nothing."""
    digits = version.removeprefix("v").split("-")[0].split(".")
    return tuple(int(part) for part in digits if part.isdecimal() and part.isascii())


def _read_stamp(ours: Mapping[str, str], findings: Findings) -> dict[str, Any] | None:
    """What `ctxgate measure` stamped into the file; all of it or nothing."""
    found = [ours[key] for key in _STAMP if key in ours]
    if not found:
        return {}
    if len(found) == len(_STAMP):
        session, run, runs = found
        if session and _is_count(run) and _is_count(runs) and int(run) < int(runs):
            return {"session": session, "run_index": int(run), "session_runs": int(runs)}
    said = ", ".join(f"{key}={shown(ours.get(key, '(absent)'))}" for key in _STAMP)
    findings.refuse(Kind.BAD_CONTEXT, f"its session stamp makes no sense: {said}")
    return None


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 7


def _foreign(raw: Mapping[str, Any], stamp: Mapping[str, Any]) -> Context:
    """Google's own keys: three say what hardware and build it was, the others are noted."""
    identity = {key: _as_text(key, raw[key]) for key in _FOREIGN_IDENTITY if key in raw}
    record = {
        key: _as_text(key, value)
        for key, value in raw.items()
        if key not in identity and not key.startswith(OWN)
    }
    library = raw.get("library_version", "")
    return Context(
        foreign=True,
        identity=identity,
        record=record,
        library=library if isinstance(library, str) else "",
        **stamp,
    )


def _as_text(key: str, value: object) -> str:
    """A context value in one line; caches as `L1 Data 32768 B/1, ...` (bytes / sharing CPUs)."""
    if key == "caches" and isinstance(value, list):
        try:
            return ", ".join(
                f"L{cache['level']} {cache['type']} {cache['size']} B/{cache['num_sharing']}"
                for cache in value
            )
        except (KeyError, TypeError, IndexError):
            pass  # another shape of cache list: as it stands
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return shown(text, longest=10_000)


def _own(
    raw: Mapping[str, Any], ours: Mapping[str, str], stamp: Mapping[str, Any], findings: Findings
) -> Context | None:
    """The context of a file of `ctxgate-bench`."""
    if ours.get("ctxgate.schema") != _SCHEMA:
        schema = shown(ours.get("ctxgate.schema", "absent"))
        findings.refuse(Kind.UNKNOWN_SCHEMA, f"ctxgate.schema is {schema}; only 1 is known")
        return None
    clock = ours.get("ctxgate.clock", "absent")
    if clock not in set(Clock):
        findings.refuse(
            Kind.UNKNOWN_CLOCK, f"ctxgate.clock is {shown(clock)}: not ns, instructions"
        )
        return None
    unavailable = _read_unavailable(ours.get("ctxgate.unavailable", "{}"), findings)
    facts = {group: _facts(ours, group) for group in _FACTS}
    if not facts["identity"]:
        findings.refuse(Kind.BAD_CONTEXT, "has no ctxgate.identity facts: measured where?")
    if unavailable is None or not facts["identity"]:
        return None
    google = {k: _as_text(k, v) for k, v in raw.items() if k in ("date", "library_version")}
    return Context(
        foreign=False,
        clock=Clock(clock),
        identity=facts["identity"],
        subject=facts["subject"],
        record=google | facts["record"],
        unavailable=unavailable,
        library=google.get("library_version", ""),
        **stamp,
    )


def _facts(ours: Mapping[str, str], group: str) -> dict[str, str]:
    prefix = f"{OWN}{group}."
    return {k.removeprefix(prefix): v for k, v in ours.items() if k.startswith(prefix)}


def _read_unavailable(text: str, findings: Findings) -> dict[str, str] | None:
    """Benchmarks that this machine cannot give, with reasons."""
    try:
        return msgspec.json.decode(text, type=dict[str, str])
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        cause = "ctxgate.unavailable is not an object of names and reasons"
        findings.refuse(Kind.BAD_CONTEXT, cause)
        return None
