# SPDX-License-Identifier: Apache-2.0
"""Where a session comes from: binary, version, commit. Recorded, never compared."""

import hashlib
from pathlib import Path

from ctxgate import __version__
from ctxgate.readings.model import UNKNOWN, Caution
from ctxgate.system.host import Host

_GIT_LIMIT_S = 10.0


def gather(program: Path, host: Host) -> tuple[dict[str, str], list[Caution]]:
    """The record facts of a session, and what could not be found out."""
    commit, cautions = git_commit(host)
    facts = {
        "binary_sha256": binary_digest(program),
        "ctxgate_version": __version__,
        "git_commit": commit,
    }
    return facts, cautions


def binary_digest(program: Path) -> str:
    """SHA-256 of the program's file; unknown where it may be executed but not read."""
    try:
        with program.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return UNKNOWN


def git_commit(host: Host) -> tuple[str, list[Caution]]:
    """The commit checked out in the working directory, else unknown with git's reason.

    Git refuses a checkout of another user ("dubious ownership"); that is its owner's to allow.
    """
    environ = {**host.environ, "LC_ALL": "C"}
    argv = ["git", "rev-parse", "--verify", "HEAD"]
    try:
        finished = host.run(argv, environ=environ, limit=_GIT_LIMIT_S)
    except OSError as error:
        return UNKNOWN, [_unknown(f"git cannot be run ({error.strerror or error})")]
    commit = finished.stdout.decode(errors="replace").strip()
    if finished.returncode == 0 and commit:
        return commit, []
    said = finished.stderr.decode(errors="replace").strip().splitlines()
    return UNKNOWN, [_unknown(said[0] if said else "git says nothing")]


def _unknown(why: str) -> Caution:
    return Caution(kind="commit-unknown", message=f"the commit is recorded as unknown: {why}")
