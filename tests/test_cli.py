# SPDX-License-Identifier: Apache-2.0
"""The command in this process: parsing, exit statuses, reports."""

import io
import json
import os
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

from ctxgate import __version__, arguments, cli
from ctxgate.arguments import parse
from ctxgate.cli import main
from ctxgate.report.style import Style
from ctxgate.system.host import Host
from ctxgate.system.interruption import Interrupted
from ctxgate.verdict.model import Verdict
from tests.wall.bench import install_program, make_host, printed, said, starts


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with the fake program where a build puts it."""
    install_program(tmp_path / "build")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(folder: Path, *argv: str, **environ: str) -> tuple[int, Host]:
    """Exit status and host of one command line."""
    host = make_host(folder, **environ)
    return main(argv, host), host


@pytest.fixture
def sessions(folder: Path) -> list[str]:
    """Three sessions of two runs, called s0 to s2."""
    names = ["s0", "s1", "s2"]
    for name in names:
        assert run(folder, "measure", "--out", name, "--runs", "2")[0] == 0
    (folder / "log").unlink()
    return names


def reports(folder: Path) -> tuple[int, str]:
    """What the reports `v.json` and `v.xml` say: exit code, and whether JUnit holds a failure."""
    document = json.loads((folder / "v.json").read_bytes())
    root = ElementTree.fromstring((folder / "v.xml").read_bytes())
    bad = [element.tag for element in root.iter() if element.tag in ("failure", "error")]
    return document["exit_code"], bad[0] if bad else ""


BOTH = ("--json", "v.json", "--junit", "v.xml")


class TestExitStatus:
    """Every row of the table, with both reports written."""

    def test_pass_and_regression(self, folder: Path, sessions: list[str]) -> None:
        given = ("gate", "--baseline", *sessions, "--tolerance", "30%", "--runs", "2", *BOTH)
        assert run(folder, *given)[0] == 0
        assert reports(folder) == (0, "")
        assert run(folder, *given, FAKE_FACTOR="2")[0] == 1
        assert reports(folder) == (1, "failure")

    def test_usage_error(self, folder: Path) -> None:
        given = ("gate", "--local-baseline", "--bench", "none", *BOTH)
        assert run(folder, *given)[0] == 2
        assert reports(folder)[0] == 2
        assert run(folder, "gate", "--tolerance", "many", *BOTH)[0] == 2
        assert reports(folder)[0] == 2

    def test_broken(self, folder: Path, sessions: list[str]) -> None:
        given = ("compare", "--baseline", *sessions, "--contender", "none", *BOTH)
        status, host = run(folder, *given)
        assert status == 3
        assert reports(folder)[0] == 3
        assert "none" in printed(host)

    def test_not_comparable(self, folder: Path, sessions: list[str]) -> None:
        other = ("measure", "--out", "other", "--runs", "2")
        assert run(folder, *other, FAKE_CPU_MODEL="Other")[0] == 0
        given = ("compare", "--baseline", *sessions, "--contender", "other", *BOTH)
        assert run(folder, *given)[0] == 4
        assert reports(folder)[0] == 4

    def test_inconclusive(self, folder: Path, sessions: list[str]) -> None:
        given = ("compare", "--baseline", *sessions[:2], "--contender", "s2", *BOTH)
        assert run(folder, *given, "--tolerance", "0.1%")[0] == 5
        assert reports(folder)[0] == 5

    def test_unfit(self, folder: Path, sessions: list[str]) -> None:
        given = ("gate", "--baseline", *sessions, *BOTH)
        assert run(folder, *given, FAKE_EXIT="6")[0] == 6
        assert reports(folder)[0] == 6

    def test_internal_error(
        self, folder: Path, sessions: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def bug(*_: object) -> Verdict:
            raise ZeroDivisionError("a bug")

        monkeypatch.setattr("ctxgate.gate.compare.compare", bug)
        given = ("compare", "--baseline", *sessions, "--contender", "s0", *BOTH)
        status, host = run(folder, *given)
        assert status == 70
        assert reports(folder)[0] == 70
        assert "ZeroDivisionError: a bug" in said(host)
        assert "please report" in said(host)
        with pytest.raises(ZeroDivisionError):
            run(folder, *given, CTXGATE_DEBUG="1")

    def test_a_bug_in_reporting_a_bug_is_still_70(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def bug(*_: object) -> int:
            raise ZeroDivisionError

        monkeypatch.setattr(cli._Command, "run", bug)
        monkeypatch.setattr(cli._Command, "end_early", bug)
        assert run(folder, "gate")[0] == 70

    @pytest.mark.parametrize(
        ("interruption", "code"),
        [(KeyboardInterrupt(), 130), (Interrupted(2), 130), (Interrupted(15), 143)],
    )
    def test_interrupted(
        self,
        folder: Path,
        sessions: list[str],
        monkeypatch: pytest.MonkeyPatch,
        interruption: KeyboardInterrupt,
        code: int,
    ) -> None:
        def interrupted(*_: object) -> Verdict:
            raise interruption

        monkeypatch.setattr("ctxgate.gate.compare.compare", interrupted)
        given = ("compare", "--baseline", *sessions, "--contender", "s0", *BOTH)
        assert run(folder, *given)[0] == code
        assert reports(folder)[0] == 130
        monkeypatch.setattr("ctxgate.wall.measure.measure", interrupted)
        assert run(folder, "measure", "--out", "s", "--json", "m.json")[0] == code
        state = json.loads((folder / "m.json").read_bytes())
        assert (state["state"], state["exit_code"]) == ("interrupted", code)
        monkeypatch.setattr(arguments, "completion", interrupted)
        assert run(folder, "completion", "bash")[0] == code


class TestSkip:
    def test_unfit_is_skipped_aloud(self, folder: Path, sessions: list[str]) -> None:
        given = ("gate", "--baseline", *sessions, "--on-unfit=skip", *BOTH)
        status, host = run(folder, *given, FAKE_FITNESS="bad")
        assert status == 77
        assert "SKIPPED, nothing was gated (--on-unfit=skip, otherwise exit 6)" in said(host)
        assert "setcap cap_sys_nice+ep" in printed(host)
        assert reports(folder)[0] == 6

    def test_no_baseline_is_skipped_other_identity_is_not(
        self, folder: Path, sessions: list[str]
    ) -> None:
        assert run(folder, "gate", "--on-unfit=skip")[0] == 77
        assert run(folder, "gate", "--on-unfit=fail")[0] == 4
        assert run(folder, "gate", "--on-unfit=skip", CI="true")[0] == 77
        other = ("gate", "--baseline", *sessions, "--runs", "2", "--on-unfit=skip")
        assert run(folder, *other, FAKE_CPU_MODEL="Other")[0] == 4

    def test_nothing_else_is_skipped(self, folder: Path, sessions: list[str]) -> None:
        given = ("gate", "--baseline", *sessions, "--runs", "2", "--on-unfit=skip")
        assert run(folder, *given, "--tolerance", "30%", FAKE_FACTOR="2")[0] == 1
        assert run(folder, *given, FAKE_EXIT="3")[0] == 3
        assert run(folder, *given, FAKE_EXIT="2")[0] == 2
        assert run(folder, *given, "--tolerance", "0.1%")[0] == 5

    def test_a_report_that_fails_is_not_skipped(self, folder: Path, sessions: list[str]) -> None:
        given = ("gate", "--contender", "none", "--on-unfit=skip", "--junit", "no/v.xml")
        assert run(folder, *given)[0] == 3
        given = ("gate", "--baseline", *sessions, "--on-unfit=skip", "--json", "/dev/full")
        assert run(folder, *given, FAKE_FITNESS="bad")[0] == 3

    def test_measure_and_doctor(self, folder: Path) -> None:
        assert run(folder, "measure", "--out", "s", "--on-unfit=skip", FAKE_EXIT="6")[0] == 77
        assert run(folder, "measure", "--out", "s", "--on-unfit=skip", FAKE_EXIT="3")[0] == 3
        assert run(folder, "doctor", "--on-unfit=skip", FAKE_FITNESS="bad")[0] == 77
        assert run(folder, "doctor", "--on-unfit=skip")[0] == 0


class TestMeasure:
    def test_says_where_the_session_is(self, folder: Path) -> None:
        status, host = run(folder, "measure", "--out", "s", "--runs", "1", "--json", "m.json")
        assert status == 0
        assert printed(host) == "measured a session into s\n"
        assert "caution: the commit is recorded as unknown" in said(host)
        assert json.loads((folder / "m.json").read_bytes()) == {
            "schema": 1,
            "state": "complete",
            "exit_code": 0,
            "problems": [],
        }
        record = json.loads((folder / "s/meta/session.json").read_bytes())
        assert record["command"] == [
            "ctxgate", "measure", "--out", "s", "--runs", "1", "--json", "m.json",
        ]  # fmt: skip

    def test_says_why_it_failed(self, folder: Path) -> None:
        given = ("measure", "--out", "s", "--json", "m.json")
        status, host = run(folder, *given, FAKE_EXIT="6")
        assert status == 6
        assert printed(host) == ""
        assert "ctxgate: unfit: run 0: the benchmark program ended with exit status 6" in said(host)
        assert "  -> do what the program says" in said(host)
        state = json.loads((folder / "m.json").read_bytes())
        assert state["exit_code"] == 6
        assert state["problems"][0]["kind"] == "run"

    def test_hands_arguments_to_the_program(self, folder: Path) -> None:
        given = ("measure", "--out", "s", "--runs", "1")
        assert run(folder, *given, "--bench-args", "--x", "1", "--y=2")[0] == 0
        assert starts(folder)[-1]["argv"][-3:] == ["--x", "1", "--y=2"]
        assert run(folder, *given, "--bench-args=--x=1", "--bench-args=--y=2", "--cpu", "0")[0] == 0
        assert starts(folder)[-1]["argv"][-2:] == ["--x=1", "--y=2"]

    def test_a_state_file_that_fails_is_broken(self, folder: Path) -> None:
        given = ("measure", "--out", "s", "--runs", "1", "--json", "no/m.json")
        status, host = run(folder, *given)
        assert status == 3
        assert "cannot write" in said(host)


class TestGate:
    def test_keeps_the_session_on_demand(self, folder: Path, sessions: list[str]) -> None:
        given = ("gate", "--baseline", *sessions, "--runs", "2", "--tolerance", "30%")
        assert run(folder, *given)[0] == 0
        assert run(folder, *given, "--out", "kept")[0] == 0
        assert (folder / "kept/run-01.json").exists()

    def test_the_certifiable_tolerance_comes_first(self, folder: Path) -> None:
        status, host = run(folder, "gate", "--local-baseline", "--runs", "2")
        assert status == 0
        lines = printed(host).splitlines()
        assert lines[0].startswith("certifiable tolerance: ")
        assert "pass" in lines[1]
        status, host = run(folder, "gate", "--local-baseline", "--runs", "2", "--summary")
        assert status == 0
        assert printed(host).startswith("ctxgate: pass - ")
        assert printed(host).count("\n") == 1

    def test_a_report_that_cannot_be_written_is_told_before_measuring(
        self, folder: Path, sessions: list[str]
    ) -> None:
        given = ("gate", "--baseline", *sessions, "--json", "v.json", "--junit", "no/v.xml")
        status, host = run(folder, *given)
        assert status == 3
        assert "there is no directory no" in printed(host)
        assert json.loads((folder / "v.json").read_bytes())["exit_code"] == 3
        assert starts(folder) == []

    def test_one_look_spends_the_whole_allowance(self, folder: Path, sessions: list[str]) -> None:
        given = ("gate", "--baseline", *sessions, "--runs", "2", "--tolerance", "30%")
        for looks, allowance in (("1", 0.01), ("2", 0.001)):
            assert run(folder, *given, "--looks", looks, "--json", "v.json")[0] == 0
            rows = json.loads((folder / "v.json").read_bytes())["benchmarks"]
            assert {(row["look"], row["allowance"]) for row in rows if row["gated"]} == {
                (1, allowance)
            }
        status, host = run(folder, *given, "--looks", "3")
        assert status == 2
        assert "invalid choice: 3 (choose from 1, 2)" in said(host)

    def test_options_that_exclude_each_other(self, folder: Path) -> None:
        status, host = run(folder, "gate", "--local-baseline", "--baseline", "s0")
        assert status == 2
        assert "exclude each other" in said(host)
        status, host = run(folder, "gate", "--contender", "s0", "--out", "s1")
        assert status == 2
        assert "--out is for a fresh session" in said(host)


class TestCompare:
    @pytest.mark.usefixtures("sessions")
    def test_several_paths_and_several_times(self, folder: Path) -> None:
        given = ("compare", "--tolerance", "30%", "twin/*=40%", "--contender", "s2")
        status, _ = run(folder, *given, "--baseline", "s0", "--baseline", "s1", "--json", "v")
        assert status in (0, 5)
        document = json.loads((folder / "v").read_bytes())
        gated = [row for row in document["benchmarks"] if row["gated"]]
        tolerances = {row["name"][:4]: row["tolerance"] for row in gated}
        assert (tolerances["swit"], tolerances["twin"]) == (0.3, 0.4)

    def test_one_line_for_a_commit_message(self, folder: Path, sessions: list[str]) -> None:
        given = ("compare", "--baseline", *sessions[:2], "--contender", "s2", "--summary")
        _, host = run(folder, *given)
        assert printed(host).startswith("ctxgate: ")
        assert printed(host).count("\n") == 1

    def test_a_full_disk_under_stdout_is_broken(self, folder: Path, sessions: list[str]) -> None:
        host = make_host(folder)
        given = ("compare", "--baseline", *sessions, "--contender", "s0")
        with Path("/dev/full").open("w", encoding="utf-8") as full:
            assert main(given, replace(host, stdout=full)) == 3
        assert "No space left on device" in said(host)

    def test_an_ascii_terminal_gets_ascii(self, folder: Path, sessions: list[str]) -> None:
        raw = io.BytesIO()
        host = replace(make_host(folder), stdout=io.TextIOWrapper(raw, encoding="ascii"))
        main(("compare", "--baseline", *sessions, "--contender", "s0"), host)
        assert raw.getvalue().isascii()
        assert b"\\x" not in raw.getvalue()


class TestConfiguration:
    """ctxgate.toml and what prints it."""

    def write(self, folder: Path, text: str) -> None:
        (folder / "ctxgate.toml").write_text(text, encoding="utf-8")

    @pytest.mark.usefixtures("sessions")
    def test_gate_takes_what_the_file_says(self, folder: Path) -> None:
        self.write(
            folder,
            'baseline = ["s0", "s1", "s2"]\nrequired = ["switch/*"]\n'
            '[tolerance]\ndefault = "30%"\n"none/*" = "1%"\n'
            '[floor]\n"twin/*" = { relative = "40%" }\n',
        )
        status, host = run(folder, "gate", "--runs", "2", *BOTH)
        assert status == 0
        document = json.loads((folder / "v.json").read_bytes())
        gated = [
            row for row in document["benchmarks"] if row["gated"]
        ]  # no tail has samples enough
        tolerances = {row["name"][:4]: row["tolerance"] for row in gated}
        assert tolerances["swit"] == pytest.approx(0.3)
        assert tolerances["twin"] == pytest.approx(0.4)
        assert document["notes"][-1].startswith("Configuration: ctxgate.toml (sha256 ")
        assert document["warnings"][-1]["kind"] == "unused-pattern"
        assert 'tolerance."none/*" (ctxgate.toml) matches no benchmark' in printed(host)
        assert run(folder, "gate", "--runs", "2", FAKE_FACTOR="2")[0] == 1
        assert run(folder, "gate", "--runs", "2", "--tolerance", "150%", FAKE_FACTOR="2")[0] == 0
        assert run(folder, "gate", "--no-config")[0] == 4

    def test_a_required_benchmark_that_is_missing_is_broken(
        self, folder: Path, sessions: list[str]
    ) -> None:
        self.write(folder, 'required = ["switch/none"]')
        given = ("--baseline", *sessions, "--contender", "s0", "--json", "v.json")
        assert run(folder, "gate", *given)[0] == 3
        assert run(folder, "compare", *given, "--tolerance", "50%")[0] != 3
        notes = json.loads((folder / "v.json").read_bytes())["notes"]
        assert notes[-1].startswith("required of ctxgate.toml was not used: it is for `ctxgate g")

    @pytest.mark.parametrize("command", ["gate", "compare", "config"])
    def test_a_wrong_one_is_a_usage_error_with_reports(self, folder: Path, command: str) -> None:
        self.write(folder, "[tolerances]")
        sides = ("--baseline", "a", "--contender", "b") if command == "compare" else ()
        action = ("show",) if command == "config" else ()
        status, host = run(folder, command, *action, *sides, "--json", "v.json")
        assert status == 2
        message = 'ctxgate.toml: unknown key "tolerances"; did you mean tolerance?'
        assert said(host) == f"ctxgate: {message}\n"
        document = json.loads((folder / "v.json").read_bytes())
        assert document["exit_code"] == 2
        assert document["problems"][0]["message"] == message

    def test_show(self, folder: Path) -> None:
        self.write(folder, '[tolerance]\n"twin/*" = "5%"\n')
        given = ("config", "show", "--tolerance", "switch/*=2%", "--json", "c.json")
        status, host = run(folder, *given, "--origin")
        assert status == 0
        lines = [line.split() for line in printed(host).splitlines()]
        assert ['tolerance."switch/*"', "2", "%", "command", "line"] in lines
        assert ['tolerance."twin/*"', "5", "%", "ctxgate.toml"] in lines
        shown = json.loads((folder / "c.json").read_bytes())
        assert {one["origin"] for one in shown["settings"]} == {
            "command line", "ctxgate.toml", "default",
        }  # fmt: skip
        _, host = run(folder, *given)
        assert "command line" not in printed(host)
        assert run(folder, "config", "show", "--json", "no/c.json")[0] == 3

    def test_another_file_and_none(self, folder: Path) -> None:
        self.write(folder, "[tolerances]")
        (folder / "mine.toml").write_text("[floor]\ndefault = '50ns'", encoding="utf-8")
        status, host = run(folder, "config", "show", "--config", "mine.toml", "--origin")
        assert status == 0
        assert "floor.default" in printed(host)
        assert "50 ns" in printed(host)
        assert run(folder, "config", "show", "--no-config")[0] == 0
        assert run(folder, "config", "show", "--config", "none.toml")[0] == 2
        status, host = run(folder, "config", "show", "--config", "mine.toml", "--no-config")
        assert status == 2
        assert "not allowed with argument --config" in said(host)


class TestDoctor:
    def test_ready(self, folder: Path) -> None:
        status, host = run(folder, "doctor", "--json", "d.json")
        assert status == 0
        assert printed(host).endswith("ready: this machine can give a valid wall reading\n")
        document = json.loads((folder / "d.json").read_bytes())
        assert document["ready"] is True
        assert document["fitness"][0]["requirement"] == "fifo"

    def test_not_ready(self, folder: Path) -> None:
        status, host = run(folder, "doctor", FAKE_FITNESS="bad")
        assert status == 6
        assert "BAD " in printed(host)

    def test_a_refusal_keeps_its_status(self, folder: Path) -> None:
        status, host = run(folder, "doctor", "--cpu", "99", "--json", "d.json")
        assert status == 2
        assert "CPU 99 does not exist" in said(host)
        assert json.loads((folder / "d.json").read_bytes())["exit_code"] == 2


class TestCommandLine:
    @pytest.mark.parametrize(
        ("argv", "text"),
        [
            ([], "required: COMMAND"),
            (["mesure"], "did you mean measure?"),
            (["measure", "--ot", "s"], "required: --out"),
            (["measure", "--out", "s", "--rns", "3"], "did you mean --runs?"),
            (["measure", "--out", "s", "--run", "3"], "unrecognized arguments: --run"),
            (["measure", "--out", "s", "--runs", "0"], "'0' is no whole number from 1"),
            (["measure", "--out", "s", "--runs", "1e3"], "'1e3' is no whole number"),
            (["measure", "--out", "s", "--cpu", "-1"], "--cpu"),
            (["measure", "--out", "s", "--class", "rr"], "invalid choice: 'rr'"),
            (["measure", "--out", "s", "--lock-timeout", "nan"], "'nan' is no number of seconds"),
            (["compare", "--baseline", "a"], "required: --contender"),
            (["config", "shw"], "did you mean show?"),
            (["config", "show", "--orgin"], "did you mean --origin?"),
            (["gate", "--confg", "x"], "did you mean --config?"),
            (["gate", "--tolerance", "3"], "try 3%"),
            (["gate", "--tolerance", "zzqq"], "try 3%, 0.03 or certifiable"),
            (["gate", "--xyzzy"], "unrecognized arguments: --xyzzy (see ctxgate gate --help)"),
        ],
    )
    def test_a_wrong_one_is_2_with_advice(self, folder: Path, argv: list[str], text: str) -> None:
        status, host = run(folder, *argv)
        assert status == 2
        assert text in said(host)
        assert printed(host) == ""

    def test_version(self, folder: Path) -> None:
        status, host = run(folder, "--version")
        assert (status, printed(host)) == (0, f"ctxgate {__version__}\n")

    @pytest.mark.parametrize(
        "command", ["", "measure", "compare", "gate", "doctor", "config", "completion"]
    )
    def test_help(self, folder: Path, command: str) -> None:
        status, host = run(folder, *filter(None, [command]), "--help")
        assert status == 0
        assert printed(host).startswith(f"usage: ctxgate {command}".rstrip())
        assert "exit status: 0 pass; 1 regression" in printed(host)
        _, host = run(folder, *filter(None, [command]), "--help", FORCE_COLOR="1")
        assert "\x1b[" in printed(host)

    @pytest.mark.parametrize("shell", arguments.SHELLS)
    def test_completion(self, folder: Path, shell: str) -> None:
        status, host = run(folder, "completion", shell)
        assert status == 0
        assert ("measure" if shell == "tcsh" else "--local-baseline") in printed(host)

    def test_seconds(self) -> None:
        style = Style(width=80, color=False, ascii_only=True)
        given = parse(["measure", "--out", "s", "--lock-timeout", "1.5"], style)
        assert given.lock_timeout == 1.5


def test_the_entry_point(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:  # type: ignore[type-arg]
    monkeypatch.setattr(cli, "install", lambda: None)
    monkeypatch.setattr("sys.argv", ["ctxgate", "--version"])
    with pytest.raises(SystemExit) as raised:
        cli.run()
    assert raised.value.code == 0
    assert capsys.readouterr().out == f"ctxgate {__version__}\n"
    assert os.environ.get("CTXGATE_DEBUG") is None
