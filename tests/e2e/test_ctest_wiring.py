# SPDX-License-Identifier: Apache-2.0
"""The three tests of ctxgate_add_gate(), with a stand-in for `ctxgate` that exits as told."""

import itertools
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.e2e.wiring import Wiring


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Wiring:
    root = tmp_path_factory.mktemp("strict")
    return Wiring(root, "ctxgate_add_gate(g BENCHMARK ctxgate::bench)", require=True)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Wiring:
    return Wiring(tmp_path_factory.mktemp("desk"), "ctxgate_add_gate(g BENCHMARK ctxgate::bench)")


STATES = list(
    itertools.product(["0", "3", "6", "77"], ["0", "3", "6", "77", "130"], ["good", "unfit"])
)
STATES += [("0", "0", "none"), ("77", "77", "none"), ("6", "6", "none"), ("77", "0", "none")]


@pytest.mark.parametrize(("fit", "measure", "session"), STATES)
def test_no_failed_or_skipped_step_becomes_a_pass(
    strict: Wiring, desk: Wiring, fit: str, measure: str, session: str
) -> None:
    good = (fit, measure, session) == ("0", "0", "good")
    told = {"FIT": fit, "MEASURE": measure, "SESSION": session}
    outcome = strict.ctest(**told)
    assert outcome.passed == good, outcome.text
    assert (outcome.exit_code == 0) == good, outcome.text
    # At the desk a skip is no failure, and a session that a skipped measure left whole may be
    # judged; but a session that is missing or unfit is never a pass.
    outcome = desk.ctest(**told)
    assert not outcome.passed or session == "good", outcome.text
    failed = {fit, measure} & {"3", "6", "130"}
    assert not failed or outcome.exit_code == 8, outcome.text


@pytest.mark.parametrize("code", ["1", "2", "3", "4", "5", "6", "70", "77", "130"])
def test_whatever_is_not_a_pass_fails_where_it_is_required(strict: Wiring, code: str) -> None:
    outcome = strict.ctest(GATE=code)
    assert outcome.exit_code == 8
    assert outcome.results["g.gate"] == "Failed"


def test_an_unfit_machine_is_a_skip_at_the_desk(desk: Wiring) -> None:
    outcome = desk.ctest(FIT="77", MEASURE="77", SESSION="unfit")
    assert outcome.exit_code == 0
    assert outcome.results == {"g.fit": "Skipped", "g.measure": "Skipped", "g.gate": "Skipped"}


def test_a_missing_baseline_is_a_skip_at_the_desk(desk: Wiring) -> None:
    outcome = desk.ctest(GATE="77")
    assert outcome.results["g.gate"] == "Skipped"


def test_a_step_that_measured_nothing_is_no_skip(desk: Wiring) -> None:
    outcome = desk.ctest(FIT="77", MEASURE="77", SESSION="none")
    assert outcome.exit_code == 8
    assert outcome.results["g.gate"] == "Failed"


def test_a_session_of_an_earlier_time_is_not_judged(desk: Wiring) -> None:
    assert desk.ctest("-R", r"^g\.measure$").exit_code == 0
    outcome = desk.ctest(FIT="77", MEASURE="77", SESSION="none")
    assert outcome.results["g.gate"] == "Failed"


def test_naming_the_gate_measures_first(strict: Wiring) -> None:
    outcome = strict.ctest("-R", r"^g\.gate$")
    assert outcome.passed
    assert [line.split()[0] for line in strict.called()] == ["doctor", "measure", "gate"]


@pytest.mark.parametrize("fixtures", ["-FA", "-FS"])
def test_a_session_is_judged_once(strict: Wiring, fixtures: str) -> None:
    assert strict.ctest().passed
    again = strict.ctest("-R", r"^g\.gate$", fixtures, ".*")
    assert again.exit_code == 8, again.text


def test_repeating_until_it_passes_does_not_pass(strict: Wiring) -> None:
    assert strict.ctest("--repeat", "until-pass:3", GATE="1").exit_code == 8
    assert sum(line.startswith("gate") for line in strict.called()) == 3


def test_a_missing_command_fails_also_at_the_desk(tmp_path: Path) -> None:
    wiring = Wiring(tmp_path, "ctxgate_add_gate(g BENCHMARK ctxgate::bench)")
    (tmp_path / "ctxgate").unlink()
    assert wiring.ctest().exit_code == 8


def test_an_empty_selection_fails(strict: Wiring) -> None:
    assert strict.ctest("-L", "^nothing$", "--no-tests=error").exit_code == 8


