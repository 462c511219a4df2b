"""Scores beside the scores that were expected: is |r| what it usually is, and does it bear more cases?"""

from collections.abc import Sequence
from math import atanh, sqrt, tanh
from typing import NamedTuple

import numpy as np

from fairtrial.evidence.doubts import PAIRS_NEEDED
from fairtrial.schema.planning import Alignment
from fairtrial.stats.correlation import fisher, pearson
from fairtrial.stats.intervals import Z95

_ROUNDS_NEEDED = 3

Pairs = Sequence[tuple[float, float]]
"""Score and expected score of each case that has both."""


class Aligned(NamedTuple):
    """A round of enough pairs and its r, which is neither 1 nor −1."""

    r: float
    pairs: Pairs


def aligned(rounds: Sequence[Pairs]) -> list[Aligned]:
    """The rounds that have enough pairs for a correlation to be read at all."""
    able = [(_r(pairs), pairs) for pairs in rounds if len(pairs) >= PAIRS_NEEDED]
    return [Aligned(r, pairs) for r, pairs in able if r is not None and abs(r) < 1]


def alignment(rounds: Sequence[Pairs], *, seed: int) -> Alignment | None:
    """The latest round beside those before it (oldest first); None where no round has 30 pairs."""
    found = aligned(rounds)
    if not found:
        return None
    *before, (r, pairs) = found
    usual = usual_r(before, len(pairs))
    half, kept = _doubled(pairs, r, seed)
    return Alignment(
        r=r,
        n=len(pairs),
        rounds=len(before),
        usual_low=usual[0] if usual else None,
        usual_high=usual[1] if usual else None,
        unusual=None if usual is None else not usual[0] <= r <= usual[1],
        half=half,
        kept=kept,
    )


def usual_r(found: Sequence[Aligned], n: int | None = None) -> tuple[float, float] | None:
    """Where r of another such round (of `n` pairs) would lie, 95 % (Fisher's z); None below three rounds."""
    if len(found) < _ROUNDS_NEEDED:
        return None
    z = np.array([atanh(entry.r) for entry in found])
    size = n or min(len(entry.pairs) for entry in found)
    # Rounds of one set share their cases and scatter less than Fisher's error: the wider of the two counts.
    half = Z95 * sqrt(max(float(z.var(ddof=1)), 1 / (size - 3)))
    return tanh(float(z.mean()) - half), tanh(float(z.mean()) + half)


def _doubled(pairs: Pairs, r: float, seed: int) -> tuple[float | None, bool | None]:
    """r of a random half, and whether r of the whole lies within the half's error."""
    n = len(pairs) // 2
    if n < PAIRS_NEEDED:
        return None, None
    half = _r([pairs[at] for at in np.random.default_rng(seed).permutation(len(pairs))[:n]])
    interval = None if half is None else fisher(half, n)
    return half, None if interval is None else interval[0] <= r <= interval[1]


def _r(pairs: Pairs) -> float | None:
    return pearson([got for got, _ in pairs], [expected for _, expected in pairs])
