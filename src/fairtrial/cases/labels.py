"""Label drift: near neighbours by text, and whether their labels agree across periods and people."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.stats import fisher_exact

from fairtrial.cases.leaks import asked
from fairtrial.cases.reading import Reading
from fairtrial.cases.sketch import shingles
from fairtrial.schema.case import Case
from fairtrial.schema.leaks import Disagreement, Labelled, Labels
from fairtrial.stats.intervals import wilson

NEAR = 0.2
"""Cosine from which two questions are of one kind: share of shingles, rare ones counting more."""
NEIGHBOURS = 5
FEW = 10
"""Pairs on either side below which nothing is said."""
LEVEL = 0.05
_BLOCK = 512


class Near(NamedTuple):
    """Two cases by place, and their cosine."""

    first: int
    second: int
    cosine: float


def drifted(cases: Sequence[Case], label: str) -> Labels:
    """Agreement of a label among the neighbours of a set.

    Drift: neighbours from different periods or labellers agree less than those of one, by Fisher's exact test
    (one-sided, 5 %), with `FEW` pairs or more on both sides; else it is not known.
    """
    own = [case for case in cases if _label(case, label) is not None]
    labels = [_label(case, label) or "" for case in own]
    near = neighbours([asked(case) for case in own])
    within, across = [0, 0], [0, 0]
    for pair in near:
        one, other = own[pair.first], own[pair.second]
        parted = _differ(_period(one), _period(other)) or _differ(one.created_by, other.created_by)
        side = across if parted else within
        side[0] += labels[pair.first] == labels[pair.second]
        side[1] += 1
    p = None
    if min(within[1], across[1]) >= FEW:
        table = [[across[0], across[1] - across[0]], [within[0], within[1] - within[0]]]
        p = float(fisher_exact(table, alternative="less").pvalue)
    disagreeing = sorted(
        (pair for pair in near if labels[pair.first] != labels[pair.second]), key=lambda n: -n.cosine
    )
    return Labels(
        label=label,
        cases=len(own),
        within=(within[0], within[1]),
        across=(across[0], across[1]),
        p=p,
        drifts=None if p is None else p < LEVEL,
        groups=(*_groups(own, labels, near, "period"), *_groups(own, labels, near, "labeller")),
        disagreements=tuple(_disagreement(own, labels, pair) for pair in disagreeing),
    )


def neighbours(texts: Sequence[str]) -> list[Near]:
    """The `NEIGHBOURS` nearest of each text, each pair once, of cosine `NEAR` or more.

    Cosine of shingles weighted by ln(n / texts that have it) (Spärck Jones 1972). Copies letter for letter
    are neighbours too. O(n · neighbours) memory, block by block.
    """
    readings = [Reading(text).unnumbered for text in texts]
    if len(readings) < 2:
        return []
    tokens, offsets = shingles(readings)
    _, columns = np.unique(tokens, return_inverse=True)
    counts = csr_matrix(
        (np.ones(len(columns)), columns, offsets.astype(np.int64)), shape=(len(texts), columns.max() + 1)
    )
    counts.sum_duplicates()
    counts.data[:] = 1.0
    frequency = np.asarray(counts.sum(axis=0)).ravel()
    weighted = counts.multiply(np.log1p(len(texts) / frequency)).tocsr()
    norms = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    weighted = weighted.multiply((1 / np.maximum(norms, 1e-12))[:, None]).tocsr()
    found: dict[tuple[int, int], float] = {}
    for start in range(0, len(texts), _BLOCK):
        block = (weighted[start : start + _BLOCK] @ weighted.T).toarray()
        for row, cosines in enumerate(block):
            own = start + row
            cosines[own] = 0.0
            for other in np.argsort(-cosines, kind="stable")[:NEIGHBOURS]:
                if cosines[other] >= NEAR:
                    found[min(own, int(other)), max(own, int(other))] = min(1.0, float(cosines[other]))
    return [Near(first, second, cosine) for (first, second), cosine in sorted(found.items())]


def _label(case: Case, name: str) -> str | None:
    value = getattr(case, name)
    return (", ".join(sorted(value)) or None) if isinstance(value, tuple) else value


def _period(case: Case) -> str | None:
    """The quarter in which it was written or, if that is not known, seen."""
    day = case.created or case.observed
    return f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}" if day else None


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other


def _groups(
    cases: Sequence[Case], labels: Sequence[str], near: Sequence[Near], by: Literal["period", "labeller"]
) -> Iterator[Labelled]:
    """Of each period or labeller: do its cases agree with neighbours that are of another, or of none?"""
    names = [_period(case) if by == "period" else case.created_by for case in cases]
    tally: dict[str, list[int]] = {}
    for pair in near:
        for name in {names[pair.first], names[pair.second]} - {None}:
            own = tally.setdefault(str(name), [0, 0])
            own[0] += labels[pair.first] == labels[pair.second]
            own[1] += 1
    every = [labels[pair.first] == labels[pair.second] for pair in near]
    for name, (agree, n) in sorted(tally.items()):
        low, high = wilson(agree, n)
        drifts = high < sum(every) / len(every) if n >= FEW else None
        yield Labelled(by=by, name=name, n=n, agree=agree, low=low, high=high, drifts=drifts)


def _disagreement(cases: Sequence[Case], labels: Sequence[str], pair: Near) -> Disagreement:
    one, other = cases[pair.first], cases[pair.second]
    return Disagreement(
        first=one.id,
        second=other.id,
        similarity=pair.cosine,
        labels=(labels[pair.first], labels[pair.second]),
        who=(one.created_by, other.created_by),
        when=(one.created or one.observed, other.created or other.observed),
    )
