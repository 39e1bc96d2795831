# SPDX-License-Identifier: Apache-2.0
"""The verdict as JUnit XML, for GitLab, Jenkins, Azure and whatever else reads it.

GitLab shows the body of a failure and Jenkins its message: both carry the text. Readers drop a
second test of the same name: names are unique. No file is all green unless the verdict is a pass.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from pathlib import PurePath

from ctxgate.readings.model import Caution, Problem
from ctxgate.report.facts import shortened
from ctxgate.report.rows import causes
from ctxgate.report.summary import headline
from ctxgate.report.text import clean, shorten
from ctxgate.report.wording import cause_of, evidence, more, problem_text, switches, tally, values
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Verdict

_FAILURES = (Decision.REGRESSION, Decision.INCONCLUSIVE)
_MESSAGE_LIMIT = 1000
_MOST_WARNINGS = 200
_MOST_CHANGES = 20  # in each failure; GitLab takes 30 MB a file, and all of 4,000 rows may fail


def to_junit(verdict: Verdict) -> bytes:
    """UTF-8 XML with one suite: a test case a benchmark, one a problem."""
    suite = ET.Element("testsuite", name=clean(f"ctxgate {verdict.tier}".strip()))
    names = _Names()
    _properties(suite, _suite_facts(verdict))
    for row in verdict.benchmarks:
        _add_row(suite, names, row, verdict)
    for problem in verdict.problems:
        _add_problem(suite, names, problem, verdict)
    red = sum(suite.find(f"testcase/{kind}") is not None for kind in ("failure", "error"))
    if not red and (verdict.verdict is not Decision.PASS or not verdict.benchmarks):
        case = _case(suite, names, _classname(verdict.tier, ["verdict"]), "verdict")
        _fail(case, verdict.verdict, headline(verdict), [*verdict.notes, tally(verdict)])
    said = [*verdict.notes, *map(_warning, verdict.warnings[:_MOST_WARNINGS])]
    if len(verdict.warnings) > _MOST_WARNINGS:
        said.append(more(len(verdict.warnings) - _MOST_WARNINGS, "warning"))
    if said:
        ET.SubElement(suite, "system-out").text = _body(said)
    _count(suite)
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    body: bytes = ET.tostring(root, "utf-8")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + body + b"\n"


class _Names:
    """Gives each test case a name of its own."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def unique(self, name: str) -> str:
        """`name`, or with a number where it is taken."""
        chosen, number = name, 1
        while chosen in self._taken:
            number += 1
            chosen = f"{name} ({number})"
        self._taken.add(chosen)
        return chosen


def _add_row(suite: ET.Element, names: _Names, row: BenchmarkVerdict, verdict: Verdict) -> None:
    classname = _classname(verdict.tier, row.name.split("/")[:-1][:2])
    case = _case(suite, names, classname, row.name)
    _properties(case, _row_facts(row, verdict.clock))
    said = f"{row.verdict.value}: {evidence(row)}".rstrip(": ")
    if not row.gated:
        reason = f"not gated; {said}; {row.reason}".rstrip("; ")
        ET.SubElement(case, "skipped", message=_attribute(reason))
    elif row.verdict is not Decision.PASS:
        _fail(case, row.verdict, f"{said}; {row.reason}".rstrip("; "), _why(row, verdict))


def _why(row: BenchmarkVerdict, verdict: Verdict) -> list[str]:
    before, after = values(row, verdict.clock)
    lines = [f"baseline {before}, contender {after}"] if before and after else []
    lines += [f"rule: {row.rule}"] if row.rule else []
    lines += causes(row)
    if row.verdict is Decision.REGRESSION:
        changed = [
            f"changed: {change.fact}: {line}"
            for change in verdict.subject_changes
            for line in shortened(change)
        ]
        lines += changed[:_MOST_CHANGES]
        if len(changed) > _MOST_CHANGES:
            lines.append(more(len(changed) - _MOST_CHANGES, "changed line"))
    return lines


def _add_problem(suite: ET.Element, names: _Names, problem: Problem, verdict: Verdict) -> None:
    place = " ".join(part for part in (PurePath(problem.file).name, problem.benchmark) if part)
    name = f"{problem.kind}: {place}" if place else problem.kind
    case = _case(suite, names, _classname(verdict.tier, ["problem"]), name)
    lines = [f"file: {problem.file}"] if problem.file else []
    lines += [f"benchmark: {problem.benchmark}"] if problem.benchmark else []
    lines += [f"remedy: {problem.remedy}"] if problem.remedy else []
    error = ET.SubElement(case, "error", type=clean(problem.kind) or "problem")
    error.set("message", _attribute(problem_text(problem)))
    error.text = _body([cause_of(problem), *lines])


def _fail(case: ET.Element, decision: Decision, message: str, lines: Iterable[str]) -> None:
    tag = "failure" if decision in _FAILURES else "error"
    element = ET.SubElement(case, tag, type=decision.value, message=_attribute(message))
    element.text = _body([message, *lines])


def _case(suite: ET.Element, names: _Names, classname: str, name: str) -> ET.Element:
    unique = names.unique(clean(shorten(name, _MESSAGE_LIMIT)) or "(no name)")
    return ET.SubElement(suite, "testcase", classname=classname, name=unique)


def _classname(tier: str, parts: Iterable[str]) -> str:
    """`wall.switch.pipe`: Jenkins and others make packages of the dots, so parts hold none."""
    words = (clean(shorten(part, 100)).replace(".", "_") for part in (tier or "ctxgate", *parts))
    return ".".join(word for word in words if word)


def _suite_facts(verdict: Verdict) -> dict[str, str]:
    facts = {
        "verdict": verdict.verdict.value,
        "exit_code": str(verdict.exit_code),
        "clock": verdict.clock,
        "tally": tally(verdict),
        "proven": str(verdict.proven).lower(),
    }
    facts |= {f"identity.{fact}": verdict.identity[fact] for fact in sorted(verdict.identity)}
    for change in verdict.subject_changes:
        facts[f"changed.{change.fact}"] = "; ".join(shortened(change))
    return facts


def _row_facts(row: BenchmarkVerdict, clock: str) -> dict[str, str]:
    before, after = values(row, clock)
    counts = switches(row) or ("", "")
    facts = {
        "verdict": row.verdict.value,
        "gated": str(row.gated).lower(),
        "metric": row.metric,
        "baseline": before,
        "contender": after,
        "switches_baseline": counts[0],
        "switches_contender": counts[1],
        "rule": row.rule,
    }
    for name in ("change", "tolerance", "mde", "certifiable", "look", "allowance"):
        number = getattr(row, name)
        facts[name] = "" if number is None else f"{number:.6g}"
    if row.interval is not None:
        facts["interval"] = " ".join(f"{bound:.6g}" for bound in row.interval)
    return facts


def _properties(parent: ET.Element, facts: dict[str, str]) -> None:
    known = {name: value for name, value in facts.items() if value}
    group = ET.SubElement(parent, "properties")
    for name, value in known.items():
        ET.SubElement(group, "property", name=clean(name), value=_attribute(value))


def _warning(caution: Caution) -> str:
    words = [part for part in (caution.file, caution.benchmark) if part]
    return ": ".join(["warning", *words, cause_of(caution)])


def _attribute(text: str) -> str:
    return clean(shorten(text, _MESSAGE_LIMIT))


def _body(lines: Iterable[str]) -> str:
    """Lines of text that XML can hold: `clean` has escaped what is illegal in it."""
    return "\n".join(clean(line) for line in lines)


def _count(suite: ET.Element) -> None:
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
