# SPDX-License-Identifier: Apache-2.0
import math
import random
import tomllib
from pathlib import Path

import msgspec
import pytest

from ctxgate.noise.prior import Prior, load_prior, provisional_prior, widened
from ctxgate.noise.student import median_variance_ratio
from ctxgate.noise.summaries import Summary
from ctxgate.noise.variance import (
    Spread,
    contender_factor,
    moderate,
    spread,
    standard_error,
    within_sessions,
)

PRIOR = Prior(name="test", provisional=False, session_sd=0.02, degrees_of_freedom=4.0)


def test_the_shipped_prior() -> None:
    prior = provisional_prior()
    assert (prior.session_sd, prior.degrees_of_freedom, prior.provisional) == (0.02, 4.0, True)
    assert "provisional" in prior.name
    assert prior.variance == pytest.approx(0.0004)


def test_a_faulty_prior_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "prior.toml"
    file.write_text('name = "x"\n')
    with pytest.raises(msgspec.ValidationError):
        load_prior(file)
    file.write_text("name =")
    with pytest.raises(tomllib.TOMLDecodeError):
        load_prior(file)


def test_moderated_variance_by_hand() -> None:
    # (4 * 0.0004 + 4 * 0.0001) / 8 = 0.00025, above the sample's own 0.0001.
    assert moderate(0.0001, 5, PRIOR) == (pytest.approx(0.00025), 8.0)
    # (4 * 0.0004 + 2 * 0.01) / 6 = 0.0036, below the sample's own 0.01, which stands.
    assert moderate(0.01, 3, PRIOR) == (0.01, 6.0)
    # One session: the prior alone, with its degrees of freedom.
    assert moderate(0.0, 1, PRIOR) == (pytest.approx(0.0004), 4.0)


def test_contender_factors() -> None:
    assert [contender_factor(count) for count in (1, 2, 3)] == [1.0, 0.5, 0.449]
    assert contender_factor(4) == pytest.approx(math.pi / 8)
    assert contender_factor(20) == pytest.approx(math.pi / 40)


def test_the_factor_of_three_is_the_variance_of_a_median() -> None:
    source = random.Random(20240611)
    medians = [sorted(source.gauss(0, 1) for _ in range(3))[1] for _ in range(20_000)]
    variance = sum(one * one for one in medians) / len(medians)
    assert variance == pytest.approx(0.449, abs=0.015)  # 3 standard errors: 0.449 sqrt(2/20000) 3


def test_within_sessions_is_pooled_by_degrees_of_freedom() -> None:
    pair = [Summary(0.0, 0.4, 3), Summary(0.0, 0.1, 2), Summary(0.0, 0.0, 1)]
    assert within_sessions(pair) == pytest.approx((2 * 0.4 + 1 * 0.1) / 3)
    assert within_sessions([Summary(0.0, 0.0, 1)]) == 0.0


def sessions(values: list[float], within: float, runs: int) -> list[Summary]:
    return [Summary(value, within, runs) for value in values]


def test_fewer_runs_in_the_contender_widen_the_error() -> None:
    stored = sessions([1.0, 1.1, 1.2], 0.08, 8)
    found = spread(stored, [2], PRIOR)
    assert found.moderated == pytest.approx(0.01)
    assert found.extra == pytest.approx(0.08 * (1 / 2 - 1 / 8))
    assert found.nu == 6.0
    assert standard_error(found, 3, 1) == pytest.approx(math.sqrt(0.01 * (1 + 1 / 3) + 0.03))
    assert standard_error(found, 3, 2) == pytest.approx(math.sqrt(0.01 * (0.5 + 1 / 3) + 0.015))


def test_equal_or_more_runs_add_nothing() -> None:
    stored = sessions([1.0, 1.1, 1.2], 0.08, 8)
    assert spread(stored, [8], PRIOR).extra == 0.0
    assert spread(stored, [16], PRIOR).extra == 0.0


def test_few_sessions_vary_at_least_as_their_runs_do() -> None:
    assert spread(sessions([1.0], 0.08, 8), [8], PRIOR) == Spread(pytest.approx(0.01), 4.0, 0.0)
    # (4 * 0.0004 + 0.01) / 5 is less than 0.01
    assert spread(sessions([1.0, 1.0], 0.08, 8), [8], PRIOR).moderated == pytest.approx(0.01)
    assert spread(sessions([1.0, 1.0, 1.0], 0.08, 8), [8], PRIOR).moderated < 0.0004


def test_a_prior_is_widened_to_what_the_baseline_shows() -> None:
    # Five sessions: the median of chi-square(4) is 3.3567; a median of 0.0084 shows 0.01.
    ratio = median_variance_ratio(4)
    assert ratio == pytest.approx(3.356694 / 4, rel=1e-6)
    shown = widened(PRIOR, [0.001, 0.01 * ratio, 0.5], 5)
    assert shown.variance == pytest.approx(0.01)
    assert shown.degrees_of_freedom == pytest.approx(4 * 2 / 3)
    assert shown.name == PRIOR.name


def test_a_prior_is_never_narrowed() -> None:
    assert widened(PRIOR, [1e-6, 1e-5, 0.9], 5) is PRIOR
    assert widened(PRIOR, [0.0004 * median_variance_ratio(4)], 5) == PRIOR
    assert widened(PRIOR, [], 5) is PRIOR
    assert widened(PRIOR, [0.5], 1) is PRIOR


def test_a_single_benchmark_vouches_little_for_itself() -> None:
    ratio = median_variance_ratio(4)
    shown = widened(PRIOR, [0.0016 * ratio], 5)
    assert shown.session_sd == pytest.approx(0.04)
    assert shown.degrees_of_freedom == pytest.approx(1.0)  # a quarter: s0^2 over what was shown


def test_a_prior_that_the_class_measured_is_widened_from_twice_its_variance_on() -> None:
    own = Prior(name="class", provisional=False, session_sd=0.02, degrees_of_freedom=20.0)
    ratio = median_variance_ratio(4)
    assert widened(own, [0.00079 * ratio] * 9, 5) is own
    shown = widened(own, [0.00081 * ratio] * 9, 5)
    assert shown.variance == pytest.approx(0.00081)
    assert shown.degrees_of_freedom == pytest.approx(20 * 8 / 9)
