# SPDX-License-Identifier: Apache-2.0
import hashlib
import json
import os
import re
import tomllib
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ctxgate.gate.configuration
from ctxgate.gate.configuration import Configuration, ConfigurationError, find, read
from ctxgate.gate.printable import printable
from ctxgate.verdict.policy import Floor

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads(
    Path(ctxgate.gate.configuration.__file__)
    .with_name("configuration.schema.json")
    .read_text("utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

FULL = """\
required = ["switch/*", "canary/*"]
baseline = ["a", "/srv/b"]

[tolerance]
default = "certifiable"
"switch/*" = "3%"
"twin/*" = 0.05
"canary/x" = "0.5 %"

[floor]
default = "50ns"
"switch/*" = { relative = "1%", absolute = ["0.1us", "12 instructions"] }
"twin/*" = { absolute = "2us" }
"canary/*" = "2%"
"canary/x" = { relative = "2%" }
"""


def said(folder: Path, text: str | bytes) -> Configuration:
    path = folder / "ctxgate.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read(path, "shown.toml")


def refusal(folder: Path, text: str | bytes) -> str:
    with pytest.raises(ConfigurationError) as raised:
        said(folder, text)
    message = str(raised.value)
    assert message.startswith("shown.toml: ")
    return message.removeprefix("shown.toml: ")


def test_everything_that_a_file_can_say(tmp_path: Path) -> None:
    assert said(tmp_path, FULL) == Configuration(
        path="shown.toml",
        digest=hashlib.sha256(FULL.encode()).hexdigest(),
        sets=("required", "baseline", "tolerance", "floor"),
        tolerance="certifiable",
        tolerances={"switch/*": 0.03, "twin/*": 0.05, "canary/x": 0.005},
        floor=Floor(nanoseconds=50.0),
        floors={
            "switch/*": Floor(relative=0.01, nanoseconds=100.0, instructions=12.0),
            "twin/*": Floor(nanoseconds=2000.0),
            "canary/*": Floor(relative=0.02),
            "canary/x": Floor(relative=0.02),
        },
        required=("switch/*", "canary/*"),
        baseline=(tmp_path / "a", Path("/srv/b")),
    )


@pytest.mark.parametrize("text", ["", "# nothing\r\n", "[tolerance]\n[floor]\n"])
def test_an_empty_file_sets_nothing(tmp_path: Path, text: str) -> None:
    found = said(tmp_path, text)
    assert found == Configuration(path=found.path, digest=found.digest)


SYNTAX = [
    ("[tolerance", "is not TOML: Expected ']'"),
    ('[tolerance]\n"a" = "3%"\n"a" = "4%"', "is not TOML: Cannot overwrite a value (at"),
    ("[floor]\n[floor]", "is not TOML: Cannot declare ('floor',) twice (at line 2,"),
    (
        '[tolerance]\nswitch/* = "3%"',
        "is not TOML: Expected '=' after a key in a key/value pair (at line 2, column 7); a "
        'pattern stands in quotes: "switch/*" = "3%"',
    ),
    (b"\xff", "is not UTF-8 (at byte 0)"),
    ("x = " + "[" * 100_000, "is nested too deeply"),
]


@pytest.mark.parametrize(("text", "message"), SYNTAX)
def test_what_is_not_toml_is_refused_with_its_line(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    assert refusal(tmp_path, text).startswith(message)


WRONG = [
    ("requird = []", 'unknown key "requird"; did you mean required?'),
    ("[tolerances]", 'unknown key "tolerances"; did you mean tolerance?'),
    ("xyz = 1", 'unknown key "xyz"; known are tolerance, floor, required and baseline'),
    ('tolerance = "3%"', 'tolerance is a string; write [tolerance] and below it default = "3%"'),
    ("floor = 50", "floor is a number; write [floor]"),
    ("[tolerance]\ndefualt = 0.03", 'tolerance: unknown key "defualt"; did you mean default?'),
    ('[floor]\nDefault = "1ns"', 'floor: unknown key "Default"; did you mean default?'),
    ('[tolerance]\n"" = 0.03', 'tolerance: "" names no benchmark; write default for all'),
    (
        '[tolerance]\ndefault = 0.03\n"*" = 0.04',
        'tolerance: default and "*" both stand for every benchmark; keep one',
    ),
    (
        '[floor]\ndefault = "1ns"\nrequired = ["x"]',
        "required stands in [floor]; move it above the first line in brackets",
    ),
    ("[tolerance]\na = 3", "tolerance.\"a\": '3' would be 300 %; try 3%"),
    ("[tolerance]\na = 0", "tolerance.\"a\": '0' has to be above 0 and finite"),
    ("[tolerance]\na = nan", "tolerance.\"a\": 'nan' is no tolerance"),
    ("[tolerance]\na = true", 'tolerance."a": a boolean is no tolerance; try "3%", 0.03 or "cert'),
    ("[tolerance]\na = []", 'tolerance."a": an array is no tolerance'),
    ("[tolerance]\na = 2026-01-01", 'tolerance."a": a date is no tolerance'),
    (
        '[tolerance]\na = "certfiable"',
        "tolerance.\"a\": 'certfiable' is no tolerance; did you mean",
    ),
    (
        '[tolerance]\nfio.read = "3%"',
        'tolerance."fio": a table is no tolerance; try "3%", 0.03 or "certifiable"; a pattern that '
        "holds a dot stands in quotes as a whole",
    ),
    ("[floor]\na = 50", 'floor."a": a number is no floor; try "50ns" or "1%"'),
    ('[floor]\na = "50"', "floor.\"a\": '50' is without a unit; try 50ns"),
    ("[floor]\na = {}", 'floor."a": an empty table is no floor'),
    (
        '[floor]\na = { relativ = "1%" }',
        'floor."a": unknown key "relativ"; did you mean relative?; a pattern that holds a dot',
    ),
    ('[floor]\na.b = "1%"', 'floor."a": unknown key "b"; known are relative and absolute; a patt'),
    ("[floor]\na = { relative = 0.01 }", 'floor."a": relative has to be a percentage in quotes'),
    ('[floor]\na = { relative = "5ns" }', 'floor."a": relative has to be a percentage in quotes'),
    ("[floor]\na = { absolute = 5 }", 'floor."a": absolute has to be a string, or an array of th'),
    ("[floor]\na = { absolute = [5] }", 'floor."a": absolute has to be a string, or an array'),
    ('[floor]\na = { absolute = "5%" }', 'floor."a": absolute has no percentages; they stand in r'),
    ('[floor]\na = { absolute = ["1ns", "1us"] }', "floor.\"a\": '1us' is the second floor"),
    ('required = "x"', "required is a string; it has to be an array of strings; try required = ["),
    ("required = []", "required is empty, which would say nothing; leave it out or fill it"),
    ("baseline = [1]", "baseline holds a number; it has to be an array of strings; try baseline"),
    ('baseline = [""]', "baseline holds an empty string; it has to be an array of strings"),
    ('required = ["x", "y", "x"]', 'required holds "x" twice'),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_makes_no_sense_is_refused_with_advice(
    tmp_path: Path, text: str, message: str
) -> None:
    assert refusal(tmp_path, text).startswith(message)


@pytest.mark.parametrize("key", ["BM_default", "def", "fault"])
def test_a_benchmark_may_have_a_name_somewhat_like_default(tmp_path: Path, key: str) -> None:
    assert said(tmp_path, f"[tolerance]\n{key} = 0.03").tolerances == {key: 0.03}


def test_a_refusal_cannot_steer_the_terminal(tmp_path: Path) -> None:
    message = refusal(tmp_path, '"\\u001B[2J\\u202E" = 1')
    assert message.startswith('unknown key "\\x1b[2J\\u202e"; known are')
    assert printable("µ\n\ud800\x7f") == "µ\\n\\ud800\\x7f"


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for path, cause in (
        (tmp_path / "none", "No such file or directory"),
        (tmp_path, "Is a directory"),
        (Path("a\0b"), "embedded null byte"),
    ):
        with pytest.raises(ConfigurationError, match=re.escape(f"x: cannot be read: {cause}")):
            read(path, "x")


NAMES = st.sampled_from(["tolerance", "floor", "required", "baseline", "default", "switch/*"])
VALUES = st.recursive(
    st.sampled_from(["3%", "50ns", "certifiable", ""])
    | st.text(max_size=5)
    | st.integers()
    | st.floats()
    | st.booleans()
    | st.dates(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(NAMES | st.sampled_from(["relative", "absolute"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(document=st.dictionaries(NAMES, VALUES, max_size=4))
def test_any_document_is_read_or_refused(document: dict[str, object]) -> None:
    try:
        fields = ctxgate.gate.configuration._fields(document, Path())
    except ValueError:
        return
    Configuration(path="", digest="", **fields)
    assert set(document) <= {"tolerance", "floor", "required", "baseline"}


@given(content=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.getbasetemp() / "any"
    folder.mkdir(exist_ok=True)
    try:
        found = said(folder, content)
    except ConfigurationError as error:
        assert str(error).isprintable()
    else:
        assert found.path == "shown.toml"


class TestFinding:
    def test_here_or_above_up_to_the_root_of_the_repository(self, tmp_path: Path) -> None:
        deep = tmp_path / "repository/a/b"
        deep.mkdir(parents=True)
        (tmp_path / "repository/.git").write_text("gitdir: elsewhere")
        (tmp_path / "ctxgate.toml").touch()
        assert find(deep) is None
        top = tmp_path / "repository/ctxgate.toml"
        top.touch()
        assert find(deep) == top
        assert find(tmp_path / "repository") == top
        (deep / "ctxgate.toml").touch()
        assert find(deep) == deep / "ctxgate.toml"
        assert find(tmp_path / "repository/a") == top

    def test_outside_a_repository_only_here(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "ctxgate.toml").touch()
        assert find(tmp_path / "a") is None
        assert find(tmp_path) == tmp_path / "ctxgate.toml"

    def test_one_that_leads_nowhere_is_found_and_not_passed_over(self, tmp_path: Path) -> None:
        (tmp_path / "ctxgate.toml").symlink_to("nowhere")
        found = find(tmp_path)
        assert found is not None
        with pytest.raises(ConfigurationError, match="No such file"):
            read(found, "x")
        assert not os.path.exists(found)  # noqa: PTH110


class TestSchema:
    def test_it_is_one(self) -> None:
        VALIDATOR.check_schema(SCHEMA)
        assert SCHEMA["$id"].endswith(":1")

    @pytest.mark.parametrize("text", [FULL, ""])
    def test_it_takes_what_we_read(self, text: str) -> None:
        VALIDATOR.validate(tomllib.loads(text))

    @pytest.mark.parametrize("text", [text for text, _ in WRONG])
    def test_it_refuses_what_we_refuse(self, text: str) -> None:
        beyond_a_schema = ("defualt", "Default", '"*"', '"1us"', "nan")
        refused = not VALIDATOR.is_valid(tomllib.loads(text))
        assert refused is not any(word in text for word in beyond_a_schema)


class TestShipped:
    """The file at the root of the repository, and what its comments show."""

    text = (ROOT / "ctxgate.toml").read_text(encoding="utf-8")

    def test_it_sets_nothing(self) -> None:
        found = read(ROOT / "ctxgate.toml", "ctxgate.toml")
        assert found == Configuration(path=found.path, digest=found.digest)

    def test_what_it_shows_is_what_we_read(self, tmp_path: Path) -> None:
        shown = re.sub(r'^#(?=["a-z])', "", self.text, flags=re.MULTILINE)
        VALIDATOR.validate(tomllib.loads(shown))
        found = said(tmp_path, shown)
        assert found.required == ("switch/*", "twin/*", "canary/*")
        assert len(found.baseline) == 3
        assert (found.tolerance, found.tolerances) == (0.03, {"switch/pipe/*": 0.02})
        assert found.floor == Floor()
        assert found.floors == {
            "switch/*": Floor(relative=0.01, nanoseconds=50.0, instructions=12.0)
        }
        schema = re.match(r"#:schema (\S+)\n", self.text)
        assert schema is not None
        assert (ROOT / schema[1]).is_file()
