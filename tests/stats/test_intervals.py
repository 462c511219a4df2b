"""Reference values: SciPy 1.17 (binomtest.proportion_ci) and statsmodels 0.15, unless another is named."""

from collections.abc import Callable
from itertools import repeat
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.intervals import (
    Z95,
    clopper_pearson,
    cr0,
    cr1,
    distinct,
    influences,
    jeffreys,
    kish,
    mean_interval,
    sample_variance,
    weighted_mean,
    wilson,
)
from fairtrial.stats.sums import ExactSums

shares = st.floats(0, 1)
weights = st.floats(0.01, 100)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(20, 20, 0.8389, 1), (19, 20, 0.7639, 0.9911), (0, 20, 0, 0.1611), (1, 1, 0.2065, 1)],
)
def test_wilson_as_scipy_gives_it(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(20, 20, 0.8316, 1), (19, 20, 0.7513, 0.9987), (0, 20, 0, 0.1684), (1, 1, 0.025, 1)],
)
def test_clopper_pearson_as_scipy_gives_it(successes: int, n: int, low: float, high: float) -> None:
    assert clopper_pearson(successes, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"), [(20, 20, 0.8834, 0.99998), (0, 20, 0.00002, 0.1166)]
)
def test_jeffreys_as_statsmodels_gives_it(successes: int, n: int, low: float, high: float) -> None:
    assert jeffreys(successes, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("method", [wilson, clopper_pearson, jeffreys])
@pytest.mark.parametrize(("successes", "n"), [(0, 0), (-1, 5), (6, 5)])
def test_what_is_no_proportion_is_refused(
    method: Callable[[int, int], object], successes: int, n: int
) -> None:
    with pytest.raises(ValueError, match="no proportion"):
        method(successes, n)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_within_the_unit_interval(pair: tuple[int, int]) -> None:
    low, high = wilson(*pair)
    assert 0 <= low <= pair[0] / pair[1] <= high <= 1
    assert low < high


@given(st.integers(1, 50), st.integers(2, 20))
def test_more_evidence_of_the_same_share_narrows_wilson(successes: int, times: int) -> None:
    low, high = wilson(successes, 50)
    narrow_low, narrow_high = wilson(successes * times, 50 * times)
    assert narrow_high - narrow_low < high - low


def test_quantile() -> None:
    assert pytest.approx(1.959964, abs=1e-6) == Z95


def test_errors_of_four_clusters_of_three() -> None:
    y = [1, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 0]  # statsmodels 0.15, OLS on a constant, cov_type="cluster"
    influence, clusters = influences(y, [1.0] * 12), [i // 3 for i in range(12)]
    assert sqrt((sample_variance(y) or 0) / 12) == pytest.approx(0.1508, abs=5e-5)
    assert cr1(influence, range(12)) == pytest.approx(0.1508, abs=5e-5)
    assert cr0(influence, clusters) == pytest.approx(0.1863, abs=5e-5)
    assert cr1(influence, clusters) == pytest.approx(0.2152, abs=5e-5)


def test_one_cluster_has_no_error() -> None:
    assert cr1(influences([1.0, 0.0], [1.0, 1.0]), [0, 0]) is None


def test_weighted_mean_error_and_effective_size() -> None:
    values, weight = [0.1, 0.2, 0.0, -0.1], [1.0, 1.0, 2.0, 6.0]  # statistics of WLS, HC0
    assert weighted_mean(values, weight) == pytest.approx(-0.03)
    assert kish(weight) == pytest.approx(2.381, abs=5e-4)
    assert kish([w * 1e-200 for w in weight]) == pytest.approx(kish([w * 1e200 for w in weight]))
    assert cr0(influences(values, weight), range(4)) == pytest.approx(0.04998, abs=5e-6)


@given(st.lists(st.tuples(shares, weights), min_size=1, max_size=40), st.integers(2, 5))
def test_copies_within_a_cluster_do_not_narrow(points: list[tuple[float, float]], copies: int) -> None:
    values, weight = zip(*points, strict=True)
    alone = cr0(influences(values, weight), range(len(points)))
    many = [(v, w, i) for i, (v, w) in enumerate(points) for _ in repeat(None, copies)]
    copied = cr0(influences([m[0] for m in many], [m[1] for m in many]), [m[2] for m in many])
    assert copied == pytest.approx(alone, abs=1e-12)


@given(st.lists(weights, min_size=1, max_size=40))
def test_effective_size_is_at_most_the_size(weight: list[float]) -> None:
    assert 1 - 1e-9 <= kish(weight) <= len(weight) + 1e-9


class TestDefault:
    def test_wilson_from_sixteen_independent_hits_and_misses_on(self) -> None:
        found = mean_interval([1.0] * 15 + [0.0], [3.0] * 16, range(16))
        assert found == (*wilson(15, 16), "wilson")
        fewer = mean_interval([1.0] * 14 + [0.0], [3.0] * 15, range(15))
        assert fewer is not None
        assert fewer.method == "clustered"

    def test_as_agresti_and_caffo_for_equal_clusters(self) -> None:
        # By hand: a hit and a miss added to 6 of 10, variance with n − 1 = 11, t of 11 degrees (SciPy 1.17).
        found = mean_interval([1.0] * 6 + [0.0] * 4, [1.0] * 10, range(10))
        share = 7 / 12
        half = 2.200985 * sqrt(share * (1 - share) / 11)
        assert found is not None
        assert found[:2] == pytest.approx((share - half, share + half), abs=1e-6)

    def test_alike_scores_are_no_certainty(self) -> None:
        found = mean_interval([0.7] * 40, [1.0] * 40, range(40))
        assert found is not None
        assert found.low < 0.66
        assert found.high > 0.72

    def test_two_clusters_have_none(self) -> None:
        assert mean_interval([1.0, 0.0, 1.0], [1.0] * 3, [0, 0, 1]) is None
        assert mean_interval([1.0, 0.0, 1.0], [1.0] * 3, [0, 1, 2]) is not None

    def test_a_cluster_of_nearly_all_weight_bounds_nothing(self) -> None:
        found = mean_interval([0.0, 1.0, 1.0], [1e300, 1.0, 1.0], [0, 1, 2])
        assert found is not None
        assert found.low == 0
        assert found.high > 0.95

    @given(st.lists(st.tuples(shares, weights, st.integers(0, 9)), min_size=1, max_size=60))
    def test_holds_its_mean_within_the_scale(self, points: list[tuple[float, float, int]]) -> None:
        values, weight, clusters = zip(*points, strict=True)
        found = mean_interval(values, weight, clusters)
        assert (found is None) == (distinct(clusters) < 3)
        if found is not None:
            assert 0 <= found.low <= weighted_mean(values, weight) <= found.high <= 1

    @given(st.lists(st.tuples(shares, weights), min_size=3, max_size=20), st.integers(2, 4))
    def test_copies_within_clusters_change_nothing(
        self, points: list[tuple[float, float]], copies: int
    ) -> None:
        values, weight = zip(*points, strict=True)
        clusters = range(len(points))
        once = mean_interval(values, weight, clusters)
        often = mean_interval(values * copies, weight * copies, list(clusters) * copies)
        assert once is not None
        assert often is not None
        if once.method == often.method:
            assert often[:2] == pytest.approx(once[:2], abs=1e-9)


def test_variance_of_one_is_none() -> None:
    assert sample_variance([0.3]) is None
    assert sample_variance([0.0, 1.0]) == pytest.approx(0.5)


def test_distinct() -> None:
    assert distinct([]) == 0
    assert distinct([3, 0, 3]) == 2


@given(st.lists(shares, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_sums_do_not_depend_on_order(values: list[float], random: object) -> None:
    shuffled = values[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = ExactSums(), ExactSums()
    one.grow()
    other.grow()
    for a, b in zip(values, shuffled, strict=True):
        one.add(0, a)
        other.add(0, b)
    assert one.mean(0) == other.mean(0)