def test_command_lines(tmp_path: Path) -> None:
    wiring = Wiring(
        tmp_path,
        'ctxgate_add_gate(g BENCHMARK their_bench BASELINE one "two b" /three TOLERANCE 3%'
        ' RUNS 5 FILTER "^BM_[ab]/.*$" EXTRA_ARGS --cpu 1)',
        require=True,
    )
    assert wiring.configured.returncode == 0, wiring.configured.stderr
    assert wiring.ctest().passed
    kept = wiring.build / "ctxgate-gates" / "g"
    source = wiring.source
    assert wiring.called() == [
        "doctor --bench /opt/ctxgate-bench --class other --cpu 1",
        f"measure --out {kept}/session --bench /opt/their-bench --runs 5 "
        "--filter=^BM_[ab]/.*$ --cpu 1",
        f"gate --contender {kept}/judged --json {kept}/verdict.json --junit {kept}/junit.xml "
        "--filter=^BM_[ab]/.*$ "
        f"--baseline {source}/one {source}/two b /three --tolerance 3%",
    ]


def test_the_doctor_is_asked_about_what_is_measured(tmp_path: Path) -> None:
    wiring = Wiring(
        tmp_path,
        "ctxgate_add_gate(g BENCHMARK ctxgate::bench"
        " EXTRA_ARGS --deadline 9 --class=other --cpu 3 --bench-args --cpu 4)",
    )
    wiring.ctest()
    assert wiring.called()[0] == (
        "doctor --bench /opt/ctxgate-bench --class=other --cpu 3 --on-unfit=skip"
    )
    assert wiring.called()[1].endswith(
        "--on-unfit=skip --deadline 9 --class=other --cpu 3 --bench-args --cpu 4"
    )


def test_the_desk_asks_for_skips_and_the_strict_gate_does_not(desk: Wiring, strict: Wiring) -> None:
    desk.ctest()
    assert [line.count("--on-unfit=skip") for line in desk.called()] == [1, 1, 1]
    strict.ctest()
    assert [line.count("--on-unfit") for line in strict.called()] == [0, 0, 0]


def test_properties(strict: Wiring, desk: Wiring) -> None:
    for name, properties in strict.properties().items():
        assert properties["LABELS"] == ["ctxswitch"], name
        assert properties["RUN_SERIAL"] is True
        assert properties["RESOURCE_LOCK"] == ["ctxgate_host"]
        assert properties["TIMEOUT"]
        assert "SKIP_RETURN_CODE" not in properties
    assert strict.properties()["g.measure"]["TIMEOUT"] == 300 + 8 * 120
    assert {p["SKIP_RETURN_CODE"] for p in desk.properties().values()} == {77}


def test_own_properties_are_added(tmp_path: Path) -> None:
    wiring = Wiring(
        tmp_path,
        "ctxgate_add_gate(g BENCHMARK their_bench PROPERTIES TIMEOUT 7"
        ' LABELS "mine;slow" RESOURCE_LOCK disk)',
    )
    assert wiring.configured.returncode == 0, wiring.configured.stderr
    gate = wiring.properties()["g.gate"]
    assert gate["TIMEOUT"] == 7
    assert gate["LABELS"] == ["ctxswitch", "mine", "slow"]
    assert gate["RESOURCE_LOCK"] == ["ctxgate_host", "disk"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("g", "BENCHMARK <target> is missing"),
        ("g BENCHMARK", "no value for BENCHMARK"),
        ("g BENCHMARK their_bench BASELINE", "no value for BASELINE"),
        ("g BENCHMARK nowhere", "no target nowhere"),
        ("g BENCHMARK a_library", "no executable, but INTERFACE_LIBRARY"),
        ("g their_bench BENCHMARK their_bench", "unknown arguments: their_bench"),
        ("g BENCHMARK their_bench RUNS many", "RUNS must be a whole number above 0, not 'many'"),
        ("g BENCHMARK their_bench RUNS 0", "RUNS must be a whole number above 0"),
        ("../g BENCHMARK their_bench", "letters, digits"),
        (".. BENCHMARK their_bench", "letters, digits"),
        ("g BENCHMARK their_bench PROPERTIES TIMEOUT", "pairs of name and value"),
        ("g BENCHMARK their_bench PROPERTIES WILL_FAIL TRUE", "WILL_FAIL is refused"),
        ("g BENCHMARK their_bench PROPERTIES TIMEOUT 3 DISABLED TRUE", "DISABLED is refused"),
        (
            "g BENCHMARK their_bench)\nctxgate_add_gate(g BENCHMARK their_bench",
            "there is a gate of that name already",
        ),
    ],
)
def test_a_wrong_call_fails_the_configure(tmp_path: Path, call: str, message: str) -> None:
    wiring = Wiring(tmp_path, f"ctxgate_add_gate({call})")
    assert wiring.configured.returncode != 0
    assert message in " ".join(wiring.configured.stderr.split())


def test_a_failed_step_shows_in_ctest_junit(strict: Wiring, tmp_path: Path) -> None:
    report = tmp_path / "ctest.xml"
    strict.ctest("--output-junit", str(report), GATE="1")
    suite = ET.parse(report).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
