"""Two independent means set against each other, each with its own error."""

from typing import NamedTuple

from fairtrial.stats.student import t95


class Spread(NamedTuple):
    """How far a mean may be off: its centre and standard error, both adjusted for small samples, and the
    degrees of freedom (>= 1) of that error.
    """

    centre: float
    error: float
    df: float


class Apart(NamedTuple):
    """The 95 % interval of first less second, and its degrees of freedom."""

    low: float
    high: float
    df: float


def apart(first: Spread, second: Spread) -> Apart:
    """How far two independent means are apart (Welch 1947; degrees of freedom: Satterthwaite 1946).

    Where each is adjusted by a success and a failure, it is the interval of Agresti and Caffo 2000. An error
    must be above 0, as an adjusted one is.
    """
    one, other = first.error**2, second.error**2
    df = (one + other) ** 2 / (one**2 / first.df + other**2 / second.df)
    half = t95(df) * (one + other) ** 0.5
    gap = first.centre - second.centre
    return Apart(gap - half, gap + half, df)
