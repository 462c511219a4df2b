"""What the means of some strata would be had other cases been drawn."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_AT_ONCE = 1 << 20
"""Draws held in memory at a time, so that no number of cases or resamples needs more."""
_DRAWS_A_COUNT = 22
"""Drawing how often one distinct value comes up costs as much as drawing this many cases."""


class Resampled(NamedTuple):
    """Means of `resamples` redrawn samples: `strata` is (resamples, strata), `total` is (resamples,)."""

    strata: NDArray[np.float64]
    total: NDArray[np.float64]


def stratified_bootstrap(
    d: NDArray[np.float64], strata: NDArray[np.int64], *, resamples: int, seed: int
) -> Resampled:
    """Redraw the cases of each stratum with replacement, as many as it has (Efron and Tibshirani 1993, 8.3).

    `d` is one value a case (paired: the difference), `strata` its stratum from 0, none empty. The total
    weighs each stratum by its cases. The same seed gives the same numbers. Raises ValueError where there
    is no case, a stratum is empty, a value is not finite, or lengths differ.
    """
    values = np.asarray(d, dtype=float)
    if values.size == 0 or values.shape != np.shape(strata) or not np.isfinite(values).all():
        raise ValueError("one finite value and one stratum for each case, and at least one case")
    sizes = np.bincount(strata)
    if not sizes.all():
        raise ValueError(f"no case in stratum {int(np.argmin(sizes))}")
    rng = np.random.Generator(np.random.SFC64(seed))
    parts = np.split(values[np.argsort(strata, kind="stable")], np.cumsum(sizes)[:-1])
    means = np.column_stack([_means(part, resamples, rng) for part in parts])
    return Resampled(means, means @ (sizes / values.size))


def _means(part: NDArray[np.float64], resamples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    distinct, counts = np.unique(part, return_counts=True)
    if distinct.size * _DRAWS_A_COUNT <= part.size:
        return np.asarray(rng.multinomial(part.size, counts / part.size, resamples) @ distinct / part.size)
    index = np.uint16 if part.size <= 1 << 16 else np.uint32
    return np.concatenate(
        [
            part[rng.integers(0, part.size, (part.size, some), dtype=index)].mean(axis=0)
            for some in _chunks(resamples, part.size)
        ]
    )


def _chunks(resamples: int, size: int) -> Iterator[int]:
    most = max(1, _AT_ONCE // size)
    for start in range(0, resamples, most):
        yield min(most, resamples - start)
