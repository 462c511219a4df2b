"""pass^k: the chance that k fresh trials of a case all pass."""

from math import comb


def pass_hat_k(trials: int, passes: int, k: int) -> float:
    """Unbiased estimate C(passes, k) / C(trials, k), in [0, 1]; (passes/trials)^k would be biased upwards.

    Source: Yao et al. 2024, arXiv:2406.12045, section 3. Raises ValueError unless
    1 <= k <= trials and 0 <= passes <= trials.
    """
    if not 1 <= k <= trials or not 0 <= passes <= trials:
        raise ValueError(f"pass^{k} is not known from {passes} of {trials}")
    return comb(passes, k) / comb(trials, k)
