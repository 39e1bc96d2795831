# SPDX-License-Identifier: Apache-2.0
"""The verdict as text for a person: the worst first, and the verdict again as the last line.

The layout is made by hand and not with rich's tables: a reason runs across the whole width below
its row, which rich's cannot, and 4,000 rows take rich 1.4 s.
"""

from ctxgate.report.page import Page, role_of
from ctxgate.report.rows import write_rows
from ctxgate.report.sections import (
    write_changes,
    write_legend,
    write_notes,
    write_problems,
    write_verdict_line,
    write_warnings,
)
from ctxgate.report.summary import headline
from ctxgate.verdict.model import Decision, Verdict

_FROM_ROWS = (Decision.PASS, Decision.REGRESSION, Decision.INCONCLUSIVE)


def render(verdict: Verdict, *, width: int, color: bool, ascii_only: bool) -> str:
    """The report as text of `width` cells (0: unknown), ending in a newline; never raises on data.

    With `ascii_only` every character is ASCII; without `color` there is no escape sequence.
    """
    page = Page(width=width, color=color, ascii_only=ascii_only)
    page.paragraph(
        f"{page.mark(verdict.verdict)} {headline(verdict)}",
        hang=2,
        role=role_of(verdict.verdict),
        full=True,
    )
    if verdict.verdict in _FROM_ROWS:
        write_rows(page, verdict)
        write_changes(page, verdict)
        write_problems(page, verdict)
    else:  # no figure matters before what is wrong has been seen
        write_problems(page, verdict)
        write_rows(page, verdict)
        write_changes(page, verdict)
    write_warnings(page, verdict)
    write_notes(page, verdict)
    write_legend(page, verdict)
    write_verdict_line(page, verdict)
    return page.text()
