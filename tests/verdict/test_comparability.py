# SPDX-License-Identifier: Apache-2.0
import pytest

from ctxgate.readings.model import Clock, SessionSet
from ctxgate.verdict.judge import judge
from ctxgate.verdict.model import Decision, Verdict
from ctxgate.verdict.policy import Policy
from tests.verdict.sides import IDENTITY, SUBJECT, SWITCH, side, steady

POLICY = Policy(tolerance=0.1)


def base(**changes: object) -> SessionSet:
    return side({SWITCH: steady(5)}, where="base", **changes)


def fresh(level: float = 9.0, **changes: object) -> SessionSet:
    return side({SWITCH: [level]}, where="cont", **changes)


def refused(verdict: Verdict, kind: str) -> str:
    """The message of the only problem, after checking that nothing was compared."""
    assert verdict.verdict is Decision.NOT_COMPARABLE
    assert verdict.exit_code == 4
    assert [problem.kind for problem in verdict.problems] == [kind]
    assert all(row.verdict is Decision.NOT_COMPARABLE for row in verdict.benchmarks)
    assert all(row.change is None and row.gated for row in verdict.benchmarks)
    assert verdict.problems[0].remedy
    return verdict.problems[0].message


def test_equal_facts_are_compared() -> None:
    verdict = judge(base(), fresh(), POLICY)
    assert verdict.verdict is Decision.PASS
    assert verdict.problems == ()
    assert verdict.identity == IDENTITY
    assert verdict.subject_changes == ()


def test_other_clock() -> None:
    message = refused(judge(base(), fresh(12.0, clock=Clock.INSTRUCTIONS), POLICY), "other-clock")
    assert "baseline counts ns, the contender instructions" in message


def test_own_against_foreign() -> None:
    own_first = judge(base(), fresh(12.0, foreign=True), POLICY)
    assert "baseline holds files of ctxgate-bench, the contender another program's" in refused(
        own_first, "other-source"
    )
    assert refused(judge(base(foreign=True), fresh(12.0), POLICY), "other-source")
    both = SessionSet(sessions=(*base().sessions, *fresh(foreign=True).sessions))
    assert "files of both kinds" in refused(judge(both, fresh(), POLICY), "other-source")


def test_other_identity_names_every_fact() -> None:
    other = {"cpu.model": "Bench\n9001", "governor": "powersave"}
    verdict = judge(base(), fresh(12.0, identity=other), POLICY)
    message = refused(verdict, "other-identity")
    assert "2 identity facts" in message
    assert "cpu.model: 'Bench 9000' against 'Bench 9001'" in message
    assert "governor: 'performance' against 'powersave'" in message
    assert "record one" in verdict.problems[0].remedy
    assert "make it readable" not in verdict.problems[0].remedy
    assert verdict.problems[0].file == "cont0/run-00.json"


@pytest.mark.parametrize("sides", ["both", "baseline", "contender"])
@pytest.mark.parametrize("absent", [True, False])
def test_unknown_never_equals_anything(sides: str, absent: bool) -> None:
    unknown = {"cpu.model": "Bench 9000"} | ({} if absent else {"governor": "unknown"})
    facts = {which: unknown if sides in ("both", which) else IDENTITY
             for which in ("baseline", "contender")}  # fmt: skip
    if sides == "both" and absent:
        return  # a fact that neither side has does not exist
    verdict = judge(
        base(identity=facts["baseline"]), fresh(identity=facts["contender"]), POLICY
    )  # fmt: skip
    message = refused(verdict, "other-identity")
    assert "one identity fact: governor: " in message
    assert "unknown" in message
    assert "make it readable" in verdict.problems[0].remedy


@pytest.mark.parametrize("facts", [{"governor": "unknown"}, {}])
def test_a_fact_unknown_in_a_single_session_is_unknown(facts: dict[str, str]) -> None:
    one = {"cpu.model": "Bench 9000", **facts}
    part = side({SWITCH: [9.0]}, where="x", identity=one)
    mixed = SessionSet(sessions=(*base().sessions, *part.sessions))
    assert "governor: unknown against 'performance'" in refused(
        judge(mixed, fresh(), POLICY), "other-identity"
    )


def test_sessions_of_two_machines_on_one_side() -> None:
    part = side({SWITCH: [9.0]}, where="x", identity={**IDENTITY, "governor": "powersave"})
    mixed = SessionSet(sessions=(*base().sessions, *part.sessions))
    verdict = judge(mixed, fresh(), POLICY)
    message = refused(verdict, "other-identity")
    assert (
        "The baseline's own sessions differ in identity: governor is 'performance' in " in message
    )
    assert verdict.problems[0].file == "x0/run-00.json"
    verdict = judge(base(), mixed, POLICY)
    assert "The contender's own sessions" in refused(verdict, "other-identity")


def test_long_values_are_shortened() -> None:
    verdict = judge(base(), fresh(identity={**IDENTITY, "governor": "x" * 200}), POLICY)
    assert f"'{'x' * 80}...'" in verdict.problems[0].message


