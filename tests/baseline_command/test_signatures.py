# SPDX-License-Identifier: Apache-2.0
"""Signed baselines, and everything that makes one not to be believed."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.baseline.examples import accept_text, allow, approve, edit, make_key, needs_keygen
from tests.baseline_command.commands import FAKE, FILE, WHY, Run, measure, refused
from tests.wall.bench import printed, said


@needs_keygen
class TestSignatures:
    """Record, sign, verify; then everything that makes it one not to be believed."""

    @pytest.fixture
    def keys(self, folder: Path) -> dict[str, Path]:
        return {name: make_key(folder / "keys", name) for name in ("alice", "mallory")}

    @pytest.fixture
    def signed(self, run: Run, recorded: Path, keys: dict[str, Path]) -> Path:
        allow(recorded.parent, keys["alice"])
        status, host = run("baseline", "sign", FILE, "--key", "keys/alice")
        assert status == 0, said(host)
        assert printed(host) == f"signed {FILE}\n"
        assert f"note: {FILE} is signed by alice@example.org." in said(host)
        return recorded

    def never_a_skip(self, run: Run, words: str) -> None:
        """Refused with exit 3 by verify, compare and gate, whatever the contender's state."""
        refused(run, 3, words, "verify", FILE)
        assert run("baseline", "verify", FILE, "--on-unfit=skip")[0] == 2
        judged = ("--baseline", FILE, "--contender", "s0", "--json", "v.json")
        assert run("compare", *judged)[0] == 3
        assert run("measure", "--out", "unfit", "--runs", "2", FAKE_EXIT="6")[0] == 6
        for contender in (("--contender", "s0"), ("--contender", "unfit"), ()):
            gate = ("gate", "--baseline", FILE, *contender, "--on-unfit=skip", "--json", "v.json")
            assert run(*gate, FAKE_FITNESS="bad")[0] == 3
            document = json.loads(Path("v.json").read_text())
            assert (document["verdict"], document["exit_code"]) == ("broken", 3)
            assert words in " ".join(problem["message"] for problem in document["problems"])

    @pytest.mark.usefixtures("signed")
    def test_good(self, run: Run) -> None:
        status, host = run("baseline", "verify", FILE, "--json", "r.json")
        assert status == 0
        assert printed(host) == f"good: {FILE}, Bench 9000, isolated CPU 3, serial 1\n"
        assert f"note: {FILE} is signed by alice@example.org." in said(host)
        judged = ("--baseline", FILE, "--contender", "s0", "--tolerance", "30%")
        assert run("compare", *judged)[0] == 0

    def test_one_digit(self, run: Run, signed: Path) -> None:
        def change(text: str) -> str:
            return re.sub(
                r'("floor": \d+\.\d*)(\d)', lambda m: f"{m[1]}{9 - int(m[2])}", text, count=1
            )

        edit(signed, change)
        self.never_a_skip(run, "was edited after it was signed")

    @pytest.mark.usefixtures("signed")
    def test_unsigned(self, run: Run) -> None:
        Path(f"{FILE}.sig").unlink()
        self.never_a_skip(run, "is not signed: there is no fake-wall.json.sig")

    @pytest.mark.usefixtures("signed")
    def test_unknown_key(self, run: Run) -> None:
        status, host = run("baseline", "sign", FILE, "--key", "keys/mallory")
        assert status == 0
        assert "which allowed_signers does not list" in said(host)
        self.never_a_skip(run, "which allowed_signers does not list")

    def test_revoked_key(self, run: Run, signed: Path, keys: dict[str, Path]) -> None:
        shutil.copy(keys["alice"].with_suffix(".pub"), signed.parent / "revoked_keys")
        self.never_a_skip(run, "which revoked_keys revokes")

    @pytest.mark.usefixtures("signed")
    def test_wrong_namespace(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as other:
            other.setattr("ctxgate.baseline.keygen.NAMESPACE", "git")
            assert run("baseline", "sign", FILE, "--key", "keys/alice")[0] == 0
        self.never_a_skip(run, "was made for 'git' and not for 'ctxgate-baseline'")

    def test_unapproved_machine(self, run: Run, signed: Path) -> None:
        approve(signed.parent, {**FAKE, "cpu_model": "Fake 9001"}, name="fake")
        self.never_a_skip(run, "comes from an unapproved machine")

    def test_expired_acceptance(self, run: Run, signed: Path) -> None:
        accept_text(signed.parent, expires="2026-12-23")
        self.never_a_skip(run, "by alice expired on 2026-12-23.")

    @pytest.mark.usefixtures("folder", "signed")
    def test_lower_serial(self, run: Run) -> None:
        shutil.copytree("baselines", "base")
        more = measure(run, "t0")
        assert run("baseline", "add", FILE, "--session", more, *WHY, "--tolerance", "30%")[0] == 0
        assert not Path(f"{FILE}.sig").exists()
        assert run("baseline", "sign", FILE, "--key", "keys/alice")[0] == 0
        assert run("baseline", "verify", FILE, "--base", "base")[0] == 0
        verify = ("verify", "base/fake-wall.json", "--base")
        refused(run, 3, "has the serial 1, lower than 2 in", *verify, "baselines")
        refused(run, 3, "has the serial 1, lower than 2 in", *verify, FILE)
        refused(run, 3, "does not exist", *verify, "typo")
        assert run("baseline", *verify, FILE, "--on-unfit=skip")[0] == 2

    @pytest.mark.usefixtures("signed")
    def test_recording_says_to_sign_again(self, run: Run) -> None:
        fresh = [measure(run, name) for name in ("t0", "t1", "t2")]
        argv = ("baseline", "record", FILE, "--session", *fresh, *WHY, "--tolerance", "30%")
        status, host = run(*argv)
        assert status == 0
        assert "Its signature is void and removed; sign " in said(host)
        self.never_a_skip(run, "is not signed")

    @pytest.mark.usefixtures("recorded")
    def test_an_unlisted_fault_of_the_key(self, run: Run) -> None:
        refused(run, 3, "was not signed with none", "sign", FILE, "--key", "none")
        refused(run, 3, "cannot be read", "sign", "none.json", "--key", "keys/alice")
        refused(run, 3, "cannot be read", "verify", "none.json")

    def test_what_is_no_sound_baseline_is_not_signed(self, run: Run, signed: Path) -> None:
        edit(signed, lambda text: text.replace('"run_count": 2', '"run_count": 3', 1))
        refused(run, 3, "has 2 of 3 runs", "sign", FILE, "--key", "keys/alice")
