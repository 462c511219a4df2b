"""Whether two rounds of one thing agree within noise: an interval against a margin, never a bare figure."""

import numpy as np

from fairtrial.evidence.buckets import difference_of
from fairtrial.evidence.columns import Columns
from fairtrial.evidence.pairs import Pairs
from fairtrial.schema.comparison import Difference
from fairtrial.schema.reproduction import Again, Agreement
from fairtrial.text.language import say


def agreement(pairs: Pairs, *, margin: float) -> tuple[Agreement, Difference, str]:
    """The verdict on a round and its repetition, the paired difference of ret_ratio, and a sentence.

    They agree where every case scored as before, or the 95 % interval lies within ± `margin` (an equivalence
    test by interval inclusion, at 2.5 % on each side); they differ where the interval excludes 0 and the mean
    is beyond the margin. Neither can be said where more than a `margin` of the cases scored on one side only.
    """
    found = difference_of(pairs)
    alone = _alone(pairs)
    if alone > margin * (alone + len(pairs)) or found.mean is None:
        return Agreement.unclear, found, _one_sided(alone, len(pairs))
    if not pairs.d.any():
        said = say("agrees: every case scored as before", "一致：每个用例的得分都与之前相同")
        return Agreement.agrees, found, said
    if found.low is None or found.high is None:
        return Agreement.unclear, found, _too_few(found.mean)
    shown = f"{100 * found.mean:+.2f} [{100 * found.low:+.2f}, {100 * found.high:+.2f}]"
    points = f"{100 * margin:g}"
    if -margin <= found.low and found.high <= margin:
        said = say(
            f"agrees: a difference of {shown} points lies within ±{points}",
            f"一致：差 {shown} 个百分点，在 ±{points} 之内",
        )
        return Agreement.agrees, found, said
    if abs(found.mean) > margin and (found.low > 0 or found.high < 0):
        said = say(f"differs by {shown} points", f"不同：差 {shown} 个百分点")
        return Agreement.differs, found, said
    hidden = f"{100 * max(-found.low, found.high):.1f}"
    said = say(
        f"cannot tell: {shown} points; no difference beyond ±{points} is shown, but one of up to {hidden} "
        f"could hide",
        f"无法判断：差 {shown} 个百分点；没有显示出超过 ±{points} 的差异，"
        f"但其中可能藏着最多 {hidden} 个百分点的差异",
    )
    return Agreement.unclear, found, said


def changed_cases(pairs: Pairs) -> tuple[Again, ...]:
    """The cases that did not score as before, the largest change first; then those of one side only."""
    base, again = pairs.base, pairs.candidate
    both = [
        Again(
            case=pairs.name(place),
            base=float(base.mean[pairs.at_base[place]]),
            again=float(again.mean[pairs.at_candidate[place]]),
        )
        for place in np.argsort(-np.abs(pairs.d), kind="stable")
        if pairs.d[place]
    ]
    before, now = _scores(base), _scores(again)
    one = [
        Again(case=case, base=before.get(case), again=now.get(case))
        for case in (*base.ids, *(case for case in again.ids if case not in before))
        if (case in before) != (case in now)
    ]
    return (*both, *dict.fromkeys(one))


def _scores(side: Columns) -> dict[str, float]:
    return {side.ids[place]: float(side.mean[place]) for place in np.flatnonzero(side.scored)}


def _alone(pairs: Pairs) -> int:
    """How many cases gave a score on one side only."""
    scored = [int(np.count_nonzero(side.scored)) for side in (pairs.base, pairs.candidate)]
    return sum(scored) - 2 * len(pairs)


def _one_sided(alone: int, both: int) -> str:
    return say(
        f"cannot tell: {alone} cases gave a score in one of the two rounds only, {both} in both",
        f"无法判断：有 {alone} 个用例只在其中一轮得分，{both} 个在两轮都得分",
    )


def _too_few(mean: float) -> str:
    return say(
        f"cannot tell: a difference of {100 * mean:+.2f} points, and too few cases for an interval",
        f"无法判断：差 {100 * mean:+.2f} 个百分点，用例太少，没有区间",
    )
