# SPDX-License-Identifier: Apache-2.0
"""Approved machines."""

from pathlib import Path

import msgspec
import pytest

from ctxgate.baseline.hardware import (
    check_hardware,
    check_possible,
    class_of,
    is_local,
    read_approved,
)
from ctxgate.readings.model import Clock
from tests.baseline.examples import IDENTITY, approve, baseline, sessions

ROOT = Path(__file__).parents[2]


def text(folder: Path, content: str) -> None:
    (folder / "approved-hardware.toml").write_text(content, encoding="utf-8")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder of baselines inside a repository."""
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "baselines"
    folder.mkdir()
    return folder


def refusal(folder: Path, **changes: object) -> str:
    made = msgspec.structs.replace(baseline(), **changes)
    problems = check_hardware(folder / "bench-wall.json", made)
    assert [bool(problem.remedy) for problem in problems] in ([], [True])
    return problems[0].message if problems else ""


class TestBaseline:
    def test_approved(self, repository: Path) -> None:
        approve(repository)
        assert refusal(repository) == ""

    def test_another_machine(self, repository: Path) -> None:
        approve(repository, {**IDENTITY, "cpu_microcode": "0x2"})
        said = refusal(repository)
        assert "unapproved machine: it says 'bench', but differs" in said
        assert said.endswith("in cpu_microcode.")

    def test_another_label(self, repository: Path) -> None:
        approve(repository)
        assert refusal(repository, label="much better").endswith("in label.")

    def test_unknown_equals_nothing(self, repository: Path) -> None:
        approve(repository, {"cpu_microcode": "unknown"})
        made = baseline(sessions(identity={"cpu_microcode": "unknown"}))
        problems = check_hardware(repository / "x.json", made)
        assert "differs from that class" in problems[0].message

    def test_a_class_that_is_not_listed(self, repository: Path) -> None:
        approve(repository, name="other")
        assert "does not list the class 'bench'" in refusal(repository)

    def test_a_class_without_facts(self, repository: Path) -> None:
        text(repository, '[[hardware]]\nname = "bench"\nlabel = "Bench 9000, isolated CPU 3"\n')
        assert "or none of its facts" in refusal(repository)

    def test_without_a_list(self, repository: Path, tmp_path: Path) -> None:
        assert "There is no approved-hardware.toml beside" in refusal(repository)
        (tmp_path / ".git").rmdir()
        assert is_local(repository)
        assert refusal(repository) == ""

    def test_instructions_need_no_approval(self, repository: Path) -> None:
        assert refusal(repository, clock=Clock.INSTRUCTIONS) == ""

    @pytest.mark.parametrize(
        "content",
        ["[[hardware]]\nname = 3", "=", "surprise = 1", '[[hardware]]\nname="a"\nlabel="b"\nx=1'],
    )
    def test_a_list_that_is_none(self, repository: Path, content: str) -> None:
        text(repository, content)
        assert "cannot be read" in refusal(repository)
        assert class_of(IDENTITY, repository)[0] is None

    @pytest.mark.parametrize("names", [("a", "a"), ("local",), ("A b",)])
    def test_names(self, repository: Path, names: tuple[str, ...]) -> None:
        text(repository, "".join(f'[[hardware]]\nname = "{n}"\nlabel = "x"\n' for n in names))
        assert "twice, or it is none" in refusal(repository)


class TestClassOf:
    def test_the_one_that_fits(self, repository: Path) -> None:
        approve(repository)
        found, problems = class_of({**IDENTITY, "more": "facts"}, repository)
        assert problems == []
        assert found is not None
        assert found.name == "bench"

    def test_none(self, repository: Path) -> None:
        found, problems = class_of(IDENTITY, repository)
        assert found is None
        assert problems[0].message.endswith("has all its facts.")
        approve(repository)
        problems = class_of({"cpu_name": "Bench 9000"}, repository)[1]
        closest = "(bench comes closest: cpu_microcode is 'unknown' and not '0x1')."
        assert problems[0].message.endswith(closest)

    def test_several(self, repository: Path) -> None:
        entries = [
            f'[[hardware]]\nname = "{name}"\nlabel = "x"\nidentity = {{cpu_name = "Bench 9000"}}\n'
            for name in ("a", "b")
        ]
        text(repository, "".join(entries))
        found, problems = class_of(IDENTITY, repository)
        assert found is None
        assert "several classes: a, b" in problems[0].message

    def test_local(self, tmp_path: Path) -> None:
        found, problems = class_of(IDENTITY, tmp_path)
        assert problems == []
        assert found is not None
        assert found.name == "local"


def test_before_measuring(repository: Path, tmp_path: Path) -> None:
    """What is not known yet may still turn out right; what is known and differs cannot."""
    assert "no class in" in check_possible(IDENTITY, repository)[0].message
    approve(repository)
    assert check_possible(IDENTITY, repository) == []
    assert check_possible({"cpu_name": "Bench 9000"}, repository) == []
    assert check_possible({**IDENTITY, "cpu_microcode": "unknown"}, repository) == []
    (problem,) = check_possible({**IDENTITY, "cpu_microcode": "0x2"}, repository)
    assert problem.kind == "unapproved-machine"
    text(repository, '[[hardware]]\nname = "bench"\nlabel = "x"\n')
    assert check_possible(IDENTITY, repository)[0].kind == "unapproved-machine"
    text(repository, "=")
    assert check_possible(IDENTITY, repository)[0].kind == "approved-hardware"
    (repository / "approved-hardware.toml").unlink()
    (tmp_path / ".git").rmdir()
    assert check_possible(IDENTITY, repository) == []


def test_the_repository_lists_the_example() -> None:
    approved, problems = read_approved(ROOT / "baselines")
    assert problems == []
    assert approved is not None
    found = approved.named("example")
    assert found is not None
    assert found.label == "example, shared VM"
    assert not is_local(ROOT / "baselines")
