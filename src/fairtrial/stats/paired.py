"""Two runs over the same cases: how large the mean difference is, and whether chance alone explains it.

The unit is the case, or the cluster of cases that share a source; never the trial. A difference is
candidate less base of one case, in [−1, 1].
"""

from math import ceil, log, sqrt
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, gammaln, ndtr, stdtrit

from fairtrial.stats.apart import Spread

Floats = NDArray[np.floating]
Counts = NDArray[np.integer]

CLUSTERS_NEEDED = 5
"""Effective clusters below which no interval tested here covers well enough to be shown."""


class Paired(NamedTuple):
    """(Weighted) mean difference with its 95 % interval, both in [−1, 1]; None is undetermined.

    `clusters` is how many there are, `effective` how many of equal weight would say as much (Kish).
    """

    mean: float | None
    low: float | None
    high: float | None
    clusters: int
    effective: float


class SignedRanks(NamedTuple):
    """Two-sided p-value in (0, 1]; `z` is above 0 where the ranks lean to gains, below where to losses."""

    p: float
    z: float


class SignFlip(NamedTuple):
    """p-value in [0, 1]; `exact` over all sign patterns, else over `flips` drawn ones."""

    p: float
    exact: bool
    flips: int


class _Sums(NamedTuple):
    """Of each cluster: Σ w·d and Σ w."""

    d: Floats
    w: Floats

    @property
    def effective(self) -> float:
        """How many clusters of equal weight would say as much (Kish)."""
        return float(self.w.sum() ** 2 / np.square(self.w).sum())


def paired_difference(
    d: ArrayLike, *, weights: ArrayLike | None = None, clusters: ArrayLike | None = None
) -> Paired:
    """95 % interval of the mean of per-case differences, by clusters, weights and small samples alike.

    Adjusted Wald: a pseudo-cluster that wholly gains and one that wholly loses are added, each of the
    weight Σ w² / Σ w of the clusters, so that differences that are all zero are no certainty (Bonett and
    Price 2012, binary pairs). The standard error is clustered (Miller 2024, arXiv:2411.00640) with residuals
    over √(1 − share of weight) (Bell and McCaffrey 2002, CR2); the quantile is Student's on the effective
    number of clusters, Kish's (Σ w)² / Σ w², less one. Below `CLUSTERS_NEEDED` of these there is no
    interval. In simulation (binary, graded, skewed; equal and unequal weights and clusters) it covers at
    least 0.93 where weights do not go with the outcome; where they do and few cases carry it, less: 0.90
    where one case in a hundred alone moves and is five times as heavy as most.

    Weights > 0; `clusters` are codes; without them each case is its own. Raises ValueError for
    a difference outside [−1, 1] or a weight that is not finite and positive.
    """
    sums = _differences(d, weights, clusters)
    n = sums.w.size
    if n == 0:
        return Paired(None, None, None, 0, 0.0)
    mean = float(sums.d.sum() / sums.w.sum())
    found = _spread(sums)
    if found is None:
        return Paired(mean, None, None, n, sums.effective)
    half = float(stdtrit(found.df, 0.975)) * found.error
    return Paired(mean, max(-1.0, found.centre - half), min(1.0, found.centre + half), n, sums.effective)


def paired_spread(
    d: ArrayLike, *, weights: ArrayLike | None = None, clusters: ArrayLike | None = None
) -> Spread | None:
    """What the interval of `paired_difference` is made of; None where there is none. Raises ValueError."""
    sums = _differences(d, weights, clusters)
    return _spread(sums) if sums.w.size else None


def _differences(d: ArrayLike, weights: ArrayLike | None, clusters: ArrayLike | None) -> _Sums:
    sums = _by_cluster(d, weights, clusters)
    if np.any(np.abs(np.asarray(d)) > 1 + 1e-9):
        raise ValueError("differences must be in [-1, 1]")
    return sums


def _spread(sums: _Sums) -> Spread | None:
    effective, pseudo = sums.effective, sums.w.sum() / sums.effective
    if effective < CLUSTERS_NEEDED - 1e-9:
        return None
    moved, held = np.append(sums.d, (pseudo, -pseudo)), np.append(sums.w, (pseudo, pseudo))
    centre = float(moved.sum() / held.sum())
    squares = np.square(moved - centre * held) / (1 - held / held.sum())
    return Spread(centre, float(np.sqrt(squares.sum()) / held.sum()), effective - 1)


def mcnemar(b: int, c: int) -> float:
    """Exact two-sided p of `b` gained against `c` lost cases, in (0, 1]; 1 where neither (McNemar 1947)."""
    if b < 0 or c < 0:
        raise ValueError(f"counts must not be negative: {b}, {c}")
    return min(1.0, 2 * float(bdtr(min(b, c), b + c, 0.5)))


def wilcoxon(d: ArrayLike) -> SignedRanks:
    """The signed-rank test: zeros by Pratt 1959, normal, tied ranks corrected.

    It tests symmetry about 0, not the mean. All zero, or none: p = 1. Raises ValueError for a value that is
    not finite.
    """
    # Differences that only the last bits tell apart must tie.
    values = np.round(_finite(d), 12)
    _, which, ties = np.unique(np.abs(values), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(ties) - (ties - 1) / 2)[which]
    n, zeros = values.size, values.size - int(np.count_nonzero(values))
    if zeros == n:
        return SignedRanks(1.0, 0.0)
    middle = (n * (n + 1) - zeros * (zeros + 1)) / 4
    tied = (ties[1:] if zeros else ties).astype(float)
    variance = (_squares(n) - _squares(zeros)) / 4 - float(np.sum(tied**3 - tied)) / 48
    z = float(ranks[values > 0].sum() - middle) / sqrt(variance)
    return SignedRanks(2 * float(ndtr(-abs(z))), z)


