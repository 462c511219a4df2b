"""pass^k and pass@k: the chance that all, or at least one, of k fresh trials of a case pass."""

from math import comb


def pass_hat_k(trials: int, passes: int, k: int) -> float:
    """Unbiased estimate C(passes, k) / C(trials, k), in [0, 1]; (passes/trials)^k would be biased upwards.

    Source: Yao et al. 2024, arXiv:2406.12045, section 3. Raises ValueError unless
    1 <= k <= trials and 0 <= passes <= trials.
    """
    if not 1 <= k <= trials or not 0 <= passes <= trials:
        raise ValueError(f"pass^{k} is not known from {passes} of {trials}")
    return comb(passes, k) / comb(trials, k)


def pass_at_k(trials: int, passes: int, k: int) -> float:
    """Unbiased estimate 1 − C(trials − passes, k) / C(trials, k), in [0, 1].

    Source: Chen et al. 2021, arXiv:2107.03374, equation 1. Raises ValueError unless
    1 <= k <= trials and 0 <= passes <= trials.
    """
    if not 1 <= k <= trials or not 0 <= passes <= trials:
        raise ValueError(f"pass@{k} is not known from {passes} of {trials}")
    return 1 - comb(trials - passes, k) / comb(trials, k)
