# SPDX-License-Identifier: Apache-2.0
"""README and CONTRIBUTING say what is true: commands, options, exit codes, presets, examples.

A block that begins with ```console runnable is executed and its output compared; a line `...` in it
stands for any number of lines. The commands of other console blocks must exist, with their options.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from ctxgate.gate.configuration import read
from ctxgate.verdict.model import Decision

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "CONTRIBUTING.md")
COMMANDS = Path(sys.executable).parent


@dataclass(frozen=True)
class Block:
    """A fenced block: the page it stands in, its first line without the fence, and its lines."""

    page: str
    info: str
    lines: tuple[str, ...]

    def commands(self) -> list[tuple[str, list[str]]]:
        """Each `$ command` with the output that the page shows under it."""
        found: list[tuple[str, list[str]]] = []
        for line in self.lines:
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found:
                found[-1][1].append(line)
        return found


def blocks() -> list[Block]:
    found = []
    for page in PAGES:
        text = (ROOT / page).read_text()
        for match in re.finditer(r"^```(.*)\n((?:.*\n)*?)^```$", text, re.MULTILINE):
            found.append(Block(page, match[1].strip(), tuple(match[2].splitlines())))
    return found


def console(*, runnable: bool) -> list[tuple[str, list[str]]]:
    info = "console runnable" if runnable else "console"
    return [command for block in blocks() if block.info == info for command in block.commands()]


def run(command: str) -> subprocess.CompletedProcess[str]:
    """Run a shell command as a reader would after ./ci/setup, with `ctxgate` on the PATH."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env={
            **os.environ,
            "PATH": f"{COMMANDS}:{os.environ['PATH']}",
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )


def matches(shown: list[str], printed: list[str]) -> bool:
    """Is `printed` what the page shows, where a line `...` stands for any lines?"""
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == "..." else re.escape(line.rstrip()) + r"\n"
        for line in shown
    )
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed)) is not None


def test_every_block_says_what_it_is() -> None:
    kinds = {block.info for block in blocks()}
    assert kinds <= {"console", "console runnable", "cmake", "json", "text", "toml"}
    assert console(runnable=False)


@pytest.mark.parametrize(("command", "shown"), console(runnable=True))
def test_an_example_prints_what_the_page_shows(command: str, shown: list[str]) -> None:
    done = run(command)
    assert matches(shown, done.stdout.splitlines()), done.stdout


@pytest.mark.parametrize("command", [command for command, _ in console(runnable=False)])
def test_a_command_exists_with_its_options(command: str) -> None:
    for part in command.split("&&"):
        program, *arguments = shlex.split(part)
        if program == "ctxgate":
            told = run(f"ctxgate {arguments[0]} --help")
            assert told.returncode == 0, told.stdout
            options = {word for word in arguments if word.startswith("--")}
            assert options <= set(re.findall(r"--[\w-]+", told.stdout))
        elif program.startswith("./"):
            assert os.access(ROOT / program, os.X_OK), program
        else:
            assert program in {"cmake", "ctest"}, program


def test_a_configuration_that_is_shown_is_one(tmp_path: Path) -> None:
    shown = [block for block in blocks() if block.info == "toml"]
    assert shown
    for block in shown:
        path = tmp_path / "ctxgate.toml"
        path.write_text("\n".join(block.lines), encoding="utf-8")
        assert read(path, block.page).sets == ("required", "baseline", "tolerance", "floor")


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text()
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / link).exists(), link
    for script in re.findall(r"`\./(ci/\w+)", text):
        assert (ROOT / script).exists(), script
    presets = json.loads((ROOT / "CMakePresets.json").read_bytes())
    names = {preset["name"] for preset in presets["configurePresets"]}
    assert {preset["name"] for preset in presets["testPresets"]} == names
    assert set(re.findall(r"--preset (\w[\w-]*)", text)) <= names


def test_the_exit_codes_are_those_of_the_verdicts() -> None:
    table = re.findall(r"^\| (\d+) +\| ([a-z ]+?) +\|", (ROOT / "README.md").read_text(), re.M)
    said = {verdict: int(code) for code, verdict in table}
    assert said.pop("skipped") == 77
    assert said == {decision.value: decision.exit_code for decision in Decision}


def test_the_version_is_one_everywhere() -> None:
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.M)
    assert version is not None
    assert f"VERSION {version[1]}\n" in (ROOT / "CMakeLists.txt").read_text()
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a", "..."], ["a", "b", "c"], True),
        (["...", "c"], ["a", "b", "c"], True),
        (["a", "...", "a"], ["a", "a"], True),
        (["a"], ["a", "b"], False),
        (["a.c"], ["abc"], False),
        ([], ["a"], False),
    ],
)
def test_dots_stand_for_lines(shown: list[str], printed: list[str], same: bool) -> None:
    assert matches(shown, printed) is same
