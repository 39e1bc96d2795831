# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

from ctxgate.gate.config_symbols import with_config_symbols
from ctxgate.readings.model import SessionSet
from ctxgate.verdict.model import Decision, SubjectChange, Verdict
from tests.verdict.sides import SWITCH, side

OTHER = SubjectChange(fact="cmdline", baseline="quiet", contender="quiet nosmt")
HASHES = SubjectChange(fact="kernel_config", baseline="aaaa", contender="bbbb")
VERDICT = Verdict(verdict=Decision.PASS, subject_changes=(OTHER, HASHES))


def session(folder: Path, config: str | None) -> SessionSet:
    if config is not None:
        (folder / "s0/meta").mkdir(parents=True)
        (folder / "s0/meta/kernel.config").write_text(config, encoding="utf-8")
    return side({SWITCH: [9.0]}, where=f"{folder}/s")


def test_the_symbols_that_differ_take_the_place_of_the_hashes(tmp_path: Path) -> None:
    before = 'CONFIG_HZ=250\nCONFIG_PSI=y\nCONFIG_CC_VERSION_TEXT="gcc 12"\n# CONFIG_X is not set\n'
    after = 'CONFIG_NO_HZ_FULL=y\nCONFIG_HZ=250\nCONFIG_CC_VERSION_TEXT="gcc 13"\n'
    told = with_config_symbols(
        VERDICT, session(tmp_path / "b", before), session(tmp_path / "c", after)
    )
    assert told.subject_changes == (
        OTHER,
        SubjectChange(
            fact="kernel_config",
            baseline="CONFIG_NO_HZ_FULL=n\nCONFIG_PSI=y",
            contender="CONFIG_NO_HZ_FULL=y\nCONFIG_PSI=n",
        ),
    )


def test_the_hashes_stay_where_a_text_is_missing(tmp_path: Path) -> None:
    with_text = session(tmp_path / "b", "CONFIG_PSI=y\n")
    without = session(tmp_path / "c", None)
    assert with_config_symbols(VERDICT, with_text, without) == VERDICT
    assert with_config_symbols(VERDICT, without, with_text) == VERDICT


def test_without_a_change_nothing_is_read() -> None:
    unchanged = Verdict(verdict=Decision.PASS, subject_changes=(OTHER,))
    nowhere = side({SWITCH: [9.0]})
    assert with_config_symbols(unchanged, nowhere, nowhere) is unchanged
