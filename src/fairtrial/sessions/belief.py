"""What the interviewer believes of cells that it has hardly seen, from those that it has.

A model, not evidence: it says where to look next and when to stop, and no finding rests on it.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from fairtrial.sessions.evalues import Floats, log_mean_exp, rates

_FINE = np.array([0.1, 0.3, 0.6, 1.0, 1.2, 1.5])
"""Failure rates of cells that are not weak, as multiples of the acceptable one; halfway to `p1` at most."""
_LEAST, _MOST = 0.02, 0.9
_COUNTED_WEAK, _COUNTED = 0.12, 4.0
"""A probe is believed as if 4 more of its pairs had been seen, 0.12 of them weak."""
_AS_USUAL = 1.0
"""A group is believed as if one more weak pair had been expected in it, and seen."""
_MONOTONE = 0.7
_PSEUDO = 10.0
_SWEEPS = 2
_SURE = 600.0
"""Log likelihood ratio of a pair beyond which more tells nothing, so that its exponential stays finite."""


class Belief:
    """Chance of each cell to be weak, for pairs of group and probe that are weak at some intensities.

    A pair's chance is learnt from the other pairs of its probe and of its group, the pattern of weak
    intensities within a weak pair from all pairs (empirical Bayes: Efron 2010, chapter 1). `runnable` is
    (groups, probes, intensities).
    """

    def __init__(self, runnable: NDArray[np.bool_], *, p0: float, p1: float) -> None:
        self._weak_rates = rates(p1)
        self._fine_rates = np.minimum(p0 * _FINE, (p0 + p1) / 2)
        self._runnable = runnable
        self._pairs = np.asarray(runnable.any(axis=2))
        self._patterns, self._prior = _patterns(runnable.shape[2])
        self._shares = self._prior
        self._pair = np.where(self._pairs, _LEAST, 0.0)

    def weak(self, failures: Floats, sessions: Floats) -> Floats:
        """Chance of each cell to be weak given all counts, in their shape; 0 where it cannot be run."""
        sure = _SURE / self._runnable.shape[2]
        ratio = np.clip(self._ratio(failures, sessions), -sure, sure)
        likelihood = np.exp(ratio @ self._patterns.T)  # (groups, probes, patterns)
        for _ in range(_SWEEPS):
            by_pattern = likelihood * self._shares
            whole = by_pattern.sum(axis=2)
            self._pair = np.where(self._pairs, expit(logit(self._chance()) + np.log(whole)), 0.0)
            within = by_pattern * (self._pair / whole)[..., None]
            told = within.sum(axis=(0, 1))
            self._shares = (_PSEUDO * self._prior + told) / (_PSEUDO + told.sum())
        return np.asarray(np.where(self._runnable, within @ self._patterns, 0.0))

    def _ratio(self, f: Floats, s: Floats) -> Floats:
        """Log of how much likelier the counts are in a weak cell than in another."""
        return _likelihood(f, s, self._weak_rates) - _likelihood(f, s, self._fine_rates)

    def _chance(self) -> Floats:
        """Prior chance of each pair: how weak its probe is elsewhere, times how much weaker its group is.

        The product, not the larger: a weak probe is weak in every group, and would else speak against each
        group and all other probes in it.
        """
        probe = (_COUNTED_WEAK + _others(self._pair, axis=0)) / (_COUNTED + _others(self._pairs, axis=0))
        expected = np.where(self._pairs, probe, 0.0)
        group = (_AS_USUAL + _others(self._pair, axis=1)) / (_AS_USUAL + _others(expected, axis=1))
        return np.asarray(np.clip(probe * group, _LEAST, _MOST))


def _others(values: NDArray[np.float64] | NDArray[np.bool_], *, axis: int) -> Floats:
    """For each entry the sum of all others along an axis."""
    return np.asarray(np.maximum(values.sum(axis=axis, keepdims=True) - values.astype(float), 0.0))


def _likelihood(f: Floats, s: Floats, q: Floats) -> Floats:
    """Logarithm of the mean likelihood of the counts over the rates q."""
    return log_mean_exp(f[..., None] * np.log(q) + (s - f)[..., None] * np.log1p(-q))


def _patterns(intensities: int) -> tuple[Floats, Floats]:
    """Each way to be weak somewhere as a row of 0 and 1, and its share before anything was seen."""
    rows = np.array([row for row in product((0.0, 1.0), repeat=intensities) if any(row)])
    monotone = (np.diff(rows, axis=1) >= 0).all(axis=1)
    share = _MONOTONE if not monotone.all() else 1.0
    others = max(1, int((~monotone).sum()))
    return rows, np.where(monotone, share / monotone.sum(), (1 - share) / others)
