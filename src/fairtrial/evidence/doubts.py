"""The lines at which a round must say "do not believe this": one function a line, one table of them."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import fsum
from typing import Literal

from fairtrial.evidence.advice import QUICK_FEW_CASES, SATURATED, advice, meaning
from fairtrial.evidence.drift import Drift
from fairtrial.evidence.since import Moved, Since
from fairtrial.evidence.thresholds import LINES, SATURABLE, Mode, Thresholds
from fairtrial.records.fingerprint import changed_parts
from fairtrial.schema.evidence import Doubt, Round, Summary
from fairtrial.schema.fingerprint import Fingerprint, PartName
from fairtrial.stats.correlation import Correlation, correlate
from fairtrial.text.language import say

PAIRS_NEEDED = 30
"""Below this a correlation is never evidence, however high."""
LONG_HISTORY = 10
"""Rounds over which useful must have been high."""
RECENT, RECENT_NEEDED = 10, 5
"""The rounds that `often_lit` looks back on, and the fewest it rules on."""

Series = tuple[Sequence[float], Sequence[float]]


@dataclass(frozen=True, kw_only=True)
class Around:
    """What the lines know of a round besides its figures.

    `history`: earlier reliable rounds of the same set, oldest first. `recent`: the names lit in
    earlier rounds of that set and mode, refused ones included, oldest first. `null_agent`: the largest
    share of cases that a null agent passes, None if none was run. `series`: two series whose
    correlation someone means to rely on. The digests are this round's, "" where they are not known, as is
    the fingerprint. `since`: its cases beside those of the last of `history`, where the set was edited in
    between; None where it was not, or that is not known. `drift`: its canaries against the latest earlier
    ones, None if there are none.
    """

    history: Sequence[Round] = ()
    recent: Sequence[Collection[str]] = ()
    null_agent: float | None = None
    series: Series | None = None
    set_digest: str = ""
    scorer_digest: str = ""
    fingerprint: Fingerprint | None = None
    since: Since | None = None
    drift: Drift | None = None


@dataclass(frozen=True, kw_only=True)
class _Finding:
    """A line's value; `lit` is None where side and threshold decide. `detail` is for people."""

    value: float | None
    lit: bool | None = None
    detail: str = ""


def judge(summary: Summary, thresholds: Thresholds, around: Around | None = None) -> tuple[Doubt, ...]:
    """All lines of a round, in the order of their table; pure.

    A line is lit, not lit, or None where there is nothing to judge it by (`value` is then None).
    """
    around = around or Around()
    doubts = [
        _doubt(name, measure(summary, around, thresholds), summary, thresholds)
        for name, measure in _MEASURES.items()
    ]
    lit = {doubt.name for doubt in doubts if doubt.lit}
    often = _often_lit([*around.recent, lit], thresholds)
    return (*doubts, _doubt("often_lit", often, summary, thresholds))


def status_of(mode: Mode, doubts: Sequence[Doubt]) -> Literal["reliable", "unreliable", "quick"]:
    """What a header says: unreliable where a forbidding line is lit, else quick or reliable by mode."""
    if any(doubt.lit and doubt.forbids for doubt in doubts):
        return "unreliable"
    return "quick" if mode == "quick" else "reliable"


def _doubt(name: str, finding: _Finding, summary: Summary, thresholds: Thresholds) -> Doubt:
    limit, value = thresholds.lines[name], finding.value
    lit = finding.lit
    if lit is None and value is not None:
        lit = value < limit.threshold if LINES[name].side == "below" else value > limit.threshold
    key = _text(name, summary, thresholds)
    return Doubt(
        name=name,
        lit=lit,
        value=value,
        threshold=limit.threshold,
        forbids=limit.forbids and key != SATURATED,
        meaning=say(" ", "").join(part for part in (meaning(key), finding.detail) if part),
        advice=advice(key, name),
    )


