# SPDX-License-Identifier: Apache-2.0
"""What all tests share: golden files, compared with `golden`, renewed with `--update-golden`."""

import difflib
import signal
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

# How long an example takes says something about the machine's other work, nothing about the code.
hypothesis.settings.register_profile(
    "ctxgate", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("ctxgate")

# Started in the background, we would inherit SIGINT ignored and hand that on: a test that sends it
# to a command would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the golden files anew instead of comparing with them",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str | bytes], None]:
    """`golden(name, text)`: compare with `golden/<name>` beside the test's file."""
    folder = request.path.parent / "golden"
    update = bool(request.config.getoption("--update-golden"))

    def compare(name: str, text: str | bytes) -> None:
        check_golden(folder / name, text, update=update)

    return compare


def check_golden(path: Path, text: str | bytes, *, update: bool) -> None:
    """Fail with a diff unless `path` holds `text`; what was got is left beside it as `.got`."""
    data = text.encode() if isinstance(text, str) else text
    got = path.with_name(f"{path.name}.got")
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        got.unlink(missing_ok=True)
        return
    wanted = path.read_bytes() if path.exists() else b""
    if path.exists() and wanted == data:
        got.unlink(missing_ok=True)
        return
    path.parent.mkdir(exist_ok=True)
    got.write_bytes(data)
    before, after = (content.decode(errors="backslashreplace") for content in (wanted, data))
    diff = difflib.unified_diff(
        before.splitlines(), after.splitlines(), path.name, got.name, lineterm=""
    )
    missing = "" if path.exists() else "there is no golden file yet; "
    pytest.fail(
        f"{missing}look at {got}, then renew with --update-golden\n" + "\n".join(diff),
        pytrace=False,
    )
