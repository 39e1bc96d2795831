# SPDX-License-Identifier: Apache-2.0
"""The parts of the terminal report that are not rows: what changed, problems, warnings, notes."""

from collections import Counter

from ctxgate.readings.model import Caution, Problem
from ctxgate.report.facts import shortened
from ctxgate.report.page import Page, role_of
from ctxgate.report.text import shorten
from ctxgate.report.units import plural
from ctxgate.report.wording import cause_of, more, name_of, tally, worst_first
from ctxgate.verdict.model import Decision, Verdict

MAX_CHANGES = 40
MAX_PROBLEMS = 20
MAX_FILES = 4
MAX_KINDS = 8
MAX_OF_A_KIND = 3
_SENTENCE_LIMIT = 2000


def write_legend(page: Page, verdict: Verdict) -> None:
    """The words of the table for a newcomer, and the rule by which the tightest row passed."""
    if not any(row.tolerance is not None for row in verdict.benchmarks):
        return
    page.add()
    metrics = " or ".join(sorted({row.metric for row in verdict.benchmarks if row.metric}))
    unit = "round trip" if verdict.proven else "iteration"
    page.paragraph(f"baseline, contender: {metrics} per {unit}." if metrics else "", role="dim")
    words = ["tolerance: the change that matters."]
    if any(row.mde is not None for row in verdict.benchmarks):
        words.append("MDE (sees): the smallest change that this gate catches 4 times in 5.")
    page.paragraph(" ".join(words), role="dim")
    gated = (row for row in verdict.benchmarks if row.gated and row.rule)
    passed = [row for row in worst_first(gated) if row.verdict is Decision.PASS]
    rules = list(dict.fromkeys(row.rule for row in passed))
    if not rules:
        return
    others = sum(row.rule == rules[0] for row in passed) - 1
    alike = f" and {plural(others, 'other')} that passed" if others else ""
    page.paragraph(f"rule of {name_of(passed[0])}{alike}: {rules[0]}", hang=2, role="dim")
    if len(rules) > 1:
        page.paragraph(more(len(rules) - 1, "rule"), role="dim")


def write_changes(page: Page, verdict: Verdict) -> None:
    """The subject diff; where there is none and something moved, that is said."""
    changes = verdict.subject_changes
    if not changes:
        moved = any(row.verdict is Decision.REGRESSION for row in verdict.benchmarks)
        if moved and verdict.proven:
            page.heading("What changed")
            page.paragraph("no recorded fact about the kernel differs between the sides", indent=2)
        return
    page.heading("What changed")
    for change in changes[:MAX_CHANGES]:
        first, *rest = shortened(change)
        if rest:
            page.paragraph(f"{shorten(change.fact, 200)}:", indent=2, hang=2)
            for line in (first, *rest):
                page.paragraph(shorten(line, _SENTENCE_LIMIT), indent=4, hang=2)
        else:
            page.paragraph(f"{shorten(change.fact, 200)}: {first}", indent=2, hang=2)
    if len(changes) > MAX_CHANGES:
        page.paragraph(more(len(changes) - MAX_CHANGES, "change"), indent=2)


def write_problems(page: Page, verdict: Verdict) -> None:
    """Each problem with its cause, where it is, and what to do; like ones of many files as one."""
    groups: dict[tuple[str, str], list[Problem]] = {}
    for problem in verdict.problems:
        key = (cause_of(problem), problem.remedy)
        groups.setdefault(key, []).append(problem)
    if not groups:
        return
    page.heading(f"Problems ({len(verdict.problems):,})")
    for (message, remedy), members in list(groups.items())[:MAX_PROBLEMS]:
        text = shorten(message, _SENTENCE_LIMIT)
        page.paragraph(f"{page.mark(Decision.BROKEN)} {text}", indent=2, hang=2, role="bad")
        for noun in ("file", "benchmark"):
            places = [getattr(problem, noun) for problem in members]
            _write_places(page, noun, [place for place in places if place not in message])
        if remedy:
            page.paragraph(f"remedy: {shorten(remedy, _SENTENCE_LIMIT)}", indent=4, hang=2)
    if len(groups) > MAX_PROBLEMS:
        page.paragraph(more(len(groups) - MAX_PROBLEMS, "problem"), indent=2)


def _write_places(page: Page, noun: str, places: list[str]) -> None:
    known = list(dict.fromkeys(places))
    for place in known[:MAX_FILES]:
        page.paragraph(f"{noun}: {shorten(place, 500)}", indent=4, hang=2)
    if len(known) > MAX_FILES:
        page.paragraph(more(len(known) - MAX_FILES, noun), indent=4)


def write_warnings(page: Page, verdict: Verdict) -> None:
    """Warnings by kind, a few of each: ninety like ones would hide the one that matters."""
    kinds: dict[str, list[Caution]] = {}
    for caution in verdict.warnings:
        kinds.setdefault(caution.kind, []).append(caution)
    if not kinds:
        return
    page.heading(f"Warnings ({len(verdict.warnings):,})")
    for members in list(kinds.values())[:MAX_KINDS]:
        _write_kind(page, members)
    left = list(kinds.values())[MAX_KINDS:]
    if left:
        page.paragraph(more(sum(map(len, left)), "warning"), indent=2)


def _write_kind(page: Page, members: list[Caution]) -> None:
    texts = Counter(cause_of(caution) for caution in members)
    places = {cause_of(caution): caution for caution in reversed(members)}
    for text, times in list(texts.items())[:MAX_OF_A_KIND]:
        place = places[text].file or places[text].benchmark
        where = f" ({place})" if place and place not in text else ""
        if times > 1:
            where = f" ({times:,} times, first in {place})" if place else f" ({times:,} times)"
        line = f"{shorten(text, _SENTENCE_LIMIT)}{where}"
        page.paragraph(f"- {line}", indent=2, hang=2)
    rest = sum(list(texts.values())[MAX_OF_A_KIND:])
    if rest:
        text = f"… and {plural(rest, 'more warning')} like these; see the JSON report"
        page.paragraph(text, indent=4, hang=2)


def write_notes(page: Page, verdict: Verdict) -> None:
    """Sentences that belong to the whole."""
    if not verdict.notes:
        return
    page.heading("Notes")
    for note in verdict.notes:
        page.paragraph(f"- {note}", indent=2, hang=2)


def write_verdict_line(page: Page, verdict: Verdict) -> None:
    """The last line, where the eye is when the command returns."""
    page.add()
    page.paragraph(
        f"{page.mark(verdict.verdict)} verdict: {verdict.verdict.value} "
        f"(exit {verdict.exit_code}) - {tally(verdict)}",
        hang=2,
        role=role_of(verdict.verdict),
        full=True,
    )
