"""Exact tests within strata: what chance alone would put on one side, and how often."""

from collections.abc import Iterable, Sequence
from math import comb, fsum


def hypergeometric(total: int, marked: int, drawn: int) -> list[float]:
    """Chances of 0, 1, … `drawn` marked ones among `drawn` of `total` that hold `marked`.

    Where trials of a case are exchangeable, this is the law of the failures that fall on one side,
    given all its failures: no prior, no rate to estimate. Raises ValueError outside 0 <= · <= total.
    """
    if not 0 <= marked <= total or not 0 <= drawn <= total:
        raise ValueError(f"cannot draw {drawn} of {total} with {marked} marked")
    ways = comb(total, drawn)
    return [comb(marked, x) * comb(total - marked, drawn - x) / ways for x in range(drawn + 1)]


def upper_tail(laws: Iterable[Sequence[float]], seen: int) -> float:
    """Chance that independent counts, each with its law, sum to at least `seen`.

    Laws of two entries make it the Poisson-binomial tail; with hypergeometric ones it is the exact
    conditional test of stratified tables (Mantel and Haenszel 1959; Cox 1970, one-sided).
    """
    whole = [1.0]
    for law in laws:
        spread = [0.0] * (len(whole) + len(law) - 1)
        for i, p in enumerate(whole):
            for j, q in enumerate(law):
                spread[i + j] += p * q
        whole = spread
    return min(1.0, fsum(whole[max(seen, 0) :]))
