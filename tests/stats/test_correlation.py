import random
from math import atanh, tanh
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from fairtrial.stats.correlation import correlate, differences, fisher, pearson

series = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=3, max_size=30)


def test_fisher_interval_of_six_pairs() -> None:
    assert fisher(0.997, 6) == pytest.approx((0.9715, 0.9997), abs=5e-5)  # SciPy 1.17, pearsonr


def test_as_scipy_gives_it() -> None:
    draw = random.Random(3)
    x = [draw.random() for _ in range(25)]
    y = [a + draw.random() for a in x]
    theirs = pearsonr(x, y)
    ours = correlate(x, y)
    interval = theirs.confidence_interval()
    assert ours.r == pytest.approx(theirs.statistic)
    assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize(("x", "y"), [([], []), ([1, 2], [1, 2]), ([1, 1, 1], [1, 2, 3])])
def test_undetermined(x: list[float], y: list[float]) -> None:
    assert pearson(x, y) is None
    assert correlate(x, y)[1:] == (None, None, None, None)


def test_a_perfect_line_has_no_interval() -> None:
    found = correlate([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])
    assert found.r == pytest.approx(1)
    assert found.low is None or found.low > 0.999


def test_the_least_pairs_that_have_an_interval() -> None:
    assert fisher(0.5, 3) is None
    half = 1.959963984540054
    assert fisher(0.5, 4) == pytest.approx((tanh(atanh(0.5) - half), tanh(atanh(0.5) + half)))


def test_different_lengths_are_a_fault() -> None:
    with pytest.raises(ValueError, match="different lengths"):
        correlate([1, 2, 3], [1, 2])


@given(series)
def test_r_and_its_interval_stay_in_range(pairs: list[tuple[float, float]]) -> None:
    found = correlate([p[0] for p in pairs], [p[1] for p in pairs])
    if found.r is not None:
        assert -1 <= found.r <= 1
    if found.low is not None and found.high is not None and found.r is not None:
        assert -1 <= found.low <= found.r <= found.high <= 1


def test_a_shared_trend_correlates_and_its_differences_do_not() -> None:
    draw = random.Random(5)
    curves = [[i / 20 + draw.gauss(0, 0.03) for i in range(20)] for _ in range(200)]
    pairs = list(zip(curves[::2], curves[1::2], strict=True))
    assert median(pearson(x, y) or 0 for x, y in pairs) > 0.97
    assert abs(median(pearson(differences(x), differences(y)) or 0 for x, y in pairs)) < 0.1
