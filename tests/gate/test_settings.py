# SPDX-License-Identifier: Apache-2.0
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ctxgate.gate.configuration import ConfigurationError
from ctxgate.gate.settings import Given, Settings, settle
from ctxgate.gate.settings_text import document, render
from ctxgate.verdict.model import BenchmarkVerdict, Decision, Verdict
from ctxgate.verdict.policy import CERTIFIABLE, Floor, Policy
from tests.wall.bench import make_host

FILE = """\
required = ["switch/*", "twin/*"]
baseline = ["base-0", "/srv/base-1"]
[tolerance]
default = "4%"
"switch/*" = "2%"
"twin/*" = "certifiable"
[floor]
default = "50ns"
"switch/*" = { relative = "1%", absolute = ["0.1us", "12 instructions"] }
"""
FLOORS = {
    "*": Floor(nanoseconds=50.0),
    "switch/*": Floor(relative=0.01, nanoseconds=100.0, instructions=12.0),
}
DIGEST = hashlib.sha256(FILE.encode()).hexdigest()
NOTE = f"Configuration: ctxgate.toml (sha256 {DIGEST}) sets required, baseline, tolerance, floor."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The working directory, with a configuration file."""
    (tmp_path / "ctxgate.toml").write_text(FILE, encoding="utf-8")
    return tmp_path


def settled(folder: Path, **given: Any) -> Settings:
    return settle(Given(**given), make_host(folder))


def origins(settings: Settings) -> dict[str, str]:
    return {one.setting: one.origin for one in settings.in_effect}


class TestPrecedence:
    def test_defaults(self, tmp_path: Path) -> None:
        settings = settled(tmp_path)
        assert settings.policy == Policy()
        assert settings.baseline == ()
        assert settings.notes == ()
        assert settings.file is None
        assert set(origins(settings).values()) == {"default"}

    def test_the_file_beats_the_defaults(self, folder: Path) -> None:
        settings = settled(folder)
        assert settings.policy == Policy(
            tolerance=0.04,
            configured={"switch/*": 0.02, "twin/*": CERTIFIABLE},
            floor=FLOORS,
            required=("switch/*", "twin/*"),
        )
        assert settings.baseline == (folder / "base-0", Path("/srv/base-1"))
        assert settings.notes == (NOTE,)
        assert set(origins(settings).values()) == {"ctxgate.toml"}

    def test_a_general_tolerance_on_the_command_line_replaces_the_files(self, folder: Path) -> None:
        settings = settled(folder, tolerance=["9%", "twin/*=8%"])
        assert settings.policy == Policy(
            tolerance=0.09,
            tolerances={"twin/*": 0.08},
            floor=FLOORS,
            required=("switch/*", "twin/*"),
        )
        assert origins(settings)["tolerance.default"] == "command line"
        assert 'tolerance."switch/*"' not in origins(settings)
        assert settings.notes == (
            NOTE,
            "tolerance of ctxgate.toml was not used: the command line gives one for all.",
        )

    def test_a_pattern_on_the_command_line_goes_before_the_files(self, folder: Path) -> None:
        settings = settled(folder, tolerance=["switch/*=9%", "*=8%"])
        assert settings.policy.tolerance == 0.04
        assert settings.policy.tolerances == {"switch/*": 0.09, "*": 0.08}
        assert settings.policy.configured == {"switch/*": 0.02, "twin/*": CERTIFIABLE}
        assert origins(settings) == {
            "tolerance.default": "ctxgate.toml",
            'tolerance."switch/*"': "command line",
            'tolerance."*"': "command line",
            'tolerance."twin/*"': "ctxgate.toml",
            "floor.default": "ctxgate.toml",
            'floor."switch/*"': "ctxgate.toml",
            "required": "ctxgate.toml",
            "baseline": "ctxgate.toml",
        }

    def test_a_baseline_on_the_command_line_beats_the_files(self, folder: Path) -> None:
        settings = settled(folder, baseline=[Path("other")])
        assert settings.baseline == (Path("other"),)
        assert origins(settings)["baseline"] == "command line"
        not_used = "baseline of ctxgate.toml was not used: the command line names another."
        assert settings.notes == (NOTE, not_used)
        local = settled(folder, local=True)
        assert local.baseline == ()
        assert local.notes == (NOTE, not_used)

    def test_a_local_baseline_does_not_count_in_ci(self, folder: Path) -> None:
        settings = settle(Given(local=True), make_host(folder, CI="true"))
        assert settings.baseline == (folder / "base-0", Path("/srv/base-1"))

    def test_what_compare_is_given_is_what_it_requires(self, folder: Path) -> None:
        settings = settled(folder, requires=False, baseline=[Path("other")])
        assert settings.policy.required is None
        assert settings.baseline == (Path("other"),)
        assert settings.notes == (
            NOTE,
            "required of ctxgate.toml was not used: it is for `ctxgate gate`; compare requires "
            "every benchmark of the baseline it is given.",
        )

    def test_a_wrong_option_is_told_as_one(self, folder: Path) -> None:
        with pytest.raises(ConfigurationError, match=r"^--tolerance: '3' would be 300 %; try 3%$"):
            settled(folder, tolerance=["3"])


class TestWhichFile:
    def test_one_that_is_named(self, folder: Path) -> None:
        (folder / "conf").mkdir()
        (folder / "conf/mine.toml").write_text('baseline = ["x"]', encoding="utf-8")
        settings = settled(folder, config=Path("conf/mine.toml"))
        assert settings.file is not None
        assert settings.file.path == "conf/mine.toml"
        assert settings.baseline == (folder / "conf/x",)
        with pytest.raises(ConfigurationError, match=r"^none\.toml: cannot be read: No such file"):
            settled(folder, config=Path("none.toml"))

    def test_none_at_all(self, folder: Path) -> None:
        assert settled(folder, search=False) == settled(folder / "nowhere")

    def test_one_above_is_shown_from_here(self, folder: Path) -> None:
        (folder / ".git").mkdir()
        settings = settle(Given(), make_host(folder / "a/b"))
        assert settings.file is not None
        assert settings.file.path == "../../ctxgate.toml"
        assert settings.baseline[0] == folder / "base-0"

    def test_in_ci_one_that_was_found_may_be_the_proposed_ones(self, folder: Path) -> None:
        host = make_host(folder, CI="true")
        found = settle(Given(), host)
        assert found.notes == (
            NOTE,
            "ctxgate.toml was found in the tree under test, which can change its own tolerances: "
            "in CI name the file of the base branch with --config.",
        )
        assert settle(Given(config=Path("ctxgate.toml")), host).notes == (NOTE,)

    def test_a_file_that_says_nothing_is_named_as_well(self, tmp_path: Path) -> None:
        (tmp_path / "ctxgate.toml").touch()
        digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        settings = settled(tmp_path)
        assert settings.notes == (f"Configuration: ctxgate.toml (sha256 {digest}) sets nothing.",)
        assert settings.policy == Policy()


def verdict(*names: str) -> Verdict:
    rows = tuple(
        BenchmarkVerdict(
            name=name, verdict=Decision.PASS, gated=True, metric="", rule="", reason=""
        )
        for name in names
    )
    return Verdict(verdict=Decision.PASS, benchmarks=rows, notes=("first",))


class TestApplied:
    def test_the_verdict_names_its_file(self, folder: Path) -> None:
        applied = settled(folder).applied(verdict("switch/a", "twin/a"))
        assert applied.notes == ("first", NOTE)
        assert applied.warnings == ()
        assert applied.verdict is Decision.PASS

    def test_an_idle_pattern_is_a_caution(self, folder: Path) -> None:
        settings = settled(folder, tolerance=["swich/*=3%"])
        warnings = settings.applied(verdict("switch/a")).warnings
        assert {one.kind for one in warnings} == {"unused-pattern"}
        assert [one.message for one in warnings] == [
            'The pattern tolerance."swich/*" (command line) matches no benchmark, so 3 % is asked '
            "of none.",
            'The pattern tolerance."twin/*" (ctxgate.toml) matches no benchmark, so certifiable is '
            "asked of none.",
        ]

    def test_where_nothing_was_judged_no_pattern_is_idle(self, folder: Path) -> None:
        assert settled(folder).applied(verdict()).warnings == ()


class TestShown:
    @pytest.fixture
    def settings(self, folder: Path) -> Settings:
        given = {"tolerance": ["twin/pipe/*=5%"], "baseline": [Path("b-0"), Path("b\x1b-1")]}
        return settled(folder, **given)

    def test_text(self, settings: Settings, golden: Callable[[str, str], None]) -> None:
        golden("settings.txt", render(settings, origin=False))
        golden("settings.origin.txt", render(settings, origin=True))

    def test_defaults(self, tmp_path: Path, golden: Callable[[str, str], None]) -> None:
        golden("settings.default.txt", render(settled(tmp_path), origin=True))

    def test_json(self, settings: Settings, tmp_path: Path) -> None:
        shown = json.loads(document(settings))
        assert shown["schema"] == 1
        assert shown["file"] == {"path": "ctxgate.toml", "sha256": DIGEST}
        assert shown["settings"] == [
            {"setting": one.setting, "value": value, "origin": one.origin}
            for one in settings.in_effect
            for value in [list(one.value) if isinstance(one.value, tuple) else one.value]
        ]
        assert shown["settings"][-1] == {
            "setting": "baseline", "value": ["b-0", "b\\x1b-1"], "origin": "command line",
        }  # fmt: skip
        assert json.loads(document(settled(tmp_path / "nowhere")))["file"] is None