def _text(name: str, summary: Summary, thresholds: Thresholds) -> str:
    """Which text a line has; a high score is what a regression set is for, few cases what quick mode is."""
    if name == "few_cases" and thresholds.mode == "quick":
        return QUICK_FEW_CASES
    if name in SATURABLE and _saturated(summary, thresholds):
        return SATURATED
    return name


def _saturated(summary: Summary, thresholds: Thresholds) -> bool:
    mean = summary.ret_ratio.mean
    return (
        thresholds.preset == "regression"
        and mean is not None
        and mean > thresholds.lines["too_good"].threshold
    )


_Measure = Callable[[Summary, Around, Thresholds], _Finding]


def _fact(name: str) -> _Measure:
    return lambda summary, around, thresholds: _Finding(value=summary.facts.get(name))


def _of_both(choose: Callable[[Sequence[float]], float]) -> _Measure:
    def measure(summary: Summary, around: Around, thresholds: Thresholds) -> _Finding:
        means = {"ret_ratio": summary.ret_ratio.mean, "useful": summary.useful.mean}
        known = {name: mean for name, mean in means.items() if mean is not None}
        value = choose(tuple(known.values())) if known else None
        detail = say(", ", "，").join(f"{name} {mean:.3f}" for name, mean in known.items())
        return _Finding(value=value, detail=_aside(detail))

    return measure


def _errors(summary: Summary, around: Around, thresholds: Thresholds) -> _Finding:
    counts, not_held = summary.counts, summary.facts.get("not_held")
    detail = say(
        f"({counts.planned} planned, {counts.scored} scored, {counts.errored} errored, {not_held} not held)",
        f"（计划 {counts.planned}，得分 {counts.scored}，出错 {counts.errored}，未进行 {not_held}）",
    )
    return _Finding(value=summary.facts.get("share_without_score"), detail=detail)


def _mixed_models(summary: Summary, around: Around, thresholds: Thresholds) -> _Finding:
    reported = around.fingerprint.parts.get("reported") if around.fingerprint else None
    return _Finding(value=summary.facts.get("models"), detail=_aside(reported.says if reported else ""))


def _drift(summary: Summary, around: Around, thresholds: Thresholds) -> _Finding:
    if around.drift is None or around.drift.share is None:
        return _Finding(value=None)
    shown = say(", ", "、").join(f"{prompt[:40]!r}" for prompt in around.drift.prompts)
    return _Finding(value=around.drift.share, detail=_aside(shown))


def _correlation(summary: Summary, around: Around, thresholds: Thresholds) -> _Finding:
    facts, found = summary.facts, list[tuple[str, Correlation]]()
    if (n := facts.get("r_n")) and facts.get("r") is not None:
        low, high, changes = facts.get("r_low"), facts.get("r_high"), facts.get("r_differences")
        of_cases = Correlation(n=int(n), r=facts["r"], low=low, high=high, r_differences=changes)
        found.append((say("case scores and expected scores", "用例得分与预期得分"), of_cases))
    if around.series:
        found.append((say("the two series", "两个序列"), correlate(*around.series)))
    near = thresholds.lines["correlation"].threshold
    ruled = [(c.n < PAIRS_NEEDED or abs(c.r) > near, abs(c.r), c, of) for of, c in found if c.r is not None]
    if not ruled:
        return _Finding(value=None)
    lit, _, worst, of = max(ruled, key=lambda item: item[:2])
    return _Finding(value=worst.r, lit=lit, detail=_describe(of, worst))


def _describe(of: str, found: Correlation) -> str:
    none = say("undetermined", "无法确定")
    interval = none if found.low is None or found.high is None else f"[{found.low:.3f}, {found.high:.3f}]"
    changes = none if found.r_differences is None else f"{found.r_differences:.3f}"
    return say(
        f"Of {of}: r = {found.r:.4f}, n = {found.n} ({PAIRS_NEEDED} needed), 95 % interval {interval} "
        f"(Fisher), first differences r = {changes}.",
        f"{of}：r = {found.r:.4f}，n = {found.n}（至少 {PAIRS_NEEDED}），95% 区间 {interval}（Fisher），"
        f"一阶差分 r = {changes}。",
    )


