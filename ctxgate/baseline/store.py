# SPDX-License-Identifier: Apache-2.0
"""Sessions to what is stored of them, and back."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from ctxgate.baseline.model import (
    Baseline,
    StoredFacts,
    StoredReading,
    StoredRun,
    StoredSession,
)
from ctxgate.readings.model import Reading, Run, Session

Facts = Mapping[str, str]

_PRIVATE = ("host", "executable", "pid")
"""Recorded facts that name a machine, its user or its folders; a baseline is published."""


def store(sessions: Sequence[Session]) -> tuple[StoredFacts, tuple[StoredSession, ...]]:
    """What a baseline keeps of `sessions`: each fact once, at the highest place where it holds."""
    shared = _map(_shared, [_facts(run) for session in sessions for run in session.runs])
    return shared, tuple(_session(session, shared) for session in sessions)


def restore(baseline: Baseline, label: str) -> tuple[Session, ...]:
    """The sessions in a baseline; `label` is its file, and a run's is `FILE/SESSION/run-NN`."""
    return tuple(_restored(session, baseline, label) for session in baseline.sessions)


def _session(session: Session, above: StoredFacts) -> StoredSession:
    runs = session.runs
    own = [_map(_beyond, [_facts(run), above]) for run in runs]
    shared = _map(_shared, own)
    return StoredSession(
        session=runs[0].session,
        run_count=runs[0].session_runs or len(runs),
        facts=shared,
        runs=tuple(
            StoredRun(
                run=run.run_index or 0,
                facts=_map(_beyond, [facts, shared]),
                readings=tuple(_reading(reading) for reading in run.readings.values()),
            )
            for run, facts in zip(runs, own, strict=True)
        ),
    )


def _facts(run: Run) -> StoredFacts:
    """A run's facts, of the recorded ones those that may be read by everybody."""
    record = {
        fact: value
        for fact, value in run.record.items()
        if not any(word in fact for word in _PRIVATE)
    }
    return StoredFacts(
        identity=run.identity, subject=run.subject, record=record, unavailable=run.unavailable
    )


def _map(work: Callable[[Sequence[Facts]], Facts], given: Sequence[StoredFacts]) -> StoredFacts:
    """What `work` makes of each group of facts."""
    return StoredFacts(
        identity=work([facts.identity for facts in given]),
        subject=work([facts.subject for facts in given]),
        record=work([facts.record for facts in given]),
        unavailable=work([facts.unavailable for facts in given]),
    )


def _reading(reading: Reading) -> StoredReading:
    """With ten significant digits: more are noise of the conversion and hide what a diff shows."""
    fields = msgspec.structs.asdict(reading)
    rounded: dict[str, Any] = {
        key: float(f"{value:.10g}") if isinstance(value, float) else value
        for key, value in fields.items()
    }
    return StoredReading(**rounded)


def _shared(all_facts: Sequence[Facts]) -> Facts:
    """The facts that all have, with one value."""
    first, *others = all_facts
    return {
        fact: value
        for fact, value in sorted(first.items())
        if all(facts.get(fact) == value for facts in others)
    }


def _beyond(pair: Sequence[Facts]) -> Facts:
    """The facts of the first that do not stand in the second, above it."""
    facts, above = pair
    return {fact: value for fact, value in sorted(facts.items()) if fact not in above}


def _joined(levels: Sequence[Facts]) -> Facts:
    """Where nothing stands below, all runs share one mapping: a thousand sessions fit."""
    there = [facts for facts in levels[1:] if facts]
    return (
        {**levels[0], **{k: v for facts in there for k, v in facts.items()}} if there else levels[0]
    )


def _restored(session: StoredSession, baseline: Baseline, label: str) -> Session:
    folder = f"{label}/{session.session}"
    digits = max(2, len(str(session.run_count - 1)))

    def restored(run: StoredRun) -> Run:
        facts = _map(_joined, [baseline.facts, session.facts, run.facts])
        return Run(
            file=f"{folder}/run-{run.run:0{digits}}",
            clock=baseline.clock,
            foreign=False,
            readings={reading.name: reading for reading in run.readings},
            identity=facts.identity,
            subject=facts.subject,
            record=facts.record,
            unavailable=facts.unavailable,
            session=session.session,
            run_index=run.run,
            session_runs=session.run_count,
        )

    return Session(label=folder, runs=tuple(restored(run) for run in session.runs))