def test_other_version_of_a_path_refuses_that_path_alone() -> None:
    logs = {SWITCH: steady(5), "switch/futex/process/fifo/same_cpu": steady(5)}
    before = side(logs)
    newer = {SWITCH: [12.0], "switch/futex/process/fifo/same_cpu": [9.0]}
    after = side(newer)
    for session in after.sessions:
        for run in session.runs:
            redefined = run.readings[SWITCH].__class__(
                **{
                    f: getattr(run.readings[SWITCH], f)
                    for f in run.readings[SWITCH].__struct_fields__
                }
                | {"version": 2}
            )
            run.readings[SWITCH] = redefined  # type: ignore[index]
    verdict = judge(before, after, POLICY)
    assert verdict.verdict is Decision.NOT_COMPARABLE
    assert [row.verdict for row in verdict.benchmarks] == [Decision.NOT_COMPARABLE, Decision.PASS]
    assert [problem.kind for problem in verdict.problems] == ["other-version"]
    assert f"{SWITCH} is version 1 in the baseline and 2" in verdict.problems[0].message
    assert "over 1 benchmark" in verdict.benchmarks[1].rule


def google(**facts: str) -> dict[str, object]:
    return {"foreign": True, "identity": facts, "subject": {}}


def test_foreign_identity_is_what_google_says() -> None:
    facts = {"num_cpus": "2", "caches": "L1", "library_build_type": "release"}
    same = judge(base(**google(**facts)), fresh(**google(**facts)), POLICY)
    assert same.verdict is Decision.PASS
    for fact in facts:
        other = {**facts, fact: "4"}
        message = refused(
            judge(base(**google(**facts)), fresh(12.0, **google(**other)), POLICY), "other-identity"
        )
        assert f"{fact}: '{facts[fact]}' against '4'" in message


@pytest.mark.parametrize("turned", [False, True])
def test_what_a_foreign_file_does_not_say_is_a_warning(turned: bool) -> None:
    says, silent = google(num_cpus="2", caches="L1"), google(num_cpus="2")
    before, after = (silent, says) if turned else (says, silent)
    verdict = judge(base(**before), fresh(**after), POLICY)
    assert verdict.verdict is Decision.PASS
    assert [caution.kind for caution in verdict.warnings] == ["foreign-fact"]
    assert "caches is not known in all files" in verdict.warnings[0].message


def test_an_unknown_foreign_fact_is_a_warning() -> None:
    unknown = google(caches="unknown")
    verdict = judge(base(**unknown), fresh(**unknown), POLICY)
    assert [caution.kind for caution in verdict.warnings] == ["foreign-fact"]


# The subject is expected to differ, and always shown.


def test_subject_changes_are_shown_and_compared() -> None:
    verdict = judge(base(), fresh(subject={**SUBJECT, "release": "6.2.0"}), POLICY)
    assert verdict.verdict is Decision.PASS
    shown = [(one.fact, one.baseline, one.contender) for one in verdict.subject_changes]
    assert shown == [("release", "6.1.0", "6.2.0")]
    assert not any("separable" in note for note in verdict.notes)


def test_several_subject_changes_are_not_separable() -> None:
    verdict = judge(base(), fresh(subject={"release": "6.2.0", "cmdline": "debug"}), POLICY)
    note = next(note for note in verdict.notes if "separable" in note)
    assert "2 facts under test differ at once (cmdline, release)" in note
    assert "not separable" in note


def test_subject_facts_read_on_one_side_only_or_on_none() -> None:
    before = base(subject={"release": "unknown", "cmdline": "a", "hz": "unknown"})
    after = fresh(subject={"release": "6.1.0", "hz": "unknown"})
    verdict = judge(before, after, POLICY)
    shown = [(one.fact, one.baseline, one.contender) for one in verdict.subject_changes]
    assert shown == [("cmdline", "a", "unknown"), ("release", "unknown", "6.1.0")]
    unread = next(one for one in verdict.warnings if one.kind == "subject-unknown")
    assert "would go unseen: hz." in unread.message


def test_a_side_of_two_subjects() -> None:
    part = side({SWITCH: [9.0]}, where="x", subject={**SUBJECT, "release": "6.0.0"})
    mixed = SessionSet(sessions=(*base().sessions, *part.sessions))
    verdict = judge(mixed, fresh(), POLICY)
    caution = next(one for one in verdict.warnings if one.kind == "subject-mixed")
    assert "baseline's sessions differ in release: '6.1.0' and '6.0.0'" in caution.message
    assert caution.file == "x0/run-00.json"
    assert verdict.subject_changes[0].baseline == "6.0.0 | 6.1.0"


def test_recorded_facts_that_differ_are_cautions() -> None:
    before = base(record={"binary": "aaa", "host_name": "left", "date": "1", "lost": "x"})
    after = fresh(record={"binary": "bbb", "host_name": "right", "date": "2", "new": "y"})
    verdict = judge(before, after, POLICY)
    assert verdict.verdict is Decision.PASS
    told = [one.message for one in verdict.warnings if one.kind == "record-differs"]
    assert told == [
        "binary differs between the sides: 'aaa' against 'bbb'.",
        "host_name differs between the sides.",
    ]


def test_many_recorded_values_are_cut() -> None:
    parts = [side({SWITCH: [9.0]}, where=f"x{n}", record={"binary": str(n)}) for n in range(5)]
    before = SessionSet(sessions=tuple(one.sessions[0] for one in parts))
    verdict = judge(before, fresh(record={"binary": "9"}), POLICY)
    told = [one.message for one in verdict.warnings if one.kind == "record-differs"]
    assert told == ["binary differs between the sides: '0' and '1' and '2' and 2 more against '9'."]
