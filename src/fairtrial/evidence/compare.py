"""A candidate against a base: how large the difference is, how surely, where, and what that is worth.

The decision uses the mean difference of the case scores. The tests stand beside it, as the field asks for
them; what each is good for: docs/comparing.md.
"""

from collections.abc import Collection, Iterable, Sequence
from math import isclose

import numpy as np

from fairtrial.evidence.buckets import bins, buckets, difference_of, measured
from fairtrial.evidence.columns import Columns, Flags, Floats, Ints
from fairtrial.evidence.comparison_doubts import Seen, judge, shows
from fairtrial.evidence.faults import Faults
from fairtrial.evidence.pairs import Pairs
from fairtrial.schema.comparison import (
    ALPHA,
    Bucket,
    Comparison,
    Difference,
    McNemar,
    Ratios,
    Significance,
    Verdict,
)
from fairtrial.schema.evidence import Doubt
from fairtrial.schema.fingerprint import PartDifference
from fairtrial.stats.paired import mcnemar, sign_flip, wilcoxon
from fairtrial.stats.power import smallest_detectable
from fairtrial.text.language import say


def compare(
    base: Columns,
    candidate: Columns,
    *,
    base_name: str,
    candidate_name: str,
    differs: Sequence[PartDifference] = (),
    forced: Collection[str] = (),
    fingerprinted: bool = True,
    unreliable: Sequence[str] = (),
    faults: Sequence[Faults] = (),
) -> Comparison:
    """Compare two runs on the cases that both scored; pure, and the same whatever the order of the rows.

    `differs` is what is not the same around them, of which the parts in `forced` were let through against
    the rule; `fingerprinted` False: one of them does not tell, or not wholly, what it depends on.
    `unreliable` has a few words for each side that must not be believed, `faults` what is unsound in either.
    With no shared case the verdict is `not shown`.
    """
    pairs = Pairs.of(base, candidate)
    difference, over_all = difference_of(pairs), _over_all(pairs)
    tests = _tests(pairs)
    parts = buckets(pairs) if len(pairs) else ()
    smallest = _smallest(pairs, difference)
    seen = Seen(
        difference=difference,
        difference_all=over_all,
        against_mean=_against_mean(pairs, difference, tests),
        noise=_noise(pairs),
        sign_flip=tests[2].p,
        unreliable=tuple(unreliable),
        forced=tuple(forced),
        fingerprinted=fingerprinted,
        untold=tuple(found.part for found in differs if not found.known),
        faults=tuple(faults),
    )
    doubts = judge(pairs, seen)
    verdict = _verdict(difference, parts, doubts)
    passed, passes = pairs.passed
    return Comparison(
        base=base_name,
        candidate=candidate_name,
        shared=len(pairs),
        only_base=pairs.only_base.size,
        only_candidate=pairs.only_candidate.size,
        unanswered=pairs.unanswered.size,
        dropped=tuple(base.ids[place] for place in pairs.only_base),
        added=tuple(candidate.ids[place] for place in pairs.only_candidate),
        trials_base=_trials(base.scored[pairs.at_base]),
        trials_candidate=_trials(candidate.scored[pairs.at_candidate]),
        base_ratios=_ratios(base, pairs.at_base, pairs.weight),
        candidate_ratios=_ratios(candidate, pairs.at_candidate, pairs.weight),
        pass_rule=say(
            "a case passes where more than half of its scored trials do",
            "一个用例过半数的已计分重复通过，才算通过",
        ),
        gained=_names(pairs, ~passed & passes),
        lost=_names(pairs, passed & ~passes),
        difference=difference,
        difference_all=over_all,
        mcnemar=tests[0],
        wilcoxon=tests[1],
        sign_flip=tests[2],
        buckets=parts,
        bins=bins(),
        smallest_detectable=smallest,
        verdict=verdict,
        meaning=_meaning(verdict, difference, parts, doubts, smallest),
        differs=tuple(differs),
        doubts=doubts,
    )


def _trials(scored: Ints) -> int:
    return int(scored.max(initial=0))


def _names(pairs: Pairs, which: Flags) -> tuple[str, ...]:
    ids = pairs.base.ids
    return tuple([ids[at] for at in pairs.at_base[which].tolist()])


def _ratios(side: Columns, shared: Ints, weight: Floats) -> Ratios:
    scored = side.scored > 0
    return Ratios(
        mean_shared=_mean(side.mean[shared], weight),
        mean=_mean(side.mean[scored], side.weight[scored]),
        n=int(scored.sum()),
        mean_all=_mean(side.mean[side.asked], side.weight[side.asked]),
        n_all=int(side.asked.sum()),
    )


def _mean(values: Floats, weights: Floats) -> float | None:
    return float(np.average(values, weights=weights)) if values.size else None


def _over_all(pairs: Pairs) -> Difference:
    """Over every case of the base that can give a score; no score is 0, on the side that has none."""
    base, candidate = pairs.base, pairs.candidate
    d = -base.mean
    met = pairs.partner >= 0
    d[met] += candidate.mean[pairs.partner[met]]
    places = base.asked.copy()
    places[pairs.unanswered] = True
    return measured(d[places], base.weight[places], base.cluster[places])


