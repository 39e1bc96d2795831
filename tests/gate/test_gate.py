# SPDX-License-Identifier: Apache-2.0
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ctxgate.gate import local_baseline
from ctxgate.gate.compare import compare
from ctxgate.gate.measure_and_judge import GateOptions, gate, in_ci
from ctxgate.gate.skip import GateResult
from ctxgate.system.outcome import MeasureOptions
from ctxgate.verdict.judge import refuse
from ctxgate.verdict.model import Decision
from ctxgate.verdict.policy import Policy
from ctxgate.wall.measure import measure
from tests.wall.bench import install_program, make_host, printed, said, starts

FIFO = "switch/pipe/process/fifo/same_cpu"
OTHER = "switch/pipe/process/other/same_cpu"
TWIN = "twin/pipe/process/fifo/same_cpu"


@pytest.fixture
def options(tmp_path: Path) -> GateOptions:
    bench = install_program(tmp_path / "bin")
    measuring = MeasureOptions(out=Path("fresh"), runs=2, bench=bench)
    return GateOptions(measuring=measuring, keep=True, policy=Policy())


@pytest.fixture
def baseline(tmp_path: Path, options: GateOptions) -> tuple[Path, ...]:
    """Three measured sessions."""
    sessions = tuple(tmp_path / f"base-{number}" for number in range(3))
    for session in sessions:
        measure(replace(options.measuring, out=session), make_host(tmp_path))
    (tmp_path / "log").unlink()
    return sessions


def local_folders(folder: Path) -> list[Path]:
    """What lies where local baselines are kept, but for the lock."""
    root = folder / "home/.local/state/ctxgate/baselines/wall"
    return sorted(p for p in root.glob("*") if p.suffix != ".lock") if root.exists() else []


def messages(result: GateResult) -> str:
    return "\n".join(problem.message for problem in result.verdict.problems)


@pytest.mark.parametrize(
    ("value", "set_"),
    [("true", True), ("1", True), ("yes", True), ("", False), ("false", False), ("0", False)],
)
def test_ci_is_set(tmp_path: Path, value: str, set_: bool) -> None:
    assert in_ci(make_host(tmp_path, CI=value)) is set_
    assert in_ci(make_host(tmp_path)) is False


