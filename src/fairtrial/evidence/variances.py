"""What the size of a comparison depends on, measured on a run or assumed."""

from math import ceil, sqrt

import numpy as np

from fairtrial.evidence.columns import Columns, Floats, Ints
from fairtrial.evidence.pairs import Pairs
from fairtrial.schema.planning import Variances
from fairtrial.stats.power import cases_needed, components, paired_variance, smallest_detectable
from fairtrial.text.language import say

ASSUMED_OMEGA2, ASSUMED_SIGMA2 = 1 / 9, 1 / 6
"""Of scores 0 and 1 whose chance is uniform between cases and correlates by 1/3 between two agents."""
CORRELATION = 1 / 3
"""Of the cases' difficulty for two agents, where only one was measured (Miller 2024, section 5)."""


def assumed() -> Variances:
    """The figures to plan by where nothing was measured: rather too large (Miller 2024, arXiv:2411.00640)."""
    method = say(
        "assumed, not measured: ω² = 1/9, σ² = 1/6 (Miller 2024)",
        "假定，并非实测：ω² = 1/9，σ² = 1/6（Miller 2024）",
    )
    return Variances(omega2=ASSUMED_OMEGA2, sigma2=ASSUMED_SIGMA2, method=method)


def variances_of(columns: Columns, *, log: str) -> Variances:
    """Of the cases of a run that have a score; the assumed ones where no case was repeated, or all are alike.

    ω² = 2 (1 − ρ) Var(x): x is the true score of a case, and ρ = 1/3 how it correlates between two agents.
    """
    has = columns.scored > 0
    found = components(columns.mean[has], columns.variance[has], columns.scored[has])
    if found.omega2 is None or found.sigma2 is None or not found.omega2 + found.sigma2:
        return assumed()  # no spread seen is no certainty
    return Variances(
        omega2=2 * (1 - CORRELATION) * found.omega2,
        sigma2=found.sigma2,
        design_effect=design_effect(columns.mean[has], columns.weight[has], columns.cluster[has]),
        log=log,
        method=say(
            f"σ² and the spread of cases measured on {log}; difficulty correlates by 1/3 between "
            "two agents (assumed)",
            f"σ² 与用例间离散由 {log} 实测；两个 Agent 的用例难度相关系数按 1/3（假定）",
        ),
    )


def variances_between(pairs: Pairs, *, logs: str) -> Variances:
    """Of two runs of the same cases: how differently the cases fare is measured, nothing is assumed.

    ω² is the variance of the paired differences less what trials explain of it, not below 0. The assumed
    figures where fewer than two cases are shared, none was repeated, or none differs.
    """
    sides = [(pairs.base, pairs.at_base), (pairs.candidate, pairs.at_candidate)]
    repeated = [side.variance[at][side.scored[at] >= 2] for side, at in sides]
    within, total = np.concatenate(repeated), float(pairs.d.var(ddof=1)) if len(pairs) > 1 else 0.0
    if not within.size or not total:
        return assumed()
    sigma2 = float(within.mean())
    noise = sum(sigma2 * float((1 / side.scored[at]).mean()) for side, at in sides)
    omega2 = max(0.0, total - noise)
    alike = say(
        "; beyond their trials the two do not differ, and a version that changes something needs more cases",
        "；除重复的波动外两者没有差异，真正有改动的版本需要更多用例",
    )
    return Variances(
        omega2=omega2,
        sigma2=sigma2,
        design_effect=design_effect(pairs.d, pairs.weight, pairs.cluster),
        log=logs,
        method=say(f"measured on the pair {logs}", f"由 {logs} 这一对实测") + ("" if omega2 else alike),
    )


def design_effect(values: Floats, weights: Floats, clusters: Ints) -> float:
    """Variance of the weighted mean by clusters (CR0) over that of independent, equal cases; at least 1."""
    iid = float(values.var()) / values.size
    if iid <= 0:
        return 1.0
    influence = weights * (values - np.average(values, weights=weights)) / weights.sum()
    return max(1.0, float(np.square(np.bincount(clusters, influence)).sum()) / iid)


def cases_for(difference: float, trials: float, variances: Variances, *, power: float = 0.8) -> int:
    """Cases of such a set that show `difference` with a chance of `power`; `trials` (or inf) on each side."""
    return ceil(cases_needed(difference, _variance(variances, trials), power=power) * variances.design_effect)


def detectable_with(cases: int, trials: float, variances: Variances, *, power: float = 0.8) -> float:
    """The difference that so many `cases` of such a set show with a chance of `power`; above 1 is none."""
    found = smallest_detectable(cases, _variance(variances, trials), power=power)
    return found * sqrt(variances.design_effect)


def _variance(of: Variances, trials: float) -> float:
    side = (of.sigma2, trials)
    return paired_variance(of.omega2, side, side)
