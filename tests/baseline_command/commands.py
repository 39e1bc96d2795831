# SPDX-License-Identifier: Apache-2.0
"""Command lines about a baseline, and what is expected of them."""

import json
from collections.abc import Callable
from pathlib import Path

from ctxgate.system.host import Host
from tests.wall.bench import printed, said

FILE = "baselines/fake-wall.json"
FAKE = {"cpu_model": "Fake 9000", "governor": "performance"}
WHY = ("--reason", "a new kernel", "--approved-by", "alice")
CONFIG = "CONFIG_HZ=250\nCONFIG_PSI=y\n"

Run = Callable[..., tuple[int, Host]]


def measure(run: Run, name: str, **environ: str) -> str:
    assert run("measure", "--out", name, "--runs", "2", **environ)[0] == 0
    return name


def refused(run: Run, status: int, words: str, *argv: str, **environ: str) -> None:
    """The command ends with `status` and says `words`, whatever baseline there is stays."""
    path = Path(FILE)
    before = path.read_bytes() if path.exists() else None
    ended, host = run("baseline", *argv, "--json", "refused.json", **environ)
    assert words in said(host)
    assert ended == status
    document = json.loads(Path("refused.json").read_text())
    assert document["exit_code"] == status
    assert all(problem["remedy"] for problem in document["problems"])
    assert (path.read_bytes() if path.exists() else None) == before
    assert printed(host) == ""
