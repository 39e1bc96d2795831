# SPDX-License-Identifier: Apache-2.0
import re

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ctxgate.report.terminal import render
from ctxgate.report.wording import tally, worst_first
from ctxgate.verdict.model import Decision, FunctionCount, Verdict
from tests.report import hostile, verdicts

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def plain(verdict: Verdict, width: int = 140) -> str:
    return render(verdict, width=width, color=False, ascii_only=False)


def line_with(text: str, part: str) -> str:
    return next(line for line in text.splitlines() if part in line)


@given(hostile.verdicts, st.sampled_from([-3, 0, 1, 20, 40, 90, 140, 1000]), st.booleans())
def test_nothing_that_was_measured_moves_the_cursor(
    verdict: Verdict, width: int, color: bool
) -> None:
    text = render(verdict, width=width, color=color, ascii_only=False)
    bare = COLOUR.sub("", text) if color else text
    assert all(line.isprintable() for line in bare.split("\n"))
    assert bare.endswith("\n")
    widest = {-3: 80, 0: 80, 1: 20}.get(width, width)
    assert all(cell_len(line) <= widest for line in bare.splitlines())
    strict = render(verdict, width=width, color=False, ascii_only=True)
    assert strict.isascii()


@given(st.text(st.characters(codec=None), min_size=1, max_size=6))
def test_a_row_is_one_line_whatever_its_name_holds(name: str) -> None:
    def lines_with(first: str) -> int:
        rows = (verdicts.row(first, rule="short"), verdicts.row("b", rule="short"))
        return plain(Verdict(verdict=Decision.PASS, benchmarks=rows), 400).count("\n")

    assert lines_with(name) == lines_with("a")


def test_colour_changes_nothing_but_colour() -> None:
    for make in verdicts.ALL.values():
        coloured = render(make(), width=140, color=True, ascii_only=False)
        assert coloured != plain(make())
        assert COLOUR.sub("", coloured) == plain(make())


def test_a_terminal_of_no_columns_is_taken_for_eighty() -> None:
    assert plain(verdicts.regressed(), 0) == plain(verdicts.regressed(), 80)
    assert plain(verdicts.regressed(), 1) == plain(verdicts.regressed(), 20)


def test_the_verdict_is_the_first_and_the_last_line() -> None:
    lines = plain(verdicts.regressed()).splitlines()
    assert lines[0].startswith("✗ regression - 1 of 12 benchmarks, switch/pipe/process/fifo/")
    assert lines[-1] == (
        "✗ verdict: regression (exit 1) - 12 compared, 12 gated: "
        "1 regression, 1 inconclusive, 10 pass; 1 not gated"
    )
    assert plain(verdicts.passed()).splitlines()[-1] == (
        "✓ verdict: pass (exit 0) - 12 compared, 12 gated: 12 pass"
    )


def test_a_row_prints_all_its_evidence() -> None:
    line = line_with(plain(verdicts.regressed()), "✗ regression    switch")
    assert line.split("  ")[0] == "✗ regression"
    for part in (
        "2.014 µs",
        "2.265 µs",
        "+12.4 %",
        "[+10.9 %, +13.9 %]",
        " 3 %",
        "2.1 %",
        "2.00 → 2.50",
    ):
        assert part in line


def test_a_bound_is_never_printed_as_the_tolerance_that_it_misses() -> None:
    row = verdicts.row(interval=(-0.01, 0.0296))
    text = plain(Verdict(verdict=Decision.PASS, benchmarks=(row,)))
    assert "[-1.0 %, +2.96 %]" in text


def test_the_switch_column_is_there_only_where_counts_differ() -> None:
    assert "switches" not in plain(verdicts.passed())
    header = line_with(plain(verdicts.regressed()), "verdict  ")
    assert header.endswith("switches")


def test_worst_rows_come_first_and_ungated_ones_last() -> None:
    rows = (
        verdicts.row("free", 9.0, verdict=Decision.REGRESSION, gated=False),
        verdicts.row("fine", 0.001),
        verdicts.row("nan", float("nan")),
        verdicts.row("unsure", 0.02, verdict=Decision.INCONCLUSIVE),
        verdicts.row("slow", 0.05, verdict=Decision.REGRESSION),
        verdicts.row("slower", 0.06, verdict=Decision.REGRESSION),
        verdicts.row("gone", None, verdict=Decision.BROKEN),
        verdicts.row("other", 0.0, verdict=Decision.NOT_COMPARABLE),
    )
    order = ["gone", "slower", "slow", "other", "unsure", "nan", "fine", "free"]
    assert [row.name for row in worst_first(rows)] == order
    text = plain(Verdict(verdict=Decision.BROKEN, benchmarks=rows))
    places = [re.search(rf"^[✓✗?!] [a-z ]+  {name} ", text, re.MULTILINE) for name in order]
    starts = [place.start() for place in places if place]
    assert len(starts) == len(order)
    assert starts == sorted(starts)
    assert starts[-2] < text.index("not gated:") < starts[-1]


def test_below_each_row_that_did_not_pass_stands_why() -> None:
    lines = plain(verdicts.regressed()).splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("✗ regression    "))
    assert lines[at + 1].strip() == (
        "the lower bound is above zero and the estimate at or above the tolerance"
    )
    below = "\n".join(lines[at : at + 7])
    assert "switches per round trip: 2.00 → 2.50" in below
    assert "no-switch twin (the same syscalls): +0.1 %" in below
    assert "rule: stored, look 1" in below


