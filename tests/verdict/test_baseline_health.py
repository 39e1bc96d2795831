# SPDX-License-Identifier: Apache-2.0
import math

import pytest

from ctxgate.readings.model import SessionSet
from ctxgate.verdict.judge import judge
from ctxgate.verdict.model import Decision, Verdict
from ctxgate.verdict.policy import Policy
from tests.verdict.gates import LEVEL, one
from tests.verdict.sides import ARITHMETIC, SWITCH, TWIN, side, steady

POLICY = Policy(tolerance=0.1)
MIXED = [0, 4, 1, 5, 2, 3]


def dated(values: list[float], days: list[str]) -> SessionSet:
    parts = [
        side({SWITCH: [value]}, where=f"s{index}-", record={"date": date})
        for index, (value, date) in enumerate(zip(values, days, strict=True))
    ]
    return SessionSet(sessions=tuple(part.sessions[0] for part in parts))


def day(number: int) -> str:
    return f"2026-03-{number:02}T12:00:00+00:00"


def kinds(verdict: Verdict) -> list[str]:
    return [caution.kind for caution in verdict.warnings]


class TestAge:
    def test_it_counts_from_the_youngest_session(self) -> None:
        before = dated(steady(3), [day(3), day(9), day(1)])
        verdict = judge(before, dated([LEVEL], [day(30)]), POLICY)
        assert verdict.notes[-1] == (
            "The baseline's youngest session is 21 days older than the contender's."
        )

    @pytest.mark.parametrize("date", ["", "2026-03-09 12:00", "1.4.2026", day(9), "2026-02-01"])
    def test_less_than_a_day_or_no_date_says_nothing(self, date: str) -> None:
        before = dated(steady(3), [day(1), day(2), day(9)])
        verdict = judge(before, dated([LEVEL], [date]), POLICY)
        assert not any("older" in note for note in verdict.notes)


class TestDrift:
    def test_six_sessions_that_rise_are_told(self) -> None:
        verdict = judge(side({SWITCH: steady(6)}), side({SWITCH: [LEVEL]}), POLICY)
        caution = next(one for one in verdict.warnings if one.kind == "baseline-drifts")
        assert "The baseline's 6 sessions follow a trend (p = 0.0028 by chance)" in caution.message

    def test_five_are_too_few_and_a_mixed_order_is_no_drift(self) -> None:
        assert "baseline-drifts" not in kinds(
            judge(side({SWITCH: steady(5)}), side({SWITCH: [LEVEL]}), POLICY)
        )
        values = [steady(6)[index] for index in MIXED]
        assert "baseline-drifts" not in kinds(
            judge(side({SWITCH: values}), side({SWITCH: [LEVEL]}), POLICY)
        )

    def test_dates_give_the_order(self) -> None:
        values = [steady(6)[index] for index in MIXED]
        before = dated(values, [day(1 + index) for index in MIXED])
        assert "baseline-drifts" in kinds(judge(before, dated([LEVEL], [day(9)]), POLICY))


LOGS = {
    SWITCH: [9.0, 9.01, 8.99, 9.005],
    TWIN: [7.0, 7.01, 6.99, 7.0],
    ARITHMETIC: [6.0, 6.0, 6.0, 6.0],
}


class TestSickSession:
    def judged(self, delta: float, *, arithmetic: float = 0.0) -> Verdict:
        half = math.log(1.5)
        sick = {name: [*logs[:2], logs[0] + half, *logs[2:]] for name, logs in LOGS.items()}
        after = {SWITCH: [9.0 + delta], TWIN: [7.0], ARITHMETIC: [6.0 + arithmetic]}
        return judge(side(sick, where="base"), side(after), POLICY)

    def test_it_neither_fails_unchanged_code_nor_hides_a_true_change(self) -> None:
        same = self.judged(0.0)
        assert same.verdict is Decision.PASS
        slow = self.judged(math.log(1.2))
        assert slow.verdict is Decision.REGRESSION
        assert one(slow).change == pytest.approx(1.2 / math.exp(0.00125) - 1)

    def test_it_is_named_and_the_row_counts_without_it(self) -> None:
        verdict = self.judged(0.0)
        caution = next(one for one in verdict.warnings if one.kind == "sick-session")
        assert "session base2 is slower than all its others" in caution.message
        assert caution.file == "base2/run-00.json"
        baseline = one(verdict).baseline
        assert baseline is not None
        assert (baseline.sessions, baseline.runs) == (4, 32)

    def test_the_canaries_are_held_against_the_healthy_ones(self) -> None:
        assert self.judged(0.0, arithmetic=0.2).verdict is Decision.UNFIT
