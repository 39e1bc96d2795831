# SPDX-License-Identifier: Apache-2.0
import math
import subprocess
import sys

import pytest

from ctxgate.noise.student import critical, upper_tail


@pytest.mark.parametrize("freedom", [1, 2, 3.5, 4, 7, 11, 30, 200])
@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.025, 0.01, 0.001, 0.0005, 1e-6])
def test_agrees_with_scipy_stats(alpha: float, freedom: float) -> None:
    from scipy.stats import t

    assert critical(alpha, freedom) == pytest.approx(t.isf(alpha, freedom), rel=1e-9, abs=1e-9)
    assert upper_tail(critical(alpha, freedom), freedom) == pytest.approx(alpha, rel=1e-9)


# Tables of Student's t as printed in textbooks (three decimals), and closed forms for nu = 1, 2.
@pytest.mark.parametrize(
    ("alpha", "freedom", "published"),
    [(0.05, 4, 2.132), (0.05, 8, 1.860), (0.01, 4, 3.747), (0.01, 9, 2.821), (0.001, 10, 4.144)],
)
def test_agrees_with_published_tables(alpha: float, freedom: float, published: float) -> None:
    assert critical(alpha, freedom) == pytest.approx(published, abs=5e-4)


@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.001])
def test_agrees_with_closed_forms(alpha: float) -> None:
    cauchy = 1 / math.tan(math.pi * alpha)
    two = (1 - 2 * alpha) / math.sqrt(2 * alpha * (1 - alpha))
    assert critical(alpha, 1) == pytest.approx(cauchy, rel=1e-9)
    assert critical(alpha, 2) == pytest.approx(two, rel=1e-9)


def test_a_tiny_tail_is_not_rounded_to_nothing() -> None:
    assert 0 < upper_tail(1e6, 8) < 1e-40
    assert upper_tail(0, 8) == 0.5
    assert upper_tail(-3, 8) == pytest.approx(1 - upper_tail(3, 8), rel=1e-12)


# Prediction factors t(1-alpha, B-1) sqrt(1 + 1/B); the printed table has them rounded.
@pytest.mark.parametrize(
    ("alpha", "factors"),
    [
        (0.05, [7.73, 3.37, 2.63, 2.34, 2.01, 1.92, 1.77, 1.73]),
        (0.01, [38.97, 8.04, 5.08, 4.10, 3.18, 2.96, 2.60, 2.50]),
        (0.001, [389.9, 25.8, 11.4, 7.86, 5.08, 4.51, 3.67, 3.45]),
    ],
)
def test_prediction_factors(alpha: float, factors: list[float]) -> None:
    found = [
        critical(alpha, count - 1) * math.sqrt(1 + 1 / count)
        for count in (2, 3, 4, 5, 8, 10, 20, 30)
    ]
    assert found == pytest.approx(factors, rel=3e-3)


def test_judging_does_not_import_scipy_stats() -> None:
    code = (
        "import sys, ctxgate.verdict.judge; assert 'scipy' not in sys.modules and 'numpy' not in "
        "sys.modules; from ctxgate.noise.student import critical; critical(.05, 8.); "
        "assert 'scipy.special' in sys.modules and 'scipy.stats' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
