"""The lines at which a round must say "do not believe this": one function a line, one table of them."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from math import fsum
from typing import Literal

from fairtrial.evidence.advice import QUICK_FEW_CASES, SATURATED, advice, meaning
from fairtrial.evidence.around import Around, Finding, Measure, aside
from fairtrial.evidence.changes import changed_set, jump, unchanged_set, useful_falls
from fairtrial.evidence.thresholds import LINES, SATURABLE, Mode, Thresholds
from fairtrial.schema.evidence import Doubt, Summary
from fairtrial.stats.correlation import Correlation, correlate
from fairtrial.text.language import say

PAIRS_NEEDED = 30
"""Below this a correlation is never evidence, however high."""
LONG_HISTORY = 10
"""Rounds over which useful must have been high."""
RECENT, RECENT_NEEDED = 10, 5
"""The rounds that `often_lit` looks back on, and the fewest it rules on."""


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


def _doubt(name: str, finding: Finding, summary: Summary, thresholds: Thresholds) -> Doubt:
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


def _fact(name: str) -> Measure:
    return lambda summary, around, thresholds: Finding(value=summary.facts.get(name))


def _of_both(choose: Callable[[Sequence[float]], float]) -> Measure:
    def measure(summary: Summary, around: Around, thresholds: Thresholds) -> Finding:
        means = {"ret_ratio": summary.ret_ratio.mean, "useful": summary.useful.mean}
        known = {name: mean for name, mean in means.items() if mean is not None}
        value = choose(tuple(known.values())) if known else None
        detail = say(", ", "，").join(f"{name} {mean:.3f}" for name, mean in known.items())
        return Finding(value=value, detail=aside(detail))

    return measure


def _errors(summary: Summary, around: Around, thresholds: Thresholds) -> Finding:
    counts, not_held = summary.counts, summary.facts.get("not_held")
    detail = say(
        f"({counts.planned} planned, {counts.scored} scored, {counts.errored} errored, {not_held} not held)",
        f"（计划 {counts.planned}，得分 {counts.scored}，出错 {counts.errored}，未进行 {not_held}）",
    )
    return Finding(value=summary.facts.get("share_without_score"), detail=detail)


def _mixed_models(summary: Summary, around: Around, thresholds: Thresholds) -> Finding:
    reported = around.fingerprint.parts.get("reported") if around.fingerprint else None
    return Finding(value=summary.facts.get("models"), detail=aside(reported.says if reported else ""))


def _drift(summary: Summary, around: Around, thresholds: Thresholds) -> Finding:
    if around.drift is None or around.drift.share is None:
        return Finding(value=None)
    shown = say(", ", "、").join(f"{prompt[:40]!r}" for prompt in around.drift.prompts)
    return Finding(value=around.drift.share, detail=aside(shown))


def _correlation(summary: Summary, around: Around, thresholds: Thresholds) -> Finding:
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
        return Finding(value=None)
    lit, _, worst, of = max(ruled, key=lambda item: item[:2])
    return Finding(value=worst.r, lit=lit, detail=_describe(of, worst))


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


def _useful_high(summary: Summary, around: Around, thresholds: Thresholds) -> Finding:
    means = [*(past.useful.mean for past in around.history), summary.useful.mean]
    last = [mean for mean in means if mean is not None][-LONG_HISTORY:]
    if len(last) < LONG_HISTORY or summary.useful.mean is None:
        return Finding(value=None)
    detail = say(f"(mean of the last {len(last)} rounds)", f"（最近 {len(last)} 轮的均值）")
    return Finding(value=fsum(last) / len(last), detail=detail)


def _often_lit(rounds: Sequence[Collection[str]], thresholds: Thresholds) -> Finding:
    last = rounds[-RECENT:]
    if len(last) < RECENT_NEEDED:
        return Finding(value=None)
    times = Counter(name for lit in last for name in set(lit) - _expected(thresholds))
    shares = {name: n / len(last) for name, n in times.items()}
    line = thresholds.lines["often_lit"].threshold
    often = (f"{name} {times[name]}/{len(last)}" for name in LINES if shares.get(name, 0.0) > line)
    return Finding(value=max(shares.values(), default=0.0), detail=aside(say(", ", "、").join(often)))


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


_MEASURES: dict[str, Measure] = {
    "few_cases": lambda summary, around, thresholds: Finding(value=summary.ret_ratio.n),
    "too_good": _of_both(max),
    "too_low": _of_both(min),
    "too_uniform": _fact("variance"),
    "correlation": _correlation,
    "few_trials": _fact("trials_min"),
    "errors": _errors,
    "mixed_models": _mixed_models,
    "drift": _drift,
    "null_agent": lambda summary, around, thresholds: Finding(value=around.null_agent),
    "useful_high": _useful_high,
    "useful_unchecked": _fact("useful_unchecked"),
    "useful_falls": useful_falls,
    "useful_weight": _fact("useful_weight"),
    "useful_unscored": lambda summary, around, thresholds: Finding(value=summary.useful.n),
    "jump": jump,
    "changed_set": changed_set,
    "unchanged_set": unchanged_set,
}
