# SPDX-License-Identifier: Apache-2.0
"""A small project that calls ctxgate_add_gate(), with a stand-in for `ctxgate`."""

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

MODULE = Path(__file__).parents[2] / "ctxgate" / "cmake" / "CtxgateAddGate.cmake"

# Notes every call, exits as the environment says, and judges a session as the command does: one
# that is missing is broken, one measured unfit is unfit.
STAND_IN = """#!/bin/sh
echo "$@" >> "$CALLS"
on_unfit=6
case "$*" in *--on-unfit=skip*) on_unfit=77 ;; esac
case $1 in
  doctor) exit "${FIT:-0}" ;;
  measure)
    [ "${SESSION:-good}" = none ] || { mkdir -p "$3" && echo "${SESSION:-good}" > "$3/state"; }
    exit "${MEASURE:-0}" ;;
  gate)
    [ -f "$3/state" ] || exit 3
    [ "$(cat "$3/state")" = good ] || exit "$on_unfit"
    exit "${GATE:-0}" ;;
esac
exit 2
"""

PROJECT = """cmake_minimum_required(VERSION 3.22...3.31)
project(wiring LANGUAGES NONE)
enable_testing()
add_executable(ctxgate::bench IMPORTED)
set_target_properties(ctxgate::bench PROPERTIES IMPORTED_LOCATION /opt/ctxgate-bench)
add_executable(their_bench IMPORTED)
set_target_properties(their_bench PROPERTIES IMPORTED_LOCATION /opt/their-bench)
add_library(a_library INTERFACE)
add_subdirectory(ours)
{calls}
"""


@dataclass(frozen=True)
class Outcome:
    """What one ctest run said: its exit status and the status of each test."""

    exit_code: int
    results: dict[str, str]
    text: str

    @property
    def passed(self) -> bool:
        """Does anyone who looks at the exit status or at the gate see a pass?"""
        return self.exit_code == 0 and self.results.get("g.gate") == "Passed"


class Wiring:
    """A configured project with gates, its stand-in command and the calls it received."""

    def __init__(self, root: Path, calls: str, *, require: bool = False) -> None:
        self.root = root
        self.calls = root / "calls"
        source = root / "a source"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(PROJECT.format(calls=calls))
        # As with a project that includes ours: the function is called from another folder's scope.
        (source / "ours").mkdir()
        (source / "ours" / "CMakeLists.txt").write_text(f'include("{MODULE}")\n')
        command = root / "ctxgate"
        command.write_text(STAND_IN)
        command.chmod(0o755)
        self.source = source
        self.build = root / "a build"
        self.configured = subprocess.run(
            [
                "cmake",
                "-S",
                source,
                "-B",
                self.build,
                f"-DCTXGATE_COMMAND={command}",
                f"-DCTXGATE_REQUIRE={'ON' if require else 'OFF'}",
            ],
            capture_output=True,
            text=True,
            check=False,
        )

    def ctest(self, *arguments: str, **environment: str) -> Outcome:
        """Run ctest; `environment` tells the stand-in what to do."""
        self.calls.write_text("")
        done = subprocess.run(
            ["ctest", "--test-dir", self.build, *arguments],
            env={**os.environ, "CALLS": str(self.calls), **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        lines = re.findall(r"Test +#\d+: (\S+) \.+(?:\*+| +)(\w[\w ]*?) +\d", done.stdout)
        return Outcome(done.returncode, dict(lines), done.stdout)

    def called(self) -> list[str]:
        """The command lines that the stand-in received."""
        return self.calls.read_text().splitlines()

    def properties(self) -> dict[str, dict[str, object]]:
        """The properties of each test, as ctest sees them."""
        done = subprocess.run(
            ["ctest", "--test-dir", self.build, "--show-only=json-v1"],
            capture_output=True,
            check=True,
        )
        tests = json.loads(done.stdout)["tests"]
        return {t["name"]: {p["name"]: p["value"] for p in t["properties"]} for t in tests}
