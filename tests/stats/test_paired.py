"""Reference values: SciPy 1.17, unless another is named."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, permutation_test
from scipy.stats import wilcoxon as scipy_wilcoxon

from fairtrial.stats.paired import mcnemar, paired_difference, sign_flip, wilcoxon

thirds = st.sampled_from([-1, -2 / 3, -1 / 3, 0.0, 1 / 3, 2 / 3, 1])
differences = st.lists(thirds | st.integers(-100, 100).map(lambda n: n / 100), min_size=1, max_size=60)
few = st.lists(st.integers(-10, 10).map(lambda n: n / 10), min_size=2, max_size=9)


# The interval.


def test_interval_of_binary_pairs_by_hand() -> None:
    """Bonett and Price 2012: with a pair added each way, 5 gained and 1 lost of 20 are 6 and 2 of 22.

    Variance over n − 1 and Student's quantile 2.093 at 19 degrees of freedom stand for theirs.
    """
    found = paired_difference([1] * 5 + [-1] + [0] * 14)
    centre = 4 / 22
    half = 2.0930 * ((8 - 22 * centre**2) / 21 / 22) ** 0.5
    assert found.mean == pytest.approx(0.2)
    assert (found.low, found.high) == pytest.approx((centre - half, centre + half), abs=1e-5)
    assert found.clusters == 20


def test_large_samples_are_as_the_clustered_formula_of_miller_has_them() -> None:
    """arXiv:2411.00640, section 2.2: SE² = Σ_c (Σ_{i∈c} (d_i − mean))² / n²."""
    draw = np.random.default_rng(3)
    clusters = draw.integers(0, 3000, 12_000)
    d = np.clip(draw.normal(0.1, 0.3, 12_000) + draw.normal(0, 0.3, 3000)[clusters], -1, 1)
    sums = np.bincount(clusters, d - d.mean())
    error = np.sqrt(np.square(sums).sum()) / d.size
    found = paired_difference(d, clusters=clusters)
    assert found.low == pytest.approx(d.mean() - 1.96 * error, abs=5e-4)
    assert found.high == pytest.approx(d.mean() + 1.96 * error, abs=5e-4)


def test_no_difference_seen_is_no_certainty() -> None:
    found = paired_difference([0.0] * 30)
    assert found.mean == 0
    assert found.low == pytest.approx(-0.0918, abs=1e-3)
    assert found.high == pytest.approx(0.0918, abs=1e-3)


def test_five_times_the_same_is_no_certainty() -> None:
    found = paired_difference([0.2] * 5)
    assert found.low is not None
    assert found.low < 0


def test_a_single_heavy_case_leaves_nothing_to_say() -> None:
    found = paired_difference([1.0] + [0.0] * 30, weights=[1000.0] + [1.0] * 30)
    assert (found.low, found.high) == (None, None)
    assert found.effective == pytest.approx(1030**2 / (1000**2 + 30))


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_only_the_ratio_of_weights_counts(scale: float) -> None:
    d, weights = [0.5, 0.0, -0.5, 1.0] * 5, np.array([1.0, 2.0, 3.0, 4.0] * 5)
    found, right = paired_difference(d, weights=scale * weights), paired_difference(d, weights=weights)
    assert found[:4] == pytest.approx(right[:4])


def test_four_clusters_give_no_interval() -> None:
    found = paired_difference([0.5, 0.0, 1.0, 0.0] * 5, clusters=[7, 8, 9, 11] * 5)
    assert (found.mean, found.low, found.high, found.clusters) == (0.375, None, None, 4)
    assert found.effective == pytest.approx(4)


def test_no_case_has_no_mean() -> None:
    assert paired_difference([])[:4] == (None, None, None, 0)


@given(differences, st.data())
def test_interval_holds_the_mean_and_knows_no_order_side_or_scale(
    d: list[float], data: st.DataObject
) -> None:
    n = len(d)
    weights = data.draw(st.lists(st.floats(0.1, 10), min_size=n, max_size=n))
    clusters = data.draw(st.lists(st.integers(0, 20), min_size=n, max_size=n))
    order = data.draw(st.permutations(range(n)))
    found = paired_difference(d, weights=weights, clusters=clusters)
    assert found.mean == pytest.approx(np.average(d, weights=weights))
    shuffled = paired_difference(
        [d[i] for i in order], weights=[7 * weights[i] for i in order], clusters=[-clusters[i] for i in order]
    )
    turned = paired_difference([-v for v in d], weights=weights, clusters=clusters)
    assert turned.mean == pytest.approx(-found.mean)
    if found.low is None or found.high is None:
        assert shuffled.low is None
        return
    assert -1 <= found.low <= found.mean + 1e-12
    assert found.mean - 1e-12 <= found.high <= 1
    assert (shuffled.low, shuffled.high) == pytest.approx((found.low, found.high))
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))


@pytest.mark.parametrize(
    ("d", "more"),
    [
        ([0.1, float("nan")], {}),
        ([0.1, float("inf")], {}),
        ([0.1, 1.5], {}),
        ([0.1, 0.2], {"weights": [1, 0]}),
        ([0.1, 0.2], {"weights": [1]}),
        ([0.1, 0.2], {"weights": [1, float("nan")]}),
        ([0.1, 0.2], {"clusters": [1]}),
    ],
)
def test_what_is_no_difference_is_refused(d: list[float], more: dict[str, list[float]]) -> None:
    with pytest.raises(ValueError, match="difference"):
        paired_difference(d, **more)


# McNemar.


@pytest.mark.parametrize(("b", "c", "p"), [(9, 2, 0.06543), (5, 0, 0.0625), (0, 0, 1), (113, 59, 4.7e-5)])
def test_mcnemar(b: int, c: int, p: float) -> None:
    """The last: claude-4.5-sonnet against gpt-5 on SWE-bench Pro."""
    assert mcnemar(b, c) == pytest.approx(p, rel=0.01)


@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_is_the_binomial_test(b: int, c: int) -> None:
    right = binomtest(b, b + c).pvalue if b + c else 1
    assert mcnemar(b, c) == pytest.approx(right)
    assert mcnemar(c, b) == mcnemar(b, c)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 3)


# Wilcoxon.


def test_wilcoxon_keeps_zeros_by_pratt() -> None:
    d = [0, 0, 0, 0, 1, 1, 2, -1, 3, 1]
    assert wilcoxon(d).p == pytest.approx(0.08718, abs=5e-6)
    # What dropping the zeros would give, by SciPy: cases that did not move are evidence too, and stay in.
    dropped = scipy_wilcoxon(d, zero_method="wilcox", method="asymptotic", correction=False)
    assert dropped.pvalue == pytest.approx(0.08447, abs=5e-6)


@pytest.mark.parametrize("d", [[], [0.0], [0.0] * 20])
def test_nothing_moved_is_p_one(d: list[float]) -> None:
    assert wilcoxon(d) == (1, 0)
    assert sign_flip(d).p == 1


def test_wilcoxon_may_disagree_with_the_mean() -> None:
    """300 small gains and 101 whole losses: it says better (p 0.027) where the mean falls."""
    d = [1 / 3] * 300 + [-1.0] * 101
    assert np.mean(d) < 0
    assert wilcoxon(d).p == pytest.approx(0.027, abs=5e-4)
    assert sign_flip(d).p > 0.9


def test_scores_that_differ_by_the_same_amount_tie_whatever_their_last_bits() -> None:
    exact = [3.0, 3.0, 3.0, -3.0, 1.0, 6.0]
    assert wilcoxon([0.1 + 0.2, 0.3, 0.9 - 0.6, 0.4 - 0.7, 0.1, 0.6]) == wilcoxon(exact)


@given(differences.filter(any))
def test_wilcoxon_is_that_of_scipy(d: list[float]) -> None:
    right = scipy_wilcoxon(np.round(d, 12), zero_method="pratt", method="asymptotic", correction=False)
    assert wilcoxon(d).p == pytest.approx(right.pvalue)
    assert wilcoxon([-v for v in d[::-1]]) == pytest.approx((wilcoxon(d).p, -wilcoxon(d).z))


def test_wilcoxon_refuses_nan() -> None:
    with pytest.raises(ValueError, match="finite"):
        wilcoxon([0.1, float("nan")])


# Sign flip.


def test_sign_flip_of_six() -> None:
    """By hand: of 64 patterns 3 reach the sum of 1.1."""
    found = sign_flip([0.4, 0.2, 0.1, 0.3, -0.1, 0.2], alternative="greater")
    assert found.p == pytest.approx(0.046875)
    assert found.exact


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@given(d=few)
def test_sign_flip_is_the_permutation_test_of_scipy(alternative: str, d: list[float]) -> None:
    # SciPy is given whole numbers: its tolerance is relative to the statistic and fails near 0.
    whole = np.round(np.array(d) * 10)
    right = permutation_test(
        (whole,), np.sum, permutation_type="samples", n_resamples=np.inf, alternative=alternative
    ).pvalue
    assert sign_flip(d, alternative=alternative).p == pytest.approx(right)


@given(differences)
def test_sign_flip_of_whole_cases_is_mcnemar(d: list[float]) -> None:
    signs = np.sign(d)
    b, c = int((signs > 0).sum()), int((signs < 0).sum())
    assert sign_flip(signs).p == pytest.approx(mcnemar(b, c))


@given(few, st.permutations(range(9)))
def test_sign_flip_knows_no_order_or_side(d: list[float], order: list[int]) -> None:
    p = sign_flip(d).p
    assert sign_flip([-d[i] for i in order if i < len(d)]).p == pytest.approx(p)


def test_a_cluster_flips_whole() -> None:
    """Four clusters that all gain: 2 of 16 patterns, however many cases each holds."""
    assert sign_flip([0.2] * 40, clusters=[0, 1, 2, 3] * 10).p == pytest.approx(2 / 16)


def test_a_weight_counts() -> None:
    """3 × 0.1 lost against 0.2 and 0.1 gained: all patterns are as far as a sum of 0."""
    assert sign_flip([0.2, 0.1, -0.1], weights=[1, 1, 3]).p == 1


def test_drawn_flips_agree_with_the_exact_law() -> None:
    """Forty distinct differences are too many to enumerate; integers of the same size are not."""
    draw = np.random.default_rng(6)
    d = draw.integers(-45, 60, 40) / 100
    exact, drawn = sign_flip(d), sign_flip(d + draw.uniform(-1e-5, 1e-5, 40))
    assert exact.exact
    assert not drawn.exact
    assert exact.p > 0.01
    assert drawn.p == pytest.approx(exact.p, abs=4 * (exact.p / drawn.flips) ** 0.5)


def test_no_more_flips_are_drawn_than_tell_a_large_p() -> None:
    d = np.random.default_rng(3).normal(0.0, 0.2, 40)
    whole, brief = sign_flip(d), sign_flip(d, enough=50)
    assert brief.flips < whole.flips == 9_999
    assert brief.p == pytest.approx(whole.p, abs=0.06)
    shift = d + 0.3
    assert sign_flip(shift, enough=50) == sign_flip(shift)


def test_drawn_flips_are_of_their_seed_and_never_zero() -> None:
    d = np.random.default_rng(5).uniform(0.5, 1, 50)
    assert sign_flip(d, seed=3) == sign_flip(d, seed=3)
    assert sign_flip(d).p == 1 / 10_000


@pytest.mark.parametrize("kind", ["binary", "thirds", "smooth"])
def test_a_hundred_thousand_cases_agree_with_the_normal_law(kind: str) -> None:
    draw = np.random.default_rng(6)
    d = {
        "binary": draw.choice([-1.0, 0.0, 1.0], 100_000, p=[0.1, 0.796, 0.104]),
        "thirds": draw.integers(-3, 4, 100_000) / 3 + draw.choice([0, 1 / 3], 100_000, p=[0.985, 0.015]),
        "smooth": draw.normal(0.002, 0.3, 100_000),
    }[kind]
    z = d.sum() / np.sqrt(np.square(d).sum())
    assert sign_flip(d).p == pytest.approx(2 * norm.sf(abs(z)), abs=0.02)
