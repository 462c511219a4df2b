import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap

from fairtrial.stats.bootstrap import stratified_bootstrap

SIZES = np.array([3, 40, 200])
STRATA = np.repeat([0, 1, 2], SIZES)


def smooth() -> np.ndarray:
    return np.random.default_rng(1).uniform(-1, 1, STRATA.size)


def whole() -> np.ndarray:
    """Few distinct values: redrawn by how often each comes up, not case by case."""
    return np.random.default_rng(2).choice([-1.0, 0.0, 1.0], STRATA.size, p=[0.1, 0.7, 0.2])


@pytest.mark.parametrize("d", [smooth(), whole()], ids=["smooth", "whole"])
def test_moments_are_those_of_drawing_with_replacement(d: np.ndarray) -> None:
    """Efron and Tibshirani 1993, section 5: mean of the stratum, variance Σ(x − mean)²/n²."""
    found = stratified_bootstrap(d, STRATA, resamples=20_000, seed=1)
    assert found.strata.shape == (20_000, 3)
    for stratum in range(3):
        part, drawn = d[stratum == STRATA], found.strata[:, stratum]
        assert drawn.mean() == pytest.approx(part.mean(), abs=5 * part.std() / np.sqrt(part.size * 20_000))
        assert drawn.var() == pytest.approx(part.var() / part.size, rel=0.06)
    assert np.allclose(found.total, found.strata @ SIZES / SIZES.sum())
    # Strata are drawn apart from each other.
    assert np.abs(np.corrcoef(found.strata.T) - np.eye(3)).max() < 0.04


def test_one_stratum_is_the_bootstrap_of_scipy() -> None:
    d = smooth()
    right = bootstrap((d,), np.mean, n_resamples=20_000, method="percentile", rng=1).confidence_interval
    found = stratified_bootstrap(d, np.zeros(d.size, dtype=int), resamples=20_000, seed=1)
    assert np.quantile(found.total, [0.025, 0.975]) == pytest.approx([right.low, right.high], abs=0.005)


@given(st.lists(st.tuples(st.floats(-1, 1), st.integers(0, 3)), min_size=1, max_size=40), st.integers(0, 99))
def test_same_seed_same_numbers_within_the_data(cases: list[tuple[float, int]], seed: int) -> None:
    d = np.array([value for value, _ in cases])
    _, strata = np.unique([stratum for _, stratum in cases], return_inverse=True)
    found = stratified_bootstrap(d, strata, resamples=50, seed=seed)
    again = stratified_bootstrap(d, strata, resamples=50, seed=seed)
    assert np.array_equal(found.strata, again.strata)
    assert found.strata.min() >= d.min() - 1e-12
    assert found.strata.max() <= d.max() + 1e-12


def test_a_constant_stays() -> None:
    assert np.allclose(stratified_bootstrap([0.3] * 9, [0] * 9, resamples=10, seed=1).total, 0.3)


@pytest.mark.parametrize(
    ("d", "strata", "what"),
    [
        ([], [], "at least one case"),
        ([0.1, 0.2], [0], "each case"),
        ([0.1, float("nan")], [0, 0], "finite"),
        ([0.1, 0.2], [0, 2], "no case in stratum 1"),
    ],
)
def test_what_cannot_be_redrawn_is_refused(d: list[float], strata: list[int], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        stratified_bootstrap(np.array(d), np.array(strata, dtype=int), resamples=10, seed=1)
