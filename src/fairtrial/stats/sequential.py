"""Looks at a running comparison that together spend one error: how large |z| must be at each to stop."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, roots_legendre

_NEVER = 40.0
"""|z| that no float can tell from impossible: its tail is below the least double."""

_CLOSEST = 5e-5
"""Looks nearer than this need more points of integration than there are."""


class Boundary(NamedTuple):
    """Stop at this look where |z| >= `z`; `spent` is the type-I error that the look may cost."""

    z: float
    spent: float


class _Inside(NamedTuple):
    """Where the process may be if no look stopped it yet: points and the probability at each."""

    at: NDArray[np.float64]
    mass: NDArray[np.float64]


def boundaries(fractions: Sequence[float], *, alpha: float = 0.05) -> tuple[Boundary, ...]:
    """Two-sided boundaries of a group-sequential test at the given information fractions.

    Each side spends its α/2 by 2(1 − Φ(z_{α/4} / √t)), the O'Brien-Fleming type of Lan and DeMets 1983, as
    Reboussin et al. 2000 do, and each look is solved by recursive integration (Armitage, McPherson and Rowe
    1969). Fractions rise in (0, 1] by more than 5e-5 each and end at 1; the spent errors sum to `alpha`.
    Raises ValueError else.
    """
    if (
        not fractions
        or fractions[-1] != 1
        or not all(b - a > _CLOSEST for a, b in pairwise((0.0, *fractions)))
    ):
        raise ValueError(
            f"information fractions must rise from 0, by more than {_CLOSEST:g} each, and end at 1: "
            f"{list(fractions)}"
        )
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be in (0, 1): {alpha}")
    inside = _Inside(np.zeros(1), np.ones(1))
    found: list[Boundary] = []
    for before, now in pairwise((0.0, *fractions)):
        spent = _spending(now, alpha) - _spending(before, alpha)
        z = _solve(inside, before, now, spent)
        found.append(Boundary(z, spent))
        inside = _advance(inside, before, now, z)
    return tuple(found)


def _spending(t: float, alpha: float) -> float:
    """Error of both sides that may be spent up to the fraction t."""
    return 4 * float(ndtr(ndtri(alpha / 4) / sqrt(t))) if t else 0.0


def _crossing(inside: _Inside, before: float, now: float, z: float) -> float:
    """Chance of not having stopped before and of being at or beyond ±z now."""
    edge, step = z * sqrt(now), sqrt(now - before)
    tails = ndtr((inside.at - edge) / step) + ndtr((-inside.at - edge) / step)
    return float(inside.mass @ tails)


def _solve(inside: _Inside, before: float, now: float, spent: float) -> float:
    """The z whose crossing costs `spent`, by halving: crossing falls in z, 60 halvings exhaust a float."""
    low, high = 0.0, _NEVER
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _crossing(inside, before, now, middle) > spent else (low, middle)
    return high


def _advance(inside: _Inside, before: float, now: float, z: float) -> _Inside:
    """The process one look later, between the boundaries (Gauss-Legendre)."""
    step = sqrt(now - before)
    # Beyond nine steps of where it was the process is not; points stand close beside the step's width.
    edge = min(z * sqrt(now), float(np.max(np.abs(inside.at))) + 9 * step)
    nodes, weights = roots_legendre(min(2000, 40 + ceil(8 * edge / step)))
    at = edge * nodes
    density = np.exp(-0.5 * ((at[:, None] - inside.at) / step) ** 2) @ inside.mass
    return _Inside(at, edge * weights * density / (step * sqrt(2 * np.pi)))
