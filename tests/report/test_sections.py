# SPDX-License-Identifier: Apache-2.0
from dataclasses import dataclass

import msgspec
import pytest

from ctxgate.readings.model import Caution, Problem
from ctxgate.report.terminal import render
from ctxgate.verdict.model import Decision, SubjectChange, Verdict
from tests.report import verdicts


def plain(verdict: Verdict) -> str:
    return render(verdict, width=140, color=False, ascii_only=False)


def test_a_regression_without_subject_change_says_so() -> None:
    said = "no recorded fact about the kernel differs"
    assert said in plain(verdicts.exact_regression())
    assert said not in plain(verdicts.passed())
    foreign = msgspec.structs.replace(verdicts.exact_regression(), proven=False)
    assert said not in plain(foreign)


@dataclass(frozen=True)
class Fact:
    before: str
    after: str
    shown: list[str]


@pytest.mark.parametrize(
    "fact",
    [
        Fact("1", "2", ["fact: 1 → 2"]),
        Fact("", "2", ["fact: (empty) → 2"]),
        Fact("a " * 40 + "b", "a " * 40 + "c", ["fact:", "  - b", "  + c"]),
        Fact("one " * 20 + "two", "two " + "one " * 20, ["fact: the same parts in another order"]),
        Fact("A=y\nB=y", "A=y\nB=m\nB=m", ["fact:", "  - B=y", "  + B=m", "  + B=m"]),
    ],
)
def test_what_changed_is_shortened_to_the_difference(fact: Fact) -> None:
    change = SubjectChange(fact="fact", baseline=fact.before, contender=fact.after)
    text = plain(Verdict(verdict=Decision.PASS, subject_changes=(change,)))
    section = text.split("What changed\n")[1].split("\n\n")[0]
    assert section.splitlines() == [f"  {line}" for line in fact.shown]


def test_long_diffs_and_many_facts_are_capped_aloud() -> None:
    config = "\n".join(f"CONFIG_{n}=y" for n in range(9000))
    changes = tuple(
        SubjectChange(fact=f"fact{n}", baseline=config, contender="") for n in range(50)
    )
    text = plain(Verdict(verdict=Decision.PASS, subject_changes=changes))
    assert text.count("… and 8,988 more; the JSON report has both sides whole") == 40
    assert "… and 10 more changes" in text


def test_problems_show_cause_place_and_remedy_before_any_figure() -> None:
    text = plain(verdicts.broken())
    assert text.index("Problems (7)") < text.index("benchmark  ")
    for part in (
        "! the JSON ends in the middle of a row",
        "    file: sessions/2026-08-01/run-03.json",
        "    benchmark: switch/pipe/process/fifo/same_cpu",
        "    remedy: look for a second task on that CPU",
        "    … and 2 more files",
    ):
        assert part in text


def test_a_place_that_the_message_names_is_not_said_twice() -> None:
    problem = Problem(kind="x", message="a/b.json:13: bad", remedy="", file="a/b.json")
    text = plain(Verdict(verdict=Decision.BROKEN, problems=(problem,)))
    assert "! a/b.json:13: bad\n" in text
    assert "file:" not in text


def test_a_problem_without_text_is_named_by_its_kind_and_many_are_capped() -> None:
    problems = tuple(Problem(kind=f"kind{n}", message="", remedy="") for n in range(25))
    text = plain(Verdict(verdict=Decision.BROKEN, problems=problems))
    assert "! kind0\n" in text
    assert "kind20" not in text
    assert "… and 5 more problems" in text


def test_warnings_are_grouped_and_capped() -> None:
    text = plain(verdicts.regressed())
    assert "Warnings (14)" in text
    assert "- binary hash differs (8 times, first in contender/run-00.json)" in text
    assert "- load average 2.5 during run 2\n    … and 2 more warnings like these" in text
    assert "load average 3.5" not in text
    assert "- the baseline is 140 days old (baselines/epyc.json)" in text
    kinds = tuple(Caution(kind=f"k{n // 2}", message="same") for n in range(20))
    text = plain(Verdict(verdict=Decision.PASS, warnings=kinds))
    assert text.count("- same (2 times)") == 8
    assert "… and 4 more warnings; the JSON report" in text


def test_the_rule_of_the_tightest_passing_row_is_said() -> None:
    rows = tuple(verdicts.row(f"b{n:02}", rule=f"rule {n % 5}") for n in range(20))
    text = plain(Verdict(verdict=Decision.PASS, benchmarks=rows))
    assert "\nrule of b00 and 3 others that passed: rule 0\n… and 4 more rules" in text
    text = plain(Verdict(verdict=Decision.PASS, benchmarks=rows[:1]))
    assert "\nrule of b00: rule 0\n\n" in text
    silent = verdicts.row(rule="", mde=None)
    text = plain(Verdict(verdict=Decision.PASS, benchmarks=(silent,)))
    assert "rule of" not in text
    assert "MDE" not in text


def test_foreign_files_are_called_unproven() -> None:
    text = plain(verdicts.inconclusive())
    assert text.splitlines()[0].endswith("; unproven: no switch counts")
    assert "floor per iteration" in text
