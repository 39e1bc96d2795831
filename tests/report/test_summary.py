# SPDX-License-Identifier: Apache-2.0
import pytest
from hypothesis import given

from ctxgate.report.summary import summary_line
from ctxgate.verdict.model import Decision, Verdict
from tests.report import hostile, verdicts


@given(hostile.verdicts)
def test_always_one_line_of_bearable_length(verdict: Verdict) -> None:
    line = summary_line(verdict)
    assert len(line.splitlines()) == 1
    assert line.startswith(f"ctxgate: {verdict.verdict.value} - ")
    assert len(line) < 4000
    assert summary_line(verdict, ascii_only=True).isascii()


def test_the_line_that_the_readme_shows() -> None:
    assert summary_line(verdicts.passed()) == (
        "ctxgate: pass - 12 benchmarks, worst switch/pipe/process/fifo/same_cpu "
        "+0.8 % [-0.9 %, +1.6 %] (tolerance 3 %, sees 2.1 %)"
    )


def test_one_benchmark_is_not_the_worst_of_anything() -> None:
    one = Verdict(verdict=Decision.PASS, benchmarks=(verdicts.row("a"),))
    assert summary_line(one).startswith("ctxgate: pass - 1 benchmark, a +0.8 %")


def test_the_largest_regression_is_named() -> None:
    rows = (
        verdicts.row("a", 0.05, verdict=Decision.REGRESSION),
        verdicts.row("b", 0.50, verdict=Decision.REGRESSION),
        verdicts.row("c", 0.90, verdict=Decision.REGRESSION, gated=False),
    )
    line = summary_line(Verdict(verdict=Decision.REGRESSION, benchmarks=rows))
    assert line.startswith("ctxgate: regression - 2 of 2 benchmarks, worst b +50.0 %")


def test_an_inconclusive_line_says_what_would_settle_it() -> None:
    row = verdicts.row("a", 0.02, verdict=Decision.INCONCLUSIVE, more_sessions=24)
    line = summary_line(Verdict(verdict=Decision.INCONCLUSIVE, benchmarks=(row,)))
    assert line.endswith("; 24 more sessions would settle it")


def test_a_row_that_is_not_comparable_gives_its_reason() -> None:
    row = verdicts.row("a", verdict=Decision.NOT_COMPARABLE, reason="version 1 against 2")
    line = summary_line(Verdict(verdict=Decision.NOT_COMPARABLE, benchmarks=(row,)))
    assert line == "ctxgate: not comparable - a: version 1 against 2"


@pytest.mark.parametrize(
    ("verdict", "line"),
    [
        (verdicts.empty(), "ctxgate: broken - nothing was compared"),
        (verdicts.empty(Decision.PASS), "ctxgate: pass - nothing was gated"),
        (
            verdicts.broken(),
            "ctxgate: broken - run-03.json: the JSON ends in the middle of a row, "
            "at byte 40960 (and 6 more problems)",
        ),
        (
            verdicts.unfit(),
            "ctxgate: unfit machine - SCHED_FIFO is refused by the rlimit: "
            "RLIMIT_RTPRIO is 0 (and 1 more problem)",
        ),
        (
            verdicts.not_comparable(),
            "ctxgate: not comparable - cpu.microcode differs: 0xa0011d1 in the baseline, "
            "0xa0011d5 now",
        ),
    ],
)
def test_what_stopped_the_gate_is_named(verdict: Verdict, line: str) -> None:
    assert summary_line(verdict) == line
