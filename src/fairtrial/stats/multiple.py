"""p-values of several tests at once, adjusted so that their number is paid for."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def holm(ps: Sequence[float]) -> list[float]:
    """Adjusted p-values in the order given; reject those <= α and no true null falls with more than α.

    Source: Holm 1979, step-down Bonferroni. Empty gives empty. Raises ValueError for a p outside [0, 1],
    NaN too.
    """
    p, order = _ascending(ps)
    steps = np.maximum.accumulate(p * np.arange(p.size, 0, -1))
    return _placed(steps, order)


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """Adjusted p-values in the order given; of those <= q a share of at most q is expected to be false.

    Source: Benjamini and Hochberg 1995, for independent or positively dependent tests. Empty gives
    empty. Raises ValueError for a p outside [0, 1], NaN too.
    """
    p, order = _ascending(ps)
    steps = p * (p.size / np.arange(1, p.size + 1))
    return _placed(np.minimum.accumulate(steps[::-1])[::-1], order)


def _ascending(ps: Sequence[float]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    p = np.asarray(ps, dtype=float)
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError(f"p-values must be in [0, 1]: {list(ps)}")
    order = np.argsort(p, kind="stable")
    return p[order], order


def _placed(steps: NDArray[np.float64], order: NDArray[np.intp]) -> list[float]:
    adjusted = np.empty_like(steps)
    adjusted[order] = np.minimum(1.0, steps)
    return [float(p) for p in adjusted]
