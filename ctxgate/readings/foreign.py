# SPDX-License-Identifier: Apache-2.0
"""Rows of any other Google Benchmark program: repetitions to readings without proof."""

import itertools
import math
from array import array
from collections.abc import Mapping

from ctxgate.readings.context import OWN, Context, library_version
from ctxgate.readings.decode import Document, Row
from ctxgate.readings.model import Reading
from ctxgate.readings.problems import Doubt, Findings, Kind
from ctxgate.readings.rows import (
    Fault,
    Sort,
    check_ran,
    iterations_of,
    name_of,
    sort_of,
    statistic_of,
    time_ns,
    whole,
)

_UNDIVIDED_SINCE = (1, 9, 0)


class _Benchmark:
    """The repetitions of one benchmark as they come; positions are indices of rows."""

    __slots__ = (
        "first", "indices", "label", "last", "member", "repetitions", "single", "threads", "times",
        "typed",
    )  # fmt: skip

    def __init__(self, position: int, row: Row) -> None:
        self.first = position
        self.last = position
        self.times = array("d")
        self.indices: list[int] = []
        self.repetitions = whole(row, "repetitions", 0)
        self.threads = whole(row, "threads", 1, 1)
        self.label = row.get("label")
        self.member = (row.get("family_index"), row.get("per_family_instance_index"))
        self.single = True
        self.typed = "run_type" in row