class TestGivenBaseline:
    def test_a_fresh_session_is_judged(
        self, tmp_path: Path, options: GateOptions, baseline: tuple[Path, ...]
    ) -> None:
        options = replace(options, baseline=baseline, policy=Policy(tolerance=0.2))
        result = gate(options, make_host(tmp_path))
        assert result.verdict.verdict is Decision.PASS
        assert {row.name for row in result.verdict.benchmarks if row.gated} == {FIFO, OTHER, TWIN}
        assert (tmp_path / "fresh/run-01.json").exists()
        slow = gate(options, make_host(tmp_path, FAKE_FACTOR="2"))
        assert slow.verdict.verdict is Decision.REGRESSION
        assert not slow.may_be_skipped()

    def test_without_out_the_session_is_thrown_away(
        self,
        tmp_path: Path,
        options: GateOptions,
        baseline: tuple[Path, ...],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.chdir(tmp_path)  # a directory without a commit
        options = replace(options, baseline=baseline, keep=False, policy=Policy(tolerance=0.2))
        host = make_host(tmp_path)
        assert gate(options, host).verdict.verdict is Decision.PASS
        assert not (tmp_path / "fresh").exists()
        assert "caution: the commit is recorded as unknown" in said(host)

    def test_a_measured_session_is_judged(
        self, tmp_path: Path, options: GateOptions, baseline: tuple[Path, ...]
    ) -> None:
        options = replace(
            options,
            baseline=baseline[:2],
            contender=baseline[2:],
            policy=Policy(tolerance=0.5),
        )
        assert gate(options, make_host(tmp_path)).verdict.verdict is not Decision.BROKEN
        assert starts(tmp_path) == []

    def test_a_bad_baseline_is_told_before_measuring(
        self, tmp_path: Path, options: GateOptions, baseline: tuple[Path, ...]
    ) -> None:
        options = replace(options, baseline=(*baseline, tmp_path / "typo"))
        result = gate(options, make_host(tmp_path))
        assert result.verdict.verdict is Decision.BROKEN
        assert "typo" in messages(result)
        assert starts(tmp_path) == []

    @pytest.mark.parametrize(
        ("status", "decision"),
        [
            ("6", Decision.UNFIT),
            ("3", Decision.BROKEN),
            ("2", Decision.USAGE_ERROR),
        ],
    )
    def test_a_measurement_that_fails_is_the_verdict(
        self,
        tmp_path: Path,
        options: GateOptions,
        baseline: tuple[Path, ...],
        status: str,
        decision: Decision,
    ) -> None:
        result = gate(replace(options, baseline=baseline), make_host(tmp_path, FAKE_EXIT=status))
        assert result.verdict.verdict is decision
        assert f"exit status {status}" in messages(result)
        assert result.may_be_skipped() is (decision is Decision.UNFIT)

    def test_an_unfit_machine_is_not_measured(
        self, tmp_path: Path, options: GateOptions, baseline: tuple[Path, ...]
    ) -> None:
        result = gate(replace(options, baseline=baseline), make_host(tmp_path, FAKE_FITNESS="bad"))
        assert result.verdict.verdict is Decision.UNFIT
        assert result.verdict.problems[0].remedy == "setcap cap_sys_nice+ep on the program"
        assert starts(tmp_path) == []

    def test_a_filter_requires_what_it_selects(
        self, tmp_path: Path, options: GateOptions, baseline: tuple[Path, ...]
    ) -> None:
        def judged(**choices: str) -> tuple[Decision, set[str]]:
            chosen = replace(
                options,
                baseline=baseline,
                measuring=replace(options.measuring, **choices),
                policy=Policy(tolerance=0.2),
            )
            verdict = gate(chosen, make_host(tmp_path)).verdict
            return verdict.verdict, {row.name for row in verdict.benchmarks if row.gated}

        assert judged(filter="twin") == (Decision.PASS, {TWIN})
        assert judged(scheduling_class="other") == (Decision.PASS, {OTHER})
        assert judged(filter="switch", scheduling_class="fifo") == (Decision.PASS, {FIFO})
        assert judged(filter="nothing")[0] is Decision.BROKEN

    def test_a_filter_leaves_out_what_the_file_requires_beyond_it(
        self, tmp_path: Path, options: GateOptions, baseline: tuple[Path, ...]
    ) -> None:
        def judged(chosen: str, *required: str) -> GateResult:
            return gate(
                replace(
                    options,
                    baseline=baseline,
                    measuring=replace(options.measuring, filter=chosen),
                    policy=Policy(tolerance=0.2, required=required),
                ),
                make_host(tmp_path),
            )

        result = judged("twin", "switch/*", "twin/*")
        assert result.verdict.verdict is Decision.PASS
        assert {row.name for row in result.verdict.benchmarks if row.gated} == {TWIN}
        assert judged("twin", "switch/*").verdict.verdict is Decision.PASS
        missing = judged("twin", "switch/*", "switch/futex/*")
        assert missing.verdict.verdict is Decision.BROKEN
        assert "Required is switch/futex/*, but no benchmark" in messages(missing)
        assert judged("", "switch/*", "none/*").verdict.verdict is Decision.BROKEN

    @pytest.mark.parametrize("unlike", ["-twin", "("])
    def test_a_filter_of_another_grammar_requires_everything(
        self, tmp_path: Path, options: GateOptions, baseline: tuple[Path, ...], unlike: str
    ) -> None:
        measure(replace(options.measuring, filter="twin"), make_host(tmp_path))
        chosen = replace(
            options,
            baseline=baseline,
            contender=(tmp_path / "fresh",),
            measuring=replace(options.measuring, filter=unlike),
        )
        result = gate(chosen, make_host(tmp_path))
        assert result.verdict.verdict is Decision.BROKEN
        assert f"{FIFO} is required but missing" in messages(result)

    def test_a_foreign_program_needs_no_doctor(self, tmp_path: Path, options: GateOptions) -> None:
        host = make_host(tmp_path, FAKE_FOREIGN="1", FAKE_FITNESS="bad")
        sessions = tuple(tmp_path / f"foreign-{number}" for number in range(3))
        for session in sessions:
            measure(replace(options.measuring, out=session), host)
        result = gate(replace(options, baseline=sessions, policy=Policy(tolerance=0.2)), host)
        assert result.verdict.verdict is Decision.PASS
        assert not result.verdict.proven


class TestMeasuredBefore:
    @pytest.mark.parametrize(
        ("status", "decision"), [("6", Decision.UNFIT), ("3", Decision.BROKEN)]
    )
    def test_a_failed_session_stays_what_it_was(
        self,
        tmp_path: Path,
        options: GateOptions,
        baseline: tuple[Path, ...],
        status: str,
        decision: Decision,
    ) -> None:
        measure(options.measuring, make_host(tmp_path, FAKE_EXIT=status))
        fresh = (tmp_path / "fresh",)
        judged = replace(options, baseline=baseline, contender=fresh)
        assert gate(judged, make_host(tmp_path)).verdict.verdict is decision
        assert compare(baseline, fresh, Policy()).verdict is decision
        assert compare(fresh, baseline, Policy()).verdict is Decision.BROKEN

    def test_a_missing_session_is_broken(
        self, tmp_path: Path, options: GateOptions, baseline: tuple[Path, ...]
    ) -> None:
        judged = replace(options, baseline=baseline, contender=(tmp_path / "none",))
        result = gate(judged, make_host(tmp_path))
        assert result.verdict.verdict is Decision.BROKEN
        assert "none" in messages(result)

    def test_missing_runs_are_counted(self, baseline: tuple[Path, ...]) -> None:
        (baseline[2] / "run-01.json").unlink()
        result = compare(baseline[:2], baseline[2:], Policy())
        assert result.verdict is Decision.BROKEN
        assert "only 1 of 2 runs" in result.problems[0].message

    def test_a_record_without_reasons_is_no_session(self, baseline: tuple[Path, ...]) -> None:
        path = baseline[2] / "meta/session.json"
        record = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**record, "state": "broken"}), encoding="utf-8")
        assert compare(baseline[:2], baseline[2:], Policy()).verdict is Decision.BROKEN
        path.write_text(json.dumps({**record, "measurement": None}), encoding="utf-8")
        assert compare(baseline[:2], baseline[2:], Policy()).verdict is Decision.BROKEN

    def test_a_record_of_the_future_is_left_to_the_readings(
        self, baseline: tuple[Path, ...]
    ) -> None:
        path = baseline[2] / "meta/session.json"
        record = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**record, "schema": 2, "state": "broken"}), encoding="utf-8")
        assert compare(baseline[:2], baseline[2:], Policy(tolerance=0.5)).problems == ()


