# SPDX-License-Identifier: Apache-2.0
"""What can be wrong with result files: the kinds, what to do about each, and where they collect."""

import re
from enum import StrEnum

from ctxgate.readings.model import Caution, Problem


class Kind(StrEnum):
    """Why a file, a row or a session must not be trusted. The values are part of the reports."""

    # the path
    NO_SUCH_FILE = "no-such-file"
    NOT_A_FILE = "not-a-file"
    UNREADABLE = "unreadable"
    TOO_BIG = "too-big"
    NO_FILES = "no-files"
    NESTED_FOLDERS = "nested-folders"
    # the text
    EMPTY = "empty"
    ENCODING = "encoding"
    ZERO_BYTES = "zero-bytes"
    TRUNCATED = "truncated"
    NOT_JSON = "not-json"
    TEXT_BEFORE = "text-before"
    TEXT_AFTER = "text-after"
    SEVERAL_DOCUMENTS = "several-documents"
    DUPLICATE_KEY = "duplicate-key"
    NOT_FINITE = "not-finite"
    # the document
    NOT_GOOGLE_BENCHMARK = "not-google-benchmark"
    SCHEMA_VERSION = "schema-version"
    NO_ROWS = "no-rows"
    NAMES_ONLY = "names-only"
    AGGREGATES_ONLY = "aggregates-only"
    # a row
    BAD_ROW = "bad-row"
    MISSING_FIELD = "missing-field"
    BAD_FIELD = "bad-field"
    BAD_NAME = "bad-name"
    BAD_TIME = "bad-time"
    BAD_ITERATIONS = "bad-iterations"
    UNKNOWN_UNIT = "unknown-unit"
    OVERFLOW = "overflow"
    FAILED = "failed"
    SKIPPED = "skipped"
    DISGUISED_AGGREGATE = "disguised-aggregate"
    # the rows of a benchmark
    DUPLICATE_NAME = "duplicate-name"
    REPETITION_TWICE = "repetition-twice"
    REPETITION_MISSING = "repetition-missing"
    # ctxgate's own files
    UNKNOWN_SCHEMA = "unknown-schema"
    UNKNOWN_CLOCK = "unknown-clock"
    BAD_CONTEXT = "bad-context"
    LOST_CONTEXT = "lost-context"
    UNPROVEN = "unproven"
    BAD_COUNTER = "bad-counter"
    INVALID = "invalid"
    BELIED = "belied"
    # the runs of a session
    SESSION_INCOMPLETE = "session-incomplete"
    SESSIONS_MIXED = "sessions-mixed"
    RUN_TWICE = "run-twice"
    BENCHMARK_MISSING = "benchmark-missing"
    IDENTITY_DIFFERS = "identity-differs"
    SUBJECT_DIFFERS = "subject-differs"
    CLOCKS_MIXED = "clocks-mixed"
    VERSIONS_MIXED = "versions-mixed"
    SOURCES_MIXED = "sources-mixed"
    MORE = "more-problems"


class Doubt(StrEnum):
    """What a reader should know about a file that is judged all the same."""

    NO_CONTEXT = "no-context"
    RECODED = "recoded"
    CONTROL_CHARACTERS = "control-characters"
    SINGLE_ITERATIONS = "single-iterations"
    THREADS = "threads"
    LABEL_CHANGES = "label-changes"
    FOLDERS_IGNORED = "folders-ignored"


_AGAIN = "Measure again; keep the program's exit status and write the result with --benchmark_out."
_COPY = "Copy the file again from where it was written, or measure again."
_ONE_RUN = "Give the unedited output of one run a file."
_SOURCE = "Repair the benchmark program, then measure again."
_SESSION = "Give each session its own directory, with all of its runs and nothing else."

