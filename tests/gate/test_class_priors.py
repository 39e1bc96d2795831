# SPDX-License-Identifier: Apache-2.0
"""The prior of a hardware class comes from its other baselines, and from nothing else."""

import math
import random
from pathlib import Path

import pytest

from ctxgate.gate.class_priors import prior_beside
from tests.baseline.examples import baseline, edit, keygen, sessions, stored, write


def beside(folder: Path, count: int, *, sd: float = 0.005) -> None:
    """Other baselines of the class, of ten sessions each."""
    source = random.Random(1)
    for index in range(count):
        levels = [9.0 + source.gauss(0.0, sd) for _ in range(10)]
        side = sessions(levels, first=100 * (index + 1))
        write(folder, baseline(side), name=f"bench-{index:02}-wall.json")


def judged(folder: Path) -> Path:
    return write(folder, baseline(sessions((9.0, 9.01, 8.99))))


def test_alone_a_baseline_has_none(tmp_path: Path) -> None:
    assert prior_beside(stored(judged(tmp_path)), keygen()) is None


def test_twenty_variances_of_others_are_enough(tmp_path: Path) -> None:
    path = judged(tmp_path)
    beside(tmp_path, 20)
    found = prior_beside(stored(path), keygen())
    assert found is not None
    assert found.session_sd == pytest.approx(0.005, rel=0.25)
    assert 4.0 < found.degrees_of_freedom <= 20.0
    assert not found.provisional
    assert found.name.startswith("prior of bench from ")


def test_the_own_sessions_are_never_among_them(tmp_path: Path) -> None:
    path = judged(tmp_path)
    for index in range(30):
        write(tmp_path, baseline(sessions((9.0, 9.01, 8.99))), name=f"copy-{index}-wall.json")
    assert prior_beside(stored(path), keygen()) is None


def test_another_class_says_nothing(tmp_path: Path) -> None:
    path = judged(tmp_path)
    beside(tmp_path, 20)
    for other in tmp_path.glob("bench-??-wall.json"):
        edit(other, lambda text: text.replace('"hardware": "bench"', '"hardware": "rack"'))
    assert prior_beside(stored(path), keygen()) is None


def test_what_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    path = judged(tmp_path)
    beside(tmp_path, 20)
    for other in tmp_path.glob("bench-??-wall.json"):
        other.write_text("{}")
    assert prior_beside(stored(path), keygen()) is None
    assert math.isfinite(stored(path).baseline.serial)
