# SPDX-License-Identifier: Apache-2.0
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given

from ctxgate.readings.model import Caution, Problem
from ctxgate.report.junit import to_junit
from ctxgate.verdict.model import Decision, SubjectChange, Verdict
from tests.report import hostile, verdicts


def suite_of(verdict: Verdict) -> ET.Element:
    root = ET.fromstring(to_junit(verdict))
    assert root.tag == "testsuites"
    (suite,) = root
    assert suite.tag == "testsuite"
    return suite


def red(suite: ET.Element) -> list[ET.Element]:
    return [*suite.iterfind("testcase/failure"), *suite.iterfind("testcase/error")]


@given(hostile.verdicts)
def test_any_verdict_parses_and_is_red_unless_it_is_a_pass(verdict: Verdict) -> None:
    suite = suite_of(verdict)
    cases = suite.findall("testcase")
    names = [case.get("name") for case in cases]
    assert len(set(names)) == len(names)
    assert len(cases) >= max(len(verdict.benchmarks) + len(verdict.problems), 1)
    if verdict.verdict is not Decision.PASS:
        assert red(suite)
    for element in red(suite):
        assert element.get("message")
        assert element.text
    totals = {key: int(suite.get(key, "-1")) for key in ("tests", "failures", "errors")}
    assert totals["tests"] == len(cases)
    assert totals["failures"] + totals["errors"] == len(red(suite))


@pytest.mark.parametrize(
    ("decision", "tag"),
    [
        (Decision.REGRESSION, "failure"),
        (Decision.INCONCLUSIVE, "failure"),
        (Decision.BROKEN, "error"),
        (Decision.NOT_COMPARABLE, "error"),
        (Decision.UNFIT, "error"),
    ],
)
def test_a_row_is_red_in_its_own_way(decision: Decision, tag: str) -> None:
    row = verdicts.row(verdict=decision, reason="because of this")
    suite = suite_of(Verdict(verdict=decision, benchmarks=(row,)))
    (case,) = suite.findall("testcase")
    (element,) = red(suite)
    assert element.tag == tag
    assert element.get("type") == decision.value
    assert case.get("classname") == "wall.switch.pipe"
    assert case.get("name") == verdicts.PIPE
    for text in (element.get("message", ""), element.text or ""):
        assert "because of this" in text
        assert "+0.8 % [-0.9 %, +1.6 %] (tolerance 3 %, sees 2.1 %)" in text


def test_a_passing_row_is_green_and_carries_its_figures() -> None:
    suite = suite_of(verdicts.passed())
    assert not red(suite)
    assert suite.get("tests") == "12"
    case = suite.find("testcase")
    assert case is not None
    figures = {p.get("name"): p.get("value") for p in case.iterfind("properties/property")}
    assert figures["verdict"] == "pass"
    assert figures["tolerance"] == "0.03"
    assert figures["mde"] == "0.021"
    assert figures["interval"] == "-0.009 0.016"
    assert figures["switches_baseline"] == "2.00"
    facts = {p.get("name"): p.get("value") for p in suite.iterfind("properties/property")}
    assert facts["verdict"] == "pass"
    assert facts["exit_code"] == "0"
    assert facts["identity.governor"] == "performance"
    assert facts["changed.kernel.release"] == "6.1.0-18-amd64 → 6.1.0-21-amd64"


def test_only_a_row_that_is_not_gated_is_skipped() -> None:
    suite = suite_of(verdicts.regressed())
    (skipped,) = suite.iterfind("testcase/skipped")
    assert "the baseline has no such benchmark" in skipped.get("message", "")
    assert suite.get("skipped") == "1"
    regressed = Verdict(
        verdict=Decision.PASS,
        benchmarks=(verdicts.row(verdict=Decision.REGRESSION, gated=False), verdicts.row("b")),
    )
    assert not red(suite_of(regressed))


def test_a_regression_says_what_changed() -> None:
    failure = red(suite_of(verdicts.regressed()))[0]
    assert "switches per round trip: 2.00 → 2.50" in (failure.text or "")
    assert "changed: kernel.cmdline: + mitigations=auto,nosmt" in (failure.text or "")


def test_the_list_of_changes_is_capped_in_each_failure() -> None:
    changes = tuple(
        SubjectChange(fact=f"sysctl.{n}", baseline="0", contender="1") for n in range(50)
    )
    row = verdicts.row(verdict=Decision.REGRESSION)
    verdict = Verdict(verdict=Decision.REGRESSION, benchmarks=(row,), subject_changes=changes)
    text = red(suite_of(verdict))[0].text or ""
    assert text.count("changed: ") == 20
    assert "… and 30 more changed lines" in text


def test_notes_and_some_warnings_stand_in_the_output() -> None:
    said = suite_of(verdicts.regressed()).findtext("system-out") or ""
    assert said.startswith("4 facts differ between the sides: the cause is not separable\n")
    assert "warning: contender/run-07.json: binary hash differs" in said
    many = tuple(Caution(kind="load", message="") for _ in range(300))
    verdict = Verdict(verdict=Decision.PASS, warnings=many)
    said = suite_of(verdict).findtext("system-out") or ""
    assert said.count("warning: load") == 200
    assert said.endswith("… and 100 more warnings; the JSON report has them all")


def test_problems_are_cases_of_their_own_with_remedy_and_unique_names() -> None:
    suite = suite_of(verdicts.broken())
    errors = suite.findall("testcase/error")
    assert len(errors) == 7
    assert "remedy: measure this session again" in (errors[0].text or "")
    assert "sessions/2026-08-01/run-03.json" in errors[0].get("message", "")
    twice = Problem(kind="empty", message="", remedy="")
    doubled = suite_of(Verdict(verdict=Decision.BROKEN, problems=(twice, twice)))
    assert [case.get("name") for case in doubled.iter("testcase")] == ["empty", "empty (2)"]


@pytest.mark.parametrize("decision", Decision)
def test_an_empty_verdict_is_never_green(decision: Decision) -> None:
    suite = suite_of(verdicts.empty(decision))
    (case,) = suite.findall("testcase")
    assert case.get("classname") == "ctxgate.verdict"
    assert len(red(suite)) == 1


def test_a_verdict_that_is_worse_than_its_rows_is_red() -> None:
    verdict = Verdict(
        verdict=Decision.UNFIT, benchmarks=(verdicts.row(),), notes=("the canary moved",)
    )
    (error,) = red(suite_of(verdict))
    assert error.get("type") == "unfit machine"
    assert "the canary moved" in (error.text or "")


def test_dots_of_names_make_no_packages() -> None:
    row = verdicts.row("v1.2/pipe.x/same_cpu")
    suite = suite_of(Verdict(verdict=Decision.PASS, benchmarks=(row,)))
    case = suite.find("testcase")
    assert case is not None
    assert case.get("classname") == "wall.v1_2.pipe_x"
