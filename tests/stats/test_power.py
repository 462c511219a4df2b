"""Reference values: Miller 2024, arXiv:2411.00640, section 5 (his example of n = 969), and by hand."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import f_oneway

from fairtrial.stats.power import Components, Trials, cases_needed, components, smallest_detectable

MILLER = {"omega2": 1 / 9, "sigma2_base": 1 / 6, "sigma2_candidate": 1 / 6}
variances = st.floats(0, 0.25)
trials = st.integers(1, 20) | st.just(inf)


@pytest.mark.parametrize(("k", "n"), [(1, 3876), (inf, 969)])
def test_cases_needed_for_three_points(k: float, n: int) -> None:
    assert cases_needed(0.03, **MILLER, trials_base=k, trials_candidate=k) == n


@given(variances, variances, variances, trials, trials, st.floats(0.005, 0.5), st.floats(0.5, 0.99))
def test_the_two_are_each_other_s_inverse(
    omega2: float, base: float, candidate: float, k: float, m: float, delta: float, power: float
) -> None:
    world = {
        "omega2": omega2,
        "sigma2_base": base,
        "trials_base": k,
        "sigma2_candidate": candidate,
        "trials_candidate": m,
        "power": power,
    }
    n = cases_needed(delta, **world)
    assert smallest_detectable(n, **world) <= delta * (1 + 1e-9)
    if n > 1:
        assert smallest_detectable(n - 1, **world) >= delta * (1 - 1e-9)


@pytest.mark.parametrize(
    "wrong",
    [
        {"omega2": -0.1},
        {"omega2": float("nan")},
        {"sigma2_base": inf},
        {"trials_base": 0},
        {"trials_candidate": float("nan")},
        {"alpha": 0},
        {"power": 1},
    ],
)
def test_impossible_plans_are_refused(wrong: dict[str, float]) -> None:
    plan = {**MILLER, "trials_base": 3, "trials_candidate": 3, **wrong}
    with pytest.raises(ValueError, match=r"must be|at least"):
        cases_needed(0.03, **plan)
    with pytest.raises(ValueError, match=r"must be|at least"):
        smallest_detectable(100, **plan)


@pytest.mark.parametrize("delta", [0, -0.1, float("nan"), inf])
def test_no_difference_cannot_be_planned(delta: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        cases_needed(delta, **MILLER, trials_base=1, trials_candidate=1)
    with pytest.raises(ValueError, match="no cases"):
        smallest_detectable(0, **MILLER, trials_base=1, trials_candidate=1)


def run(scores: np.ndarray) -> Trials:
    """A table of cases × trials."""
    k = scores.shape[1]
    spread = scores.var(axis=1, ddof=1) if k > 1 else np.full(len(scores), np.nan)
    return Trials(scores.mean(axis=1), spread, np.full(len(scores), k))


def test_components_are_those_of_one_way_analysis_of_variance() -> None:
    """ω² = (MS between − MS within) / K, σ² = MS within; SciPy's F is their ratio."""
    scores = np.random.default_rng(1).binomial(1, [[0.1], [0.4], [0.8], [0.9], [0.5]] * 8, (40, 4))
    found = components(run(scores))
    between, within = 4 * scores.mean(axis=1).var(ddof=1), scores.var(axis=1, ddof=1).mean()
    assert f_oneway(*scores).statistic == pytest.approx(between / within)
    assert found.sigma2_base == pytest.approx(within)
    assert found.omega2 == pytest.approx((between - within) / 4)
    assert found.sigma2_candidate is None


def test_components_of_two_runs_of_uniform_rates() -> None:
    """Rates uniform and apart: ω² = 2/12 and σ² = 1/6 each; with the same rates ω² = 0."""
    draw = np.random.default_rng(2)
    a, b = draw.random((2, 20_000, 1))
    base = run(draw.binomial(1, a, (20_000, 3)))
    apart = components(base, run(draw.binomial(1, b, (20_000, 5))))
    assert apart == pytest.approx((1 / 6, 1 / 6, 1 / 6), abs=0.005)
    same = components(base, run(draw.binomial(1, a, (20_000, 5))))
    assert same.omega2 == pytest.approx(0, abs=0.005)


def test_cases_of_one_trial_take_part_with_what_the_others_vary() -> None:
    means, spread = np.array([0.0, 1.0, 0.5]), np.array([np.nan, np.nan, 0.5])
    found = components(Trials(means, spread, np.array([1, 1, 2])))
    assert found.sigma2_base == 0.5
    assert found.omega2 == 0  # 0.25 less (0.5 + 0.5 + 0.25) / 3


def test_undetermined() -> None:
    once, twice = run(np.array([[0], [1], [1]])), run(np.array([[0, 1], [1, 1], [0, 0]]))
    assert components(once) == Components(None, None, None)
    assert components(twice, once) == Components(None, pytest.approx(1 / 6), None)
    assert components(run(np.array([[0, 1]]))) == Components(None, 0.5, None)


@pytest.mark.parametrize(
    "wrong",
    [
        Trials(np.array([0.5]), np.array([0.1]), np.array([2])),
        Trials(np.array([0.5, np.nan, 0]), np.array([0.1] * 3), np.array([2] * 3)),
        Trials(np.array([0.5, 0, 0]), np.array([np.nan] * 3), np.array([2] * 3)),
        Trials(np.array([0.5, 0, 0]), np.array([0.1] * 3), np.array([0, 1, 1])),
    ],
)
def test_what_is_no_run_is_refused(wrong: Trials) -> None:
    with pytest.raises(ValueError, match=r"same cases|finite"):
        components(run(np.array([[0, 1], [1, 1], [0, 0]])), wrong)