_REMEDIES = {
    Kind.NO_SUCH_FILE: "Check the path; a pattern that matches nothing stays as it was typed.",
    Kind.NOT_A_FILE: "Write the result to a regular file first, then give that.",
    Kind.UNREADABLE: "Check permissions and the disk, then try again.",
    Kind.TOO_BIG: "Give one file a run, without side data.",
    Kind.NO_FILES: "Give a directory whose files *.json are the runs of one session.",
    Kind.NESTED_FOLDERS: "Move the runs of the session into one directory, or name the sub-"
    "directories, each of them a session.",
    Kind.EMPTY: "Check that the filter matches a benchmark and that the program did not die.",
    Kind.ENCODING: "Write the file as UTF-8; in PowerShell use --benchmark_out, not '>'.",
    Kind.ZERO_BYTES: _COPY,
    Kind.TRUNCATED: "Check that the program ended by itself and the copy is whole; measure again.",
    Kind.NOT_JSON: "Give the file as Google Benchmark wrote it with --benchmark_out.",
    Kind.TEXT_BEFORE: "Use --benchmark_out=FILE --benchmark_out_format=json, not a redirection.",
    Kind.TEXT_AFTER: "Use --benchmark_out=FILE --benchmark_out_format=json, not a redirection.",
    Kind.SEVERAL_DOCUMENTS: "Write each run into a file of its own; do not append.",
    Kind.DUPLICATE_KEY: "Rename the counter or context key that shadows the other; measure again.",
    Kind.NOT_FINITE: "Remove the counter or repair the timing that gives no number.",
    Kind.NOT_GOOGLE_BENCHMARK: "Give the file that --benchmark_out wrote, not a tool's copy of it.",
    Kind.SCHEMA_VERSION: "Use a Google Benchmark that writes json_schema_version 1.",
    Kind.NO_ROWS: "Check that the filter matches a benchmark.",
    Kind.NAMES_ONLY: "Run the benchmarks; --benchmark_list_tests only names them.",
    Kind.AGGREGATES_ONLY: "Measure without --benchmark_report_aggregates_only.",
    Kind.BAD_ROW: _ONE_RUN,
    Kind.MISSING_FIELD: _ONE_RUN,
    Kind.BAD_FIELD: _ONE_RUN,
    Kind.BAD_NAME: _SOURCE,
    Kind.BAD_TIME: _SOURCE,
    Kind.BAD_ITERATIONS: "Set the C++ locale to classic before writing; measure again.",
    Kind.UNKNOWN_UNIT: "Use ns, us, ms or s.",
    Kind.OVERFLOW: _SOURCE,
    Kind.FAILED: _SOURCE,
    Kind.SKIPPED: "Leave the benchmark out with the filter, or make it run here.",
    Kind.DISGUISED_AGGREGATE: _ONE_RUN,
    Kind.DUPLICATE_NAME: "Give every benchmark a name of its own.",
    Kind.REPETITION_TWICE: _ONE_RUN,
    Kind.REPETITION_MISSING: _AGAIN,
    Kind.UNKNOWN_SCHEMA: "Read the file with the ctxgate version that wrote it.",
    Kind.UNKNOWN_CLOCK: "Read the file with the ctxgate version that wrote it.",
    Kind.BAD_CONTEXT: "Measure again with ctxgate-bench and leave its output as it is.",
    Kind.LOST_CONTEXT: "Give the file as ctxgate-bench wrote it, with its context.",
    Kind.UNPROVEN: "Measure again with ctxgate-bench; a reading without proof is not judged.",
    Kind.BAD_COUNTER: "Measure again with ctxgate-bench and leave its output as it is.",
    Kind.INVALID: "See `ctxgate doctor`; free the CPU from other work, then measure again.",
    Kind.BELIED: "Measure again with ctxgate-bench and leave its output as it is.",
    Kind.SESSION_INCOMPLETE: "Give the whole directory of the session, or measure it again.",
    Kind.SESSIONS_MIXED: _SESSION,
    Kind.RUN_TWICE: "Give every run once.",
    Kind.BENCHMARK_MISSING: "Measure the session again, with the same filter in every run.",
    Kind.IDENTITY_DIFFERS: _SESSION,
    Kind.SUBJECT_DIFFERS: "Change kernel or settings only between sessions; measure again.",
    Kind.CLOCKS_MIXED: "Compare readings of one clock: wall with wall, exact with exact.",
    Kind.VERSIONS_MIXED: "Measure all runs with one version of the benchmark program.",
    Kind.SOURCES_MIXED: "Keep files of ctxgate-bench and of other programs apart.",
    Kind.MORE: "Repair those named first.",
}

_MOST_A_FILE = 100
"""Problems named one by one; a file of 4,000 failed rows needs no 4,000 sentences."""


UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""Control characters, line ends, changes of writing direction, halves of characters."""

LONGEST_NAME = 1000
"""Characters of a benchmark's name that reports carry."""


def shown(text: str, longest: int = 200) -> str:
    """Text from a file as a message may print it: one line, no control characters, not endless."""
    clean = UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text[: longest + 1])
    return clean if len(clean) <= longest else clean[:longest] + "..."


class Findings:
    """Collects the problems and cautions of one file (or one session, named by its path)."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.cautions: list[Caution] = []
        self._unnamed = 0

    def refuse(self, kind: Kind, cause: str, *, line: int | None = None, name: str = "") -> None:
        """Add a problem; `cause` follows the file, the line and the benchmark `name`."""
        if len(self.problems) >= _MOST_A_FILE:
            self._unnamed += 1
            return
        message = self._message(cause, line, name)
        self.problems.append(
            Problem(
                kind=kind,
                message=message,
                remedy=_REMEDIES[kind],
                file=self.file,
                benchmark=shown(name, LONGEST_NAME),
            )
        )

    def doubt(self, kind: Doubt, cause: str, *, line: int | None = None, name: str = "") -> None:
        """Add a caution, worded as a problem is."""
        message = self._message(cause, line, name)
        self.cautions.append(
            Caution(kind=kind, message=message, file=self.file, benchmark=shown(name, LONGEST_NAME))
        )

    def forget(self) -> None:
        """Drop everything, because a worse fault makes it meaningless."""
        self.problems.clear()
        self.cautions.clear()
        self._unnamed = 0

    def finish(self) -> tuple[list[Problem], list[Caution]]:
        """Everything found; says how many problems were counted but not named."""
        if self._unnamed:
            rest = Problem(
                kind=Kind.MORE,
                message=f"{self.file}: {self._unnamed} more problems in this file",
                remedy=_REMEDIES[Kind.MORE],
                file=self.file,
            )
            return [*self.problems, rest], self.cautions
        return self.problems, self.cautions

    def _message(self, cause: str, line: int | None, name: str) -> str:
        where = self.file if line is None else f"{self.file}:{line}"
        return f"{where}: {shown(name)}: {cause}" if name else f"{where}: {cause}"
