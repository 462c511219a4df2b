"""A round that stops when its question is settled: its order, its looks, what they see, and the answer.

The looks spend one error between them (`stats.sequential`). The unit is the cluster of cases, asked in an
order drawn by the run's seed, so that every look sees a random part of the set.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, copysign, inf, sqrt

import numpy as np
from scipy.special import betainc, ndtri, stdtr

from fairtrial.evidence.columns import Floats, Ints
from fairtrial.schema.case import Case
from fairtrial.schema.evidence import Decision, Look
from fairtrial.schema.score import About, Row, Unscored
from fairtrial.stats.sequential import Boundary, boundaries
from fairtrial.text.language import say

ALPHA = 0.05
"""Chance, over all looks together, of an answer where there is no difference."""
_SHARES = (0.25, 0.5, 0.75, 1.0)
_FIRST = 20
"""Clusters that the first look has at least: fewer can hardly bear the statistic."""

Scores = Mapping[str, float]
"""The mean score of each case that has one."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """Against the scores of a `base` round (called `run`): better or worse? Or: above or below `minimum`?"""

    base: Scores | None = None
    run: str | None = None
    minimum: float = 0.0

    @property
    def text(self) -> str:
        """The question for people."""
        if self.base is None:
            return say(
                f"is ret_ratio above or below {self.minimum:g}?", f"ret_ratio 高于还是低于 {self.minimum:g}？"
            )
        return say(f"better or worse than {self.run}?", f"比 {self.run} 更好还是更差？")

    def answer(self, z: float) -> str:
        """The word for a question that is settled in the direction of `z`."""
        words = ("above", "below") if self.base is None else ("better", "worse")
        return words[z < 0]

    def z(self, scores: Scores, about: Callable[[str], About]) -> float | None:
        """What the cases scored so far say, on the scale of a standard normal; None: nothing."""
        cases = [case for case in scores if self.base is None or case in self.base]
        if not cases:
            return None
        values = np.array([scores[case] for case in cases])
        weights = np.array([about(case).weight for case in cases])
        names = [cluster_of(case, about(case)) for case in cases]
        _, clusters = np.unique(names, return_inverse=True)
        if self.base is None:
            return level_z(values, weights, clusters, self.minimum)
        return paired_z(values - np.array([self.base[case] for case in cases]), weights, clusters)


@dataclass(frozen=True, kw_only=True)
class Course:
    """The cases in the order in which they are asked; after how many is looked, and the bounds."""

    cases: tuple[Case, ...]
    looks: tuple[int, ...]
    bounds: tuple[Boundary, ...]


def course_of(cases: Sequence[Case], about: Callable[[str], About], seed: int) -> Course:
    """Whole clusters in an order drawn by `seed`; looks at 1/4, 1/2, 3/4 and all, none below 20 clusters."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(cluster_of(case.id, about(case.id)), []).append(case)
    drawn = list(groups.values())
    random.Random(f"looks {seed}").shuffle(drawn)
    n = len(drawn)
    places = sorted({min(n, max(_FIRST, ceil(share * n))) for share in _SHARES})
    sizes = np.cumsum([len(group) for group in drawn])
    return Course(
        cases=tuple(case for group in drawn for case in group),
        looks=tuple(int(sizes[place - 1]) for place in places),
        bounds=boundaries([place / n for place in places], alpha=ALPHA),
    )


def cluster_of(case: str, about: About) -> str:
    """The name of a case's cluster; one that shares none is its own."""
    return f"case {case}" if about.cluster is None else f"cluster {about.cluster}"


def mean_scores(rows: Iterable[Row]) -> dict[str, float]:
    """Each case's mean over its trials that have a score; a case without one is left out."""
    found: dict[str, list[float]] = {}
    for row in rows:
        if not isinstance(row.score.value, Unscored):
            found.setdefault(row.record.case, []).append(row.score.value)
    return {case: sum(values) / len(values) for case, values in found.items()}


def look(question: Question, course: Course, taken: Sequence[Look], z: float | None) -> Look:
    """The look after those `taken`, whose statistic is `z`."""
    bound = course.bounds[len(taken)]
    spent = sum(b.spent for b in course.bounds[: len(taken) + 1])
    return Look(cases=course.looks[len(taken)], z=z, boundary=bound.z, spent=spent)


def settles(found: Look) -> bool:
    """Whether a look ends the round."""
    return found.z is not None and abs(found.z) >= found.boundary


def decision(question: Question, course: Course, looks: Sequence[Look]) -> Decision:
    """What the looks so far come to."""
    last = looks[-1] if looks else None
    answer = question.answer(last.z or 0.0) if last and settles(last) else "not settled"
    return Decision(
        question=question.text,
        answer=answer,
        looks=tuple(looks),
        base=question.run,
        planned_cases=len(course.cases),
        meaning=_meaning(answer, last, len(looks), course) if last else "",
    )


def paired_z(d: Floats, weights: Floats, clusters: Ints) -> float | None:
    """Student's t of the weighted mean difference by clusters (CR1, Kish degrees of freedom), as a z.

    It is cut to what the signs of the clusters that differ can show at most, 2⁻ᵐ: three gains and no loss
    are no certainty, however alike. None below two effective clusters.
    """
    sums, held = np.bincount(clusters, weights * d), np.bincount(clusters, weights)
    effective = held.sum() ** 2 / np.square(held).sum()
    if effective < 2:
        return None
    moved = int(np.count_nonzero(sums))
    mean = float(sums.sum() / held.sum())
    if moved == 0 or mean == 0:
        return 0.0
    n = held.size
    error = sqrt(n / (n - 1) * float(np.square(sums - mean * held).sum())) / held.sum()
    t = abs(mean) / error if error > 0 else inf
    z = -float(ndtri(stdtr(effective - 1, -t)))
    return copysign(min(z, -float(ndtri(0.5 ** min(moved, 1000)))), mean)


def level_z(scores: Floats, weights: Floats, clusters: Ints, level: float) -> float | None:
    """How far the weighted mean of `scores`, in [0, 1], lies from `level` in (0, 1): a binomial tail, as z.

    Each cluster counts as one case of its weight (Kish). Among scores of one mean those of 0 and 1 scatter
    most, so for graded ones the tail is too large rather than too small.
    """
    held = np.bincount(clusters, weights)
    n = float(held.sum() ** 2 / np.square(held).sum())
    hits = n * float(np.clip((weights * scores).sum() / weights.sum(), 0.0, 1.0))
    above = float(betainc(hits, n - hits + 1, level)) if hits > 0 else 1.0
    below = float(betainc(n - hits, hits + 1, 1 - level)) if hits < n else 1.0
    return copysign(min(40.0, -float(ndtri(min(above, below, 0.5)))), below - above)


def _meaning(answer: str, last: Look, number: int, course: Course) -> str:
    words = {
        "better": say("better than the base", "优于基准"),
        "worse": say("worse than the base", "差于基准"),
        "above": say("above the minimum", "高于下限"),
        "below": say("below the minimum", "低于下限"),
        "not settled": say("not settled", "未有定论"),
    }
    z = "–" if last.z is None else f"{last.z:+.2f}"
    n, looks = len(course.cases), len(course.looks)
    return say(
        f"{words[answer]}, after {last.cases} of {n} cases (look {number} of {looks}: z = {z}, "
        f"bound {last.boundary:.2f}, error spent {last.spent:.3g})",
        f"{words[answer]}：问了 {n} 个用例中的 {last.cases} 个（第 {number} 次查看，共 {looks} 次：z = {z}，"
        f"界限 {last.boundary:.2f}，已用错误 {last.spent:.3g}）",
    )
