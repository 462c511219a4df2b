"""The lines on what changed since the last round: its figures, and the set that they stand on."""

from itertools import takewhile
from typing import Literal

from fairtrial.evidence.around import Around, Finding, aside
from fairtrial.evidence.since import Moved
from fairtrial.evidence.thresholds import Thresholds
from fairtrial.records.fingerprint import changed_parts
from fairtrial.schema.evidence import Summary
from fairtrial.schema.fingerprint import PartName
from fairtrial.text.language import say


def useful_falls(summary: Summary, around: Around, thresholds: Thresholds) -> Finding:
    """Whether ret_ratio rose while useful fell."""
    rise = _change(summary, around, thresholds, "ret_ratio")
    fall = _change(summary, around, thresholds, "useful")
    if rise is None or fall is None:
        return Finding(value=None)
    margin = thresholds.lines["useful_falls"].threshold
    detail = aside(say(", ", "，").join((f"ret_ratio {rise:+.3f}", f"useful {fall:+.3f}")))
    return Finding(value=-fall, lit=rise > margin and -fall > margin, detail=detail)


def jump(summary: Summary, around: Around, thresholds: Thresholds) -> Finding:
    """How far ret_ratio is from that of the last round.

    In an edited set over the cases that stayed as they were, and over all that were there before: the larger
    counts. A wrong edit of a rule is just what a jump may come from, so edited cases are not let off. New
    ones are.
    """
    change = _change(summary, around, thresholds, "ret_ratio")
    kept, on_zh, on_en = change, "", ""
    if _edited(around) and (found := around.since) and found.kept:
        kept, n = _enough(found.kept, thresholds), found.kept.cases
        alone = say("not known", "未知") if change is None else f"{change:+.3f}"
        on_en = f" on {n} cases of before, {found.edited} of them edited; on the unchanged ones {alone}"
        on_zh = f"，原有 {n} 个用例，其中改动过 {found.edited} 个；未改动的用例上 {alone}"
    if kept is None:
        return Finding(value=None)
    run, since = around.history[-1].run, _changed_since(around)
    detail = say(
        f"(ret_ratio {kept:+.3f} against {run}{on_en}{since})",
        f"（ret_ratio {kept:+.3f}，对比 {run}{on_zh}{since}）",
    )
    return Finding(value=max(abs(kept), abs(change or 0.0)), detail=detail)


def changed_set(summary: Summary, around: Around, thresholds: Thresholds) -> Finding:
    """Which share of the set is not what the last round asked."""
    if not around.history or not around.set_digest:
        return Finding(value=None)
    if not _edited(around):
        return Finding(value=0.0)
    found = around.since
    if found is None:
        return Finding(value=None)
    same, edited = found.same, found.edited
    new, gone = (side - same - edited for side in (found.now, found.then))
    detail = say(
        f"({same} cases the same, {edited} edited, {new} new, {gone} gone)",
        f"（用例：未变 {same}，改动 {edited}，新增 {new}，去掉 {gone}）",
    )
    return Finding(value=found.changed, detail=detail)


def unchanged_set(summary: Summary, around: Around, thresholds: Thresholds) -> Finding:
    """In how many rounds, this one included, the set was the same."""
    if not around.history or not around.set_digest:
        return Finding(value=None)
    before = takewhile(lambda past: past.set_digest == around.set_digest, reversed(around.history))
    rounds = 1 + sum(1 for _ in before)
    # A regression set is there to stay.
    return Finding(value=rounds, lit=False if thresholds.preset == "regression" else None)


def _edited(around: Around) -> bool:
    """Whether the set kept its name, and yet is not what it was in the last round."""
    now = around.set_digest
    return bool(around.history and now and now != around.history[-1].set_digest)


def _change(
    summary: Summary, around: Around, thresholds: Thresholds, figure: Literal["ret_ratio", "useful"]
) -> float | None:
    """How a figure moved since the last round; in an edited set on the cases that stayed as they were."""
    if _edited(around):
        return _enough(getattr(around.since, figure, None), thresholds)
    if not around.history:
        return None
    now, before = getattr(summary, figure).mean, getattr(around.history[-1], figure).mean
    return None if now is None or before is None else float(now - before)


def _enough(moved: Moved | None, thresholds: Thresholds) -> float | None:
    """The change of a figure over as many cases as a round needs, None over fewer."""
    few = thresholds.lines["few_cases"].threshold
    return None if moved is None or moved.cases < few else moved.change


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
