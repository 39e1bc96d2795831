# SPDX-License-Identifier: Apache-2.0
"""The benchmarks of a verdict on a terminal: a table, or blocks where it is too narrow for one."""

import msgspec
from rich.cells import cell_len

from ctxgate.report.page import Page, role_of
from ctxgate.report.text import fold
from ctxgate.report.units import percent, plural, signed_percent
from ctxgate.report.wording import (
    change_text,
    evidence,
    interval_text,
    mde_text,
    more,
    moved_switches,
    name_of,
    side_text,
    values,
    worst_first,
)
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Verdict

TABLE_COLUMNS = 90
"""Narrower terminals get blocks: the figures alone need 50 cells and a name 40."""

MAX_ROWS = 200
MAX_REASONS = 20
MAX_FUNCTIONS = 8
_LEAST_NAME = 24
_GAP = "  "


class Column(msgspec.Struct, frozen=True):
    """One column of the table: its cells are cleaned text, figures stand right."""

    title: str
    cells: list[str]
    right: bool = True

    @property
    def width(self) -> int:
        """Cells that the widest entry takes; 0 for a column without any entry."""
        widest = max(map(cell_len, self.cells), default=0)
        return max(widest, cell_len(self.title)) if widest else 0


def write_rows(page: Page, verdict: Verdict) -> None:
    """Every benchmark with its figures; below each that did not pass, why."""
    rows = worst_first(verdict.benchmarks)
    shown = rows[:MAX_ROWS]
    if not shown:
        return
    page.add()
    columns = _columns(page, shown, verdict.clock)
    others = sum(column.width + len(_GAP) for column in columns if column.width)
    room = page.width - others
    name_width = max(cell_len(page.clean(name_of(row))) for row in shown)
    if page.width < TABLE_COLUMNS or room < min(name_width, _LEAST_NAME):
        _write_blocks(page, shown, verdict.clock)
    else:
        _write_table(page, shown, columns, min(name_width, room))
    if len(rows) > len(shown):
        page.paragraph(more(len(rows) - len(shown), "benchmark"), role="dim")


def _columns(page: Page, rows: list[BenchmarkVerdict], clock: str) -> list[Column]:
    both = [values(row, clock) for row in rows]
    columns = [
        Column("verdict", [_verdict(page, row) for row in rows], right=False),
        Column("baseline", [baseline for baseline, _ in both]),
        Column("contender", [contender for _, contender in both]),
        Column("change", [change_text(row) for row in rows]),
        Column("interval", [interval_text(row) for row in rows]),
        Column("tolerance", [_percent(row.tolerance) for row in rows]),
        Column("MDE", [mde_text(row) for row in rows]),
        Column("switches", [moved_switches(row) for row in rows]),
    ]
    return [Column(c.title, [page.clean(cell) for cell in c.cells], c.right) for c in columns]


def _verdict(page: Page, row: BenchmarkVerdict) -> str:
    if not row.gated and row.change is None:
        return "- not compared"
    return f"{page.mark(row.verdict)} {row.verdict.value}"


def _percent(fraction: float | None) -> str:
    return "" if fraction is None else percent(fraction)


def _write_table(
    page: Page, rows: list[BenchmarkVerdict], columns: list[Column], name_width: int
) -> None:
    first, *rest = (column for column in columns if column.width)
    titles = [_pad(first.title, first), "benchmark".ljust(name_width)]
    page.add(page.paint(_GAP.join([*titles, *(_pad(c.title, c) for c in rest)]).rstrip(), "dim"))
    reasons = _Reasons(page)
    for number, row in enumerate(rows):
        _heading_of_ungated(page, rows, number)
        name, *more_name = fold(page.clean(name_of(row)), max(name_width, len("benchmark")))
        name += " " * (max(name_width, len("benchmark")) - cell_len(name))
        figures = _GAP.join(_pad(column.cells[number], column) for column in rest).rstrip()
        word = page.paint(_pad(first.cells[number], first), _role(row))
        page.add(f"{word}{_GAP}{name}{_GAP}{figures}".rstrip())
        for piece in more_name:
            page.add(" " * (first.width + len(_GAP)) + piece)
        reasons.write(row)


