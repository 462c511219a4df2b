"""What two series have in common, with what a person must see before believing it."""

from array import array
from collections.abc import Sequence
from itertools import pairwise
from math import atanh, fsum, sqrt, tanh
from typing import NamedTuple

from fairtrial.stats.intervals import Z95


class Correlation(NamedTuple):
    """Pearson's r of `n` pairs, its 95 % interval, and r of the first differences; None is undetermined."""

    n: int
    r: float | None
    low: float | None
    high: float | None
    r_differences: float | None


def correlate(x: Sequence[float], y: Sequence[float]) -> Correlation:
    """All that the correlation line shows of two series of the same length, in their order.

    Two rising curves with independent noise correlate near 1 while their first differences do not:
    a shared trend is no agreement. Raises ValueError where the lengths differ.
    """
    r = pearson(x, y)
    interval = None if r is None else fisher(r, len(x))
    low, high = interval or (None, None)
    return Correlation(len(x), r, low, high, pearson(differences(x), differences(y)))


def pearson(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Pearson's r in [−1, 1]; None for fewer than 3 pairs (two always lie on a line) or a constant series."""
    if len(x) != len(y):
        raise ValueError(f"series of different lengths: {len(x)} and {len(y)}")
    if len(x) < 3:
        return None
    a, b = _centred(x), _centred(y)
    spread = sqrt(fsum(v * v for v in a)) * sqrt(fsum(v * v for v in b))
    if spread < 1e-15:
        return None
    return max(-1.0, min(1.0, fsum(p * q for p, q in zip(a, b, strict=True)) / spread))


def fisher(r: float, n: int) -> tuple[float, float] | None:
    """95 % interval of r by Fisher's z (1921): tanh(atanh r ± z / √(n − 3)); None for n < 4 or |r| = 1."""
    if n < 4 or abs(r) >= 1:
        return None
    half = Z95 / sqrt(n - 3)
    return tanh(atanh(r) - half), tanh(atanh(r) + half)


def differences(series: Sequence[float]) -> "array[float]":
    """Each value less the one before it; one shorter than the series."""
    return array("d", (after - before for before, after in pairwise(series)))


def _centred(series: Sequence[float]) -> "array[float]":
    mean = fsum(series) / len(series)
    return array("d", (v - mean for v in series))
