# SPDX-License-Identifier: Apache-2.0
"""What `ctxgate baseline record` refuses."""

import json
from pathlib import Path

import pytest

from ctxgate.gate import recording
from tests.baseline.examples import accept_text, approve, edit
from tests.baseline_command.commands import FAKE, FILE, WHY, Run, measure, refused
from tests.wall.bench import said, starts


class TestRecordRefuses:
    def test_broken(self, run: Run, sessions: list[str]) -> None:
        Path("s2/run-01.json").write_text("{")
        refused(run, 3, "ends in the middle", "record", FILE, "--session", *sessions, *WHY)

    def test_incomplete(self, run: Run, sessions: list[str]) -> None:
        Path("s2/run-01.json").unlink()
        refused(run, 3, "only 1 of 2 runs", "record", FILE, "--session", *sessions, *WHY)

    def test_unproven(self, run: Run, sessions: list[str]) -> None:
        edit(Path("s2/run-01.json"), lambda text: text.replace("ctxgate.valid", "x.valid"))
        refused(run, 3, "nothing proves", "record", FILE, "--session", *sessions, *WHY)

    def test_foreign(self, run: Run) -> None:
        for name in ("s0", "s1", "s2"):
            measure(run, name, FAKE_FOREIGN="1")
        given = ("record", FILE, "--session", "s0", "s1", "s2", *WHY)
        refused(run, 3, "holds readings of a foreign program", *given)

    def test_unfit(self, run: Run, sessions: list[str]) -> None:
        assert run("measure", "--out", "s3", "--runs", "2", FAKE_EXIT="6")[0] == 6
        given = ("record", FILE, "--session", *sessions, "s3", *WHY)
        refused(run, 6, "unfit machine: run 0", *given)
        refused(run, 6, "RLIMIT_RTPRIO", "record", FILE, *WHY, FAKE_FITNESS="bad")
        refused(run, 6, "exit status 6", "record", FILE, *WHY, FAKE_EXIT="6")

    def test_no_program(self, run: Run) -> None:
        refused(run, 2, "--bench", "record", FILE, *WHY, "--bench", "none")

    @pytest.mark.usefixtures("sessions")
    def test_too_few(self, run: Run) -> None:
        refused(run, 3, "at least 3 sessions", "record", FILE, "--session", "s0", "s1", *WHY)

    def test_unknown_commit(self, run: Run, sessions: list[str]) -> None:
        given = ("record", FILE, "--session", *sessions, *WHY)
        refused(run, 3, "not known which commit", *given, FAKE_COMMIT="")
        measure(run, "s2", FAKE_COMMIT="")
        refused(run, 3, "s2 was measured at an unknown commit", *given)

    def test_unapproved_machine(self, run: Run, sessions: list[str]) -> None:
        approve(Path("baselines"), {**FAKE, "governor": "powersave"}, name="other")
        given = ("record", FILE, "--session", *sessions, *WHY)
        words = "unapproved machine: no class in "
        refused(run, 3, words, *given)
        refused(run, 3, "governor is 'performance' and not 'powersave'", *given)
        Path("baselines/approved-hardware.toml").unlink()
        refused(run, 3, words, *given)

    def test_unapproved_machine_before_it_measures(self, folder: Path, run: Run) -> None:
        approve(Path("baselines"), {**FAKE, "governor": "powersave"}, name="other")
        refused(run, 3, "unapproved machine: no class in ", "record", FILE, *WHY)
        assert starts(folder) == []

    def test_a_foreign_program_is_not_started(self, folder: Path, run: Run) -> None:
        refused(run, 2, "is not ctxgate-bench", "record", FILE, *WHY, FAKE_FOREIGN="1")
        assert starts(folder) == []

    def test_regressed(self, run: Run, recorded: Path) -> None:
        slow = [measure(run, name, FAKE_FACTOR="1.5") for name in ("t0", "t1", "t2")]
        given = ("--session", *slow, *WHY)
        refused(run, 1, "regressed against the baseline that is there", "record", FILE, *given)
        refused(run, 1, "regressed against the baseline that is there", "add", FILE, *given)
        accept_text(recorded.parent, benchmark='"*"', limit='"60 %"')
        assert run("baseline", "record", FILE, *given)[0] == 0

    def test_regressed_but_an_expired_acceptance(self, run: Run, recorded: Path) -> None:
        slow = [measure(run, name, FAKE_FACTOR="1.5") for name in ("t0", "t1", "t2")]
        accept_text(recorded.parent, benchmark='"*"', limit='"60 %"', expires="2026-12-23")
        refused(run, 3, "expired on 2026-12-23", "record", FILE, "--session", *slow, *WHY)

    @pytest.mark.usefixtures("recorded")
    def test_a_moved_machine(self, run: Run) -> None:
        for path in [measure(run, name) for name in ("t0", "t1", "t2")]:
            for file in Path(path).glob("*.json"):
                document = json.loads(file.read_text())
                for row in document["benchmarks"]:
                    if row["name"].startswith("canary/"):
                        for key in ("floor", "p50", "p90", "p99", "p999", "max"):
                            row[f"ctxgate.{key}"] *= 2
                file.write_text(json.dumps(document))
        given = ("--session", "t0", "t1", "t2", *WHY)
        refused(run, 6, "the machine moved", "record", FILE, *given)

    def test_present_one_that_is_not_believed(self, run: Run, recorded: Path) -> None:
        fresh = [measure(run, name) for name in ("t0", "t1", "t2")]
        given = ("record", FILE, "--session", *fresh, *WHY)
        edit(recorded, lambda text: text.replace('"fake"', '"fast"', 1))
        refused(run, 3, "comes from an unapproved machine", *given)
        recorded.write_text("{")
        refused(run, 3, "is not JSON", *given)

    def test_nowhere(self, run: Run, sessions: list[str]) -> None:
        given = ("--session", *sessions, *WHY)
        refused(run, 3, "There is no baseline", "add", FILE, *given)
        refused(run, 3, "There is no folder", "record", "none/x.json", *given)

    def test_a_full_disk(
        self, run: Run, sessions: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(recording, "write_whole", full)
        refused(run, 3, "No space left", "record", FILE, "--session", *sessions, *WHY)

    def test_usage(self, run: Run, sessions: list[str]) -> None:
        for argv, words in (
            (("record", FILE, "--session", *sessions), "--reason"),
            (("record", FILE, *WHY, "--sesion", "s0"), "did you mean --session"),
            (("record", FILE, "--reason", " ", "--approved-by", "a"), "is no line of text"),
            (("record", FILE, *WHY, "--every", "often"), "is no whole number"),
            (("record", FILE, *WHY, "--tolerance", "many"), "--tolerance"),
            (("verify",), "FILE"),
            (("vreify", FILE), "did you mean verify"),
            ((), "ACTION"),
        ):
            status, host = run("baseline", *argv)
            assert status == 2
            assert words in said(host)
