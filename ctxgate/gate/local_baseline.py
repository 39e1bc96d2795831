# SPDX-License-Identifier: Apache-2.0
"""A baseline of this machine for the desk, kept outside the repository and never approved."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from ctxgate.noise.certifiable import certifiable_tolerances
from ctxgate.readings.load import load_sessions
from ctxgate.readings.model import Problem
from ctxgate.system.host import Host
from ctxgate.system.lock import exclusive
from ctxgate.system.outcome import MeasureError, MeasureOptions, MeasureOutcome, State
from ctxgate.system.progress import counted, duration
from ctxgate.system.session_directory import Measurement
from ctxgate.wall.measure import measure

SESSIONS = 5
"""Fewer give no between-session variance worth the name; more try a person's patience."""

_PARTIAL = ".partial"
_STATE = Path("ctxgate/baselines/wall")


@dataclass(frozen=True, kw_only=True)
class LocalBaseline:
    """The local baseline of one kind of measurement; `folder` holds a directory a session."""

    folder: Path

    def sessions(self) -> list[Path]:
        """The directories of its sessions; none where nothing was recorded."""
        return sorted(self.folder.glob("session-*"))

    @contextmanager
    def claimed(self, host: Host) -> Iterator[None]:
        """Keep other commands from recording it meanwhile. MeasureError where that fails."""
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _no_place(f"{self.folder.parent}: {error.strerror}") from error
        lock = self.folder.with_name(f"{self.folder.name}.lock")
        with exclusive(lock, host, timeout=None, what="local baseline"):
            yield

    def record(self, options: MeasureOptions, host: Host) -> MeasureOutcome:
        """Record it anew from fresh sessions; to be called while it is claimed.

        One run is measured first and thrown away, to say how long the whole will take. What was
        recorded before goes only once all is there; an interruption leaves nothing half.
        """
        partial = self.folder.with_name(self.folder.name + _PARTIAL)
        shutil.rmtree(partial, ignore_errors=True)
        try:
            partial.mkdir()
            outcome = self._measure_all(partial, options, host)
            if outcome.state is State.COMPLETE:
                shutil.rmtree(self.folder, ignore_errors=True)
                partial.rename(self.folder)
                host.say(f"recorded the local baseline {self.folder}; remove it to record it again")
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        return outcome

    def _measure_all(self, partial: Path, options: MeasureOptions, host: Host) -> MeasureOutcome:
        begun = host.monotonic()
        trial = replace(options, out=partial / "trial", runs=1)
        outcome = measure(trial, host, label="one run to see how long it takes")
        for caution in outcome.cautions:
            host.say(f"caution: {caution.message}")
        if outcome.state is not State.COMPLETE:
            return outcome
        shutil.rmtree(partial / "trial")
        seconds = (host.monotonic() - begun) * options.runs * SESSIONS
        runs = counted(options.runs, "run")
        host.say(
            f"recording {SESSIONS} sessions of {runs} as the local baseline: "
            f"about {duration(seconds)}"
        )
        for number in range(SESSIONS):
            session = replace(options, out=partial / f"session-{number}")
            label = f"baseline session {number + 1} of {SESSIONS}"
            outcome = measure(session, host, label=label)
            if outcome.state is not State.COMPLETE:
                return outcome
        return outcome


def locate(measurement: Measurement, host: Host, chosen: Path | None) -> LocalBaseline:
    """The local baseline of this kind of measurement: under `chosen`, else the state directory.

    MeasureError (usage) where there is no such place, as without HOME.
    """
    root = host.cwd / chosen if chosen is not None else _state_directory(host.environ)
    digest = hashlib.sha256(msgspec.json.encode(measurement)).hexdigest()[:16]
    name = "ctxgate-bench" if measurement.own else Path(measurement.program).name
    return LocalBaseline(folder=root / f"{name}-{digest}")


def tolerance_line(sessions: list[Path]) -> str:
    """What the baseline can certify, worst and best benchmark named."""
    tolerances = certifiable_tolerances(load_sessions(sessions))
    if not tolerances:
        return "certifiable tolerance: none; the local baseline holds nothing to certify"
    ordered = sorted(tolerances.items(), key=lambda item: item[1], reverse=True)
    (worst, most), (best, least) = ordered[0], ordered[-1]
    line = f"certifiable tolerance: {most * 100:.3g} % at worst ({worst})"
    return line if len(ordered) == 1 else f"{line}, {least * 100:.3g} % at best ({best})"


def _state_directory(environ: Mapping[str, str]) -> Path:
    """$XDG_STATE_HOME if absolute (as its specification wants), else ~/.local/state."""
    state = environ.get("XDG_STATE_HOME", "")
    if state.startswith("/"):
        return Path(state) / _STATE
    home = environ.get("HOME", "")
    if not home.startswith("/"):
        raise _no_place("neither XDG_STATE_HOME nor HOME is set")
    return Path(home) / ".local/state" / _STATE


def _no_place(why: str) -> MeasureError:
    problem = Problem(
        kind="no-local-place",
        message=f"there is no place for a local baseline: {why}",
        remedy="name a folder outside the repository with --local-dir",
    )
    return MeasureError(State.USAGE, problem)
