# SPDX-License-Identifier: Apache-2.0
"""Serial, side file, and all that a file is asked for together."""

from pathlib import Path

import pytest

from ctxgate.baseline.trust import check_serial, check_trust, kept_config, side_file_of
from ctxgate.system import kernel_config
from tests.baseline.examples import CONFIG, approve, baseline, edit, keygen, stored, write


class TestSerial:
    @pytest.fixture
    def base(self, tmp_path: Path) -> Path:
        write(tmp_path / "base", baseline(serial=2))
        return tmp_path / "base"

    def refusal(self, folder: Path, serial: int, base: Path) -> str:
        path = write(folder, baseline(serial=serial))
        trust = check_serial(stored(path), base)
        assert trust.notes == ()
        return trust.problems[0].message if trust.problems else ""

    def test_it_only_grows(self, tmp_path: Path, base: Path) -> None:
        for place in (base, base / "bench-wall.json"):
            assert self.refusal(tmp_path, 3, place) == ""
            assert self.refusal(tmp_path, 2, place) == ""
            said = self.refusal(tmp_path, 1, place)
            assert said.endswith(f"has the serial 1, lower than 2 in {base / 'bench-wall.json'}.")

    def test_the_same_serial_is_the_same_file(self, tmp_path: Path, base: Path) -> None:
        path = write(tmp_path, baseline(serial=2))
        edit(path, lambda text: text.replace("the first", "another"))
        (problem,) = check_serial(stored(path), base).problems
        assert problem.kind == "same-serial"
        assert problem.message.endswith("but has the same serial 2.")

    def test_a_new_one(self, tmp_path: Path, base: Path) -> None:
        path = write(tmp_path, name="new-wall.json")
        trust = check_serial(stored(path), base)
        assert trust == ((), (f"{path} is new: {base} holds no such baseline.",))

    def test_a_base_that_is_not_there(self, tmp_path: Path) -> None:
        assert "does not exist" in self.refusal(tmp_path, 1, tmp_path / "typo")

    def test_a_base_that_is_none(self, tmp_path: Path) -> None:
        other = tmp_path / "other.json"
        other.write_text("{}")
        assert "is no baseline" in self.refusal(tmp_path, 1, other)


class TestSideFile:
    def kinds(self, path: Path) -> list[str]:
        return [p.kind for p in check_trust(stored(path), keygen(), kernel_config.digest).problems]

    def test_none(self, tmp_path: Path) -> None:
        path = write(tmp_path)
        assert self.kinds(path) == []
        assert kept_config(stored(path)) is None

    def test_the_one_recorded(self, tmp_path: Path) -> None:
        path = write(tmp_path)
        side = side_file_of(path)
        assert side == tmp_path / "bench-wall.kernel.config"
        side.write_text(CONFIG)
        assert self.kinds(path) == []
        assert kept_config(stored(path)) == CONFIG

    def test_another(self, tmp_path: Path) -> None:
        path = write(tmp_path)
        side_file_of(path).write_text(CONFIG + "CONFIG_EXTRA=y\n")
        assert self.kinds(path) == ["baseline-side-file"]

    def test_no_text(self, tmp_path: Path) -> None:
        path = write(tmp_path)
        side_file_of(path).write_bytes(b"\xff")
        assert self.kinds(path) == ["baseline-side-file"]


def test_every_fault_is_told(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    path = write(tmp_path)
    approve(tmp_path, name="other")
    (tmp_path / "allowed_signers").write_text("alice ssh-ed25519 AAAA\n")
    side_file_of(path).write_text("CONFIG_OTHER=y\n")
    trust = check_trust(stored(path), keygen(), kernel_config.digest)
    kinds = [problem.kind for problem in trust.problems]
    assert kinds == ["signature-missing", "unapproved-machine", "baseline-side-file"]