def _pad(text: str, column: Column) -> str:
    space = " " * (column.width - cell_len(text))
    return space + text if column.right else text + space


def _role(row: BenchmarkVerdict) -> str:
    return role_of(row.verdict) if row.gated else "dim"


def _heading_of_ungated(page: Page, rows: list[BenchmarkVerdict], number: int) -> None:
    if not rows[number].gated and (number == 0 or rows[number - 1].gated):
        page.add(page.paint("not gated:", "dim"))


def _write_blocks(page: Page, rows: list[BenchmarkVerdict], clock: str) -> None:
    reasons = _Reasons(page)
    for number, row in enumerate(rows):
        _heading_of_ungated(page, rows, number)
        word, name = _verdict(page, row), page.clean(name_of(row))
        if cell_len(word) + len(_GAP) + cell_len(name) <= page.width:
            page.add(f"{page.paint(word, _role(row))}{_GAP}{name}")
        else:
            page.add(page.paint(word, _role(row)))
            for piece in fold(name, page.width - 2):
                page.add(f"  {piece}")
        known = " → ".join(value for value in values(row, clock) if value)
        page.paragraph(f"{known}  {evidence(row)}".strip(), indent=4, hang=2)
        reasons.write(row)


class _Reasons:
    """Writes why a row did not pass; what stands right above already is not said again."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._before: list[str] = []
        self._rule = ""
        self._written = 0

    def write(self, row: BenchmarkVerdict) -> None:
        """The reason below a row; nothing for a pass, a rule of which stands below the table."""
        if not row.gated:
            if row.verdict is not Decision.PASS or row.change is None:
                self._write_once(row.reason)
            return
        if row.verdict is Decision.PASS:
            return
        self._written += 1
        if self._written > MAX_REASONS:
            if self._written == MAX_REASONS + 1:
                self._line("the reasons of the rows from here on stand in the JSON and JUnit files")
            return
        lines = [row.reason, *causes(row)]
        if lines == self._before and row.rule == self._rule:
            self._line("as above")
            return
        for line in lines:
            self._line(line)
        if row.rule and row.rule != self._rule:
            self._line(f"rule: {row.rule}", role="dim")
        self._before, self._rule = lines, row.rule

    def _write_once(self, reason: str) -> None:
        if [reason] != self._before:
            self._line(reason, role="dim")
        self._before = [reason]

    def _line(self, text: str, role: str = "") -> None:
        self._page.paragraph(text, indent=4, hang=2, role=role)


def causes(row: BenchmarkVerdict) -> list[str]:
    """What explains a row: what would settle it, switches, the twin, functions, its data.

    Reason and rule are the judge's sentences; what they say already is not said twice.
    """
    lines = []
    if row.more_sessions and "more session" not in row.reason:
        lines.append(f"{plural(row.more_sessions, 'more session')} would settle it")
    unsure = row.verdict is Decision.INCONCLUSIVE and "certify" not in row.reason
    if unsure and row.certifiable is not None:
        lines.append(f"unchanged code would pass at a tolerance of {percent(row.certifiable)}")
    moved = moved_switches(row)
    if moved:
        lines.append(f"switches per round trip: {moved}")
    if row.twin_change is not None:
        lines.append(f"no-switch twin (the same syscalls): {signed_percent(row.twin_change)}")
    moving = (function for function in row.functions if function.contender != function.baseline)
    gained = sorted(moving, key=lambda f: (-abs(f.contender - f.baseline), f.name))
    for function in gained[:MAX_FUNCTIONS]:
        grown = function.contender - function.baseline
        counts = f"{function.baseline:,.1f} → {function.contender:,.1f}"
        lines.append(f"{function.name}: {counts} instructions ({grown:+,.1f})")
    if len(gained) > MAX_FUNCTIONS:
        lines.append(more(len(gained) - MAX_FUNCTIONS, "function"))
    told = row.baseline and plural(row.baseline.sessions, "session") in row.rule
    if row.baseline and row.contender and not told:
        lines.append(f"data: {side_text(row.baseline)} against {side_text(row.contender)}")
    return lines
