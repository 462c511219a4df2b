"""Whether a set's questions are its users': traits of cases and of live dialogues, side by side."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import asin, exp, fsum, log, sqrt
from typing import TypeVar

import msgspec
import numpy as np
from scipy.special import stdtr

from fairtrial.evidence.likeness import Likeness, likeness
from fairtrial.schema.represent import Gap, Online, Outcomes
from fairtrial.stats.apart import Spread, apart
from fairtrial.stats.intervals import cr1, influences, sample_variance, spread_of
from fairtrial.stats.multiple import holm
from fairtrial.text.traits import Traits, traits

DIALOGUES_NEEDED = 30
"""Dialogues below which nothing is said of them."""
CLUSTERS_NEEDED = 5
"""Clusters of cases below which nothing is said of the set."""
ALPHA = 0.05
SHARE, RATIO = 0.10, 1.5
"""Gaps from which a significant one matters: ten points of a share, half as much again of a length."""
_ODD = 0.10
"""Share of the cases themselves that are as unlike all others as a dialogue that no case is like."""
_USUAL = 0.05
"""Share of either side from which an intent is a trait of its own."""
_WHOLE = ("order_number", "chinese")
"""Traits of the whole dialogue: one turn in which they are is enough."""
_Tested = TypeVar("_Tested", Gap, Online)

UNLIKE = "unlike"
"""The trait of being like no case."""
INTENT = "intent:"
"""With what the names of such traits begin."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A case or a dialogue: what its user says, at least once. `intent` is its task type.

    `turns` is None where the texts are only how it begins, as of a case whose user is played.
    """

    id: str
    texts: tuple[str, ...]
    cluster: int
    turns: int | None
    intent: str | None


@dataclass(frozen=True, kw_only=True)
class Side:
    """The values of a trait on one side, and the numbers of their clusters."""

    values: Sequence[float]
    clusters: Sequence[int]

    @property
    def mean(self) -> float:
        """Their plain mean; there is at least one."""
        return fsum(self.values) / len(self.values)


def gaps(cases: Sequence[Asked], live: Sequence[Asked], alike: Likeness) -> list[Gap]:
    """Every trait on both sides, p-values not yet paid for (`adjusted`). Neither side is empty.

    The unit is the dialogue, and the cluster of cases. A trait of wording is the share of the user's turns
    that have it, so that a long dialogue does not have more of everything; an order's number is given or not,
    and Chinese spoken or not.
    """
    read = [[(one, [traits(text) for text in one.texts]) for one in side] for side in (cases, live)]

    def sides(value: Callable[[Asked, list[Traits]], float | None]) -> list[Side]:
        return [_side((value(*each), each[0].cluster) for each in side) for side in read]

    found = [
        _ratio("length", *sides(lambda _, said: _log_mean([one.length for one in said]))),
        _ratio("turns", *sides(lambda one, _: None if one.turns is None else log(one.turns))),
    ]
    for at, name in enumerate(Traits._fields[1:], 1):
        found.append(_share(name, *sides(_worded(at, once=name in _WHOLE))))
    limit = odd(alike)
    strange = (
        _side((float(value <= limit), one.cluster) for value, one in zip(values, side, strict=True))
        for values, side in ((alike.cases, cases), (alike.live, live))
    )
    found.append(_share(UNLIKE, *strange))
    return [gap for gap in (*found, *_intents(cases, live)) if gap is not None]


def alike(cases: Sequence[Asked], live: Sequence[Asked]) -> Likeness:
    """What each is likest to, by all that its user says."""
    ours, theirs = (["\n".join(one.texts) for one in side] for side in (cases, live))
    return likeness(ours, [one.cluster for one in cases], theirs)


def odd(found: Likeness) -> float:
    """The likeness up to which a dialogue is like no case: one case in ten is as alone in the set."""
    return float(np.quantile(found.cases, _ODD))


def adjusted(found: Sequence[Gap], outcomes: Outcomes | None) -> tuple[list[Gap], Outcomes | None]:
    """The p-values adjusted for all traits and marks (Holm 1979), and which are real and large enough."""
    online = outcomes.online if outcomes else ()
    raw = [gap.p for gap in found] + [one.p for one in online]
    ps = iter(holm([p for p in raw if p is not None]))
    judged = [_judged(gap, next(ps)) if gap.p is not None else gap for gap in found]
    if outcomes is None:
        return judged, None
    marks = tuple(_judged(one, next(ps)) if one.p is not None else one for one in online)
    return judged, msgspec.structs.replace(outcomes, online=marks)


def _judged(one: _Tested, p: float) -> _Tested:
    difference = one.difference or 0.0
    if isinstance(one, Gap) and one.unit == "ratio":
        large = max(difference, 1 / difference) >= RATIO
    else:
        # Users who keep to what the set asks are no fault of the set.
        large = (difference if isinstance(one, Gap) and one.trait == UNLIKE else abs(difference)) >= SHARE
    return msgspec.structs.replace(one, p=p, apart=p < ALPHA and large)


def _worded(at: int, *, once: bool) -> Callable[[Asked, list[Traits]], float]:
    """The share of the turns that have a trait, or whether any has."""

    def value(_: Asked, said: list[Traits]) -> float:
        there = sum(bool(one[at]) for one in said)
        return float(there > 0) if once else there / len(said)

    return value


def _side(pairs: Iterable[tuple[float | None, int]]) -> Side:
    known = [(value, cluster) for value, cluster in pairs if value is not None]
    return Side(values=[value for value, _ in known], clusters=[cluster for _, cluster in known])


def _log_mean(lengths: Sequence[int]) -> float:
    return log(max(1.0, sum(lengths) / len(lengths)))


def _intents(cases: Sequence[Asked], live: Sequence[Asked]) -> Iterator[Gap | None]:
    """Intents that one side has often, where both sides name them and share a name."""
    sides = [[one for one in side if one.intent is not None] for side in (cases, live)]
    counts = [Counter(one.intent for one in side) for side in sides]
    if not counts[0].keys() & counts[1].keys():
        return
    for name in sorted({*counts[0], *counts[1]} - {None}, key=str):
        if any(count[name] >= _USUAL * len(side) for count, side in zip(counts, sides, strict=True)):
            there = (_side((float(one.intent == name), one.cluster) for one in side) for side in sides)
            yield _share(f"{INTENT}{name}", *there)


def _share(trait: str, ours: Side, theirs: Side) -> Gap | None:
    """A trait that a case or dialogue has to a degree in [0, 1]; None where a side has no value."""
    if not ours.values or not theirs.values:
        return None
    first, second = (spread_of(s.values, [1.0] * len(s.values), s.clusters) for s in (theirs, ours))
    low, high, p = between(first, second)
    return Gap(
        trait=trait,
        unit="share",
        cases=ours.mean,
        live=theirs.mean,
        n_cases=len(ours.values),
        n_live=len(theirs.values),
        difference=theirs.mean - ours.mean,
        low=None if low is None else max(-1.0, low),
        high=None if high is None else min(1.0, high),
        p=p,
        effect=2 * asin(sqrt(theirs.mean)) - 2 * asin(sqrt(ours.mean)),
        apart=None,
    )


def _ratio(trait: str, ours: Side, theirs: Side) -> Gap | None:
    """A trait that is a number above 0, given by its logarithm. None where a side has no value.

    Each side is given one more unit, at the mean of both, so that alike values are no certainty.
    """
    if not ours.values or not theirs.values:
        return None
    middle = (ours.mean + theirs.mean) / 2
    first, second = (_spread([*s.values, middle], [*s.clusters, -1]) for s in (theirs, ours))
    low, high, p = between(first, second)
    variances = [v for v in (sample_variance(ours.values), sample_variance(theirs.values)) if v is not None]
    pooled = sqrt(fsum(variances) / len(variances)) if variances else 0.0
    return Gap(
        trait=trait,
        unit="ratio",
        cases=exp(ours.mean),
        live=exp(theirs.mean),
        n_cases=len(ours.values),
        n_live=len(theirs.values),
        difference=exp(theirs.mean - ours.mean),
        low=None if low is None else exp(low),
        high=None if high is None else exp(high),
        p=p,
        effect=(theirs.mean - ours.mean) / pooled if pooled > 0 else None,
        apart=None,
    )


def _spread(values: Sequence[float], clusters: Sequence[int]) -> Spread | None:
    """Of a plain mean of any numbers: its CR1 error, with one degree of freedom less than clusters."""
    error = cr1(influences(values, [1.0] * len(values)), clusters)
    return None if error is None else Spread(fsum(values) / len(values), error, len(set(clusters)) - 1)


def between(first: Spread | None, second: Spread | None) -> tuple[float | None, float | None, float | None]:
    """The 95 % interval of first less second and its two-sided p; None where an error is not known."""
    if first is None or second is None:
        return None, None, None
    error = sqrt(first.error**2 + second.error**2)
    if error == 0:
        return first.centre - second.centre, first.centre - second.centre, 1.0
    low, high, df = apart(first, second)
    return low, high, min(1.0, 2 * float(stdtr(df, -abs(first.centre - second.centre) / error)))
