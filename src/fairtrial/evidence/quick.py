"""A quick round against the last reliable full one: "clearly worse", or nothing.

The test is exact and needs no prior: were nothing changed, the trials of a case would be exchangeable
between the two rounds. So, given all failures of a case in both rounds, how many of them fall into the
quick one is hypergeometric, and their sum over cases is compared with its exact law. (A Jeffreys
prediction from the base was tried first: on 60 cases that mostly fail it cried wolf in 0.64 of rounds
without any change, this test in 0.02.) Where no trial of a case passes in either round, partial scores
decide in the same way: that all quick trials lie below all trials of the base has chance 1/C(k + m, m).
"""

from collections.abc import Iterable, Sequence
from math import comb
from typing import NamedTuple

from fairtrial.schema.evidence import QuickOutcome, QuickVerdict
from fairtrial.schema.score import Row, Unscored
from fairtrial.stats.stratified import hypergeometric, upper_tail
from fairtrial.text.language import say

ALARM = 0.05
"""Chance of a false alarm, at most, in a round without any change."""
_NAMED = 10
"""Cases named in the sentence for people; the verdict holds all of them."""

_Trials = dict[tuple[str, str], list[float]]


class _Stratum(NamedTuple):
    """What one case tells: the law of its count in the quick round without a change, and the count seen."""

    law: Sequence[float]
    seen: int
    below: bool


def compare_quick(
    quick: Iterable[Row], base: Iterable[Row] | None, *, pass_at: float, base_run: str | None = None
) -> QuickVerdict:
    """Rule on a quick round by the rows of both; `base` None means there is no reliable full round.

    Cases are shared where id and first user turn agree; only trials that count take part. A trial passes
    at a score of at least `pass_at`. Both logs must have been scored by the same scorer.
    """
    now = _scores(quick)
    before = _scores(base, only=frozenset(now)) if base is not None else {}
    shared = sorted(before, key=lambda key: (len(key[0]), key))
    if not shared:
        meaning = _meaning_of_nothing(scored=bool(now))
        return QuickVerdict(outcome=QuickOutcome.nothing, base=base_run, meaning=meaning)
    strata = [_stratum(now[key], before[key], pass_at) for key in shared]
    p = upper_tail((s.law for s in strata), sum(s.seen for s in strata))
    worse = p <= ALARM
    fell = tuple(case for (case, _), stratum in zip(shared, strata, strict=True) if stratum.below)
    return QuickVerdict(
        outcome=QuickOutcome.worse if worse else QuickOutcome.no_alarm,
        p=p,
        shared=len(shared),
        base=base_run,
        fell=fell,
        meaning=_meaning(worse=worse, fell=fell, shared=len(shared)),
    )


def _scores(rows: Iterable[Row], only: frozenset[tuple[str, str]] | None = None) -> _Trials:
    found: _Trials = {}
    for row in rows:
        value, turns = row.score.value, row.record.turns
        key = (row.record.case, turns[0].user if turns else "")
        if isinstance(value, Unscored) or (only is not None and key not in only):
            continue
        found.setdefault(key, []).append(value)
    return found


def _stratum(quick: Sequence[float], base: Sequence[float], pass_at: float) -> _Stratum:
    m, total = len(quick), len(quick) + len(base)
    below = max(quick) < min(base)
    failures = [sum(score < pass_at for score in side) for side in (quick, base)]
    if sum(failures) < total:
        return _Stratum(hypergeometric(total, sum(failures), m), failures[0], below)
    # Which test a case takes depends on its scores of both rounds together, so the law stays exact.
    together = sorted([*quick, *base])
    chance = 1 / comb(total, m) if together[m - 1] < together[m] else 0.0
    return _Stratum((1 - chance, chance), int(below), below)


def _meaning_of_nothing(*, scored: bool) -> str:
    if not scored:
        return say(
            "Nothing to compare: no session of this round gave a score. Look at one: `fairtrial show`.",
            "无从比较：本轮没有一个会话得分。请用 `fairtrial show` 查看原因。",
        )
    return say(
        "Nothing to compare with: no reliable full round shares a scored case with this one. "
        "Run `fairtrial run --mode full` once.",
        "没有可比较的对象：没有一轮可信的完整结果与本轮共有已得分的用例。"
        "请先运行一次 `fairtrial run --mode full`。",
    )


def _meaning(*, worse: bool, fell: Sequence[str], shared: int) -> str:
    named = say(", ", "、").join(fell[:_NAMED]) + (" …" if len(fell) > _NAMED else "")
    if worse:
        return say(
            f"Clearly worse than the last reliable full round on {shared} shared cases. "
            f"Fell: {named or '-'}.",
            f"在共有的 {shared} 个用例上明显差于上一轮可信的完整结果。下降的用例：{named or '-'}。",
        )
    look = say(f" Look at: {named}.", f"可以看看：{named}。") if fell else ""
    return say(
        f"No alarm on {shared} shared cases, which shows no improvement.{look}",
        f"在共有的 {shared} 个用例上没有报警；这不能证明进步。{look}",
    )
