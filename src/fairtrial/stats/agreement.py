"""How far a judge agrees with people, and what its errors make of a rate."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple


def cohen_kappa(one: Sequence[Hashable], other: Sequence[Hashable]) -> float | None:
    """Agreement beyond chance of two raters over the same items, at most 1 (Cohen 1960).

    Labels are compared as they are: map them to one vocabulary first, never an unknown one to a known.
    None where there is no item, or where both gave one and the same label throughout: chance alone
    agrees then. Raises ValueError where the lengths differ.
    """
    if len(one) != len(other):
        raise ValueError(f"ratings of different lengths: {len(one)} and {len(other)}")
    n, mine, theirs = len(one), Counter(one), Counter(other)
    by_chance = sum(times * theirs[label] for label, times in mine.items())
    if by_chance == n * n:
        return None
    agreed = sum(a == b for a, b in zip(one, other, strict=True))
    return (agreed * n - by_chance) / (n * n - by_chance)


class Corrected(NamedTuple):
    """A rate in [0, 1], and whether it was cut to lie there: the judge's errors are then not those given."""

    value: float
    clipped: bool


def rogan_gladen(observed: float, sensitivity: float, specificity: float) -> Corrected:
    """The true rate behind one that an imperfect judge observed: (p + sp − 1) / (se + sp − 1).

    All in [0, 1]. Source: Rogan and Gladen 1978, equation 2. Raises ValueError outside, and for a judge no
    better than chance (se + sp <= 1).
    """
    if not all(0 <= share <= 1 for share in (observed, sensitivity, specificity)):
        raise ValueError(f"no shares: {observed}, {sensitivity}, {specificity}")
    if sensitivity + specificity <= 1:
        raise ValueError(f"a judge no better than chance: {sensitivity} + {specificity} <= 1")
    value = (observed + specificity - 1) / (sensitivity + specificity - 1)
    return Corrected(min(1.0, max(0.0, value)), not 0 <= value <= 1)
