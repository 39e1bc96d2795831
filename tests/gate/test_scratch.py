# SPDX-License-Identifier: Apache-2.0
import os
import tempfile
from pathlib import Path

import pytest

from ctxgate.gate.scratch import scratch_directory


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_is_gone_afterwards(tmp_path: Path) -> None:
    with scratch_directory() as path:
        (path / "session").mkdir()
        assert path.parent == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_leftovers_go_and_those_in_use_stay(tmp_path: Path) -> None:
    left = tmp_path / f"ctxgate-{os.getuid()}-dead"
    left.mkdir()
    (left / "in-use").touch()
    being_made = tmp_path / f"ctxgate-{os.getuid()}-new"
    being_made.mkdir()
    (tmp_path / f"ctxgate-{os.getuid()}-link").symlink_to(tmp_path / "elsewhere")
    with scratch_directory() as first:
        assert not left.exists()
        with scratch_directory():
            assert first.exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        [being_made.name, f"ctxgate-{os.getuid()}-link"]
    )
