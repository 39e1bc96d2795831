# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from tests.conftest import check_golden


def test_equal_text_passes_and_removes_an_old_got_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / "a.txt.got").write_text("stale")
    check_golden(tmp_path / "a.txt", "one\n", update=False)
    assert not (tmp_path / "a.txt.got").exists()


def test_other_text_fails_with_a_diff_and_leaves_what_it_got(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    with pytest.raises(pytest.fail.Exception, match=r"(?s)--update-golden.*-one\n\+two"):
        check_golden(tmp_path / "a.txt", b"two\n", update=False)
    assert (tmp_path / "a.txt").read_text() == "one\n"
    assert (tmp_path / "a.txt.got").read_text() == "two\n"


def test_a_missing_file_fails_even_for_empty_text(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="no golden file yet"):
        check_golden(tmp_path / "golden" / "a.txt", "", update=False)


def test_update_writes_the_file(tmp_path: Path) -> None:
    check_golden(tmp_path / "golden" / "a.txt", "µ\n", update=True)
    assert (tmp_path / "golden" / "a.txt").read_text("utf-8") == "µ\n"
    check_golden(tmp_path / "golden" / "a.txt", "µ\n", update=False)
