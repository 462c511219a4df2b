"""Means, their standard errors and their 95 % intervals. The unit is the case or cluster, never the trial."""

from array import array
from collections.abc import Iterable, Sequence
from math import fsum, sqrt
from statistics import NormalDist
from typing import NamedTuple

from fairtrial.stats.apart import Spread
from fairtrial.stats.student import t95

Z95 = NormalDist().inv_cdf(0.975)
"""The two-sided 95 % quantile of the normal distribution, 1.95996…"""
WILSON_FROM = 16
"""Cases from which Wilson is the default: on fewer its 0.95 is as little as 0.857 (3 cases, p = 0.95)."""

CLUSTERS_NEEDED = 3
"""Clusters from which there is an interval: two equal ones would always give the whole of [0, 1]."""


class Interval(NamedTuple):
    """A 95 % interval within [0, 1], and its method: "wilson" or "clustered"."""

    low: float
    high: float
    method: str


def mean_interval(
    values: Sequence[float], weights: Sequence[float], clusters: Sequence[int]
) -> Interval | None:
    """The default interval of a weighted mean of values in [0, 1]; None below `CLUSTERS_NEEDED`.

    Wilson for independent cases of equal weight that score 0 or 1, from `WILSON_FROM` on; else
    `clustered`. `clusters` numbers the cluster of each value, from 0; weights are > 0.
    """
    n = len(values)
    independent = n >= WILSON_FROM and min(weights) == max(weights) and distinct(clusters) == n
    if independent and set(values) <= {0.0, 1.0}:
        return Interval(*wilson(round(fsum(values)), n), "wilson")
    all_weight = fsum(weights)
    shares = (w / all_weight for w in weights)
    return clustered(weighted_mean(values, weights), influences(values, weights), shares, clusters)


def clustered(
    mean: float, influence: Iterable[float], shares: Iterable[float], clusters: Sequence[int]
) -> Interval | None:
    """95 % interval of a mean in [0, 1] from what each case moves it, by clusters.

    None below `CLUSTERS_NEEDED` of them. It is the mean of `spread` ± t · its error.
    """
    found = spread(mean, influence, shares, clusters)
    if found is None:
        return None
    half = t95(found.df) * found.error
    return Interval(max(0.0, found.centre - half), min(1.0, found.centre + half), "clustered")


def spread(
    mean: float, influence: Iterable[float], shares: Iterable[float], clusters: Sequence[int]
) -> Spread | None:
    """How far a mean in [0, 1] may be off, by clusters; None below `CLUSTERS_NEEDED` of them.

    `influence` sums to 0 (see `influences`), `shares` are the cases' parts of the weight and sum to 1.
    One cluster that passes in all and one that fails in all are added, each of share Σ_c h² (a cluster
    of the size that Kish's number counts); of these the mean, √ Σ_c ψ_c² / (1 − h_c), and n_eff − 1
    degrees of freedom. Sources: Agresti and Caffo 2000 (one success and one failure added); Bell and
    McCaffrey 2002 (CR2); Kish 1965. Coverage by simulation: docs/figures.md.
    """
    if distinct(clusters) < CLUSTERS_NEEDED:
        return None
    psi, h = _by_cluster(influence, clusters), _by_cluster(shares, clusters)
    one = fsum(share * share for share in h)
    whole = 1 + 2 * one
    centre = (mean + one) / whole
    shift = mean - centre
    seen = fsum((p + share * shift) ** 2 / (1 - share / whole) for p, share in zip(psi, h, strict=True))
    added = one * one * (centre**2 + (1 - centre) ** 2) / (1 - one / whole)
    return Spread(centre, sqrt(seen + added) / whole, 1 / one + 1)


def spread_of(values: Sequence[float], weights: Sequence[float], clusters: Sequence[int]) -> Spread | None:
    """`spread` of the weighted mean of values in [0, 1]; weights > 0."""
    if not values:
        return None
    all_weight = fsum(weights)
    shares = (w / all_weight for w in weights)
    return spread(weighted_mean(values, weights), influences(values, weights), shares, clusters)


