# SPDX-License-Identifier: Apache-2.0
import msgspec
import pytest

from ctxgate.readings.model import Problem, Run, SessionSet
from ctxgate.verdict.judge import judge
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Verdict
from ctxgate.verdict.policy import Policy
from tests.verdict.sides import SWITCH, TWIN, side, steady

POLICY = Policy(tolerance=0.1)


def base() -> SessionSet:
    return side({SWITCH: steady(5), TWIN: steady(5, 7.0)}, where="base")


def fresh() -> SessionSet:
    return side({SWITCH: [9.0], TWIN: [7.0]}, where="cont")


def without(whole: SessionSet, name: str, number: int | None = 3, **changes: object) -> SessionSet:
    """The side with `name` taken out of one run (or of all) of its first session."""

    def strip(run: Run) -> Run:
        left = {other: one for other, one in run.readings.items() if other != name}
        return msgspec.structs.replace(run, readings=left, **changes)

    first = whole.sessions[0]
    runs = tuple(
        strip(run) if number is None or index == number else run
        for index, run in enumerate(first.runs)
    )
    changed = msgspec.structs.replace(first, runs=runs)
    return msgspec.structs.replace(whole, sessions=(changed, *whole.sessions[1:]))


def row(verdict: Verdict, name: str) -> BenchmarkVerdict:
    return next(one for one in verdict.benchmarks if one.name == name)


@pytest.mark.parametrize("gap", ["baseline", "contender"])
def test_missing_from_a_single_run_is_broken_and_names_the_file(gap: str) -> None:
    before = without(base(), TWIN) if gap == "baseline" else base()
    after = without(fresh(), TWIN) if gap == "contender" else fresh()
    verdict = judge(before, after, POLICY)
    assert verdict.verdict is Decision.BROKEN
    assert verdict.exit_code == 3
    (problem,) = verdict.problems
    assert (problem.kind, problem.benchmark) == ("required-missing", TWIN)
    assert problem.file == f"{gap[:4]}0/run-03.json"
    total = 40 if gap == "baseline" else 8
    assert (
        f"missing from 1 of {total} runs of the {gap}, first in {problem.file}." in problem.message
    )
    assert row(verdict, TWIN).verdict is Decision.BROKEN
    assert row(verdict, TWIN).gated
    assert row(verdict, SWITCH).verdict is Decision.PASS  # the rest is judged all the same


def test_missing_from_every_run() -> None:
    verdict = judge(base(), without(fresh(), TWIN, None), POLICY)
    assert "missing from all 8 runs of the contender" in verdict.problems[0].message
    lone = side({SWITCH: [9.0]}, runs=1)
    assert "missing from the only run" in judge(base(), lone, POLICY).problems[0].message


def test_the_machines_reason_is_told() -> None:
    after = without(fresh(), TWIN, None, unavailable={TWIN: "no pipes here"})
    assert judge(base(), after, POLICY).problems[0].message.endswith("(no pipes here).")


@pytest.mark.parametrize("file", ["cont0/run-03.json", "cont0"])
def test_what_reading_told_is_not_told_twice(file: str) -> None:
    read = Problem(kind="failed", message="m", remedy="r", file=file, benchmark=TWIN)
    after = msgspec.structs.replace(without(fresh(), TWIN), problems=(read,))
    verdict = judge(base(), after, POLICY)
    assert verdict.problems == (read,)
    assert row(verdict, TWIN).verdict is Decision.BROKEN
    elsewhere = msgspec.structs.replace(read, file="cont0/run-0")
    after = msgspec.structs.replace(without(fresh(), TWIN), problems=(elsewhere,))
    assert len(judge(base(), after, POLICY).problems) == 2


def test_a_new_benchmark_is_listed_and_not_gated() -> None:
    before = side({SWITCH: steady(5)})
    verdict = judge(before, fresh(), POLICY)
    assert verdict.verdict is Decision.PASS
    new = row(verdict, TWIN)
    assert not new.gated
    assert new.reason.startswith("Not gated. New: the baseline does not hold it")
    assert "over 1 benchmark" in row(verdict, SWITCH).rule


def test_named_requirements_replace_the_baselines() -> None:
    policy = Policy(tolerance=0.1, required=("switch/*",))
    verdict = judge(base(), without(fresh(), TWIN), policy)
    assert verdict.verdict is Decision.PASS
    assert (
        row(verdict, TWIN).reason == "Not gated. Not required, and missing from cont0/run-03.json."
    )
    gone = judge(base(), without(fresh(), TWIN, None, unavailable={TWIN: "why"}), policy)
    assert gone.verdict is Decision.PASS
    assert row(gone, TWIN).reason == "Not gated. The contender did not measure it: why."
    untold = judge(base(), without(fresh(), TWIN, None), policy)
    assert row(untold, TWIN).reason == "Not gated. The contender did not measure it."
    assert judge(base(), without(fresh(), SWITCH), policy).verdict is Decision.BROKEN


def test_a_required_benchmark_without_a_baseline_is_broken() -> None:
    policy = Policy(tolerance=0.1, required=("*",))
    verdict = judge(side({SWITCH: steady(5)}), fresh(), policy)
    assert verdict.verdict is Decision.BROKEN
    assert "missing from all 40 runs of the baseline" in verdict.problems[0].message


def test_a_requirement_that_matches_nothing_is_broken() -> None:
    verdict = judge(base(), fresh(), Policy(tolerance=0.1, required=("switch/*", "switch/futx/*")))
    assert verdict.verdict is Decision.BROKEN
    (problem,) = verdict.problems
    assert (
        "Required is switch/futx/*, but no benchmark of either side matches it" in problem.message
    )