class ForeignRows:
    """Takes the rows of a file one by one, then gives the readings of its benchmarks."""

    def __init__(self, document: Document, context: Context, findings: Findings) -> None:
        self._document = document
        self._context = context
        self._findings = findings
        self._benchmarks: dict[str, _Benchmark] = {}
        self._broken: set[str] = set()
        self._aggregated: dict[str, int] = {}
        self._names_only = 0

    def add(self, position: int, row: Row) -> None:
        """Take the row at `position`; what is wrong with it goes to the findings."""
        if row.keys() == {"name"}:
            self._names_only += 1
            return
        name = ""
        try:
            said = row.get("name")
            is_known = isinstance(said, str) and said in self._benchmarks
            name = str(said) if is_known else name_of(row)
            sort = sort_of(row)
            if sort is Sort.ITERATION:
                self._add_repetition(name, position, row)
            elif sort is Sort.AGGREGATE:
                self._add_aggregate(name, position, row)
        except Fault as fault:
            self._broken.add(name)
            line = self._document.line(position)
            self._findings.refuse(fault.kind, fault.cause, line=line, name=name)

    def finish(self) -> tuple[dict[str, Reading], dict[str, str]]:
        """The readings of the benchmarks that can be trusted, and facts beyond the context's."""
        if self._names_only:
            cause = f"{self._names_only} rows have a name and nothing else: a list of tests"
            self._findings.refuse(Kind.NAMES_ONLY, cause)
        self._drop_untyped_statistics()
        for name, position in self._aggregated.items():
            if name not in self._benchmarks and name not in self._broken:
                self._refuse(Kind.AGGREGATES_ONLY, "has statistics but no repetitions", position,
                             name)  # fmt: skip
        self._doubt_single_iterations()
        readings = {
            name: _reading(name, benchmark)
            for name, benchmark in self._benchmarks.items()
            if name not in self._broken and self._is_complete(name, benchmark)
        }
        return readings, self._meaning_of_threads(readings)

    def _add_repetition(self, name: str, position: int, row: Row) -> None:
        check_ran(row)
        time = time_ns(row)
        benchmark = self._benchmarks.get(name)
        if benchmark is None:
            if any(key.startswith(OWN) for key in row):
                cause = "carries ctxgate's counters, but the file's context lacks its facts"
                raise Fault(Kind.LOST_CONTEXT, cause)
            benchmark = self._benchmarks[name] = _Benchmark(position, row)
        else:
            self._check_alike(name, benchmark, position, row)
        benchmark.times.append(time)
        benchmark.last = position
        benchmark.single = iterations_of(row) == 1 and benchmark.single
        if "repetition_index" in row:
            benchmark.indices.append(whole(row, "repetition_index", 0))

    def _check_alike(self, name: str, benchmark: _Benchmark, position: int, row: Row) -> None:
        """Repetitions of one benchmark agree in all but time. Raises Fault."""
        if (row.get("family_index"), row.get("per_family_instance_index")) != benchmark.member:
            raise Fault(Kind.DUPLICATE_NAME, "is the name of two benchmarks in the file")
        if "repetition_index" not in row and (
            benchmark.repetitions == 1 or benchmark.last != position - 1
        ):
            raise Fault(Kind.DUPLICATE_NAME, "stands twice, and not as a repetition")
        if whole(row, "repetitions", 0) != benchmark.repetitions:
            raise Fault(Kind.BAD_FIELD, "repetitions differs from the row before")
        if whole(row, "threads", 1, 1) != benchmark.threads:
            raise Fault(Kind.BAD_FIELD, "threads differs from the row before")
        if row.get("label") != benchmark.label:
            benchmark.label = row.get("label")
            self._findings.doubt(
                Doubt.LABEL_CHANGES,
                "its label differs between repetitions",
                line=self._document.line(position),
                name=name,
            )

    def _add_aggregate(self, name: str, position: int, row: Row) -> None:
        """Statistics are recomputed; only how many repetitions went into them is read."""
        of = row.get("run_name")
        if not isinstance(of, str):
            of = name.removesuffix(f"_{row.get('aggregate_name', '')}")
        self._aggregated.setdefault(of, position)
        counted, wanted = row.get("iterations"), row.get("repetitions")
        if type(counted) is int and type(wanted) is int and counted < wanted:
            cause = f"only {counted} of {wanted} repetitions went into its statistics"
            self._refuse(Kind.REPETITION_MISSING, cause, position, of)

    def _drop_untyped_statistics(self) -> None:
        """Before 1.5.0 (no run_type) `x_mean` is a statistic if `x` or its others are there."""
        untyped = {name for name, benchmark in self._benchmarks.items() if not benchmark.typed}
        for name in untyped:
            of = statistic_of(name)
            if of and (of in untyped or {f"{of}_mean", f"{of}_stddev"} <= untyped):
                self._aggregated.setdefault(of, self._benchmarks.pop(name).first)

    def _is_complete(self, name: str, benchmark: _Benchmark) -> bool:
        """Every repetition is there, once."""
        found = len(benchmark.times)
        indices = sorted(benchmark.indices)
        twice = next((a for a, b in itertools.pairwise(indices) if a == b), None)
        if twice is not None:
            cause = f"repetition_index {twice} stands twice"
            self._refuse(Kind.REPETITION_TWICE, cause, benchmark.first, name)
        elif found < benchmark.repetitions:
            cause = f"has {found} of {benchmark.repetitions} repetitions"
            self._refuse(Kind.REPETITION_MISSING, cause, benchmark.first, name)
        elif 0 < benchmark.repetitions < found:
            cause = f"has {found} repetitions, but says {benchmark.repetitions}"
            self._refuse(Kind.REPETITION_TWICE, cause, benchmark.first, name)
        elif indices and indices != list(range(found)):
            cause = f"its {found} repetitions are numbered up to {indices[-1]}, with gaps"
            self._refuse(Kind.REPETITION_MISSING, cause, benchmark.first, name)
        else:
            return True
        return False

    def _doubt_single_iterations(self) -> None:
        sound = [b for name, b in self._benchmarks.items() if name not in self._broken]
        if sound and all(benchmark.single for benchmark in sound):
            self._findings.doubt(
                Doubt.SINGLE_ITERATIONS,
                "every row is a single iteration: a --benchmark_dry_run looks like this",
            )

    def _meaning_of_threads(self, readings: Mapping[str, Reading]) -> dict[str, str]:
        """Identity beyond the context's, where a benchmark runs in several threads.

        Google Benchmark before 1.9.0 divided real and manual time by the number of threads; the
        same program reads half on the one side then, so such files must not be compared.
        """
        several = [name for name in readings if self._benchmarks[name].threads > 1]
        if not several:
            return {}
        divided = library_version(self._context.library) < _UNDIVIDED_SINCE
        meaning = "divided by the threads (before 1.9.0)" if divided else "undivided (from 1.9.0)"
        for name in several:
            self._findings.doubt(
                Doubt.THREADS, f"runs in several threads; its times are {meaning}", name=name
            )
        return {"time_with_threads": meaning}

    def _refuse(self, kind: Kind, cause: str, position: int, name: str) -> None:
        self._broken.add(name)
        self._findings.refuse(kind, cause, line=self._document.line(position), name=name)


def _reading(name: str, benchmark: _Benchmark) -> Reading:
    """Least, median and mean of the repetitions, in ns."""
    times = sorted(benchmark.times)
    middle = len(times) // 2
    median = times[middle] if len(times) % 2 else (times[middle - 1] + times[middle]) / 2
    return Reading(
        name=name,
        floor=times[0],
        typical=median,
        mean=math.fsum(times) / len(times),
        repetitions=len(times),
    )
