# SPDX-License-Identifier: Apache-2.0
"""Sums up JUnit files: what did not run and why, then one closing line.

Exits 1 if anything failed, if nothing passed, or if a file is missing: its tests never ran.
"""

import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO


@dataclass
class Count:
    """How the test cases of all files came out; `not_run` holds a line for each skipped one."""

    passed: int = 0
    failed: int = 0
    not_run: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Did something pass and nothing fail?"""
        return self.passed > 0 and self.failed == 0 and not self.missing


def reason_of(case: ET.Element, skipped: ET.Element) -> str:
    """Why a test case did not run. CTest drops what GoogleTest said; it is in the output."""
    said = re.search(r"^\S+:\d+: Skipped\n(.+)", case.findtext("system-out", ""), re.MULTILINE)
    return said[1] if said else (skipped.get("message") or "no reason given").splitlines()[0]


def count(paths: list[Path]) -> Count:
    """Count the test cases in JUnit files."""
    total = Count()
    for path in paths:
        if not path.exists():
            total.missing.append(str(path))
            continue
        for case in ET.parse(path).getroot().iter("testcase"):
            skipped = case.find("skipped")
            if case.find("failure") is not None or case.find("error") is not None:
                total.failed += 1
            elif skipped is not None:
                total.not_run.append(f"{case.get('name')}: {reason_of(case, skipped)}")
            else:
                total.passed += 1
    return total


def main(arguments: list[str], out: TextIO) -> int:
    """Print the summary of the files named; return the exit status."""
    total = count([Path(argument) for argument in arguments])
    for line in total.not_run:
        out.write(f"did not run: {line}\n")
    for file in total.missing:
        out.write(f"no report: {file}: its tests did not run\n")
    out.write(f"{total.passed} passed, {total.failed} failed, {len(total.not_run)} skipped\n")
    return 0 if total.good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdout))
