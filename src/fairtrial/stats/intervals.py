"""Means, their standard errors and their 95 % intervals. The unit is the case or cluster, never the trial."""

from array import array
from collections.abc import Sequence
from math import fsum, sqrt
from statistics import NormalDist

Z95 = NormalDist().inv_cdf(0.975)
"""The two-sided 95 % quantile of the normal distribution, 1.95996…"""


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


def cr0(influence: Sequence[float], clusters: Sequence[int]) -> float:
    """Standard error of an estimate from its influences, clustered: √ Σ_c (Σ_{i∈c} ψ_i)².

    `clusters` has the number of the cluster of each influence, from 0. With one case a cluster and
    weights this is √(Σ w² e²) / Σ w. Source: Miller 2024, arXiv:2411.00640, section 2.2 (Liang and
    Zeger 1986, CR0).
    """
    sums = array("d", bytes(8 * (max(clusters, default=-1) + 1)))
    for psi, cluster in zip(influence, clusters, strict=True):
        sums[cluster] += psi
    return sqrt(fsum(s * s for s in sums))


def distinct(clusters: Sequence[int]) -> int:
    """How many different clusters there are among their numbers, which count from 0."""
    seen = bytearray(max(clusters, default=-1) + 1)
    for cluster in clusters:
        seen[cluster] = 1
    return sum(seen)


def kish(weights: Sequence[float]) -> float:
    """Effective number of cases under weights, (Σ w)² / Σ w² (Kish 1965), in [1, n]."""
    return fsum(weights) ** 2 / fsum(w * w for w in weights)
