# SPDX-License-Identifier: Apache-2.0
"""Good documents to start from: another program's and ctxgate-bench's."""

import json
from pathlib import Path
from typing import Any

Json = dict[str, Any]

PIPE = "switch/pipe/process/fifo/same_cpu"
PIPE_OTHER = "switch/pipe/process/other/same_cpu"
TWIN = "twin/pipe/process/fifo/same_cpu"
CANARY = "canary/arithmetic"


def repetition(name: str, index: int, of: int, time: float, **more: Any) -> Json:
    return {
        "name": name,
        "family_index": 0,
        "per_family_instance_index": 0,
        "run_name": name,
        "run_type": "iteration",
        "repetitions": of,
        "repetition_index": index,
        "threads": 1,
        "iterations": 1000,
        "real_time": time,
        "cpu_time": time / 2,
        "time_unit": "ns",
        **more,
    }


def foreign(seed: int = 0) -> Json:
    """Two benchmarks of three repetitions; `seed` makes the times of each file its own."""
    return {
        "context": {
            "date": "2026-11-01T00:15:00+00:00",
            "host_name": "bench-1",
            "num_cpus": 2,
            "caches": [{"type": "Data", "level": 1, "size": 32768, "num_sharing": 1}],
            "library_version": "v1.9.5",
            "library_build_type": "release",
            "json_schema_version": 1,
        },
        "benchmarks": [
            repetition("BM_pipe", index, 3, 7000.5 + index + seed / 8, family_index=0)
            for index in range(3)
        ]
        + [
            repetition("BM_null", index, 3, 250.25 + index + seed / 8, family_index=1)
            for index in range(3)
        ],
    }


def own_row(name: str, time: float, *, switches: float = 0.0) -> Json:
    counters = {
        "version": 1.0,
        "switches": switches,
        "switches_expected": switches,
        "voluntary": switches,
        "involuntary": 0.0,
        "migrations": 0.0,
        "page_faults": 0.0,
        "rt_gaps": 0.0,
        "steal_ms": 0.0,
        "valid": 1.0,
        "samples": 5000.0,
        "floor": time * 0.9,
        "p50": time * 0.95,
        "p90": time * 1.1,
        "p99": time * 1.2,
        "p999": time * 1.5,
        "max": time * 4,
    }
    row = repetition(name, 0, 1, time)
    return row | {f"ctxgate.{key}": value for key, value in counters.items()}


def own(seed: int = 0, **stamp: str) -> Json:
    """A run of ctxgate-bench; `stamp` may be session, run, runs."""
    return {
        "context": {
            "date": "2026-11-01T00:15:00+00:00",
            "host_name": "bench-1",
            "json_schema_version": 1,
            "ctxgate.schema": "1",
            "ctxgate.clock": "ns",
            "ctxgate.identity.cpu_model": "Model 1",
            "ctxgate.identity.microcode": "unknown",
            "ctxgate.subject.kernel_release": "6.12.1",
            "ctxgate.record.load": "0.1",
            "ctxgate.unavailable": "{}",
            **{f"ctxgate.{key}": value for key, value in stamp.items()},
        },
        "benchmarks": [
            own_row(PIPE, 4000 + seed / 8, switches=2.0),
            own_row(PIPE_OTHER, 4500 + seed / 8, switches=2.0),
            own_row(TWIN, 900 + seed / 8),
            own_row(CANARY, 100 + seed / 8),
        ],
    }


def text_of(document: object) -> bytes:
    return json.dumps(document, indent=1).encode()


def write(path: Path, document: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(document if isinstance(document, bytes) else text_of(document))
    return path
