# SPDX-License-Identifier: Apache-2.0
"""`ssh-keygen -Y`, the signer and checker of baseline files; only its exit status is believed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

PROGRAM = "ssh-keygen"
NAMESPACE = "ctxgate-baseline"
"""What a signature is made for; one of a commit or a mail vouches for nothing here."""

LIMIT_S = 30.0
"""A key on a token waits for a finger; without one an answer takes milliseconds."""


class Ended(Protocol):
    """How a program ended."""

    @property
    def returncode(self) -> int:
        """Its exit status."""

    @property
    def stdout(self) -> bytes:
        """What it printed."""

    @property
    def stderr(self) -> bytes:
        """What it said."""


class Runner(Protocol):
    """Runs a program to its end; raises OSError where it cannot be started."""

    def __call__(
        self, argv: Sequence[str], *, environ: Mapping[str, str], limit: float, stdin: bytes = b""
    ) -> Ended:
        """Run `argv` for at most `limit` seconds with `stdin` to read."""


class Keygen:
    """ssh-keygen as `run` starts it. Every method raises OSError where there is none."""

    def __init__(self, run: Runner, environ: Mapping[str, str]) -> None:
        """In the background a question on the terminal would stop it for ever; askpass may ask."""
        self._run = run
        self._environ = {**environ, "LC_ALL": "C", "SSH_ASKPASS_REQUIRE": "force"}

    def sign(self, data: bytes, key: Path) -> Ended:
        """Print a signature of `data` by the private `key`, or by the agent's for its .pub."""
        return self._ask("sign", "-f", str(key), "-n", NAMESPACE, stdin=data)

    def principals(self, signature: Path, signers: Path) -> list[str]:
        """Whom `signers` lists with the key of the signature; nobody if it is unknown there."""
        ended = self._ask("find-principals", "-s", str(signature), "-f", str(signers))
        lines = ended.stdout.decode(errors="replace").splitlines()
        return [line.strip() for line in lines if line.strip()] if ended.returncode == 0 else []

    def verify(
        self, data: bytes, signature: Path, signers: Path, principal: str, revoked: Path | None
    ) -> Ended:
        """Whether `principal` signed `data` with a key that is listed and not revoked."""
        more = [] if revoked is None else ["-r", str(revoked)]
        return self._ask(
            "verify", "-f", str(signers), "-I", principal, "-n", NAMESPACE, "-s", str(signature),
            *more, stdin=data,
        )  # fmt: skip

    def is_intact(self, data: bytes, signature: Path) -> bool:
        """Whether the signature is one of exactly `data`, whoever made it."""
        arguments = ("check-novalidate", "-n", NAMESPACE, "-s", str(signature))
        return self._ask(*arguments, stdin=data).returncode == 0

    def _ask(self, *arguments: str, stdin: bytes = b"") -> Ended:
        argv = [PROGRAM, "-Y", *arguments]
        return self._run(argv, environ=self._environ, limit=LIMIT_S, stdin=stdin)


def last_words(ended: Ended) -> str:
    """What ssh-keygen said last, for a message."""
    lines = ended.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1].strip().rstrip(".") if lines else f"exit status {ended.returncode}"
