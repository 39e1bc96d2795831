# SPDX-License-Identifier: Apache-2.0
"""Recording a baseline, and adding to one."""

import gzip
import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from ctxgate.baseline import model
from ctxgate.gate import recording
from tests.baseline.examples import (
    COMMIT,
    approve,
    edit,
)
from tests.baseline_command.commands import CONFIG, FAKE, FILE, WHY, Run, measure, refused
from tests.wall.bench import printed, said, starts

SCHEMA = json.loads(Path(model.__file__).with_name("baseline.schema.json").read_text())


class TestRecord:
    @pytest.mark.usefixtures("folder")
    def test_of_measured_sessions(self, run: Run, sessions: list[str]) -> None:
        argv = ("baseline", "record", FILE, "--session", *sessions, *WHY, "--json", "r.json")
        status, host = run(*argv)
        assert status == 0
        assert printed(host) == (
            f"recorded {FILE}: serial 1, 3 sessions of Bench 9000, isolated CPU 3\n"
        )
        assert json.loads(Path("r.json").read_text())["state"] == "complete"
        document = json.loads(Path(FILE).read_text())
        jsonschema.validate(document, SCHEMA)
        (entry,) = document["provenance"]
        ids = [one["session"] for one in document["sessions"]]
        assert entry == {
            "serial": 1,
            "action": "record",
            "time": "2026-12-24T00:00:00+00:00",
            "commit": COMMIT,
            "command": f"ctxgate {' '.join(argv[:7])} --reason 'a new kernel' "
            "--approved-by alice --json r.json",
            "reason": "a new kernel",
            "approved_by": "alice",
            "compared": "nothing: it is the first",
            "sessions": ids,
        }
        assert document["hardware"] == "fake"
        assert document["facts"]["identity"] == FAKE
        assert Path("baselines/fake-wall.kernel.config").read_text() == CONFIG
        names = sorted(path.name for path in Path("baselines").iterdir())
        assert names == ["approved-hardware.toml", "fake-wall.json", "fake-wall.kernel.config"]

    def test_measured_now(self, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        waits: list[float] = []
        monkeypatch.setattr(recording.record, "__kwdefaults__", {"sleep": waits.append})
        more = ("--sessions", "3", "--every", "10", "--runs", "2")
        status, host = run("baseline", "record", FILE, *WHY, *more)
        assert status == 0, said(host)
        assert len(json.loads(Path(FILE).read_text())["sessions"]) == 3
        assert len(starts(folder)) == 6
        assert [590 < wait <= 600 for wait in waits] == [True, True]

    def test_again_and_more(self, run: Run, recorded: Path) -> None:
        fresh = [measure(run, name) for name in ("t0", "t1", "t2", "t3")]
        again = ("baseline", "record", FILE, "--session", *fresh[:3], *WHY, "--tolerance", "30%")
        assert run(*again)[0] == 0
        document = json.loads(recorded.read_text())
        assert document["serial"] == 2
        assert [entry["serial"] for entry in document["provenance"]] == [1, 2]
        assert document["provenance"][1]["compared"] == "pass against serial 1"
        add = ("baseline", "add", FILE, "--session", fresh[3], *WHY, "--tolerance", "30%")
        status, host = run(*add)
        assert status == 0
        assert printed(host).startswith(f"added to {FILE}: serial 3, 4 sessions of ")
        document = json.loads(recorded.read_text())
        assert document["provenance"][2]["action"] == "add"
        assert len(document["sessions"]) == 4
        assert run("baseline", "verify", FILE)[0] == 0

    def test_instructions_come_from_any_machine(self, run: Run, sessions: list[str]) -> None:
        for file in (file for name in sessions for file in Path(name).glob("*.json")):
            edit(file, lambda text: text.replace('clock": "ns"', 'clock": "instructions"'))
        approve(Path("baselines"), {"governor": "other"})
        given = ("baselines/linux-6.1-exact.json", "--session", *sessions, *WHY)
        status, host = run("baseline", "record", *given)
        assert status == 0, said(host)
        document = json.loads(Path("baselines/linux-6.1-exact.json").read_text())
        assert (document["tier"], document["hardware"]) == ("exact", "any")
        assert run("baseline", "verify", "baselines/linux-6.1-exact.json")[0] == 0

    def test_outside_a_repository_nobody_has_to_approve(
        self, folder: Path, run: Run, sessions: list[str]
    ) -> None:
        (folder / ".git").rmdir()
        status, host = run("baseline", "record", "mine.json", "--session", *sessions, *WHY)
        assert status == 0, said(host)
        assert json.loads(Path("mine.json").read_text())["hardware"] == "local"
        status, host = run("baseline", "verify", "mine.json")
        assert status == 0
        assert "note: mine.json is a local baseline" in said(host)


class TestAdd:
    @pytest.mark.usefixtures("recorded")
    def test_the_same_session(self, run: Run) -> None:
        refused(run, 3, "is in the baseline already", "add", FILE, "--session", "s1", *WHY)

    @pytest.mark.usefixtures("recorded")
    def test_another_machine(self, run: Run) -> None:
        other = measure(run, "t0", FAKE_CPU_MODEL="Other")
        refused(run, 4, "do not agree in", "add", FILE, "--session", other, *WHY)

    @pytest.mark.usefixtures("recorded")
    def test_another_benchmark(self, run: Run) -> None:
        other = measure(run, "t0")
        for file in Path(other).glob("*.json"):
            edit(file, lambda text: text.replace("twin/pipe/", "twin/socketpair/"))
        refused(run, 3, "required but missing", "add", FILE, "--session", other, *WHY)
        for file in Path(measure(run, "t1")).glob("*.json"):
            document = json.loads(file.read_text())
            name = "twin/new/process/fifo/same_cpu"
            row = {**document["benchmarks"][2], "name": name, "run_name": name}
            document["benchmarks"].append(row)
            file.write_text(json.dumps(document))
        given = ("add", FILE, "--session", "t1", *WHY, "--tolerance", "30%")
        refused(run, 3, "is missing from one of them", *given)


class TestRecordOtherThings:
    def test_another_machine_is_a_new_baseline(self, run: Run, recorded: Path) -> None:
        other = [measure(run, name, FAKE_CPU_MODEL="Fake 9001") for name in ("t0", "t1", "t2")]
        approve(recorded.parent, {"governor": "performance"}, name="fake")
        status, host = run("baseline", "record", FILE, "--session", *other, *WHY)
        assert status == 0, said(host)
        assert "whether they regressed is not known" in said(host)
        entry = json.loads(recorded.read_text())["provenance"][-1]
        assert entry["compared"] == "not comparable against serial 1"

    def test_other_benchmarks(self, run: Run, recorded: Path) -> None:
        few = [f"t{number}" for number in range(3)]
        for name in few:
            argv = ("measure", "--out", name, "--runs", "2", "--filter", "switch/")
            assert run(*argv)[0] == 0
        argv = ("baseline", "record", FILE, "--session", *few, *WHY, "--tolerance", "30%")
        status, host = run(*argv)
        assert status == 0
        assert "held more benchmarks: canary/arithmetic, twin/pipe/" in said(host)
        twins = [f"u{number}" for number in range(3)]
        for name in twins:
            assert run("measure", "--out", name, "--runs", "2", "--filter", "twin/")[0] == 0
        assert run("baseline", "record", FILE, "--session", *twins, *WHY)[0] == 0
        entry = json.loads(recorded.read_text())["provenance"][-1]
        assert entry["compared"] == "nothing: no benchmark in common"

    @pytest.mark.usefixtures("recorded")
    def test_the_side_file_follows(self, folder: Path, run: Run) -> None:
        side = Path("baselines/fake-wall.kernel.config")
        (folder / "root/proc/config.gz").write_bytes(gzip.compress(b"CONFIG_HZ=1000\n"))
        fresh = [measure(run, name) for name in ("t0", "t1", "t2")]
        assert run("baseline", "record", FILE, "--session", *fresh, *WHY)[0] == 0
        assert side.read_text() == "CONFIG_HZ=1000\n"
        (folder / "root/proc/config.gz").unlink()
        fresh = [measure(run, name) for name in ("u0", "u1", "u2")]
        assert run("baseline", "record", FILE, "--session", *fresh, *WHY)[0] == 0
        assert not side.exists()
        shutil.copy("t0/meta/session.json", "u0/meta/kernel.config")  # not what it ran on
        assert run("baseline", "record", FILE, "--session", *fresh, *WHY)[0] == 0
        assert not side.exists()

    @pytest.mark.usefixtures("recorded")
    def test_adding_without_a_configuration_keeps_it(self, folder: Path, run: Run) -> None:
        (folder / "root/proc/config.gz").unlink()
        more = measure(run, "t0")
        assert run("baseline", "add", FILE, "--session", more, *WHY)[0] == 0
        assert Path("baselines/fake-wall.kernel.config").exists()
        assert run("baseline", "verify", FILE)[0] == 0
