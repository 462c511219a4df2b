"""Two runs over the same cases: how large the mean difference is, and whether chance alone explains it.

The unit is the case, or the cluster of cases that share a source; never the trial. A difference is
candidate less base of one case, in [−1, 1].
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, gammaln, ndtr, stdtrit

Floats = NDArray[np.float64]

CLUSTERS_NEEDED = 5
"""Effective clusters below which no interval tested here covers well enough to be shown."""


class Paired(NamedTuple):
    """(Weighted) mean difference with its 95 % interval, both in [−1, 1]; None is undetermined.

    `clusters` is how many there are; `method` names the interval or says why there is none.
    """

    mean: float | None
    low: float | None
    high: float | None
    clusters: int
    method: str


class SignFlip(NamedTuple):
    """p-value in (0, 1]; `exact` over all sign patterns, else over `flips` drawn ones."""

    p: float
    exact: bool
    flips: int


class _Sums(NamedTuple):
    """Of each cluster: Σ w·d and Σ w, scaled so that the mean weight of a cluster is 1."""

    d: Floats
    w: Floats


def paired_difference(
    d: ArrayLike, *, weights: ArrayLike | None = None, clusters: ArrayLike | None = None
) -> Paired:
    """95 % interval of the mean of per-case differences, by clusters, weights and small samples alike.

    Adjusted Wald: one pseudo-cluster is added each way, so that differences that are all zero are no
    certainty (Bonett and Price 2012 for binary pairs; here of the usual size of a difference that is not
    zero, 1 where there is none). The standard error is CR0 (Miller 2024, arXiv:2411.00640), its quantile
    Student's on the effective number of clusters (Kish) less one. Below `CLUSTERS_NEEDED` of these there
    is no interval. Weights > 0; clusters are codes from 0. Raises ValueError for values outside [−1, 1].
    """
    sums = _by_cluster(d, weights, clusters)
    n = sums.w.size
    if n == 0:
        return Paired(None, None, None, 0, "undetermined: no case")
    mean = float(sums.d.sum() / n)
    effective = float(n * n / np.square(sums.w).sum())
    if effective < CLUSTERS_NEEDED - 1e-9:
        return Paired(
            mean, None, None, n, f"undetermined: {effective:.3g} clusters, {CLUSTERS_NEEDED} needed"
        )
    moved = sums.d[sums.d != 0]
    size = float(np.sqrt(np.mean(np.square(moved)))) if moved.size else 1.0
    centre = float(sums.d.sum() / (n + 2))
    rest = np.square(sums.d - centre * sums.w).sum() + (size - centre) ** 2 + (size + centre) ** 2
    half = float(stdtrit(effective - 1, 0.975) * np.sqrt(rest) / (n + 2))
    return Paired(mean, max(-1.0, centre - half), min(1.0, centre + half), n, "adjusted Wald, clustered, t")


def mcnemar(b: int, c: int) -> float:
    """Exact two-sided p of `b` gained against `c` lost cases, in (0, 1]; 1 where neither (McNemar 1947)."""
    if b < 0 or c < 0:
        raise ValueError(f"counts must not be negative: {b}, {c}")
    return min(1.0, 2 * float(bdtr(min(b, c), b + c, 0.5)))


def wilcoxon(d: ArrayLike) -> float:
    """Two-sided p of the signed-rank test, in (0, 1]: zeros by Pratt 1959, normal, tied ranks corrected.

    It tests symmetry about 0, not the mean. All zero, or none: 1. Raises ValueError for a value that is
    not finite.
    """
    values = _finite(d)
    # Scores that differ by the same amount must tie, whatever their last bits.
    _, which, ties = np.unique(np.round(np.abs(values), 12), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(ties) - (ties - 1) / 2)[which]
    moved = np.abs(values) >= 5e-13
    n, zeros = values.size, values.size - int(moved.sum())
    if zeros == n:
        return 1.0
    middle = (n * (n + 1) - zeros * (zeros + 1)) / 4
    tied = ties[1:] if zeros else ties
    variance = (_squares(n) - _squares(zeros)) / 4 - float(np.sum(tied.astype(float) ** 3 - tied)) / 48
    z = (ranks[values >= 5e-13].sum() - middle) / np.sqrt(variance)
    return float(2 * ndtr(-abs(z)))


def _squares(n: int) -> float:
    return n * (n + 1) * (2 * n + 1) / 6


_EXACT = 1 << 22
"""Products that an exact law may cost at a step."""
_GROUPS = 4096
_FLIPS = 9_999
_AT_ONCE = 256
"""Sign patterns held in memory at a time."""


class _Groups(NamedTuple):
    """Clusters of like |sum|: the sum, how many there are, how many of them are positive."""

    size: Floats
    times: NDArray[np.int64]
    positive: NDArray[np.int64]

    @property
    def observed(self) -> float:
        """The statistic as it was seen."""
        return float(self.size @ (2 * self.positive - self.times))


def sign_flip(
    d: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    alternative: Literal["two-sided", "greater"] = "two-sided",
    seed: int = 0,
) -> SignFlip:
    """Paired permutation test of the (weighted) mean: under the null each cluster's sign is a coin (Fisher 1935).

    Clusters with like sums are flipped together as one binomial. Exact where their law can be written
    down (always up to 16 clusters); else (hits + 1) / (flips + 1) over random flips. More than 4096
    distinct sums are first joined at random into 4096 blocks, each flipped whole: a subgroup of the flips
    keeps the error (Hemerik and Goeman 2018). Raises ValueError for bad values; no case gives p = 1.
    """
    rng = np.random.Generator(np.random.SFC64(seed))
    sums = _by_cluster(d, weights, clusters).d
    groups = _grouped(sums)
    if groups.size.size > _GROUPS:
        blocks = rng.permutation(np.arange(sums.size) % _GROUPS)
        groups = _grouped(np.bincount(blocks, sums))
    law = _law(groups)
    if law is not None:
        at, chance = law
        p = float(chance[_as_far(at, groups, alternative)].sum())
        return SignFlip(min(1.0, p), True, 0)
    hits = sum(
        int(_as_far(_flipped(groups, min(_AT_ONCE, _FLIPS - start), rng), groups, alternative).sum())
        for start in range(0, _FLIPS, _AT_ONCE)
    )
    return SignFlip((hits + 1) / (_FLIPS + 1), False, _FLIPS)


def _grouped(sums: Floats) -> _Groups:
    moved = sums[sums != 0]
    if moved.size == 0:
        return _Groups(np.zeros(0), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    scaled = moved / np.abs(moved).max()
    size, which, times = np.unique(np.round(np.abs(scaled), 10), return_inverse=True, return_counts=True)
    return _Groups(size, times, np.bincount(which[scaled > 0], minlength=size.size))


def _as_far(at: Floats, groups: _Groups, alternative: str) -> NDArray[np.bool_]:
    """Which sums are as far out as the observed one; those that only rounding separates are."""
    slack = 1e-9 * max(1.0, float(groups.size @ groups.times))
    if alternative == "greater":
        return at >= groups.observed - slack
    return np.abs(at) >= abs(groups.observed) - slack


def _law(groups: _Groups) -> tuple[Floats, Floats] | None:
    """All sums that flips can give and their chances; None where writing them down costs too much."""
    at, chance = np.zeros(1), np.ones(1)
    for size, times in zip(groups.size, groups.times, strict=True):
        if at.size * (times + 1) > _EXACT:
            return None
        positive = np.arange(times + 1)
        ways = gammaln(times + 1) - gammaln(positive + 1) - gammaln(times - positive + 1)
        binomial = np.exp(ways - times * np.log(2))
        sums = np.add.outer(at, size * (2 * positive - times)).ravel()
        _, first, which = np.unique(np.round(sums, 8), return_index=True, return_inverse=True)
        at, chance = sums[first], np.bincount(which, np.outer(chance, binomial).ravel())
    return at, chance


def _flipped(groups: _Groups, flips: int, rng: np.random.Generator) -> Floats:
    """The statistic under random signs."""
    positive = rng.binomial(groups.times, 0.5, (flips, groups.times.size))
    return np.asarray((2 * positive - groups.times) @ groups.size)


def _by_cluster(d: ArrayLike, weights: ArrayLike | None, clusters: ArrayLike | None) -> _Sums:
    values = _finite(d)
    w = np.ones_like(values) if weights is None else np.asarray(weights, dtype=float)
    if w.shape != values.shape or not np.all((w > 0) & np.isfinite(w)):
        raise ValueError("each difference needs a finite weight above 0")
    if clusters is None:
        held, sums = w, w * values
    else:
        _, codes = np.unique(clusters, return_inverse=True)
        held, sums = np.bincount(codes, w), np.bincount(codes, w * values)
    return _Sums(sums / held.mean(), held / held.mean()) if held.size else _Sums(sums, held)


def _finite(d: ArrayLike) -> Floats:
    values = np.asarray(d, dtype=float)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError("differences must be one row of finite numbers")
    return values