def _squares(n: int) -> float:
    """1² + 2² + … + n²."""
    return n * (n + 1) * (2 * n + 1) / 6


_WORK = 1 << 20
"""Sums that writing down an exact law may pass through in all: a second at most, and 100 MB."""
_BLOCKS = 4096
_FLIPS = 9_999
_AT_ONCE = 256
"""Sign patterns held in memory at a time."""
_TIE = 1e-7
"""Sums this close, where the largest cluster is 1, only rounding separates."""


class _Groups(NamedTuple):
    """Clusters of like |sum|, the largest scaled to 1: the sum, how many there are, how many are positive."""

    size: Floats
    times: Counts
    positive: Counts

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
    enough: int = _FLIPS,
) -> SignFlip:
    """Paired permutation test of the (weighted) mean: under the null each cluster's sign is a coin.

    Source: Fisher 1935, section 21. Clusters with like sums are flipped together as one binomial. Exact
    where their law can be written down (always up to 16 clusters; for scores of few values far beyond);
    else (hits + 1) / (flips + 1) over random flips (Phipson and Smyth 2010). More than 4096 distinct sums
    are first joined at random into 4096 blocks that flip whole: a subgroup of the flips keeps the error
    (Hemerik and Goeman 2018). Once `enough` flips are as far out, no more are drawn (Besag and Clifford
    1991): a large p is then known roughly, at a fraction of the cost. Raises ValueError as
    `paired_difference` does for weights and values that are not finite; nothing that could flip gives p = 1.
    """
    rng = np.random.Generator(np.random.SFC64(seed))
    sums = _by_cluster(d, weights, clusters).d
    groups = _grouped(sums)
    if groups.size.size > _BLOCKS:
        groups = _grouped(_totals(rng.permutation(sums.size) % _BLOCKS, sums))
    law = _law(groups)
    if law is not None:
        at, chance = law
        return SignFlip(min(1.0, float(chance[_as_far(at, groups, alternative)].sum())), True, 0)
    hits = flips = 0
    while flips < _FLIPS and hits < enough:
        drawn = _flipped(groups, min(_AT_ONCE, _FLIPS - flips), rng)
        hits += int(np.count_nonzero(_as_far(drawn, groups, alternative)))
        flips += drawn.size
    return SignFlip((hits + 1) / (flips + 1), False, flips)


def _grouped(sums: Floats) -> _Groups:
    scaled = sums[sums != 0] / max(np.abs(sums).max(initial=0.0), 5e-324)
    size, which, times = np.unique(np.round(np.abs(scaled), 10), return_inverse=True, return_counts=True)
    return _Groups(size, times, np.bincount(which[scaled > 0], minlength=size.size))


def _as_far(at: Floats, groups: _Groups, alternative: str) -> NDArray[np.bool_]:
    """Which sums are as far out as the observed one."""
    if alternative == "greater":
        return at >= groups.observed - _TIE
    return np.abs(at) >= abs(groups.observed) - _TIE


def _law(groups: _Groups) -> tuple[Floats, Floats] | None:
    """All sums that flips can give and their chances; None where writing them down costs too much."""
    at: Floats = np.zeros(1)
    chance: Floats = np.ones(1)
    work = 0
    for size, times in zip(groups.size, groups.times, strict=True):
        work += at.size * int(times + 1)
        if work > _WORK:
            return None
        positive = np.arange(times + 1)
        ways = gammaln(times + 1) - gammaln(positive + 1) - gammaln(times - positive + 1)
        chances = np.outer(chance, np.exp(ways - times * log(2))).ravel()
        sums = np.add.outer(at, size * (2 * positive - times)).ravel()
        _, first, which = np.unique(np.round(sums, 9), return_index=True, return_inverse=True)
        at, chance = sums[first], _totals(which, chances)
    return at, chance


def _flipped(groups: _Groups, flips: int, rng: np.random.Generator) -> Floats:
    """The statistic under random signs: a coin for a lone cluster, a binomial for many alike."""
    lone = groups.times == 1
    coins = np.frombuffer(rng.bytes(flips * ceil(lone.sum() / 8)), dtype=np.uint8).reshape(flips, -1)
    heads = np.unpackbits(coins, axis=1, count=int(lone.sum()))
    many = groups.times[~lone]
    positive = rng.binomial(many, 0.5, (flips, many.size))
    sums: Floats = (
        2 * (heads @ groups.size[lone] + positive @ groups.size[~lone]) - groups.size @ groups.times
    )
    return sums


def _by_cluster(d: ArrayLike, weights: ArrayLike | None, clusters: ArrayLike | None) -> _Sums:
    values = _finite(d)
    w = np.ones_like(values) if weights is None else np.asarray(weights, dtype=float)
    if w.shape != values.shape or not np.all((w > 0) & np.isfinite(w)):
        raise ValueError("each difference needs a finite weight above 0")
    w = w / w.max(initial=5e-324)  # so that squares of weights stay finite
    if clusters is None:
        return _Sums(w * values, w)
    if np.shape(clusters) != values.shape:
        raise ValueError("each difference needs the code of its cluster")
    _, codes = np.unique(clusters, return_inverse=True)
    return _Sums(_totals(codes, w * values), _totals(codes, w))


def _totals(codes: Counts, values: Floats) -> Floats:
    return np.asarray(np.bincount(codes, values), dtype=float)


def _finite(d: ArrayLike) -> Floats:
    values: Floats = np.asarray(d, dtype=float)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError("differences must be one row of finite numbers")
    return values
