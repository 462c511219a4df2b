"""Simulations: what is promised about errors holds, within what the number of replicates can show."""

from collections.abc import Callable

import numpy as np
import pytest

from fairtrial.stats.paired import paired_difference, sign_flip
from fairtrial.stats.sequential import boundaries

pytestmark = pytest.mark.slow

Sample = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Differences, weights and clusters of one simulated comparison."""


def allowed(share: float, replicates: int) -> float:
    """Three standard errors of a simulated share above it."""
    return share + 3 * (share * (1 - share) / replicates) ** 0.5


def excludes(mean: float, sample: Sample) -> bool:
    """Whether the interval misses the true mean."""
    d, weights, clusters = sample
    found = paired_difference(d, weights=weights, clusters=clusters)
    return found.low is not None and found.high is not None and not found.low <= mean <= found.high


# The unit is the case.


def test_trials_taken_for_cases_err_at_0_129_and_cases_do_not() -> None:
    """Two agents that are equal over all cases, each with its own rate on every case, three trials.

    Rates are uniform, so two trials of a case correlate 1/3, and the error of taking 3 trials for 3
    cases is 2(1 − Φ(1.96 / √(1 + 2/3))) = 0.129.
    """
    draw, n, k, replicates = np.random.default_rng(1), 200, 3, 4000
    by_trial = by_case = by_flip = 0
    for _ in range(replicates):
        a, b = draw.random((2, n, 1))
        d = draw.binomial(1, a, (n, k)) - draw.binomial(1, b, (n, k))
        one = np.ones(n * k)
        by_trial += excludes(0, (d.ravel(), one, np.arange(n * k)))
        by_case += excludes(0, (d.ravel(), one, np.repeat(np.arange(n), k)))
        by_flip += sign_flip(d.mean(axis=1)).p <= 0.05
    assert by_trial / replicates == pytest.approx(0.129, abs=0.016)
    assert by_case / replicates <= allowed(0.05, replicates)
    assert by_flip / replicates <= allowed(0.05, replicates)


# The interval of a paired difference.


def pairs(draw: np.random.Generator, n: int, gain: float, loss: float) -> np.ndarray:
    u = draw.random(n)
    return (u < gain).astype(float) - (u > 1 - loss)


def plain(draw: np.random.Generator, n: int, gain: float, loss: float) -> Sample:
    return pairs(draw, n, gain, loss), np.ones(n), np.arange(n)


def weighted(draw: np.random.Generator, n: int, gain: float, loss: float) -> Sample:
    return pairs(draw, n, gain, loss), np.exp(draw.normal(size=n)), np.arange(n)


def clustered(draw: np.random.Generator, n: int, gain: float, loss: float) -> Sample:
    """Clusters of very unequal sizes (geometric, 4 on average) whose cases mostly go together."""
    sizes = draw.geometric(0.25, n)
    clusters = np.repeat(np.arange(n), sizes)
    together = draw.random(clusters.size) < 0.7
    d = np.where(together, pairs(draw, n, gain, loss)[clusters], pairs(draw, clusters.size, gain, loss))
    return d, np.ones(d.size), clusters


def heavy(draw: np.random.Generator, n: int, gain: float, loss: float) -> Sample:
    """Clusters and weights together."""
    d, _, clusters = clustered(draw, n, gain, loss)
    return d, np.exp(0.7 * draw.normal(size=d.size)), clusters


@pytest.mark.parametrize("world", [plain, weighted, clustered, heavy])
@pytest.mark.parametrize("n", [5, 8, 15, 25, 100])
@pytest.mark.parametrize(
    ("gain", "loss"), [(0.02, 0), (0.05, 0.02), (0.1, 0.1), (0.3, 0.3), (0.5, 0.5), (0.5, 0), (0.9, 0)]
)
def test_interval_covers(
    world: Callable[[np.random.Generator, int, float, float], Sample], n: int, gain: float, loss: float
) -> None:
    """At least 0.92 on each world alone, few cases, few discordant pairs and all-zero ones included."""
    draw, replicates = np.random.default_rng(n), 1500
    missed = sum(excludes(gain - loss, world(draw, n, gain, loss)) for _ in range(replicates))
    assert missed / replicates <= allowed(0.08, replicates)


def skewed(kind: str, draw: np.random.Generator, n: int) -> tuple[np.ndarray, float]:
    """Graded differences with a rare large one that a small sample often does not see; and their mean."""
    u, size = draw.random(n), draw.random(n)
    if kind == "rare loss among small gains":
        return np.where(u < 0.05, -1.0, np.where(u < 0.6, 0.1, 0.0)), -0.05 + 0.055
    if kind == "rare gain":
        return np.where(u < 0.02, 1.0, np.where(u < 0.2, 0.1, 0.0)), 0.02 + 0.018
    return np.where(u < 0.1, -size, 0.02 * size), -0.05 + 0.009


@pytest.mark.parametrize("kind", ["rare loss among small gains", "rare gain", "many tiny gains"])
@pytest.mark.parametrize("n", [5, 10, 30, 100, 300])
def test_interval_covers_what_a_sample_seldom_sees(kind: str, n: int) -> None:
    draw, replicates = np.random.default_rng(n), 1500
    missed = 0
    for _ in range(replicates):
        d, mean = skewed(kind, draw, n)
        missed += excludes(mean, (d, np.ones(n), np.arange(n)))
    assert missed / replicates <= allowed(0.08, replicates)


# The sign-flip test under a null that is symmetric and nothing else.


def few_thirds(draw: np.random.Generator) -> Sample:
    return draw.integers(-3, 4, 12) / 3, np.ones(12), np.arange(12)


def few_discordant(draw: np.random.Generator) -> Sample:
    return plain(draw, 60, 0.05, 0.05)


def clusters_and_weights(draw: np.random.Generator) -> Sample:
    clusters = np.repeat(np.arange(14), draw.integers(1, 9, 14))
    d = np.clip(draw.normal(0, 0.4, 14)[clusters] + draw.normal(0, 0.2, clusters.size), -1, 1)
    return d, np.exp(draw.normal(size=d.size)), clusters


def heavy_tails(n: int) -> Callable[[np.random.Generator], Sample]:
    """So many distinct values that flips are drawn; above 4096, in blocks."""
    return lambda draw: (draw.standard_t(2, n), np.ones(n), np.arange(n))


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize(
    ("world", "replicates", "fullest"),
    [
        (few_thirds, 4000, False),
        (few_discordant, 4000, False),
        (clusters_and_weights, 4000, True),
        (heavy_tails(40), 400, True),
        (heavy_tails(6000), 120, True),
    ],
    ids=["few thirds", "few discordant", "clusters and weights", "drawn", "blocks"],
)
def test_sign_flip_holds_its_error(
    alternative: str, world: Callable[[np.random.Generator], Sample], replicates: int, fullest: bool
) -> None:
    """At most 5 %; where ties are few, all of it."""
    draw, hits = np.random.default_rng(7), 0
    for replicate in range(replicates):
        d, weights, clusters = world(draw)
        found = sign_flip(d, weights=weights, clusters=clusters, alternative=alternative, seed=replicate)
        hits += found.p <= 0.05
    assert hits / replicates <= allowed(0.05, replicates)
    if fullest:
        assert hits / replicates >= 0.05 - 3 * (0.05 * 0.95 / replicates) ** 0.5


# Sequential looks.


@pytest.mark.parametrize("fractions", [(0.2, 0.4, 0.6, 0.8, 1.0), (0.3, 0.35, 0.9, 1.0), (0.5, 1.0)])
def test_looks_spend_what_they_say(fractions: tuple[float, ...]) -> None:
    draw, replicates, alpha = np.random.default_rng(8), 1_000_000, 0.05
    at, before = np.zeros(replicates), 0.0
    going = np.ones(replicates, dtype=bool)
    for t, look in zip(fractions, boundaries(fractions, alpha=alpha), strict=True):
        at += draw.normal(0, np.sqrt(t - before), replicates)
        stopped = going & (np.abs(at) >= look.z * np.sqrt(t))
        error = 4 * np.sqrt(look.spent / replicates) + 1e-6
        assert stopped.mean() == pytest.approx(look.spent, abs=error)
        going &= ~stopped
        before = t
    assert 1 - going.mean() == pytest.approx(alpha, abs=4 * np.sqrt(alpha / replicates))


def test_looking_five_times_at_the_plain_boundary_errs_at_0_142() -> None:
    """Armitage, McPherson and Rowe 1969, table 2: 0.142 at five looks with 1.96."""
    draw, replicates = np.random.default_rng(9), 200_000
    z = draw.normal(size=(replicates, 5)).cumsum(axis=1) / np.sqrt(np.arange(1, 6))
    assert (np.abs(z) > 1.96).any(axis=1).mean() == pytest.approx(0.142, abs=0.003)