def _tests(pairs: Pairs) -> tuple[McNemar, Significance, Significance]:
    passed, passes = pairs.passed
    b, c = int((~passed & passes).sum()), int((passed & ~passes).sum())
    if not len(pairs):
        none = Significance(p=None, method=say("no shared case", "没有共有用例"))
        return McNemar(b=0, c=0, p=None), none, none
    ranked = Significance(
        p=wilcoxon(_units(pairs)).p,
        method=say(
            "signed ranks by cluster, zeros by Pratt, asymptotic with ties; tests symmetry, not the mean",
            "按簇的符号秩，零差按 Pratt，渐近，校正结；检验的是对称性，不是均值",
        ),
    )
    flipped = sign_flip(pairs.d, weights=pairs.weight, clusters=pairs.cluster)
    how = say("exact", "精确") if flipped.exact else say(f"{flipped.flips} flips", f"{flipped.flips} 次翻转")
    signs = Significance(p=flipped.p, method=say(f"signs flipped by cluster, {how}", f"按簇翻转符号，{how}"))
    return McNemar(b=b, c=c, p=mcnemar(b, c)), ranked, signs


def _units(pairs: Pairs) -> Floats:
    """The mean difference of each cluster."""
    held = np.bincount(pairs.cluster, pairs.weight)
    return np.asarray(np.bincount(pairs.cluster, pairs.weight * pairs.d) / held)


def _against_mean(
    pairs: Pairs, difference: Difference, tests: tuple[McNemar, Significance, Significance]
) -> tuple[str, ...]:
    """The tests that show a difference to the other side than the mean, or where the mean shows none."""
    mean, (paired, ranked, _) = difference.mean or 0.0, tests
    side = 0.0 if isclose(mean, 0.0, abs_tol=1e-12) else np.sign(mean)
    leaning = {
        "mcnemar": (paired.p, np.sign(paired.b - paired.c)),
        "wilcoxon": (ranked.p, np.sign(wilcoxon(_units(pairs)).z)),
    }
    return tuple(
        name for name, (p, towards) in leaning.items() if p is not None and p < ALPHA and towards != side
    )


def _noise(pairs: Pairs) -> float | None:
    """Standard deviation of the mean were nothing changed: each case's difference is then a draw's alone."""
    parts = pairs.weight * pairs.d
    return float(np.sqrt(parts @ parts) / pairs.weight.sum()) if len(pairs) else None


def _smallest(pairs: Pairs, difference: Difference) -> float | None:
    """From the spread of the clusters' differences; it holds what varies between cases and within them."""
    if difference.low is None or difference.mean is None:
        return None
    held = np.bincount(pairs.cluster, pairs.weight)
    rest = (np.bincount(pairs.cluster, pairs.weight * pairs.d) - difference.mean * held) / held.mean()
    variance = float(rest @ rest) / (rest.size - 1)
    return None if variance < 1e-12 else smallest_detectable(rest.size, variance)


def _verdict(difference: Difference, found: Sequence[Bucket], doubts: Sequence[Doubt]) -> Verdict:
    if any(doubt.lit and doubt.forbids for doubt in doubts):
        return Verdict.not_shown
    if shows(difference) < 0:
        return Verdict.worse
    if any(bucket.falls for bucket in found):
        return Verdict.mixed
    return Verdict.better if shows(difference) > 0 else Verdict.not_shown


def _meaning(
    verdict: Verdict,
    difference: Difference,
    found: Iterable[Bucket],
    doubts: Iterable[Doubt],
    smallest: float | None,
) -> str:
    shown = _points(difference)
    n = difference.n
    if verdict is Verdict.better:
        return say(
            f"Better: {shown} on {n} shared cases, and no bucket is shown to fall.",
            f"更好：在 {n} 个共有用例上 {shown}，没有任何分桶被证明下降。",
        )
    if verdict is Verdict.worse:
        return say(f"Worse: {shown} on {n} shared cases.", f"更差：在 {n} 个共有用例上 {shown}。")
    if verdict is Verdict.mixed:
        worst = [f"{bucket.name} {bucket.difference.points}" for bucket in found if bucket.falls]
        named = say(", ", "，").join(worst[:5]) + (" …" if len(worst) > 5 else "")
        return say(
            f"Mixed: the total moves by {shown}, and yet there are buckets that fall: {named}.",
            f"有得有失：总体 {shown}，但有分桶下降：{named}。",
        )
    lines = [doubt.name for doubt in doubts if doubt.lit and doubt.forbids]
    if lines:
        named = say(", ", "，").join(lines)
        return say(
            f"Not shown: {shown}, which must not be believed ({named}).",
            f"不能证明：{shown}，但不可信（{named}）。",
        )
    if smallest is None:
        return say(f"Not shown: {shown}.", f"不能证明：{shown}。")
    return say(
        f"Not shown: {shown}, an interval that holds 0. A comparison of this size sees a true difference "
        f"of {100 * smallest:.1f} points four times in five.",
        f"不能证明：{shown}，区间包含 0。这样规模的比较，真实差异达到 {100 * smallest:.1f} 个百分点时"
        "五次里能看出四次。",
    )


def _points(difference: Difference) -> str:
    """A difference in points, with its interval."""
    if difference.mean is None:
        return say("no difference", "没有差值")
    interval = say(", no interval", "，无区间") if difference.interval is None else f" {difference.interval}"
    return difference.points + say(" points", " 个百分点") + interval
