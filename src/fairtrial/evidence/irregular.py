"""What is wrong with the numbers and the grouping of a result: one function a line; pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
from scipy.special import fdtrc

from fairtrial.evidence.columns import Flags, Floats, Ints
from fairtrial.evidence.side import Side
from fairtrial.stats.intervals import wilson
from fairtrial.text.language import say

SHOWN = 5
"""Cases named in a line; the rest is counted."""
BY_CHANCE = 1e-3
"""A statistical line lights where chance alone would do so more seldom than this."""
SHRUNK = 0.8
"""And where the effective number of cases is below this share of their number."""
CERTAIN_FROM = 0.95
"""Where all pass, the lower end of the interval from which so few cases say something."""
CLUSTERS_NEEDED, CASES_BESIDE = 10, 20
"""Clusters, and cases beyond one in each, below which chance cannot be told from likeness."""
_LEAST_ALIKE = 10
"""Cases that must all score alike before it is no chance."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A line's value; `lit` None where there is nothing to judge it by. `detail` is for people.

    `threshold` and `forbids` None: as the line has them.
    """

    value: float | None
    lit: bool | None
    detail: str = ""
    threshold: float | None = None
    forbids: bool | None = None


UNJUDGED = Finding(value=None, lit=None)


def count(cases: Sequence[str], detail: str = "") -> Finding:
    """Lit where there is any case; its value is their number."""
    named = naming(cases) + (f"; {detail}" if detail else "")
    return Finding(value=len(cases), lit=bool(cases), detail=named if cases else "")


def naming(cases: Sequence[str]) -> str:
    """How many, and the first few by name."""
    return say(f"{len(cases)}: {few(cases)}", f"{len(cases)} 个：{few(cases)}")


def few(cases: Sequence[str]) -> str:
    """The first few by name."""
    return ", ".join(cases[:SHOWN]) + (" …" if len(cases) > SHOWN else "")


def together(
    names: Sequence[str], found: Sequence[Finding], combine: Callable[[Sequence[float]], float] = sum
) -> Finding:
    """What was found of each side as one line: lit where one is, the values combined."""
    if all(one.lit is None for one in found):
        return UNJUDGED
    details = [
        (f"{name}: " if len(names) > 1 else "") + one.detail
        for name, one in zip(names, found, strict=True)
        if one.detail and one.lit
    ]
    values = [one.value for one in found if one.value is not None]
    return Finding(
        value=combine(values) if values else None,
        lit=any(one.lit for one in found),
        detail=say("; ", "；").join(details),
    )


def infinite(side: Side) -> Flags:
    """Sessions whose score is infinite; one that is no number is a reader's to report."""
    return np.isinf(side.value)


def outside(side: Side) -> Flags:
    """Sessions whose score is a number outside [0, 1]."""
    return np.asarray(np.isfinite(side.value) & ((side.value < 0.0) | (side.value > 1.0)))


def constant(side: Side) -> Finding:
    """Every case with the same score; all passing in a small set is the line `saturated`."""
    mean = _known(side.means()[0])
    if len(mean) < 2:
        return UNJUDGED
    alike = float(np.ptp(mean)) < 1e-12
    lit = alike and len(mean) >= _LEAST_ALIKE and saturated(side).lit is not True
    detail = say(f"all {len(mean)} cases score {mean[0]:g}", f"{len(mean)} 个用例全是 {mean[0]:g}")
    return Finding(value=float(mean.var(ddof=1)), lit=lit, detail=detail if lit else "")


def saturated(side: Side) -> Finding:
    """All cases pass, and they are too few for that to say much: the lower end of the interval."""
    mean = _known(side.means()[0])
    if not len(mean):
        return UNJUDGED
    if mean.min() < 1.0:
        return Finding(value=None, lit=False)
    n, low = len(mean), wilson(len(mean), len(mean))[0]
    detail = say(
        f"{n} of {n}; the 95 % interval still goes down to {low:.2f}",
        f"{n}/{n}；95% 区间仍低至 {low:.2f}",
    )
    return Finding(value=low, lit=low < CERTAIN_FROM, detail=detail)


def _known(mean: Floats) -> Floats:
    return np.asarray(mean[~np.isnan(mean)])


