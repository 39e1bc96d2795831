# SPDX-License-Identifier: Apache-2.0
import itertools

import msgspec
import pytest

from ctxgate.readings.model import Caution, Problem, SessionSet
from ctxgate.verdict.again import SAME_SITTING
from ctxgate.verdict.judge import judge, refuse
from ctxgate.verdict.kinds import Finding, decision_of
from ctxgate.verdict.model import Decision, worst
from ctxgate.verdict.policy import Policy
from tests.verdict.sides import SWITCH, TWIN, side, steady

POLICY = Policy(tolerance=0.1)
PROBLEM = Problem(kind="truncated", message="cut", remedy="again", file="x.json")
ORDER = [
    Decision.INTERNAL_ERROR,
    Decision.USAGE_ERROR,
    Decision.BROKEN,
    Decision.REGRESSION,
    Decision.NOT_COMPARABLE,
    Decision.UNFIT,
    Decision.INCONCLUSIVE,
    Decision.PASS,
]


def test_the_order_of_the_worst() -> None:
    assert [one.exit_code for one in ORDER] == [70, 2, 3, 1, 4, 6, 5, 0]
    for better, worse in itertools.combinations(reversed(ORDER), 2):
        assert worst([better, worse]) is worse
        assert worst([worse, better]) is worse
    assert worst([]) is Decision.BROKEN


def test_the_worst_row_is_the_verdict() -> None:
    before = side({SWITCH: steady(5), TWIN: steady(5, 7.0)})
    mild = judge(before, side({SWITCH: [9.08], TWIN: [7.0]}), POLICY)
    assert [row.verdict for row in mild.benchmarks] == [Decision.INCONCLUSIVE, Decision.PASS]
    assert mild.verdict is Decision.INCONCLUSIVE
    slow = judge(before, side({SWITCH: [9.08], TWIN: [8.0]}), POLICY)
    assert [row.verdict for row in slow.benchmarks] == [Decision.INCONCLUSIVE, Decision.REGRESSION]
    assert slow.verdict is Decision.REGRESSION


@pytest.mark.parametrize("which", [0, 1])
def test_a_problem_in_the_readings_is_broken_and_the_rest_is_judged(which: int) -> None:
    sides = [side({SWITCH: steady(5)}), side({SWITCH: [10.0]})]
    sides[which] = msgspec.structs.replace(sides[which], problems=(PROBLEM,))
    verdict = judge(sides[0], sides[1], POLICY)
    assert verdict.verdict is Decision.BROKEN
    assert verdict.problems == (PROBLEM,)
    assert verdict.benchmarks[0].verdict is Decision.REGRESSION


def test_nothing_to_compare_is_broken() -> None:
    full, empty = side({SWITCH: steady(5)}), SessionSet(sessions=())
    for before, after, said in (
        (empty, full, ["The baseline holds no readable run"]),
        (full, empty, ["The contender holds no readable run"]),
        (empty, empty, ["The baseline", "The contender"]),
    ):
        verdict = judge(before, after, POLICY, notes=("n",))
        assert verdict.verdict is Decision.BROKEN
        assert len(verdict.problems) == len(said)
        for problem, text in zip(verdict.problems, said, strict=True):
            assert text in problem.message
        assert verdict.notes == ("n",)


def test_an_empty_side_that_was_explained_is_not_explained_again() -> None:
    explained = SessionSet(sessions=(), problems=(PROBLEM,))
    verdict = judge(side({SWITCH: steady(5)}), explained, POLICY)
    assert verdict.verdict is Decision.BROKEN
    assert verdict.problems == (PROBLEM,)


def test_no_benchmark_in_common_is_broken() -> None:
    policy = Policy(required=())
    verdict = judge(side({SWITCH: steady(5)}), side({TWIN: [7.0]}), policy)
    assert verdict.verdict is Decision.BROKEN
    (problem,) = verdict.problems
    assert problem.kind == "nothing-compared"
    assert "Of 2 benchmarks none could be compared" in problem.message
    assert not any(row.gated for row in verdict.benchmarks)


def test_cautions_and_notes_travel() -> None:
    caution = Caution(kind="recoded", message="was UTF-16")
    before = msgspec.structs.replace(side({SWITCH: steady(5)}), cautions=(caution,))
    verdict = judge(before, side({SWITCH: [9.0]}), POLICY, notes=(SAME_SITTING,))
    assert caution in verdict.warnings
    assert verdict.notes[0] == SAME_SITTING
    assert "same sitting" in SAME_SITTING


def test_refuse_builds_a_verdict_without_a_comparison() -> None:
    verdict = refuse(Decision.UNFIT, [PROBLEM], notes=("why",), clock="ns")
    assert (verdict.verdict, verdict.exit_code) == (Decision.UNFIT, 6)
    assert (verdict.problems, verdict.notes, verdict.benchmarks) == ((PROBLEM,), ("why",), ())


def test_every_kind_of_problem_leads_to_its_verdict() -> None:
    found = {kind: decision_of(Problem(kind=kind, message="", remedy="")) for kind in Finding}
    assert found[Finding.OTHER_IDENTITY] is Decision.NOT_COMPARABLE
    assert found[Finding.CANARY_MOVED] is Decision.UNFIT
    assert found[Finding.REQUIRED_MISSING] is Decision.BROKEN
    assert decision_of(PROBLEM) is Decision.BROKEN


def test_judging_is_a_pure_function() -> None:
    before, after = side({SWITCH: steady(5)}), side({SWITCH: [9.3]})
    assert judge(before, after, POLICY) == judge(before, after, POLICY)
