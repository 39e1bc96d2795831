# SPDX-License-Identifier: Apache-2.0
"""Signatures, made and checked by the real ssh-keygen."""

import base64
import os
import re
import subprocess
from pathlib import Path

import pytest

from ctxgate.baseline.signature import check_signature, read_signature, sign
from ctxgate.system.child import run_child
from ctxgate.system.host import Finished
from tests.baseline.examples import (
    allow,
    baseline,
    edit,
    keygen,
    make_key,
    needs_keygen,
    stored,
    write,
)

pytestmark = needs_keygen


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("keys")
    return {name: make_key(folder, name) for name in ("alice", "mallory")}


@pytest.fixture
def signed(tmp_path: Path, keys: dict[str, Path]) -> Path:
    """A baseline signed by alice, who is listed."""
    path = write(tmp_path)
    allow(tmp_path, keys["alice"])
    assert sign(stored(path), keys["alice"], keygen()) == ()
    return path


def refusal(path: Path) -> tuple[str, str]:
    trust = check_signature(stored(path), keygen())
    assert len(trust.problems) == 1
    assert trust.notes == ()
    assert trust.problems[0].remedy
    return trust.problems[0].kind, trust.problems[0].message


class TestRoundTrip:
    def test_good(self, signed: Path) -> None:
        trust = check_signature(stored(signed), keygen())
        assert trust == ((), (f"{signed} is signed by alice@example.org.",))
        assert signed.with_name("bench-wall.json.sig").read_text().startswith("-----BEGIN SSH")

    def test_one_digit(self, signed: Path) -> None:
        edit(
            signed, lambda text: re.sub(r'("floor": \d+)', lambda m: f"{m[1][:-1]}9", text, count=1)
        )
        kind, said = refusal(signed)
        assert kind == "baseline-edited"
        assert said == (
            f"{signed} was edited after it was signed, or the signature is another file's."
        )

    def test_signing_again(self, signed: Path, keys: dict[str, Path]) -> None:
        signed.write_bytes(write(signed.parent / "new", baseline(serial=2)).read_bytes())
        assert refusal(signed)[0] == "baseline-edited"
        assert sign(stored(signed), keys["alice"], keygen()) == ()
        assert check_signature(stored(signed), keygen()).problems == ()

    def test_any_principal(self, signed: Path, keys: dict[str, Path]) -> None:
        allow(signed.parent, keys["mallory"], keys["alice"], principal="bob@a,*@b")
        trust = check_signature(stored(signed), keygen())
        assert trust.notes == (f"{signed} is signed by bob@a.",)


