"""Evidence that stays good however the next session is chosen and whenever one stops.

All of it is about the failure rate p of a cell whose sessions are drawn alike: s sessions, f of them failed.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaln, xlog1py, xlogy

Floats = NDArray[np.float64]
_STEP = 0.05
_LAST = 0.95
_HALVINGS = 55
"""Enough to bring [0, 1] below the spacing of floats near 1."""


def rates(first: float) -> Floats:
    """The failure rates that are bet on: `first`, and by steps of 0.05 up to 0.95.

    Raises ValueError for a `first` outside (0, 0.95].
    """
    if not 0 < first <= _LAST:
        raise ValueError(f"a rate to look for must be in (0, {_LAST}]: {first}")
    return np.asarray(first + _STEP * np.arange(int((_LAST - first) / _STEP + 1e-9) + 1))


def log_e(failures: ArrayLike, sessions: ArrayLike, *, p0: float, p1: float) -> Floats:
    """Logarithm of the e-value against p <= `p0`, element by element; 0 where nothing ran.

    E is the mean over q in `rates(p1)` of (q/p0)^f · ((1−q)/(1−p0))^(s−f): a product of fair or losing bets,
    so that its mean is at most 1 at any stop while p <= p0 (Ville 1939; mixtures: Robbins 1970). Raises
    ValueError unless 0 <= f <= s and 0 < p0 < p1 <= 0.95.
    """
    f, s = _counts(failures, sessions)
    if not 0 < p0 < p1:
        raise ValueError(f"the rate to look for must be above the acceptable one: {p0}, {p1}")
    q = rates(p1)
    bets = f[..., None] * np.log(q / p0) + (s - f)[..., None] * np.log((1 - q) / (1 - p0))
    return log_mean_exp(bets)


def log_mean_exp(logs: Floats) -> Floats:
    """Logarithm of the mean of e^x along the last axis, of finite numbers of any size."""
    most = logs.max(axis=-1)
    return np.asarray(most + np.log(np.exp(logs - most[..., None]).mean(axis=-1)))


def e_bh(logs: Floats, *, alpha: float) -> NDArray[np.bool_]:
    """Which of m hypotheses fall, given the logarithms of their e-values (one row).

    The largest k counts whose k-th largest E is at least m / (α·k); the expected share of false ones among
    them is at most α, whatever the dependence (Wang and Ramdas 2022, theorem 5.1). A value that is kept once
    it fell stays fallen, whatever the others do. Raises ValueError for NaN.
    """
    if np.isnan(logs).any():
        raise ValueError("an e-value must be a number")
    down = np.sort(logs)[::-1]
    enough = np.flatnonzero(down >= np.log(logs.size / (alpha * np.arange(1, logs.size + 1))))
    if not enough.size:
        return np.zeros(logs.size, dtype=np.bool_)
    return np.asarray(logs >= down[enough[-1]])


def interval(failures: ArrayLike, sessions: ArrayLike, *, level: float = 0.05) -> tuple[Floats, Floats]:
    """Low and high of p, element by element, that hold p at all times at once with a chance of 1 − `level`.

    All p with B(f+½, s−f+½) / (B(½, ½) · p^f · (1−p)^(s−f)) < 1/level, B the beta function: the e-process of
    the beta mixture, inverted (Robbins 1970). [0, 1] where nothing ran. For a list of k out of m, however it
    was chosen, a level of α·k/m keeps the expected share of missed rates at α (Xu, Wang and Ramdas 2024).
    Raises ValueError unless 0 <= f <= s and 0 < level < 1.
    """
    f, s = _counts(failures, sessions)
    if not 0 < level < 1:
        raise ValueError(f"a level must be in (0, 1): {level}")
    most = betaln(f + 0.5, s - f + 0.5) - betaln(0.5, 0.5) + np.log(level)
    best = f / np.maximum(s, 1)
    low = np.where(f == 0, 0.0, _edge(f, s, most, np.zeros_like(best), best))
    high = np.where(f == s, 1.0, _edge(f, s, most, np.ones_like(best), best))
    return low, high


def _edge(f: Floats, s: Floats, most: Floats, outside: Floats, inside: Floats) -> Floats:
    """The rate, on the outer side, where the likelihood falls to `most` between one out and one in."""
    for _ in range(_HALVINGS):
        middle = (outside + inside) / 2
        kept = xlogy(f, middle) + xlog1py(s - f, -middle) > most
        outside, inside = np.where(kept, outside, middle), np.where(kept, middle, inside)
    return outside


def _counts(failures: ArrayLike, sessions: ArrayLike) -> tuple[Floats, Floats]:
    f, s = np.asarray(failures, dtype=float), np.asarray(sessions, dtype=float)
    if f.shape != s.shape or not ((f >= 0) & (f <= s) & np.isfinite(s)).all():
        raise ValueError("each number of failures must be from 0 to its number of sessions")
    return f, s