class TestNoBaseline:
    def test_at_the_desk_and_in_ci(self, tmp_path: Path, options: GateOptions) -> None:
        desk = gate(options, make_host(tmp_path))
        ci = gate(replace(options, local=True), make_host(tmp_path, CI="true"))
        for result in (desk, ci):
            assert result.verdict.verdict is Decision.NOT_COMPARABLE
            assert result.no_baseline
            assert result.may_be_skipped()
            assert "--baseline" in result.verdict.problems[0].remedy
        assert "CI is set" in messages(ci)
        assert "--local-baseline" in desk.verdict.problems[0].remedy
        assert starts(tmp_path) == []

    def test_a_local_baseline_is_not_for_ci(self, tmp_path: Path, options: GateOptions) -> None:
        asked = replace(options, local=True)
        assert gate(asked, make_host(tmp_path)).verdict.verdict is Decision.PASS
        assert gate(options, make_host(tmp_path)).verdict.verdict is Decision.PASS
        assert gate(options, make_host(tmp_path, CI="1")).no_baseline

    def test_an_unfit_or_broken_contender_is_told_as_well(
        self, tmp_path: Path, options: GateOptions
    ) -> None:
        fresh = replace(options, contender=(tmp_path / "fresh",))
        measure(options.measuring, make_host(tmp_path, FAKE_EXIT="6"))
        unfit = gate(fresh, make_host(tmp_path))
        assert unfit.verdict.verdict is Decision.NOT_COMPARABLE
        assert "exit status 6" in messages(unfit)
        measure(options.measuring, make_host(tmp_path, FAKE_EXIT="3"))
        broken = gate(fresh, make_host(tmp_path))
        assert broken.verdict.verdict is Decision.BROKEN
        assert not broken.may_be_skipped()

    def test_files_without_a_record_have_no_local_baseline(
        self, tmp_path: Path, options: GateOptions
    ) -> None:
        fresh = replace(options, contender=(tmp_path / "none",), local=True)
        assert gate(fresh, make_host(tmp_path)).no_baseline

    def test_only_the_want_of_a_baseline_may_be_skipped(self) -> None:
        for decision in Decision:
            plain = GateResult(refuse(decision, []))
            wanting = GateResult(refuse(decision, []), no_baseline=True)
            assert plain.may_be_skipped() is (decision is Decision.UNFIT)
            assert wanting.may_be_skipped() is (
                decision in (Decision.UNFIT, Decision.NOT_COMPARABLE)
            )