def wilson(successes: int, n: int) -> tuple[float, float]:
    """95 % interval of a proportion, low and high in [0, 1] (Wilson 1927, score interval).

    Raises ValueError unless 0 <= successes <= n and n >= 1. It covers near 0 and 1, where Wald does not.
    """
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"no proportion: {successes} of {n}")
    share, z2 = successes / n, Z95 * Z95
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    # At the ends the formula gives 0 and 1 exactly; floating point does not.
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == n else centre + half
    return low, high


def clopper_pearson(successes: int, n: int) -> tuple[float, float]:
    """95 % interval of a proportion that never covers less (Clopper and Pearson 1934). Raises ValueError."""
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"no proportion: {successes} of {n}")
    from scipy.special import betaincinv  # late: `mean_interval` serves runs, which do not load SciPy

    low = float(betaincinv(successes, n - successes + 1, 0.025)) if successes else 0.0
    high = float(betaincinv(successes + 1, n - successes, 0.975)) if successes < n else 1.0
    return low, high


def jeffreys(successes: int, n: int) -> tuple[float, float]:
    """Equal-tailed 95 % interval of a proportion under the prior Beta(½, ½) (Brown, Cai and DasGupta 2001).

    Not moved to 0 or 1 at the ends, so it does not hold a share of 0 or 1. Raises ValueError.
    """
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"no proportion: {successes} of {n}")
    from scipy.special import betaincinv  # late, as above

    a, b = successes + 0.5, n - successes + 0.5
    return float(betaincinv(a, b, 0.025)), float(betaincinv(a, b, 0.975))


def weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """Σ w·v / Σ w, correctly rounded sums; weights > 0, same length, at least one."""
    return fsum(v * w for v, w in zip(values, weights, strict=True)) / fsum(weights)


def sample_variance(values: Sequence[float]) -> float | None:
    """Σ (v − mean)² / (n − 1), None for fewer than two."""
    if len(values) < 2:
        return None
    mean = fsum(values) / len(values)
    return fsum((v - mean) ** 2 for v in values) / (len(values) - 1)


def influences(values: Sequence[float], weights: Sequence[float]) -> "array[float]":
    """What each value moves the weighted mean: w·(v − mean) / Σ w; they sum to 0."""
    mean, all_weight = weighted_mean(values, weights), fsum(weights)
    return array("d", (w * (v - mean) / all_weight for v, w in zip(values, weights, strict=True)))


def cr0(influence: Iterable[float], clusters: Sequence[int]) -> float:
    """Standard error of an estimate from its influences, clustered: √ Σ_c (Σ_{i∈c} ψ_i)².

    `clusters` has the number of the cluster of each influence, from 0. With one case a cluster and
    weights this is √(Σ w² e²) / Σ w. Source: Miller 2024, arXiv:2411.00640, section 2.2 (Liang and
    Zeger 1986, CR0).
    """
    return sqrt(fsum(s * s for s in _by_cluster(influence, clusters)))


def cr1(influence: Iterable[float], clusters: Sequence[int]) -> float | None:
    """`cr0` · √(G / (G − 1)) for G clusters (the small-sample form CR1); None below two."""
    count = distinct(clusters)
    return cr0(influence, clusters) * sqrt(count / (count - 1)) if count > 1 else None


def distinct(clusters: Sequence[int]) -> int:
    """How many different clusters there are among their numbers, which count from 0."""
    seen = bytearray(max(clusters, default=-1) + 1)
    for cluster in clusters:
        seen[cluster] = 1
    return sum(seen)


def kish(weights: Sequence[float]) -> float:
    """Effective number of cases under weights, (Σ w)² / Σ w² (Kish 1965), in [1, n]."""
    whole = fsum(weights)
    return 1 / fsum((w / whole) ** 2 for w in weights)  # squares of the weights themselves may not be finite


def _by_cluster(values: Iterable[float], clusters: Sequence[int]) -> "array[float]":
    sums = array("d", bytes(8 * (max(clusters, default=-1) + 1)))
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] += value
    return sums
