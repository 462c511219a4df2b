"""Reference values: Miller 2024, arXiv:2411.00640, section 5 (his example of n = 969), and by hand."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import f_oneway

from fairtrial.stats.power import (
    Components,
    cases_needed,
    components,
    paired_variance,
    smallest_detectable,
)

MILLER = 1 / 9, 1 / 6
variances = st.floats(0, 0.25)
trials = st.integers(1, 20) | st.just(inf)


@pytest.mark.parametrize(("k", "n"), [(1, 3876), (inf, 969)])
def test_cases_needed_for_three_points(k: float, n: int) -> None:
    omega2, sigma2 = MILLER
    assert cases_needed(0.03, paired_variance(omega2, (sigma2, k), (sigma2, k))) == n


@given(variances, variances, variances, trials, trials, st.floats(0.005, 0.5), st.floats(0.5, 0.99))
def test_the_two_are_each_other_s_inverse(
    omega2: float, base: float, candidate: float, k: float, m: float, delta: float, power: float
) -> None:
    variance = paired_variance(omega2, (base, k), (candidate, m))
    n = cases_needed(delta, variance, power=power)
    assert smallest_detectable(n, variance, power=power) <= delta * (1 + 1e-9)
    if n > 1:
        assert smallest_detectable(n - 1, variance, power=power) >= delta * (1 - 1e-9)


@pytest.mark.parametrize(
    ("omega2", "run"),
    [(-0.1, (0.1, 1)), (float("nan"), (0.1, 1)), (0, (inf, 1)), (0, (0.1, 0)), (0, (0.1, float("nan")))],
)
def test_impossible_variances_are_refused(omega2: float, run: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match=r"must be|at least"):
        paired_variance(omega2, (0.1, 3), run)


@pytest.mark.parametrize("wrong", [{"alpha": 0}, {"power": 1}, {"power": 0.01}, {"power": float("nan")}])
def test_no_power_below_that_of_chance(wrong: dict[str, float]) -> None:
    # At 0.01 the two quantiles sum to less than 0: a difference of less than nothing.
    with pytest.raises(ValueError, match="alpha < power"):
        cases_needed(0.03, 0.1, **wrong)
    with pytest.raises(ValueError, match="alpha < power"):
        smallest_detectable(100, 0.1, **wrong)


@pytest.mark.parametrize("delta", [0, -0.1, float("nan"), inf, 1e-200])
def test_no_difference_cannot_be_planned(delta: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        cases_needed(delta, 0.1)
    with pytest.raises(ValueError, match="no cases"):
        smallest_detectable(0, 0.1)


Run = tuple[np.ndarray, np.ndarray, np.ndarray]


def run(scores: np.ndarray) -> Run:
    """Mean, variance and trials of a table of cases × trials."""
    k = scores.shape[1]
    spread = scores.var(axis=1, ddof=1) if k > 1 else np.full(len(scores), np.nan)
    return scores.mean(axis=1), spread, np.full(len(scores), k)


def test_components_are_those_of_one_way_analysis_of_variance() -> None:
    """ω² = (MS between − MS within) / K, σ² = MS within; SciPy's F is their ratio."""
    scores = np.random.default_rng(1).binomial(1, [[0.1], [0.4], [0.8], [0.9], [0.5]] * 8, (40, 4))
    found = components(*run(scores))
    between, within = 4 * scores.mean(axis=1).var(ddof=1), scores.var(axis=1, ddof=1).mean()
    assert f_oneway(*scores).statistic == pytest.approx(between / within)
    assert found == pytest.approx(((between - within) / 4, within))


def test_components_of_uniform_rates() -> None:
    """ω² = 1/12 and σ² = E p(1 − p) = 1/6."""
    draw = np.random.default_rng(2)
    found = components(*run(draw.binomial(1, draw.random((20_000, 1)), (20_000, 3))))
    assert found == pytest.approx((1 / 12, 1 / 6), abs=0.005)


def test_cases_of_one_trial_take_part_with_what_the_others_vary() -> None:
    means, spread = np.array([0.0, 1.0, 0.5]), np.array([np.nan, np.nan, 0.5])
    # ω²: 0.25 less (0.5 + 0.5 + 0.25) / 3
    assert components(means, spread, np.array([1, 1, 2])) == Components(0.0, 0.5)


def test_undetermined() -> None:
    assert components(*run(np.array([[0], [1], [1]]))) == Components(None, None)
    assert components(*run(np.array([[0, 1]]))) == Components(None, 0.5)


@pytest.mark.parametrize(
    "wrong",
    [
        (np.array([0.5]), np.array([0.1] * 3), np.array([2] * 3)),
        (np.array([0.5, np.nan, 0]), np.array([0.1] * 3), np.array([2] * 3)),
        (np.array([0.5, 0, 0]), np.array([np.nan] * 3), np.array([2] * 3)),
        (np.array([0.5, 0, 0]), np.array([0.1] * 3), np.array([0, 1, 1])),
    ],
)
def test_what_is_no_run_is_refused(wrong: Run) -> None:
    with pytest.raises(ValueError, match=r"each case needs|finite"):
        components(*wrong)
