# SPDX-License-Identifier: Apache-2.0
"""What `compare`, `gate` and `show` make of a baseline file."""

import gzip
import json
from pathlib import Path

import pytest

from tests.baseline.examples import (
    accept_text,
    edit,
)
from tests.baseline_command.commands import CONFIG, FILE, Run, measure, refused
from tests.wall.bench import printed


class TestCompare:
    def test_it_passes_and_says_with_what(self, run: Run, recorded: Path) -> None:
        fresh = measure(run, "t0")
        before = sorted((p, p.stat().st_mtime_ns) for p in recorded.parent.iterdir())
        argv = ("--baseline", FILE, "--contender", fresh, "--tolerance", "30%", "--json", "v.json")
        for command in ("compare", "gate"):
            status, host = run(command, *argv)
            assert status == 0, printed(host)
            notes = json.loads(Path("v.json").read_text())["notes"]
            assert f"{FILE} needs no signature: allowed_signers beside it lists nobody." in notes
            assert (
                f"Compared with {FILE} (Bench 9000, isolated CPU 3), serial 1, recorded "
                "2026-12-24T00:00:00+00:00, 0 days ago, approved by alice."
            ) in notes
        assert sorted((p, p.stat().st_mtime_ns) for p in recorded.parent.iterdir()) == before

    @pytest.mark.usefixtures("recorded")
    def test_it_gives_what_the_sessions_give(self, run: Run) -> None:
        fresh = measure(run, "t0", FAKE_FACTOR="1.1")
        rows = []
        for given in ((FILE,), ("s0", "s1", "s2")):
            run("compare", "--baseline", *given, "--contender", fresh, "--json", "v.json")
            document = json.loads(Path("v.json").read_text())
            rows.append([(row["verdict"], row["change"]) for row in document["benchmarks"]])
        assert [verdict for verdict, _ in rows[0]] == [verdict for verdict, _ in rows[1]]
        for (_, stored), (_, direct) in zip(*rows, strict=True):
            assert stored == pytest.approx(direct, abs=1e-8)

    @pytest.mark.usefixtures("recorded")
    def test_the_symbols_that_changed(self, folder: Path, run: Run) -> None:
        config = CONFIG.replace("CONFIG_PSI=y", "# CONFIG_PSI is not set")
        (folder / "root/proc/config.gz").write_bytes(gzip.compress(config.encode()))
        fresh = measure(run, "t0")
        run("compare", "--baseline", FILE, "--contender", fresh, "--json", "v.json")
        changes = json.loads(Path("v.json").read_text())["subject_changes"]
        assert changes == [
            {"fact": "kernel_config", "baseline": "CONFIG_PSI=y", "contender": "CONFIG_PSI=n"}
        ]

    def test_an_accepted_regression(self, run: Run, recorded: Path) -> None:
        slow = measure(run, "t0", FAKE_FACTOR="1.5")
        argv = ("--baseline", FILE, "--contender", slow, "--tolerance", "10%", "--json", "v.json")
        assert run("compare", *argv)[0] == 1
        accept_text(recorded.parent, benchmark='"*"', limit='"60 %"')
        for command in ("compare", "gate"):
            assert run(command, *argv)[0] == 0
            notes = json.loads(Path("v.json").read_text())["notes"]
            assert sum("Accepted by alice up to 60 %" in note for note in notes) == 3
        accept_text(recorded.parent, benchmark='"*"', limit='"40 %"')
        assert run("compare", *argv)[0] == 1

    def test_one_that_cannot_be_read(self, run: Run, recorded: Path) -> None:
        edit(recorded, lambda text: text.replace('"serial"', '"cereal"'))
        status, host = run("compare", "--baseline", FILE, "--contender", "s0")
        assert status == 3
        assert "does not have the shape of a baseline" in " ".join(printed(host).split())

    @pytest.mark.usefixtures("recorded")
    def test_a_file_stands_alone(self, run: Run) -> None:
        status, host = run("compare", "--baseline", FILE, "s0", "--contender", "s1")
        assert status == 3
        assert "is a baseline file, and 1 more paths" in " ".join(printed(host).split())

    def test_a_time_that_is_none(self, run: Run, recorded: Path) -> None:
        edit(recorded, lambda text: text.replace("2026-12-24T00:00:00+00:00", "noon"))
        _, host = run("compare", "--baseline", FILE, "--contender", "s0")
        assert "recorded noon, approved" in " ".join(printed(host).split())

    @pytest.mark.usefixtures("recorded")
    def test_an_unfit_contender(self, run: Run) -> None:
        assert run("measure", "--out", "t0", "--runs", "2", FAKE_EXIT="6")[0] == 6
        assert run("compare", "--baseline", FILE, "--contender", "t0")[0] == 6
        gate = ("gate", "--baseline", FILE, "--contender", "t0", "--on-unfit=skip")
        assert run(*gate)[0] == 77


class TestShow:
    @pytest.mark.usefixtures("recorded")
    def test_it_draws(self, run: Run) -> None:
        status, host = run("baseline", "show", FILE)
        assert status == 0
        text = printed(host)
        assert text.startswith(f"{FILE}: Bench 9000, isolated CPU 3 (fake), wall tier, serial 1\n")
        assert text.count("certifies ") == 4

    def test_what_cannot_be_read(self, run: Run) -> None:
        refused(run, 3, "cannot be read", "show", "none.json")
