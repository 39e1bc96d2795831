# SPDX-License-Identifier: Apache-2.0
from ctxgate.noise.names import is_canary, measured_name, switch_allowance, twin_of


def test_names() -> None:
    assert is_canary("canary/arithmetic")
    assert not is_canary("switch/canary/process/fifo/same_cpu")
    assert twin_of("switch/pipe/thread/other/same_cpu") == "twin/pipe/thread/other/same_cpu"
    assert twin_of("twin/pipe/thread/other/same_cpu") is None
    assert measured_name("switch/pipe/thread/other/same_cpu p99") == (
        "switch/pipe/thread/other/same_cpu"
    )
    assert measured_name("switch/p99") == "switch/p99"
    assert switch_allowance("switch/pipe/thread/other/same_cpu") == 0.1
    assert switch_allowance("switch/pipe/thread/fifo/same_cpu") == 0.01