class TestLocalBaseline:
    @pytest.fixture(autouse=True)
    def _local(self, options: GateOptions, monkeypatch: pytest.MonkeyPatch) -> None:
        self.options = replace(options, local=True)
        monkeypatch.setattr(local_baseline, "SESSIONS", 3)  # the fewest that certify

    def test_its_life(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Recorded aloud, used silently, recorded again when the machine is another."""
        monkeypatch.setattr(local_baseline, "SESSIONS", 5)
        host = make_host(tmp_path)
        result = gate(self.options, host)
        assert result.verdict.verdict is Decision.PASS
        assert len(starts(tmp_path)) == 1 + 5 * 2 + 2
        assert "one run to see how long it takes" in said(host)
        assert "recording 5 sessions of 2 runs as the local baseline: about" in said(host)
        assert printed(host).startswith("certifiable tolerance: ")
        (folder,) = local_folders(tmp_path)
        assert sorted(p.name for p in folder.iterdir()) == [f"session-{n}" for n in range(5)]
        assert result.verdict.notes[0] == (
            f"Compared with the local baseline {folder}; remove it to record it again."
        )

        host = make_host(tmp_path)
        assert gate(self.options, host).verdict.verdict is Decision.PASS
        assert len(starts(tmp_path)) == 13 + 2
        assert "recording" not in said(host)

        host = make_host(tmp_path, FAKE_CPU_MODEL="Fake 9001")
        assert gate(self.options, host).verdict.verdict is Decision.PASS
        assert len(starts(tmp_path)) == 15 + 2 + 11
        assert "no longer comparable; it is recorded again:\n" in said(host)
        assert "Fake 9000" in said(host)
        assert "Fake 9001" in said(host)
        assert printed(host).count("certifiable tolerance: ") == 2
        assert local_folders(tmp_path) == [folder]

    def test_a_slower_switch_is_a_regression(self, tmp_path: Path) -> None:
        gate(self.options, make_host(tmp_path))
        slow = gate(self.options, make_host(tmp_path, FAKE_FACTOR="2"))
        assert slow.verdict.verdict is Decision.REGRESSION

    def test_a_given_tolerance_is_kept_and_the_figure_is_not_printed(self, tmp_path: Path) -> None:
        host = make_host(tmp_path)
        result = gate(replace(self.options, policy=Policy(tolerance=0.3)), host)
        assert {row.tolerance for row in result.verdict.benchmarks if row.gated} == {0.3}
        assert printed(host) == ""

    def test_quiet_leaves_stdout_to_the_verdict(self, tmp_path: Path) -> None:
        host = make_host(tmp_path)
        gate(replace(self.options, quiet=True), host)
        assert printed(host) == ""
        assert "certifiable tolerance: " in said(host)

    def test_another_kind_of_measurement_has_its_own(self, tmp_path: Path) -> None:
        gate(self.options, make_host(tmp_path))
        fewer = replace(self.options.measuring, filter="switch")
        gate(replace(self.options, measuring=fewer), make_host(tmp_path))
        assert len(local_folders(tmp_path)) == 2

    def test_a_measured_session_finds_it(self, tmp_path: Path) -> None:
        gate(self.options, make_host(tmp_path))
        log = len(starts(tmp_path))
        measured = replace(self.options, contender=(tmp_path / "fresh",), local=False)
        result = gate(measured, make_host(tmp_path))
        assert result.verdict.verdict is Decision.PASS
        assert len(starts(tmp_path)) == log

    def test_an_unfit_session_stays_unfit(self, tmp_path: Path) -> None:
        gate(self.options, make_host(tmp_path))
        measure(self.options.measuring, make_host(tmp_path, FAKE_EXIT="6"))
        measured = replace(self.options, contender=(tmp_path / "fresh",))
        assert gate(measured, make_host(tmp_path)).verdict.verdict is Decision.UNFIT

    def test_a_measured_session_records_nothing(self, tmp_path: Path) -> None:
        gate(self.options, make_host(tmp_path))
        measure(self.options.measuring, make_host(tmp_path, FAKE_CPU_MODEL="Fake 9001"))
        log = len(starts(tmp_path))
        measured = replace(self.options, contender=(tmp_path / "fresh",))
        result = gate(measured, make_host(tmp_path))
        assert result.verdict.verdict is Decision.NOT_COMPARABLE
        assert not result.may_be_skipped()
        assert len(starts(tmp_path)) == log

    @pytest.mark.parametrize("run", [0, 1])
    def test_an_interrupted_recording_leaves_nothing_half(self, tmp_path: Path, run: int) -> None:
        host = make_host(tmp_path)
        real = host.run

        def interrupt(argv, **rest):  # type: ignore[no-untyped-def]
            if f"ctxgate.run={run}" in argv:
                raise KeyboardInterrupt
            return real(argv, **rest)

        host.run = interrupt
        with pytest.raises(KeyboardInterrupt):
            gate(self.options, host)
        assert local_folders(tmp_path) == []
        host.run = real
        assert gate(self.options, host).verdict.verdict is Decision.PASS

    def test_what_a_killed_recording_left_goes(self, tmp_path: Path) -> None:
        gate(self.options, make_host(tmp_path))
        (folder,) = local_folders(tmp_path)
        partial = folder.with_name(f"{folder.name}.partial")
        folder.rename(partial)
        (partial / "session-2/run-01.json").unlink()
        host = make_host(tmp_path)
        assert gate(self.options, host).verdict.verdict is Decision.PASS
        assert "recording 3 sessions" in said(host)
        assert local_folders(tmp_path) == [folder]

    def test_a_failed_recording_keeps_the_old_one(self, tmp_path: Path) -> None:
        gate(self.options, make_host(tmp_path))
        host = make_host(tmp_path, FAKE_CPU_MODEL="Fake 9001", FAKE_AT_RUN="1")
        real = host.run

        def fail_in_recording(argv, **rest):  # type: ignore[no-untyped-def]
            if any("session-1" in word for word in argv):
                rest["environ"] = {**rest["environ"], "FAKE_EXIT": "6"}
            return real(argv, **rest)

        host.run = fail_in_recording
        assert gate(self.options, host).verdict.verdict is Decision.UNFIT
        (folder,) = local_folders(tmp_path)
        assert "Fake 9000" in (folder / "session-2/run-00.json").read_text(encoding="utf-8")

    def test_a_trial_that_fails_is_the_verdict(self, tmp_path: Path) -> None:
        result = gate(self.options, make_host(tmp_path, FAKE_EXIT="6"))
        assert result.verdict.verdict is Decision.UNFIT
        assert local_folders(tmp_path) == []

    def test_refused_rights_are_unfit_before_anything_is_recorded(self, tmp_path: Path) -> None:
        result = gate(self.options, make_host(tmp_path, FAKE_FITNESS="bad"))
        assert result.verdict.verdict is Decision.UNFIT
        assert result.may_be_skipped()
        assert starts(tmp_path) == []

    def test_damage_is_broken_and_named(self, tmp_path: Path) -> None:
        gate(self.options, make_host(tmp_path))
        (folder,) = local_folders(tmp_path)
        (folder / "session-0/run-00.json").unlink()
        result = gate(self.options, make_host(tmp_path))
        assert result.verdict.verdict is Decision.BROKEN
        assert str(folder) in messages(result)

    def test_without_home_it_says_so(self, tmp_path: Path) -> None:
        host = make_host(tmp_path)
        host.environ = {key: value for key, value in host.environ.items() if key != "HOME"}
        result = gate(self.options, host)
        assert result.verdict.verdict is Decision.USAGE_ERROR
        assert "neither XDG_STATE_HOME nor HOME is set" in messages(result)
        assert "--local-dir" in result.verdict.problems[0].remedy
        assert gate(replace(self.options, local=False), host).no_baseline
        chosen = replace(self.options, local_dir=Path("here"))
        assert gate(chosen, host).verdict.verdict is Decision.PASS
        assert list((tmp_path / "here").glob("*/session-2"))

    def test_the_state_directory_is_honoured(self, tmp_path: Path) -> None:
        host = make_host(tmp_path, XDG_STATE_HOME=str(tmp_path / "state"))
        gate(self.options, host)
        assert list((tmp_path / "state/ctxgate/baselines/wall").glob("*/session-2"))
        relative = local_baseline._state_directory({"XDG_STATE_HOME": "state", "HOME": "/h"})
        assert relative == Path("/h/.local/state/ctxgate/baselines/wall")

    def test_a_home_that_cannot_be_written_says_so(self, tmp_path: Path) -> None:
        (tmp_path / "home").write_text("a file", encoding="ascii")
        result = gate(self.options, make_host(tmp_path))
        assert result.verdict.verdict is Decision.USAGE_ERROR
        assert "there is no place for a local baseline" in messages(result)

    def test_no_space_for_it_is_broken(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = Path.mkdir

        def full(path: Path, *rest: object, **more: object) -> None:
            if path.name.endswith(".partial"):
                raise OSError(28, "No space left on device")
            real(path, *rest, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(Path, "mkdir", full)
        result = gate(self.options, make_host(tmp_path))
        assert result.verdict.verdict is Decision.BROKEN
        assert "No space left on device" in messages(result)

    def test_a_baseline_that_certifies_nothing_says_so(self, tmp_path: Path) -> None:
        gate(self.options, make_host(tmp_path))
        (folder,) = local_folders(tmp_path)
        assert local_baseline.tolerance_line([folder / "session-0"]) == (
            "certifiable tolerance: none; the local baseline holds nothing to certify"
        )
        only = replace(self.options.measuring, filter="twin")
        host = make_host(tmp_path)
        gate(replace(self.options, measuring=only), host)
        assert printed(host).endswith(f" at worst ({TWIN})\n")
        shutil.rmtree(folder)
