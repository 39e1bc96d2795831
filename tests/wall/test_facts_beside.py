# SPDX-License-Identifier: Apache-2.0
"""What is found out beside the program: kernel configuration, provenance, the CPU."""

import gzip
import os
from pathlib import Path

import pytest

from ctxgate import __version__
from ctxgate.readings.model import UNKNOWN
from ctxgate.system import kernel_config, provenance
from ctxgate.system.host import Finished
from ctxgate.system.outcome import MeasureError, State
from ctxgate.wall import affinity
from tests.wall.bench import make_host

CONFIG = """\
#
# Automatically generated file; DO NOT EDIT.
#
CONFIG_CC_VERSION_TEXT="gcc-12"
CONFIG_GCC_VERSION=120200
CONFIG_HZ=250
CONFIG_PREEMPT=y
# CONFIG_PSI is not set
"""


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def test_the_running_kernel_is_asked_first(tmp_path: Path) -> None:
    put(tmp_path / "proc/sys/kernel/osrelease", b"6.1.0-9\n")
    put(tmp_path / "usr/lib/modules/6.1.0-9/config", b"CONFIG_D=y\n")
    for place, name in (
        ("lib/modules/6.1.0-9/config", "C"),
        ("boot/config-6.1.0-9", "B"),
    ):
        put(tmp_path / place, f"CONFIG_{name}=y\n".encode())
        assert kernel_config.read(tmp_path).text == f"CONFIG_{name}=y\n"
    put(tmp_path / "proc/config.gz", gzip.compress(CONFIG.encode()))
    found = kernel_config.read(tmp_path)
    assert found.text == CONFIG
    assert found.digest == kernel_config.digest(CONFIG)


@pytest.mark.parametrize("data", [b"", b"not gzip", gzip.compress(b"x" * 1000)[:20]])
def test_a_damaged_file_is_passed_over(tmp_path: Path, data: bytes) -> None:
    put(tmp_path / "proc/config.gz", data)
    put(tmp_path / "proc/sys/kernel/osrelease", b"6.1\n")
    put(tmp_path / "boot/config-6.1", b"CONFIG_HZ=100\n")
    assert kernel_config.read(tmp_path).text in ("CONFIG_HZ=100\n", "")


def test_unknown_where_the_kernel_does_not_tell(tmp_path: Path) -> None:
    assert kernel_config.read(tmp_path) == ("", UNKNOWN)
    put(tmp_path / "proc/sys/kernel/osrelease", b"6.1\n")
    assert kernel_config.read(tmp_path) == ("", UNKNOWN)


def test_symbols_are_those_that_are_set() -> None:
    assert kernel_config.symbols(CONFIG) == {"CONFIG_HZ": "250", "CONFIG_PREEMPT": "y"}


def test_only_chosen_symbols_move_the_digest() -> None:
    same = [
        "\n".join(reversed(CONFIG.splitlines())),
        CONFIG.replace("120200", "120201").replace("gcc-12", "gcc-13"),
        CONFIG.replace("# CONFIG_PSI is not set\n", ""),
    ]
    assert {kernel_config.digest(text) for text in same} == {kernel_config.digest(CONFIG)}
    other = [
        CONFIG.replace("HZ=250", "HZ=1000"),
        CONFIG.replace("# CONFIG_PSI is not set", "CONFIG_PSI=y"),
        CONFIG.replace("CONFIG_PREEMPT=y\n", ""),
        CONFIG + "CONFIG_CC_VERSION_TEXTURE=y\n",
    ]
    assert len({kernel_config.digest(text) for text in [CONFIG, *other]}) == 5


def test_records_binary_version_and_commit(tmp_path: Path) -> None:
    host = make_host(tmp_path)
    host.run = lambda *_, **__: Finished(0, b"0123abcd\n", b"", timed_out=False)
    put(tmp_path / "program", b"abc")
    facts, cautions = provenance.gather(tmp_path / "program", host)
    assert facts == {
        "binary_sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "ctxgate_version": __version__,
        "git_commit": "0123abcd",
    }
    assert cautions == []
    assert provenance.binary_digest(tmp_path / "gone") == UNKNOWN


@pytest.mark.parametrize(
    ("finished", "why"),
    [
        (
            Finished(128, b"", b"fatal: detected dubious ownership in repository\nhint\n", False),
            "fatal: detected dubious ownership in repository",
        ),
        (Finished(0, b"\n", b"", False), "git says nothing"),
    ],
)
def test_an_unknown_commit_is_said(tmp_path: Path, finished: Finished, why: str) -> None:
    host = make_host(tmp_path)
    host.run = lambda *_, **__: finished
    commit, cautions = provenance.git_commit(host)
    assert commit == UNKNOWN
    assert [c.message for c in cautions] == [f"the commit is recorded as unknown: {why}"]


def test_a_missing_git_is_said(tmp_path: Path) -> None:
    def missing(*_: object, **__: object) -> Finished:
        raise FileNotFoundError(2, "No such file or directory")

    host = make_host(tmp_path)
    host.run = missing
    commit, cautions = provenance.git_commit(host)
    assert commit == UNKNOWN
    assert "git cannot be run (No such file or directory)" in cautions[0].message


def test_the_highest_isolated_cpu_else_the_highest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3, 4})
    assert affinity.choose_cpu(tmp_path, None) == 4
    isolated = tmp_path / "sys/devices/system/cpu/isolated"
    for text, chosen in (("\n", 4), ("1-2,9\n", 2), ("3\n", 3), ("nonsense,1-x\n", 4)):
        put(isolated, text.encode())
        assert affinity.choose_cpu(tmp_path, None) == chosen
    put(isolated, b"\xff")
    assert affinity.choose_cpu(tmp_path, None) == 4


def test_a_cpu_that_is_refused_is_unfit(tmp_path: Path) -> None:
    before = os.sched_getaffinity(0)
    assert affinity.choose_cpu(tmp_path, min(before)) == min(before)
    with pytest.raises(MeasureError, match="CPU 1000 cannot be had") as raised:
        affinity.choose_cpu(tmp_path, 1000)
    assert raised.value.state is State.UNFIT
    assert os.sched_getaffinity(0) == before
