"""Student's t without SciPy, which the path of a run does not load."""

from collections.abc import Sequence
from math import exp, fsum, lgamma, pi, sqrt
from statistics import NormalDist

_Z = NormalDist().inv_cdf(0.975)
_EXPANSION_FROM = 200
_PANELS = 256


def t95(df: float) -> float:
    """The two-sided 95 % quantile of Student's t with `df` >= 1 degrees of freedom, within 1e-9 of SciPy's.

    The expansion about the normal quantile (Abramowitz and Stegun 1964, 26.7.5), which is enough from 200
    degrees on; below, Newton's steps on the distribution function start from it. Raises ValueError.
    """
    if not df >= 1:
        raise ValueError(f"no t quantile for {df} degrees of freedom")
    t = _expansion(df)
    if df >= _EXPANSION_FROM:
        return t
    scale = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * pi)
    while True:
        step = (0.475 - _between_0_and(t, df, scale)) / _density(t, df, scale)
        t += step
        if abs(step) < 1e-6 * t:  # the error left is about its square
            return t


def one_sample_t(values: Sequence[float]) -> float | None:
    """Two-sided p of a mean of 0 (Student 1908), in [0, 1]; None below two values or without spread.

    Alike values are no certainty: the formula would divide by 0, or by the rounding of a sum.
    """
    n = len(values)
    if n < 2 or min(values) == max(values):
        return None
    # t has no scale, and squares of tiny values would be 0.
    scale = max(abs(v) for v in values)
    values = [v / scale for v in values]
    mean = fsum(values) / n
    from scipy.special import stdtr  # late: `t95` serves runs, which do not load SciPy

    error = sqrt(fsum((v - mean) ** 2 for v in values) / (n - 1) / n)
    return 2 * float(stdtr(n - 1, -abs(mean) / error))


def _expansion(df: float) -> float:
    z, z2 = _Z, _Z * _Z
    terms = (
        z * (z2 + 1) / 4,
        z * ((5 * z2 + 16) * z2 + 3) / 96,
        z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384,
        z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160,
    )
    return z + fsum(term / df ** (i + 1) for i, term in enumerate(terms))


def _density(x: float, df: float, scale: float) -> float:
    return scale * float((1 + x * x / df) ** (-(df + 1) / 2))


def _between_0_and(t: float, df: float, scale: float) -> float:
    """P(0 < T < t) by Simpson's rule: the density is smooth, and flat at 0."""
    width = t / _PANELS
    inner = fsum((4 if i % 2 else 2) * _density(i * width, df, scale) for i in range(1, _PANELS))
    return (_density(0, df, scale) + inner + _density(t, df, scale)) * width / 3