def clusters(sides: Sequence[Side]) -> Finding:
    """Cases of one cluster that fare alike: how many independent cases they are worth.

    One-way analysis of variance of case means by named cluster (Fisher's F), of each side and, where two have
    the same cases, of their mean; n_eff = n / (1 + (m − 1)·ICC) with m = Σ size² / n (Kish 1965).
    """
    found = [one for mean, cluster in _groupings(sides) if (one := likeness(mean, cluster)) is not None]
    if not found:
        return UNJUDGED
    worst = min(found, key=lambda one: (one.p >= BY_CHANCE, one.n_eff / one.n))
    n, groups, n_eff, p = worst.n, worst.groups, worst.n_eff, worst.p
    lit = p < BY_CHANCE and n_eff < SHRUNK * n
    detail = say(
        f"{n} cases in {groups} clusters are worth {n_eff:.0f} independent ones (p = {p:.1g})",
        f"{groups} 簇里的 {n} 个用例只相当于 {n_eff:.0f} 个独立用例（p = {p:.1g}）",
    )
    return Finding(
        value=round(n_eff, 1), lit=lit, detail=detail if lit else "", threshold=round(SHRUNK * n, 1)
    )


def _groupings(sides: Sequence[Side]) -> list[tuple[Floats, Ints]]:
    found = [(side.means()[0], side.cluster) for side in sides]
    if len(sides) == 2 and sides[0].ids == sides[1].ids:
        found.append(((found[0][0] + found[1][0]) / 2, sides[0].cluster))
    return found


@dataclass(frozen=True, kw_only=True)
class Likeness:
    """How alike the cases of a group are: cases, groups, the independent cases they are worth, and p."""

    n: int
    groups: int
    n_eff: float
    p: float


def likeness(mean: Floats, cluster: Ints) -> Likeness | None:
    """Of case means by their group (−1: none); None where nothing can be told of groups."""
    use = ~np.isnan(mean) & (cluster >= 0)
    y, (_, code, size) = mean[use], np.unique(cluster[use], return_inverse=True, return_counts=True)
    n, groups = len(y), len(size)
    if groups < CLUSTERS_NEEDED or n - groups < CASES_BESIDE or float(np.ptp(y)) == 0.0:
        return None
    centre = np.bincount(code, weights=y) / size
    between = float((size * (centre - y.mean()) ** 2).sum()) / (groups - 1)
    within = float(((y - centre[code]) ** 2).sum()) / (n - groups)
    typical = (n - float((size**2).sum()) / n) / (groups - 1)
    icc = min(1.0, max(0.0, (between - within) / (between + (typical - 1) * within)))
    n_eff = n / (1 + (float((size**2).sum()) / n - 1) * icc)
    ratio = between / within if within > 0 else np.inf
    p = float(fdtrc(groups - 1, n - groups, ratio)) if isfinite(ratio) else 0.0
    return Likeness(n=n, groups=groups, n_eff=n_eff, p=p)


def models_named(side: Side) -> str:
    """Each model that answered, with its cases; "" where there are fewer than two."""
    if len(side.models) < 2:
        return ""
    told = [
        f"{model} ({naming([side.ids[case] for case in dict.fromkeys(cases)])})"
        for model, cases in sorted(side.models.items(), key=lambda item: -len(item[1]))
    ]
    return say("; ", "；").join(told[:4])


def errors_as_wrong(side: Side) -> Finding:
    """Sessions that failed, by their status or by what stands in place of a reply, and were scored.

    One that ran into a limit of its own making (`truncated`) may be called wrong.
    """
    by_status = np.flatnonzero(side.failed & ~np.isnan(side.value))
    rows = [*by_status, *side.as_errors]
    return count([side.ids[case] for case in dict.fromkeys(int(side.case[row]) for row in rows)])


def contradictions(side: Side) -> Finding:
    """Sessions whose score is not what their own rules come to."""
    return count(
        [side.ids[case] for case in dict.fromkeys(int(side.case[row]) for row in side.against_rules)]
    )


def both_denominators(side: Side, every: int) -> str:
    """What the mean is over the cases that are there, and over `every` one with the missing ones as 0."""
    mean = _known(side.means()[0])
    if not len(mean) or len(mean) >= every:
        return ""
    total = float(mean.sum())
    return f" ({total:g}/{len(mean)} = {total / len(mean):.2%} → {total:g}/{every} = {total / every:.2%})"
