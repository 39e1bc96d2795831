# SPDX-License-Identifier: Apache-2.0
import gzip
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from ctxgate.readings.load import load_sessions
from ctxgate.system.host import Host
from ctxgate.system.outcome import MeasureOptions, MeasureOutcome, State
from ctxgate.system.session_directory import read_record
from ctxgate.wall import measure as room
from ctxgate.wall.measure import measure
from tests.wall.bench import install_program, make_host, said, starts


@pytest.fixture
def options(tmp_path: Path) -> MeasureOptions:
    bench = install_program(tmp_path / "bin")
    return MeasureOptions(out=Path("session"), runs=3, bench=bench, command=("ctxgate", "measure"))


def left(folder: Path) -> list[str]:
    """What lies where the session should be, hidden things included."""
    return sorted(p.name for p in folder.iterdir() if "session" in p.name)


def failed(outcome: MeasureOutcome, state: State) -> str:
    """The messages of an outcome that ended as `state`."""
    assert outcome.state is state
    assert all(problem.remedy for problem in outcome.problems)
    return "\n".join(problem.message for problem in outcome.problems)


def test_a_session_is_fresh_processes_stamped_and_shuffled(
    tmp_path: Path, options: MeasureOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a directory without a commit
    host = make_host(tmp_path)
    (host.root / "proc/config.gz").write_bytes(gzip.compress(b"CONFIG_HZ=250\n"))
    assert measure(options, host).state is State.COMPLETE
    session = tmp_path / "session"
    assert sorted(p.name for p in session.iterdir()) == [
        "meta",
        "run-00.json",
        "run-01.json",
        "run-02.json",
    ]
    assert (session / "meta/kernel.config").read_text(encoding="ascii") == "CONFIG_HZ=250\n"
    started = starts(tmp_path)
    assert len({start["pid"] for start in started}) == 3
    assert len({start["argv"][start["argv"].index("--seed") + 1] for start in started}) == 3
    paddings = {start["padding"] for start in started}
    assert len(paddings) == 3
    assert max(paddings) < 4096
    read = load_sessions([session])
    assert read.problems == ()
    runs = read.sessions[0].runs
    assert [run.run_index for run in runs] == [0, 1, 2]
    assert {run.session_runs for run in runs} == {3}
    assert len({run.session for run in runs}) == 1
    assert len(runs[0].session) == 16
    assert len(runs[0].subject["kernel_config"]) == 64
    assert len(runs[0].record["binary_sha256"]) == 64
    assert runs[0].record["git_commit"] == "unknown"


def test_the_record_says_what_was_measured(
    tmp_path: Path, options: MeasureOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a directory without a commit
    chosen = replace(options, filter="pipe", scheduling_class="fifo", cpu=0)
    outcome = measure(chosen, make_host(tmp_path))
    record = read_record(tmp_path / "session")
    assert record is not None
    assert record.state is State.COMPLETE
    assert record.exit_code == 0
    assert record.command == ("ctxgate", "measure")
    assert record.started == "2026-01-01T00:00:00+00:00"
    assert record.cautions == outcome.cautions
    assert "commit is recorded as unknown" in outcome.cautions[0].message
    assert record.measurement is not None
    assert record.measurement.program == "ctxgate-bench"
    assert record.measurement.filter == "pipe"


def test_choices_are_handed_on(tmp_path: Path, options: MeasureOptions) -> None:
    chosen = replace(
        options,
        runs=1,
        filter="switch",
        scheduling_class="fifo",
        cpu=0,
        deadline=5,
        bench_args=("--require=switch",),
    )
    assert measure(chosen, make_host(tmp_path)).state is State.COMPLETE
    argv = " ".join(starts(tmp_path)[0]["argv"])
    assert "--filter switch --cpu 0 --class fifo --deadline 5 --context" in argv
    assert argv.endswith(" --require=switch")


def test_facts_of_the_program_are_not_stamped_twice(
    tmp_path: Path, options: MeasureOptions
) -> None:
    host = make_host(tmp_path)
    real = host.run

    def with_more(argv, **rest):  # type: ignore[no-untyped-def]
        finished = real(argv, **rest)
        if "--facts" not in argv:
            return finished
        facts = json.loads(finished.stdout)
        facts["subject"]["kernel_config"] = "theirs"
        facts["record"]["git_commit"] = "theirs"
        return finished._replace(stdout=json.dumps(facts).encode())

    host.run = with_more
    assert measure(replace(options, runs=1), host).state is State.COMPLETE
    argv = " ".join(starts(tmp_path)[0]["argv"])
    assert "kernel_config" not in argv
    assert "git_commit" not in argv
    assert "binary_sha256" in argv


def test_an_earlier_session_and_leftovers_go(tmp_path: Path, options: MeasureOptions) -> None:
    host = make_host(tmp_path)
    assert measure(options, host).state is State.COMPLETE
    (tmp_path / ".session.partial-dead/meta").mkdir(parents=True)
    (tmp_path / ".session.partial-dead/run-00.json").touch()
    assert measure(replace(options, runs=1), host).state is State.COMPLETE
    assert left(tmp_path) == ["session"]
    assert len(list((tmp_path / "session").glob("*.json"))) == 1


@pytest.mark.parametrize(
    ("prepare", "why"),
    [
        (lambda path: path.write_text("mine"), "is a file"),
        (lambda path: (path / "photos").mkdir(parents=True), "holds no session"),
        (lambda path: (path / "meta").mkdir(parents=True), "holds no session"),
    ],
)
def test_what_is_no_session_is_not_replaced(
    tmp_path: Path,
    options: MeasureOptions,
    prepare,  # type: ignore[no-untyped-def]
    why: str,
) -> None:
    prepare(tmp_path / "session")
    outcome = measure(options, make_host(tmp_path))
    assert why in failed(outcome, State.USAGE)
    assert (tmp_path / "session").exists()
    assert starts(tmp_path) == []


def test_an_empty_directory_may_be_there(tmp_path: Path, options: MeasureOptions) -> None:
    (tmp_path / "session").mkdir()
    assert measure(options, make_host(tmp_path)).state is State.COMPLETE


def test_the_working_directory_is_not_replaced(
    tmp_path: Path, options: MeasureOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / "a/b"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    for out in (inside, tmp_path / "a"):
        outcome = measure(replace(options, out=out), make_host(tmp_path))
        assert "holds the working directory" in failed(outcome, State.USAGE)


def test_a_deleted_working_directory_is_no_obstacle(
    tmp_path: Path, options: MeasureOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> Path:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "cwd", gone)
    assert measure(options, make_host(tmp_path)).state is State.COMPLETE


@pytest.mark.parametrize(
    ("status", "state"),
    [("6", State.UNFIT), ("3", State.BROKEN), ("1", State.BROKEN)],
)
def test_a_session_that_failed_leaves_only_its_record(
    tmp_path: Path, options: MeasureOptions, status: str, state: State
) -> None:
    host = make_host(tmp_path)
    assert measure(options, host).state is State.COMPLETE
    host = make_host(tmp_path, FAKE_EXIT=status, FAKE_AT_RUN="1")
    message = failed(measure(options, host), state)
    assert message.startswith(f"run 1: the benchmark program ended with exit status {status}: ")
    assert "RLIMIT_RTPRIO refuses SCHED_FIFO\nfake: setcap helps" in message
    assert left(tmp_path) == ["session"]
    session = tmp_path / "session"
    assert [p.relative_to(session).name for p in session.rglob("*.*")] == ["session.json"]
    record = read_record(session)
    assert record is not None
    assert record.state is state
    assert record.exit_code == state.exit_code
    assert record.reasons[0].message == message


def test_a_usage_error_leaves_nothing(tmp_path: Path, options: MeasureOptions) -> None:
    assert measure(options, make_host(tmp_path)).state is State.COMPLETE
    outcome = measure(options, make_host(tmp_path, FAKE_EXIT="2"))
    assert "exit status 2" in failed(outcome, State.USAGE)
    assert left(tmp_path) == []


def test_a_missing_program_is_a_usage_error(tmp_path: Path, options: MeasureOptions) -> None:
    outcome = measure(replace(options, bench=Path("gone")), make_host(tmp_path))
    assert "gone is no program" in failed(outcome, State.USAGE)


@pytest.mark.parametrize(
    ("mode", "why"),
    [
        ("crash", "run 2: the benchmark program was killed by signal 11"),
        ("silent", "run 2: the benchmark program wrote no result file"),
        ("garbage", "run 2: run-02.json:1"),
        ("foreign_file", "wrote a file without the context of ctxgate-bench"),
    ],
)
def test_a_run_that_is_no_good_breaks_the_session(
    tmp_path: Path, options: MeasureOptions, mode: str, why: str
) -> None:
    outcome = measure(options, make_host(tmp_path, FAKE_MODE=mode, FAKE_AT_RUN="2"))
    message = failed(outcome, State.BROKEN)
    assert why in message
    assert "partial" not in message
    assert left(tmp_path) == ["session"]


@pytest.mark.parametrize("mode", ["hang", "stubborn"])
def test_a_run_that_hangs_is_ended(
    tmp_path: Path, options: MeasureOptions, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setattr(room, "RUN_DEADLINES", 0)
    monkeypatch.setattr(room, "RUN_GRACE_S", 0.5)
    monkeypatch.setattr("ctxgate.system.child.GRACE_S", 0.2)
    outcome = measure(options, make_host(tmp_path, FAKE_MODE=mode))
    assert "run 0: the benchmark program did not end in time" in failed(outcome, State.BROKEN)


@pytest.mark.parametrize("mode", ["chatty", "orphan"])
def test_noise_on_the_side_does_no_harm(tmp_path: Path, options: MeasureOptions, mode: str) -> None:
    assert measure(options, make_host(tmp_path, FAKE_MODE=mode)).state is State.COMPLETE


def test_a_program_that_vanishes_breaks_the_session(
    tmp_path: Path, options: MeasureOptions
) -> None:
    host = make_host(tmp_path)
    real = host.run

    def vanish(argv, **rest):  # type: ignore[no-untyped-def]
        finished = real(argv, **rest)
        if "--facts" in argv and options.bench is not None:
            options.bench.unlink()
        return finished

    host.run = vanish
    assert "No such file" in failed(measure(options, host), State.BROKEN)


def test_no_space_is_broken_and_leaves_nothing_half(
    tmp_path: Path, options: MeasureOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_self: Path, _data: bytes) -> int:
        raise OSError(28, "No space left on device", "meta/session.json")

    monkeypatch.setattr(Path, "write_bytes", full)
    host = make_host(tmp_path)
    message = failed(measure(options, host), State.BROKEN)
    assert message == ("the session cannot be kept: meta/session.json No space left on device")
    assert "the session's record cannot be kept" in said(host)
    assert left(tmp_path) == []


def test_an_interruption_leaves_nothing(tmp_path: Path, options: MeasureOptions) -> None:
    host = make_host(tmp_path)
    real = host.run

    def interrupt(argv, **rest):  # type: ignore[no-untyped-def]
        if "ctxgate.run=1" in argv:
            raise KeyboardInterrupt
        return real(argv, **rest)

    host.run = interrupt
    with pytest.raises(KeyboardInterrupt):
        measure(options, host)
    assert left(tmp_path) == []
    host.run = real
    assert measure(options, host).state is State.COMPLETE


def test_many_runs_sort_by_name(tmp_path: Path, options: MeasureOptions) -> None:
    host = make_host(tmp_path)
    host.run = _copying(host)
    assert measure(replace(options, runs=101), host).state is State.COMPLETE
    names = sorted(p.name for p in (tmp_path / "session").glob("*.json"))
    assert names[0] == "run-000.json"
    assert names[-1] == "run-100.json"


def _copying(host: Host):  # type: ignore[no-untyped-def]
    """A runner that writes the first run's file again and again, with the right stamp."""
    real, kept = host.run, []

    def run(argv, **rest):  # type: ignore[no-untyped-def]
        if "--out" not in argv:
            return real(argv, **rest)
        out = Path(argv[argv.index("--out") + 1])
        if not kept:
            kept.append(real(argv, **rest))
            kept.append(json.loads(out.read_text(encoding="utf-8")))
        stamp = next(word for word in argv if word.startswith("ctxgate.run="))
        kept[1]["context"]["ctxgate.run"] = stamp.partition("=")[2]
        out.write_text(json.dumps(kept[1]), encoding="utf-8")
        return kept[0]

    return run


class TestForeign:
    """A plain Google Benchmark program."""

    def test_is_pinned_stamped_and_unproven(self, tmp_path: Path, options: MeasureOptions) -> None:
        cpu = min(os.sched_getaffinity(0))
        chosen = replace(options, cpu=cpu, filter="ring", bench_args=("--benchmark_min_time=1x",))
        assert measure(chosen, make_host(tmp_path, FAKE_FOREIGN="1")).state is State.COMPLETE
        started = starts(tmp_path)
        assert [start["cpus"] for start in started] == [[cpu]] * 3
        argv = started[0]["argv"]
        assert argv[1:2] == ["--benchmark_out_format=json"]
        assert argv[3:] == ["--benchmark_filter=ring", "--benchmark_min_time=1x"]
        read = load_sessions([tmp_path / "session"])
        assert read.problems == ()
        assert {run.foreign for run in read.sessions[0].runs} == {True}
        assert {run.session_runs for run in read.sessions[0].runs} == {3}

    def test_its_exit_status_means_nothing_but_failure(
        self, tmp_path: Path, options: MeasureOptions
    ) -> None:
        for status in ("2", "6"):
            host = make_host(tmp_path, FAKE_FOREIGN="1", FAKE_EXIT=status)
            assert f"exit status {status}" in failed(measure(options, host), State.BROKEN)

    def test_is_never_fifo(self, tmp_path: Path, options: MeasureOptions) -> None:
        chosen = replace(options, scheduling_class="fifo")
        outcome = measure(chosen, make_host(tmp_path, FAKE_FOREIGN="1"))
        assert "--class fifo is not for a foreign program" in failed(outcome, State.USAGE)
        other = replace(options, scheduling_class="other", runs=1)
        assert measure(other, make_host(tmp_path, FAKE_FOREIGN="1")).state is State.COMPLETE

    def test_has_its_deadline(
        self, tmp_path: Path, options: MeasureOptions, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(room, "RUN_GRACE_S", -0.5)
        chosen = replace(options, deadline=1)
        outcome = measure(chosen, make_host(tmp_path, FAKE_FOREIGN="1", FAKE_MODE="hang"))
        assert "did not end in time" in failed(outcome, State.BROKEN)

    def test_a_cpu_it_cannot_have_is_unfit(self, tmp_path: Path, options: MeasureOptions) -> None:
        outcome = measure(replace(options, cpu=1000), make_host(tmp_path, FAKE_FOREIGN="1"))
        assert "CPU 1000 cannot be had" in failed(outcome, State.UNFIT)