def _useful_high(summary: Summary, around: Around, thresholds: Thresholds) -> _Finding:
    means = [*(past.useful.mean for past in around.history), summary.useful.mean]
    last = [mean for mean in means if mean is not None][-LONG_HISTORY:]
    if len(last) < LONG_HISTORY or summary.useful.mean is None:
        return _Finding(value=None)
    detail = say(f"(mean of the last {len(last)} rounds)", f"（最近 {len(last)} 轮的均值）")
    return _Finding(value=fsum(last) / len(last), detail=detail)


def _useful_falls(summary: Summary, around: Around, thresholds: Thresholds) -> _Finding:
    if _edited(around):
        same = around.since
        moved = (same.ret_ratio, same.useful) if same else (None, None)
        rise, fall = (_enough(figure, thresholds) for figure in moved)
    else:
        rise, fall = _change(summary, around, "ret_ratio"), _change(summary, around, "useful")
    if rise is None or fall is None:
        return _Finding(value=None)
    margin = thresholds.lines["useful_falls"].threshold
    detail = _aside(say(", ", "，").join((f"ret_ratio {rise:+.3f}", f"useful {fall:+.3f}")))
    return _Finding(value=-fall, lit=rise > margin and -fall > margin, detail=detail)


def _jump(summary: Summary, around: Around, thresholds: Thresholds) -> _Finding:
    if _edited(around):
        return _jump_of_edited(around, thresholds)
    change = _change(summary, around, "ret_ratio")
    if change is None:
        return _Finding(value=None)
    run, since = around.history[-1].run, _changed_since(around)
    detail = say(
        f"(ret_ratio {change:+.3f} against {run}{since})", f"（ret_ratio {change:+.3f}，对比 {run}{since}）"
    )
    return _Finding(value=abs(change), detail=detail)


def _jump_of_edited(around: Around, thresholds: Thresholds) -> _Finding:
    """Over the cases that stayed as they were, and over all that were there before: the larger counts.

    A wrong edit of a rule is just what a jump may come from, so edited cases are not let off. New ones are.
    """
    found = around.since
    kept = _enough(found.kept if found else None, thresholds)
    if found is None or found.kept is None or kept is None:
        return _Finding(value=None)
    same = _enough(found.ret_ratio, thresholds)
    n, run, changed = found.kept.cases, around.history[-1].run, _changed_since(around)
    alone = say("not known", "未知") if same is None else f"{same:+.3f}"
    detail = say(
        f"(ret_ratio {kept:+.3f} against {run} on {n} cases of before, {found.edited} of them edited; on the "
        f"unchanged ones {alone}{changed})",
        f"（ret_ratio {kept:+.3f}，对比 {run}，原有 {n} 个用例，其中改动过 {found.edited} 个；"
        f"未改动的用例上 {alone}{changed}）",
    )
    return _Finding(value=max(abs(kept), abs(same or 0.0)), detail=detail)


def _edited(around: Around) -> bool:
    """Whether the set kept its name, and yet is not what it was in the last round."""
    now = around.set_digest
    return bool(around.history and now and now != around.history[-1].set_digest)


def _enough(moved: Moved | None, thresholds: Thresholds) -> float | None:
    """The change of a figure over as many cases as a round needs, None over fewer."""
    few = thresholds.lines["few_cases"].threshold
    return None if moved is None or moved.cases < few else moved.change


def _changed_set(summary: Summary, around: Around, thresholds: Thresholds) -> _Finding:
    if not around.history or not around.set_digest:
        return _Finding(value=None)
    if not _edited(around):
        return _Finding(value=0.0)
    found = around.since
    if found is None:
        return _Finding(value=None)
    same, edited = found.same, found.edited
    new, gone = (side - same - edited for side in (found.now, found.then))
    detail = say(
        f"({same} cases the same, {edited} edited, {new} new, {gone} gone)",
        f"（用例：未变 {same}，改动 {edited}，新增 {new}，去掉 {gone}）",
    )
    return _Finding(value=found.changed, detail=detail)


