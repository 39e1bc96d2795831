# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from ctxgate.system.outcome import MeasureError, State
from ctxgate.wall.doctor import examine, render
from tests.wall.bench import install_program, make_host


def test_advice_alone_does_not_refuse(tmp_path: Path) -> None:
    diagnosis = examine(install_program(tmp_path), make_host(tmp_path))
    assert diagnosis.ready
    assert diagnosis.exit_code == 0
    assert diagnosis.problems() == ()
    assert diagnosis.identity["cpu_model"] == "Fake 9000"
    assert render(diagnosis) == (
        "good            fifo: RLIMIT_RTPRIO is 0 and CAP_SYS_NICE is missing\n"
        "could be better governor: powersave\n"
        "                -> cpupower frequency-set -g performance\n"
        "cannot tell     steal: unreadable\n"
        "\n"
        "ready: this machine can give a valid wall reading"
    )


def test_a_requirement_does(tmp_path: Path) -> None:
    diagnosis = examine(install_program(tmp_path), make_host(tmp_path, FAKE_FITNESS="bad"))
    assert not diagnosis.ready
    assert diagnosis.exit_code == 6
    (problem,) = diagnosis.problems()
    assert problem.message == "fifo: RLIMIT_RTPRIO is 0 and CAP_SYS_NICE is missing"
    assert problem.remedy == "setcap cap_sys_nice+ep on the program"
    text = render(diagnosis)
    assert text.startswith("BAD             fifo: RLIMIT_RTPRIO")
    assert "                -> setcap cap_sys_nice+ep on the program\n" in text
    assert text.endswith("not ready: 1 requirement not met")


def test_what_cannot_be_told_is_left_to_the_measurement(tmp_path: Path) -> None:
    diagnosis = examine(install_program(tmp_path), make_host(tmp_path, FAKE_FITNESS="unknown"))
    assert diagnosis.ready
    assert render(diagnosis).startswith("cannot tell     fifo")


def test_choices_are_asked_for(tmp_path: Path) -> None:
    path = install_program(tmp_path)
    host = make_host(tmp_path)
    assert examine(path, host, cpu=0, scheduling_class="other").ready
    last = (tmp_path / "log").read_text(encoding="utf-8").splitlines()[-1]
    assert '"--facts", "--cpu", "0", "--class", "other"' in last
    with pytest.raises(MeasureError) as raised:
        examine(path, host, cpu=99)
    assert raised.value.state is State.USAGE


def test_the_other_class_needs_no_fifo(tmp_path: Path) -> None:
    path = install_program(tmp_path)
    host = make_host(tmp_path, FAKE_FITNESS="bad")
    diagnosis = examine(path, host, scheduling_class="other")
    assert diagnosis.ready
    assert render(diagnosis).startswith("could be better fifo: ")
    assert not examine(path, host, scheduling_class="fifo").ready


def test_a_foreign_program_knows_nothing_of_the_machine(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="is not ctxgate-bench") as raised:
        examine(install_program(tmp_path), make_host(tmp_path, FAKE_FOREIGN="1"))
    assert raised.value.state is State.USAGE
