"""What a comparison can show before it is made: cases for a difference, a difference for cases.

Source: Miller 2024, arXiv:2411.00640, section 5.
"""

from math import ceil, inf, isfinite, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri


class Components(NamedTuple):
    """Variance between cases (ω²), within a case over its trials (σ²), both >= 0; None is undetermined."""

    omega2: float | None
    sigma2: float | None


def paired_variance(omega2: float, *runs: tuple[float, float]) -> float:
    """Variance of one case's paired difference, ω² + Σ σ²/K over the `runs` (σ², K); K may be `math.inf`.

    ω² is the variance between cases of the true difference, σ² the mean variance within a case of a run over
    its K trials. Raises ValueError for a variance that is negative or not finite, or trials below 1.
    """
    if not all(0 <= variance < inf for variance in (omega2, *(sigma2 for sigma2, _ in runs))):
        raise ValueError(f"a variance must be finite and not negative: {omega2}, {runs}")
    if not all(trials >= 1 for _, trials in runs):
        raise ValueError(f"at least one trial each: {runs}")
    return omega2 + sum(sigma2 / trials for sigma2, trials in runs)


def cases_needed(delta: float, variance: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Independent cases of `paired_variance` to show a true mean difference `delta` with a chance of `power`.

    n = (z_{α/2} + z_β)² · variance / δ² (equation 9), rounded up, at least 1. Raises ValueError for a
    `delta` that is not above 0 (too small for n to be a number, too), and unless 0 < alpha < power < 1.
    """
    n = _quantiles(alpha, power) ** 2 * (variance / delta / delta) if delta > 0 else inf
    if not (isfinite(n) and delta < inf):
        raise ValueError(f"the difference to show must be above 0: {delta}")
    # Past 1e-9 of a case the excess is floating point, not a case.
    return max(1, ceil(n - 1e-9))


def smallest_detectable(n: int, variance: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """True mean difference that `n` independent cases show with a chance of `power`; see `cases_needed`."""
    if n < 1:
        raise ValueError(f"no cases: {n}")
    return _quantiles(alpha, power) * sqrt(variance / n)


def components(
    means: NDArray[np.float64], variances: NDArray[np.float64], trials: NDArray[np.int64]
) -> Components:
    """Variance components of one run, one entry a case: mean score, sample variance over the trials, trials.

    Method of moments: σ² is the mean of the variances where there are two trials or more (of one trial none
    is read); ω² is the sample variance of the means less the mean of σ_i²/K_i, not below 0, a case with one
    trial taking part with σ². Both are None where no case was repeated, ω² for fewer than two cases. Raises
    ValueError for lengths that differ, a value that is not finite, or a case without a trial.
    """
    if not np.size(means) == np.size(variances) == np.size(trials):
        raise ValueError("each case needs a mean, a variance and trials")
    if not (np.isfinite(means).all() and (trials >= 1).all()):
        raise ValueError("each case needs a finite mean over at least one trial")
    repeated = trials >= 2
    if not repeated.any():
        return Components(None, None)
    sigma2 = float(np.mean(variances[repeated]))
    if not 0 <= sigma2 < inf:
        raise ValueError("the variance of a case with two trials or more must be finite and not negative")
    if means.size < 2:
        return Components(None, sigma2)
    noise = float(np.mean(np.where(repeated, variances, sigma2) / trials))
    return Components(max(0.0, float(np.var(means, ddof=1)) - noise), sigma2)


def _quantiles(alpha: float, power: float) -> float:
    """z_{α/2} + z_β; below 0 for a power that chance alone has."""
    if not 0 < alpha < power < 1:
        raise ValueError(f"it must be 0 < alpha < power < 1: {alpha}, {power}")
    return float(ndtri(1 - alpha / 2) + ndtri(power))
