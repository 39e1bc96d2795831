# SPDX-License-Identifier: Apache-2.0
import math

import pytest

from ctxgate.noise.student import critical
from ctxgate.readings.model import Session, SessionSet
from ctxgate.verdict.judge import judge
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Verdict
from ctxgate.verdict.policy import Policy
from tests.verdict.gates import ERROR, LEVEL
from tests.verdict.sides import SWITCH, TWIN, bare, reading, run, steady

TAIL = f"{SWITCH} p99"


def tailed(
    values: list[float], tails: list[float], *, runs: int = 8, samples: int = 10_000
) -> SessionSet:
    """Sessions of the pipe with chosen log floors and log p99, and a twin that stands still."""
    sessions = []
    for index, (value, tail) in enumerate(zip(values, tails, strict=True)):
        readings = [
            reading(SWITCH, value, p99=math.exp(tail), samples=samples),
            reading(TWIN, 7.0, p99=math.exp(7.5), samples=samples),
        ]
        files = tuple(run(readings, f"s{index}/run-{n:02}.json") for n in range(runs))
        sessions.append(Session(label=f"s{index}", runs=files))
    return SessionSet(sessions=tuple(sessions))


def judged(
    tail: float, *, policy: Policy | None = None, spread: float = 0.01, **shape: int
) -> Verdict:
    before = tailed(steady(5), steady(5, LEVEL + 0.5, spread), **shape)
    after = tailed([LEVEL], [LEVEL + 0.5 + tail], **shape)
    return judge(before, after, policy or Policy(tolerance=0.1))


def row(verdict: Verdict, name: str = TAIL) -> BenchmarkVerdict:
    return next(one for one in verdict.benchmarks if one.name == name)


def test_the_tail_of_the_pipe_is_a_row_of_its_own_after_it() -> None:
    verdict = judged(0.0)
    assert [one.name for one in verdict.benchmarks] == [SWITCH, TAIL, TWIN]
    tail = row(verdict)
    assert (tail.verdict, tail.gated, tail.metric) == (Decision.PASS, True, "p99")
    assert tail.tolerance == pytest.approx(0.1)
    assert tail.baseline is not None
    assert tail.baseline.value == pytest.approx(math.exp(LEVEL + 0.5))
    assert tail.certifiable == pytest.approx(math.expm1(2 * critical(0.05, 8) * ERROR))


def test_a_slower_tail_alone_is_a_regression() -> None:
    verdict = judged(0.2)
    assert verdict.verdict is Decision.REGRESSION
    assert row(verdict, SWITCH).verdict is Decision.PASS
    assert row(verdict).verdict is Decision.REGRESSION
    assert "by Holm over 1 tail)" in row(verdict).rule
    assert row(verdict).change == pytest.approx(math.expm1(0.2))


def test_primaries_and_tails_share_the_allowance() -> None:
    verdict = judged(0.0)
    assert row(verdict, SWITCH).allowance == pytest.approx(0.007)
    assert row(verdict).allowance == pytest.approx(0.002)
    assert "0.7 % by Holm over 2 benchmarks" in row(verdict, SWITCH).rule
    few = judged(0.0, runs=7)
    assert row(few, SWITCH).allowance == pytest.approx(0.01)
    # 0.2 % for the only tail
    edge = critical(0.002, 8) * ERROR
    tight = Policy(tolerance=0.1, tolerances={"* p99": 0.01})
    assert row(judged(edge + 1e-6, policy=tight)).verdict is Decision.REGRESSION
    assert row(judged(edge - 1e-6, policy=tight)).verdict is Decision.INCONCLUSIVE


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ({"runs": 7}, "a session has only 7 runs, 8 are needed"),
        ({"samples": 9_999}, "a run has only 9,999 round trips, 10,000 are needed"),
    ],
)
def test_too_few_runs_or_samples_are_advisory(shape: dict[str, int], said: str) -> None:
    verdict = judged(2.0, **shape)
    assert verdict.verdict is Decision.PASS
    tail = row(verdict)
    assert (tail.gated, tail.verdict) == (False, Decision.INCONCLUSIVE)
    assert tail.reason == f"Advisory, not gated: {said}."
    assert tail.change == pytest.approx(math.expm1(2.0))
    assert (tail.interval, tail.tolerance, tail.look) == (None, None, None)


def test_a_noisy_tail_is_held_to_half_as_much_again_as_it_can_certify() -> None:
    tail = row(judged(0.0, spread=0.1))
    assert tail.certifiable is not None
    assert tail.tolerance == pytest.approx(1.5 * tail.certifiable)
    assert tail.verdict is Decision.PASS
    assert "(1.5 times the smallest this gate can certify)" in tail.rule


def test_only_patterns_that_end_in_p99_set_its_tolerance() -> None:
    policy = Policy(tolerance=0.1, tolerances={"*": 0.02, "switch/* p99": 0.3, TAIL: 0.4})
    assert row(judged(0.0, policy=policy)).tolerance == pytest.approx(0.4)
    general = Policy(tolerance=0.1, tolerances={"*": 0.5, SWITCH: 0.5})
    assert row(judged(0.0, policy=general)).tolerance == pytest.approx(0.1)
    assert row(judged(0.0, policy=general), SWITCH).tolerance == pytest.approx(0.5)


def test_no_tail_where_a_run_has_none_or_another_program_wrote_it() -> None:
    before, after = tailed(steady(5), steady(5)), tailed([LEVEL], [LEVEL])
    runs = list(after.sessions[0].runs)
    runs[3] = run([reading(SWITCH, LEVEL), reading(TWIN, 7.0)], runs[3].file)
    gap = SessionSet(sessions=(Session(label="s0", runs=tuple(runs)),))
    assert [one.name for one in judge(before, gap, Policy()).benchmarks] == [SWITCH, TWIN]
    assert bare("BM_pipe", 1.0).p99 is None
