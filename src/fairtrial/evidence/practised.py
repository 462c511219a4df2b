"""Practised, not better: is what an agent gained on the cases it can see missing on those it cannot?

Two lines, each with an interval and lit only where all of it is above 0: the level (visible above holdout),
and the movement (the visible score rose by more than the holdout's). What each can show: docs/holdout.md.
"""

from typing import NamedTuple

import msgspec

from fairtrial.evidence.columns import Columns
from fairtrial.evidence.pairs import Pairs
from fairtrial.schema.look import LEAST_CLUSTERS, Practice
from fairtrial.stats.apart import Spread, apart
from fairtrial.stats.intervals import distinct, spread_of, weighted_mean
from fairtrial.stats.paired import paired_spread
from fairtrial.text.language import say


class _Side(NamedTuple):
    """A mean of one side, how far it may be off, and over how many clusters."""

    mean: float
    spread: Spread | None
    clusters: int


def level(visible: Columns, holdout: Columns, *, against: str | None = None) -> Practice:
    """The visible ret_ratio against the holdout's: two independent sets of clusters; pure."""
    return _practice("level", _of(visible), _of(holdout), against)


def movement(
    visible: tuple[Columns, Columns], holdout: tuple[Columns, Columns], *, against: str | None = None
) -> Practice:
    """What the visible score gained against what the holdout gained, (earlier, now), each paired by case.

    Where the visible score did not rise, there is nothing that practice could have gained; pure.
    """
    return _practice("movement", _between(*visible), _between(*holdout), against)


def not_known(name: str, missing: str) -> Practice:
    """A line that cannot be judged, and what is missing."""
    return Practice(name=name, says=say(f"not known: {missing}", f"未知：{missing}"))


def _of(side: Columns) -> _Side:
    some = side.scored > 0
    values, weights, clusters = (of[some].tolist() for of in (side.mean, side.weight, side.cluster))
    mean = weighted_mean(values, weights) if values else 0.0
    return _Side(mean, spread_of(values, weights, clusters), distinct(clusters))


def _between(earlier: Columns, now: Columns) -> _Side:
    pairs = Pairs.of(earlier, now)
    if not len(pairs):
        return _Side(0.0, None, 0)
    mean = weighted_mean(pairs.d.tolist(), pairs.weight.tolist())
    found = paired_spread(pairs.d, weights=pairs.weight, clusters=pairs.cluster)
    return _Side(mean, found, distinct(pairs.cluster.tolist()))


def _practice(name: str, visible: _Side, holdout: _Side, against: str | None) -> Practice:
    few = min(visible.clusters, holdout.clusters) < LEAST_CLUSTERS
    if few or visible.spread is None or holdout.spread is None:
        counts = f"{visible.clusters}, {holdout.clusters}"
        missing = say(
            f"clusters with a score on both sides: {counts}; {LEAST_CLUSTERS} needed of each",
            f"两边有得分的簇：{counts}；各至少 {LEAST_CLUSTERS}",
        )
        return not_known(name, missing)
    gap = apart(visible.spread, holdout.spread)
    low, high = max(-2.0, gap.low), min(2.0, gap.high)
    lit = low > 0 and not (name == "movement" and visible.mean <= 0)
    found = Practice(
        name=name,
        lit=lit,
        visible=visible.mean,
        holdout=holdout.mean,
        difference=visible.mean - holdout.mean,
        low=low,
        high=high,
        df=gap.df,
        clusters_visible=visible.clusters,
        clusters_holdout=holdout.clusters,
        against=against,
    )
    return msgspec.structs.replace(found, says=told(found))


def told(line: Practice) -> str:
    """What a line means, in the language of whoever reads it now."""
    if line.difference is None or line.low is None or line.high is None:
        return line.says
    gap, low, high = (100 * value for value in (line.difference, line.low, line.high))
    shown = f"{gap:+.1f} [{low:+.1f}, {high:+.1f}]"
    if not line.lit:
        return say(
            f"not shown: visible less holdout is {shown} points",
            f"看不出练熟：可见集减留存集为 {shown} 个百分点",
        )
    if line.name == "movement":
        what, how = f"score gained {shown} points more than", "多涨"
    else:
        what, how = f"cases score {shown} points above", "高"
    return say(
        f"practised, not better: the visible {what} the holdout, {low:.1f} at least",
        f"练熟了，不是变好了：可见集比留存集{how} {shown} 个百分点，至少 {low:.1f}",
    )
