"""A round of a set beside what became of live dialogues: the gap between a score and its users' word."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from fairtrial.evidence.columns import Columns
from fairtrial.evidence.represent import between
from fairtrial.schema.represent import Figure, Online, Outcomes, Stratum
from fairtrial.stats.intervals import mean_interval, spread_of, weighted_mean

_Mark = Literal["resolved", "satisfied"]


@dataclass(frozen=True, kw_only=True)
class Marked:
    """What is known of how a dialogue ended; None where nobody marked it."""

    intent: str | None
    resolved: bool | None
    satisfied: bool | None


@dataclass(frozen=True, kw_only=True)
class _Values:
    values: Sequence[float]
    weights: Sequence[float]
    clusters: Sequence[int]

    def only(self, at: Sequence[int]) -> "_Values":
        return _Values(
            values=[self.values[n] for n in at],
            weights=[self.weights[n] for n in at],
            clusters=[self.clusters[n] for n in at],
        )

    def figure(self) -> Figure:
        if not self.values:
            return Figure(mean=None, low=None, high=None, n=0)
        found = mean_interval(self.values, self.weights, self.clusters)
        low, high = (found.low, found.high) if found else (None, None)
        return Figure(mean=weighted_mean(self.values, self.weights), low=low, high=high, n=len(self.values))


def outcomes(round_: Columns, live: Sequence[Marked], *, log: str) -> Outcomes:
    """The round's mean score, plain and in the live mix of task types, beside the marks of the dialogues.

    In the mix a case weighs as its share of its type times the type's share of the dialogues whose type the
    round knows. Its interval is that of a weighted mean by clusters, the mix taken as given.
    """
    names = dict(enumerate(round_.task_types))
    scored = np.flatnonzero(round_.scored > 0)
    types = [names.get(int(round_.task_type[at])) for at in scored]
    plain = _Values(
        values=[float(round_.mean[at]) for at in scored],
        weights=[float(round_.weight[at]) for at in scored],
        clusters=[int(round_.cluster[at]) for at in scored],
    )
    mix = Counter(one.intent for one in live if one.intent is not None)
    mixed, covered = _mixed(plain, types, mix)
    return Outcomes(
        log=log,
        offline=plain.figure(),
        mixed=mixed.figure(),
        covered=covered,
        online=tuple(_online(mark, live, mixed) for mark in get_args(_Mark)),
        strata=tuple(_stratum(name, plain, types, live, n / mix.total()) for name, n in mix.most_common()),
    )


def _mixed(plain: _Values, types: Sequence[str | None], mix: Mapping[str, int]) -> tuple[_Values, float]:
    """The cases of types that are in the mix, weighted by it; and the share of the mix that they are of."""
    known = [(at, name) for at, name in enumerate(types) if name is not None and name in mix]
    weight: dict[str, float] = {}
    for at, name in known:
        weight[name] = weight.get(name, 0.0) + plain.weights[at]
    mixed = plain.only([at for at, _ in known])
    weights = [plain.weights[at] / weight[name] * mix[name] for at, name in known]
    share = sum(mix[name] for name in weight) / sum(mix.values()) if mix else 0.0
    return replace(mixed, weights=weights), share


def _marks(mark: _Mark, live: Sequence[Marked]) -> _Values:
    values = [float(value) for one in live if (value := getattr(one, mark)) is not None]
    return _Values(values=values, weights=[1.0] * len(values), clusters=range(len(values)))


def _online(mark: _Mark, live: Sequence[Marked], mixed: _Values) -> Online:
    found = _marks(mark, live)
    figure, good = found.figure(), sum(found.values)
    unmarked = len(live) - figure.n
    gap = low = high = p = None
    if mixed.values and found.values:
        gap = weighted_mean(mixed.values, mixed.weights) - good / figure.n
        both = (spread_of(one.values, one.weights, one.clusters) for one in (mixed, found))
        low, high, p = between(*both)
    return Online(
        mark=mark,
        figure=figure,
        dialogues=len(live),
        least=good / len(live),
        most=(good + unmarked) / len(live),
        difference=gap,
        low=low,
        high=high,
        p=p,
    )


def _stratum(
    name: str, plain: _Values, types: Sequence[str | None], live: Sequence[Marked], share: float
) -> Stratum:
    offline = plain.only([at for at, other in enumerate(types) if other == name])
    of = [one for one in live if one.intent == name]
    return Stratum(
        name=name,
        share=share,
        offline=offline.figure(),
        resolved=_marks("resolved", of).figure(),
        satisfied=_marks("satisfied", of).figure(),
    )