def _unchanged_set(summary: Summary, around: Around, thresholds: Thresholds) -> _Finding:
    if not around.history or not around.set_digest:
        return _Finding(value=None)
    before = takewhile(lambda past: past.set_digest == around.set_digest, reversed(around.history))
    rounds = 1 + sum(1 for _ in before)
    detail = say(f"({rounds} rounds)", f"（{rounds} 轮）")
    # A regression set is there to stay.
    return _Finding(value=rounds, lit=False if thresholds.preset == "regression" else None, detail=detail)


def _changed_since(around: Around) -> str:
    """What is not what it was in the last round: where a jump may come from."""
    last = around.history[-1]
    changed = [
        name
        for name, now, then in (
            (say("the cases or their rules", "用例或规则"), around.set_digest, last.set_digest),
            (say("the scorer", "评分器"), around.scorer_digest, last.scorer_digest),
        )
        if now and now != then
    ]
    if around.fingerprint and last.fingerprint:
        told = (PartName.cases, PartName.scorer)
        changed += [found.part for found in changed_parts(last.fingerprint, around.fingerprint, without=told)]
    if not changed:
        return ""
    named = say(" and ", "、").join(changed)
    return say(f"; changed since: {named}", f"；其间改动了：{named}")


def _change(summary: Summary, around: Around, figure: Literal["ret_ratio", "useful"]) -> float | None:
    if not around.history:
        return None
    now, before = getattr(summary, figure).mean, getattr(around.history[-1], figure).mean
    return None if now is None or before is None else float(now - before)


def _often_lit(rounds: Sequence[Collection[str]], thresholds: Thresholds) -> _Finding:
    last = rounds[-RECENT:]
    if len(last) < RECENT_NEEDED:
        return _Finding(value=None)
    times = Counter(name for lit in last for name in set(lit) - _expected(thresholds))
    shares = {name: n / len(last) for name, n in times.items()}
    line = thresholds.lines["often_lit"].threshold
    often = (f"{name} {times[name]}/{len(last)}" for name in LINES if shares.get(name, 0.0) > line)
    return _Finding(value=max(shares.values(), default=0.0), detail=_aside(say(", ", "、").join(often)))


def _aside(text: str) -> str:
    return say(f"({text})", f"（{text}）") if text else ""


def _expected(thresholds: Thresholds) -> frozenset[str]:
    """Lines whose being lit is no fault of the evaluation.

    That is what quick mode and regression sets are for; and where useful has no meaning, it never will have.
    """
    names = {"often_lit", "useful_unscored"}
    if thresholds.mode == "quick":
        names.add("few_cases")
    if thresholds.preset == "regression":
        names |= set(SATURABLE)
    return frozenset(names)


_MEASURES: dict[str, _Measure] = {
    "few_cases": lambda summary, around, thresholds: _Finding(value=summary.ret_ratio.n),
    "too_good": _of_both(max),
    "too_low": _of_both(min),
    "too_uniform": _fact("variance"),
    "correlation": _correlation,
    "few_trials": _fact("trials_min"),
    "errors": _errors,
    "mixed_models": _mixed_models,
    "drift": _drift,
    "null_agent": lambda summary, around, thresholds: _Finding(value=around.null_agent),
    "useful_high": _useful_high,
    "useful_unchecked": _fact("useful_unchecked"),
    "useful_falls": _useful_falls,
    "useful_weight": _fact("useful_weight"),
    "useful_unscored": lambda summary, around, thresholds: _Finding(value=summary.useful.n),
    "jump": _jump,
    "changed_set": _changed_set,
    "unchanged_set": _unchanged_set,
}
