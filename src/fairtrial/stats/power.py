"""What a comparison can show before it is made: cases for a difference, a difference for cases.

The variance of a paired mean over n cases is (ω² + σ_A²/K_A + σ_B²/K_B) / n: ω² is the variance between cases
of the true difference, σ² the mean variance within a case over its trials, K the trials (Miller 2024,
arXiv:2411.00640, section 5).
"""

from math import ceil, inf, isfinite, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri


class Trials(NamedTuple):
    """One run over its cases, one entry a case: mean score, sample variance over the trials, trials (>= 1).

    The variance of a case with one trial is not known and is not read; it may be NaN.
    """

    means: NDArray[np.float64]
    variances: NDArray[np.float64]
    trials: NDArray[np.int64]


class Components(NamedTuple):
    """Variance between cases (ω²) and within a case of each run (σ²), all >= 0; None is undetermined."""

    omega2: float | None
    sigma2_base: float | None
    sigma2_candidate: float | None


def cases_needed(
    delta: float,
    *,
    omega2: float,
    sigma2_base: float,
    trials_base: float,
    sigma2_candidate: float,
    trials_candidate: float,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int:
    """Independent cases to show a true mean difference `delta` > 0 with a chance of `power`.

    n = (z_{α/2} + z_β)² (ω² + σ_A²/K_A + σ_B²/K_B) / δ², rounded up, at least 1. Trials may be
    `math.inf`. Source: Miller 2024, arXiv:2411.00640, equation 9. Raises ValueError for a difference
    that is not positive, a negative variance, trials below 1, or alpha or power outside (0, 1).
    """
    if not (delta > 0 and isfinite(delta)):
        raise ValueError(f"the difference to show must be above 0: {delta}")
    variance = _variance(omega2, (sigma2_base, trials_base), (sigma2_candidate, trials_candidate))
    # Past 1e-9 of a case the excess is floating point, not a case.
    return max(1, ceil(_quantiles(alpha, power) ** 2 * variance / delta**2 - 1e-9))


def smallest_detectable(
    n: int,
    *,
    omega2: float,
    sigma2_base: float,
    trials_base: float,
    sigma2_candidate: float,
    trials_candidate: float,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float:
    """True mean difference that `n` independent cases show with a chance of `power`; see `cases_needed`."""
    if n < 1:
        raise ValueError(f"no cases: {n}")
    variance = _variance(omega2, (sigma2_base, trials_base), (sigma2_candidate, trials_candidate))
    return _quantiles(alpha, power) * sqrt(variance / n)


def components(base: Trials, candidate: Trials | None = None) -> Components:
    """Variance components of one run's score, or of the difference of two over the same cases in one order.

    Method of moments: σ² is the mean of the within-case sample variances where there are two trials or
    more; ω² is the sample variance of the per-case values less the mean of σ_i²/K_i, not below 0. So ω²
    is None for fewer than two cases or where no case of a run was repeated. Raises ValueError where the
    runs differ in length, a value is not finite, or a case has no trial.
    """
    runs = [base] if candidate is None else [base, candidate]
    if len({np.size(column) for run in runs for column in run}) != 1:
        raise ValueError("the runs must have the same cases, and a mean, a variance and trials for each")
    if not all(np.isfinite(run.means).all() and (run.trials >= 1).all() for run in runs):
        raise ValueError("each case needs a finite mean over at least one trial")
    values = base.means if candidate is None else candidate.means - base.means
    within = [_within(run) for run in runs]
    omega2 = None
    noise = [case for _, case in within if case is not None]
    if len(noise) == len(runs) and values.size > 1:
        omega2 = max(0.0, float(np.var(values, ddof=1)) - sum(noise))
    return Components(omega2, within[0][0], within[1][0] if candidate is not None else None)


def _within(run: Trials) -> tuple[float | None, float | None]:
    """σ² of a run, and the mean of σ_i²/K_i; a case with one trial takes part with the run's σ²."""
    repeated = run.trials >= 2
    if not repeated.any():
        return None, None
    sigma2 = float(np.mean(run.variances[repeated]))
    if not 0 <= sigma2 < inf:
        raise ValueError("the variance of a case with two trials or more must be finite and not negative")
    return sigma2, float(np.mean(np.where(repeated, run.variances, sigma2) / run.trials))


def _variance(omega2: float, *runs: tuple[float, float]) -> float:
    if not all(0 <= variance < inf for variance in (omega2, *(sigma2 for sigma2, _ in runs))):
        raise ValueError(f"a variance must be finite and not negative: {omega2}, {runs}")
    if not all(trials >= 1 for _, trials in runs):
        raise ValueError(f"at least one trial each: {runs}")
    return omega2 + sum(sigma2 / trials for sigma2, trials in runs)


def _quantiles(alpha: float, power: float) -> float:
    if not (0 < alpha < 1 and 0 < power < 1):
        raise ValueError(f"alpha and power must be in (0, 1): {alpha}, {power}")
    return float(ndtri(1 - alpha / 2) + ndtri(power))