class TestRefused:
    def test_unsigned(self, signed: Path) -> None:
        signed.with_name("bench-wall.json.sig").unlink()
        kind, said = refusal(signed)
        assert kind == "signature-missing"
        assert said == f"{signed} is not signed: there is no bench-wall.json.sig beside it."

    def test_unknown_key(self, signed: Path, keys: dict[str, Path]) -> None:
        assert sign(stored(signed), keys["mallory"], keygen()) == ()
        kind, said = refusal(signed)
        assert kind == "signature-key-unknown"
        public = keys["mallory"].with_suffix(".pub")
        listed = subprocess.run(["ssh-keygen", "-lf", public], capture_output=True, check=True)
        assert (
            f"the key {listed.stdout.decode().split()[1]}, which allowed_signers does not" in said
        )

    def test_revoked_key(self, signed: Path, keys: dict[str, Path]) -> None:
        public = keys["alice"].with_suffix(".pub").read_text()
        revoked = signed.with_name("revoked_keys")
        revoked.write_text(keys["mallory"].with_suffix(".pub").read_text())
        assert check_signature(stored(signed), keygen()).problems == ()
        revoked.write_text(public)
        kind, said = refusal(signed)
        assert kind == "signature-key-revoked"
        assert "which revoked_keys revokes" in said

    def test_a_list_of_revoked_keys_that_is_none(self, signed: Path) -> None:
        signed.with_name("revoked_keys").mkdir()
        assert refusal(signed)[0] == "signature-key-revoked"

    def test_wrong_namespace(self, signed: Path, keys: dict[str, Path]) -> None:
        ended = run_child(
            ["ssh-keygen", "-Y", "sign", "-f", str(keys["alice"]), "-n", "git"],
            environ=os.environ,
            limit=20.0,
            stdin=signed.read_bytes(),
        )
        signed.with_name("bench-wall.json.sig").write_bytes(ended.stdout)
        kind, said = refusal(signed)
        assert kind == "signature-namespace"
        assert said == (
            f"The signature of {signed} was made for 'git' and not for 'ctxgate-baseline'."
        )

    def test_a_key_listed_for_something_else(self, signed: Path, keys: dict[str, Path]) -> None:
        allow(signed.parent, keys["alice"], options='namespaces="git" ')
        assert refusal(signed)[0] in ("signature-key-not-allowed", "signature-key-unknown")

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "no signature",
            "-----BEGIN SSH SIGNATURE-----\n!\n-----END SSH SIGNATURE-----\n",
            "-----BEGIN SSH SIGNATURE-----\nQUJD\n-----END SSH SIGNATURE-----\n",
            "-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n",
        ],
    )
    def test_no_signature(self, signed: Path, text: str) -> None:
        signed.with_name("bench-wall.json.sig").write_text(text)
        kind, said = refusal(signed)
        assert kind == "signature-unreadable"
        assert said.endswith("bench-wall.json.sig is no SSH signature.")

    def test_a_signature_cut_short(self, signed: Path) -> None:
        path = signed.with_name("bench-wall.json.sig")
        lines = path.read_text().splitlines()
        blob = base64.b64decode("".join(lines[1:-1]))
        cut = base64.b64encode(blob[:-20]).decode()
        path.write_text(f"{lines[0]}\n{cut}\n{lines[-1]}\n")
        assert refusal(signed)[0] == "baseline-edited"
        path.write_text(f"{lines[0]}\n{base64.b64encode(blob[:30]).decode()}\n{lines[-1]}\n")
        assert refusal(signed)[0] == "signature-namespace"

    def test_a_signature_that_cannot_be_read(self, signed: Path) -> None:
        path = signed.with_name("bench-wall.json.sig")
        path.unlink()
        path.mkdir()
        kind, said = refusal(signed)
        assert kind == "signature-unreadable"
        assert "cannot be read: Is a directory" in said

    def test_signers_that_cannot_be_read(self, signed: Path) -> None:
        (signed.parent / "allowed_signers").unlink()
        (signed.parent / "allowed_signers").mkdir()
        assert refusal(signed)[0] == "allowed-signers"

    def test_without_ssh_keygen(self, signed: Path, keys: dict[str, Path]) -> None:
        nothing = keygen({"PATH": str(signed.parent)})
        trust = check_signature(stored(signed), nothing)
        assert trust.problems[0].kind == "signature-not-checked"
        problems = sign(stored(signed), keys["alice"], nothing)
        assert problems[0].kind == "signature-not-checked"


class TestNotRequired:
    @pytest.mark.parametrize("content", [None, "", "# nobody yet\n\n  # alice\n"])
    def test_it_is_said(self, tmp_path: Path, content: str | None) -> None:
        path = write(tmp_path)
        if content is not None:
            (tmp_path / "allowed_signers").write_text(content)
        trust = check_signature(stored(path), keygen())
        said = f"{path} needs no signature: allowed_signers beside it lists nobody."
        assert trust == ((), (said,))


class TestSigning:
    def test_no_such_key(self, tmp_path: Path) -> None:
        path = write(tmp_path)
        (problem,) = sign(stored(path), tmp_path / "none", keygen())
        assert problem.kind == "not-signed"
        assert "was not signed with" in problem.message
        assert "none" in problem.message
        assert not (tmp_path / "bench-wall.json.sig").exists()

    def test_a_passphrase_is_not_asked_for_on_a_terminal(self, tmp_path: Path) -> None:
        key = tmp_path / "locked"
        argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", str(key)]
        subprocess.run(argv, check=True)
        environ = {**os.environ, "SSH_ASKPASS": "/bin/false"}
        (problem,) = sign(stored(write(tmp_path)), key, keygen(environ))
        assert problem.kind == "not-signed"
        assert "ssh-agent" in problem.remedy

    def test_a_program_that_prints_something_else(self, tmp_path: Path) -> None:
        from ctxgate.baseline.keygen import Keygen

        def run(*_: object, **__: object) -> Finished:
            return Finished(0, b"done\n", b"", False)

        (problem,) = sign(stored(write(tmp_path)), tmp_path / "key", Keygen(run, {}))
        assert problem.message.endswith("exit status 0.")

    def test_no_room_for_the_signature(self, tmp_path: Path, keys: dict[str, Path]) -> None:
        path = write(tmp_path)
        (tmp_path / "bench-wall.json.sig").mkdir()
        (problem,) = sign(stored(path), keys["alice"], keygen())
        assert problem.kind == "baseline-not-written"


def test_what_a_signature_says(signed: Path) -> None:
    found = read_signature(signed.with_name("bench-wall.json.sig").read_text())
    assert found is not None
    assert found.namespace == "ctxgate-baseline"
    assert found.fingerprint.startswith("SHA256:")
