# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from ctxgate.system.host import Finished
from ctxgate.system.outcome import MeasureError, State
from ctxgate.wall import program
from ctxgate.wall.program import Program, ask_facts, ending, find, identify
from tests.wall.bench import install_program, make_host


@pytest.fixture(autouse=True)
def _no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_PACKAGE", tmp_path / "checkout/ctxgate")


def test_looks_in_order(tmp_path: Path) -> None:
    """The later places are filled first, and each earlier one then wins."""
    places = [
        ("checkout/build", None),
        ("checkout/build/ctxgate/bench", None),
        ("build", None),
        ("build/ctxgate/bench", None),
        ("checkout/ctxgate/bin", None),
    ]
    for folder, _ in places:
        put = install_program(tmp_path / folder)
        assert find(None, make_host(tmp_path)) == put
    named = install_program(tmp_path / "named")
    host = make_host(tmp_path, CTXGATE_BENCH=str(named))
    assert find(None, host) == named
    given = install_program(tmp_path / "given")
    assert find(Path("given/ctxgate-bench"), host) == given


def test_names_every_place_it_looked_at(tmp_path: Path) -> None:
    with pytest.raises(MeasureError) as raised:
        find(None, make_host(tmp_path))
    assert raised.value.state is State.USAGE
    problem = raised.value.problems[0]
    places = [
        "--bench",
        "CTXGATE_BENCH",
        f"{tmp_path}/checkout/ctxgate/bin/ctxgate-bench",
        f"{tmp_path}/build/ctxgate/bench/ctxgate-bench",
        f"{tmp_path}/build/ctxgate-bench",
        f"{tmp_path}/checkout/build/ctxgate/bench/ctxgate-bench",
        f"{tmp_path}/checkout/build/ctxgate-bench",
    ]
    assert problem.message == f"no ctxgate-bench found; looked at {', '.join(places)}"
    assert problem.remedy == "build it with ./ci/setup"


def test_a_named_program_has_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program", encoding="ascii")
    with pytest.raises(MeasureError, match=r"^--bench: .*/text is not executable$"):
        find(Path("text"), make_host(tmp_path))
    host = make_host(tmp_path, CTXGATE_BENCH="gone")
    with pytest.raises(MeasureError, match=r"^CTXGATE_BENCH: .*/gone is no program$"):
        find(None, host)


def test_a_path_that_cannot_be_asked_is_no_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path) -> bool:
        raise PermissionError

    monkeypatch.setattr(program.Path, "is_file", refuse)
    assert not program._is_program(tmp_path)


def test_tells_our_own_from_a_foreign_one(tmp_path: Path) -> None:
    path = install_program(tmp_path)
    own = identify(path, make_host(tmp_path))
    assert own.own
    assert own.facts is not None
    assert own.facts.identity == {"cpu_model": "Fake 9000", "governor": "performance"}
    assert own.facts.fitness[0].required
    assert not identify(path, make_host(tmp_path, FAKE_FOREIGN="1")).own
    assert not identify(Path("/bin/true"), make_host(tmp_path)).own


def test_no_answer_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = install_program(tmp_path)
    with pytest.raises(MeasureError, match="was killed by signal 11") as raised:
        identify(path, make_host(tmp_path, FAKE_FACTS="crash"))
    assert raised.value.state is State.BROKEN
    monkeypatch.setattr(program, "ANSWER_LIMIT_S", 0.3)
    with pytest.raises(MeasureError, match="did not end in time"):
        identify(path, make_host(tmp_path, FAKE_FACTS="hang"))


def test_a_program_for_another_machine_is_a_usage_error(tmp_path: Path) -> None:
    path = tmp_path / "arm"
    path.write_bytes(b"\x7fELF no such format")
    path.chmod(0o755)
    with pytest.raises(MeasureError, match="cannot be run: Exec format error") as raised:
        identify(path, make_host(tmp_path))
    assert raised.value.state is State.USAGE


@pytest.mark.parametrize(
    ("status", "state"), [("2", State.USAGE), ("6", State.UNFIT), ("3", State.BROKEN)]
)
def test_refused_choices_keep_their_meaning(tmp_path: Path, status: str, state: State) -> None:
    host = make_host(tmp_path, FAKE_CPU_EXIT=status)
    found = identify(install_program(tmp_path), host)
    with pytest.raises(MeasureError, match="CPU 99 does not exist") as raised:
        ask_facts(found, ["--cpu", "99"], host)
    assert raised.value.state is state


def test_facts_that_are_none_are_broken(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="ended with exit status 0"):
        ask_facts(Program(path=Path("/bin/true"), facts=None), [], make_host(tmp_path))


def test_quotes_the_last_words_only() -> None:
    words = "".join(f"line {number}\n\n" for number in range(20)).encode() + b"\xff\n"
    text = ending(Finished(3, b"", words, timed_out=False))
    assert text.startswith("ended with exit status 3: line 13\nline 14\n")
    assert text.endswith("line 19\n\\xff")
