# SPDX-License-Identifier: Apache-2.0
"""accepted.toml."""

from datetime import date
from pathlib import Path

import pytest

from ctxgate.baseline.acceptance import read_accepted
from tests.baseline.examples import accept_text
from tests.verdict.sides import SWITCH, TWIN

ROOT = Path(__file__).parents[2]
DAY = date(2026, 12, 24)


def test_an_entry(tmp_path: Path) -> None:
    accept_text(tmp_path, limit='"5.5 %"')
    (entry,), problems = read_accepted(tmp_path, DAY)
    assert problems == []
    assert entry.fraction == pytest.approx(0.055)
    assert entry.covers(SWITCH, 0.055)
    assert not entry.covers(SWITCH, 0.0551)
    assert not entry.covers(TWIN, 0.01)
    assert entry.expires == date(2027, 1, 31)


def test_none(tmp_path: Path) -> None:
    assert read_accepted(tmp_path, DAY) == ((), [])
    assert read_accepted(ROOT / "baselines", DAY) == ((), [])


def test_expired_the_day_after(tmp_path: Path) -> None:
    accept_text(tmp_path)
    assert len(read_accepted(tmp_path, date(2027, 1, 31))[0]) == 1
    entries, problems = read_accepted(tmp_path, date(2027, 2, 1))
    assert entries == ()
    assert problems[0].kind == "acceptance-expired"
    assert problems[0].message.endswith(
        "the acceptance of switch/pipe/* up to 5 % by alice expired on 2027-01-31."
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"limit": '"5"'}, "the limit '5'"),
        ({"limit": '"0 %"'}, "the limit '0 %'"),
        ({"limit": '"-5 %"'}, "the limit '-5 %'"),
        ({"limit": f'"{"9" * 400} %"'}, "the limit"),
        ({"limit": "5"}, "cannot be read"),
        ({"reason": '" "'}, "has no reason"),
        ({"approver": '"a\\u001b"'}, "has no approver"),
        ({"benchmark": '""'}, "has no benchmark"),
        ({"expires": '"soon"'}, "cannot be read"),
        ({"expires": "2027-01-31T00:00:00"}, "cannot be read"),
        ({"surprise": "1"}, "cannot be read"),
        ({"reason": "x"}, "cannot be read"),
    ],
)
def test_bad_entries(tmp_path: Path, changes: dict[str, str], said: str) -> None:
    accept_text(tmp_path, **changes)
    entries, problems = read_accepted(tmp_path, DAY)
    assert entries == ()
    assert said in problems[0].message
    assert problems[0].kind == "accepted"


def test_unreadable(tmp_path: Path) -> None:
    (tmp_path / "accepted.toml").write_bytes(b"\xff\xfe")
    assert "cannot be read" in read_accepted(tmp_path, DAY)[1][0].message
    (tmp_path / "accepted.toml").unlink()
    (tmp_path / "accepted.toml").mkdir()
    assert "cannot be read" in read_accepted(tmp_path, DAY)[1][0].message