def test_how_many_sessions_would_settle_it_is_said_once() -> None:
    assert "6 more sessions would settle it" in plain(verdicts.regressed())
    row = verdicts.row(
        verdict=Decision.INCONCLUSIVE, more_sessions=6, reason="6 more sessions are needed"
    )
    text = plain(Verdict(verdict=Decision.INCONCLUSIVE, benchmarks=(row,)))
    below = text.split("\n\n")[1]
    assert below.count("more session") == 1


def test_what_reason_and_rule_say_is_not_said_twice() -> None:
    row = verdicts.row(verdict=Decision.INCONCLUSIVE, reason="unsure", rule="t interval")
    text = plain(Verdict(verdict=Decision.INCONCLUSIVE, benchmarks=(row,)))
    assert "    unchanged code would pass at a tolerance of 1.86 %\n" in text
    assert "    data: 5 sessions, 40 runs against 1 session, 8 runs\n" in text
    row = msgspec.structs.replace(row, reason="can certify 1.86 %", rule="5 sessions against 1")
    text = plain(Verdict(verdict=Decision.INCONCLUSIVE, benchmarks=(row,)))
    assert "unchanged code" not in text
    assert "data:" not in text


def test_reasons_of_many_rows_are_capped_aloud() -> None:
    rows = tuple(
        verdicts.row(f"slow{n:03}", 1.0, verdict=Decision.REGRESSION, reason=f"reason {n}")
        for n in range(300)
    )
    text = plain(Verdict(verdict=Decision.REGRESSION, benchmarks=rows))
    assert text.count("reason ") == 20
    assert text.count("the reasons of the rows from here on") == 1
    assert text.count("✗ regression  slow") == 200
    assert "… and 100 more benchmarks; the JSON report has them all" in text
    assert "300 compared, 300 gated: 300 regression" in text


def test_rows_without_reason_or_rule_need_no_lines() -> None:
    row = verdicts.row("a", None, verdict=Decision.BROKEN, baseline=None, reason="", rule="")
    text = plain(Verdict(verdict=Decision.BROKEN, benchmarks=(row,)))
    assert text.splitlines()[3:5] == [
        "! broken  a           2.014 µs  [-1.7 %, +0.8 %]        3 %  2.1 %",
        "",
    ]


def test_rows_that_are_not_gated_say_why_once_for_all() -> None:
    reasons = ("new", "new", "advisory")
    rows = tuple(
        verdicts.row(f"b{n}", None, gated=False, baseline=None, reason=reason)
        for n, reason in enumerate(reasons)
    )
    text = plain(Verdict(verdict=Decision.PASS, benchmarks=rows))
    assert text.count("\n    new\n") == 1
    assert text.count("\n    advisory\n") == 1
    assert text.count("- not compared") == 3
    moved = verdicts.row("canary/a", 0.4, verdict=Decision.UNFIT, gated=False, reason="it moved")
    steady = verdicts.row("canary/b", 0.0, gated=False, reason="steady")
    text = plain(Verdict(verdict=Decision.UNFIT, benchmarks=(moved, steady)))
    assert "\n    it moved\n" in text
    assert "steady" not in text


def test_long_names_are_folded_in_the_table() -> None:
    name = "switch/" + "very_long_path_name/" * 6 + "fifo"
    text = plain(Verdict(verdict=Decision.PASS, benchmarks=(verdicts.row(name),)), 110)
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("verdict  "))
    assert lines[at + 1].startswith("✓ pass   switch/very_long_path_name/")
    assert "+0.8 %" in lines[at + 1]
    assert lines[at + 2].startswith("         very_long_path_name/")


def test_names_in_wide_letters_keep_the_columns() -> None:
    verdict = Verdict(
        verdict=Decision.PASS, benchmarks=(verdicts.row("漢字/パイプ"), verdicts.row("a"))
    )
    rows = [line for line in plain(verdict).splitlines() if line.startswith("✓ pass  ")]
    assert len({cell_len(line[: line.index("2.014")]) for line in rows}) == 1


def test_kernel_functions_are_listed_by_what_they_gained() -> None:
    text = plain(verdicts.exact_regression())
    assert "pick_next_task_rt: 80.0 → 342.0 instructions (+262.0)" in text
    assert text.index("pick_next_task_rt") < text.index("__schedule")
    assert "pipe_read" not in text
    many = tuple(FunctionCount(name=f"f{n}", baseline=0.0, contender=float(n)) for n in range(12))
    row = verdicts.row(verdict=Decision.REGRESSION, functions=many)
    text = plain(Verdict(verdict=Decision.REGRESSION, benchmarks=(row,)))
    assert "… and 3 more functions" in text
    assert "f11:" in text
    assert "f3:" not in text


def test_tally_counts_only_what_has_both_sides() -> None:
    rows = (verdicts.row("a"), verdicts.row("b", contender=None, verdict=Decision.BROKEN))
    assert tally(Verdict(verdict=Decision.BROKEN, benchmarks=rows)) == (
        "1 compared, 2 gated: 1 broken, 1 pass"
    )
    assert tally(verdicts.empty()) == "0 compared, 0 gated"
