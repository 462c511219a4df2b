"""The credibility checklist: what a careful reader asks of any evaluation, answered from what is there."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.evidence.exhibit import Exhibit
from fairtrial.evidence.practised import told
from fairtrial.schema.audit import Answer, Check
from fairtrial.schema.fingerprint import PartName
from fairtrial.text.language import say

TRIALS_NEEDED = 3
CASES_ENOUGH, CASES_NEEDED = 100, 20
_VITAL = (
    PartName.model,
    PartName.prompt,
    PartName.sampling,
    PartName.tools,
    PartName.agent,
    PartName.cases,
    PartName.scorer,
)
"""Parts without which a result cannot be had again."""

yes, partly, no, unknown = Answer.yes, Answer.partly, Answer.no, Answer.unknown
_ORDER = (no, partly, unknown, yes)
_IDENTITY = ("duplicate_ids", "alike_ids", "clones", "trials_as_cases")
_FALSE_NUMBERS = ("non_finite", "out_of_range", "unreadable", "contradictions", "impossible", "claims")
_DENOMINATOR = ("missing_cases", "dropped_rows", "errors")

Found = tuple[Answer, str]
"""The answer, and what was found."""


@dataclass(frozen=True)
class _Check:
    """How a check is answered of one result, what would mend it, and the lines that answer it with no."""

    answer: Callable[[Exhibit], Found]
    mend_en: str
    mend_zh: str
    lines: Collection[str]


def _mended(en: str, zh: str, lines: Collection[str] = ()) -> Callable[[Callable[[Exhibit], Found]], _Check]:
    return lambda answer: _Check(answer, en, zh, lines)


def checklist(exhibits: Sequence[Exhibit], lit: Collection[str]) -> tuple[Check, ...]:
    """Every check in the order of its table; of two results the worse answer stands, under its name."""
    return tuple(_checked(name, check, exhibits, lit) for name, check in _CHECKS.items())


def _checked(name: str, check: _Check, exhibits: Sequence[Exhibit], lit: Collection[str]) -> Check:
    if wrong := ", ".join(line for line in check.lines if line in lit):
        answer, says = no, wrong
    else:
        answer, says = _worst([(*check.answer(one), one.side.name) for one in exhibits])
    mend = "" if answer is yes else say(check.mend_en, check.mend_zh)
    return Check(name=name, answer=answer, says=says, mend=mend)


def _worst(found: Sequence[tuple[Answer, str, str]]) -> Found:
    answer, says, of = min(found, key=lambda one: _ORDER.index(one[0]))
    return answer, f"{of}: {says}" if any(other != says for _, other, _ in found) else says


@_mended(
    f"add cases, to {CASES_ENOUGH} or more; `fairtrial power` says how many a difference needs",
    f"补充到 {CASES_ENOUGH} 个以上；要看清某个差异需要多少，用 `fairtrial power` 计算",
)
def _cases(exhibit: Exhibit) -> Found:
    n = exhibit.summary.ret_ratio.n if exhibit.summary else 0
    answer = yes if n >= CASES_ENOUGH else partly if n >= CASES_NEEDED else no
    return answer, say(f"{n} cases with a score", f"{n} 个用例有得分")


@_mended(
    "run each case three times: `fairtrial run --trials 3`", "每个用例跑三次：`fairtrial run --trials 3`"
)
def _repeats(exhibit: Exhibit) -> Found:
    if exhibit.summary is None:
        return unknown, say("no results to count them in", "没有可数的结果")
    facts = exhibit.summary.facts
    least, most = facts.get("trials_min") or 0, facts.get("trials_max") or 0
    answer = yes if least >= TRIALS_NEEDED else partly if most > 1 else no
    trials = f"{least}" if least == most else f"{least}–{most}"
    return answer, say(f"{trials} a case", f"每个用例 {trials} 次")


@_mended(
    "state the interval of a whole round with the figure, and publish the results case by case",
    "公布数字时给出完整一轮的区间，并公布逐条结果",
)
def _interval(exhibit: Exhibit) -> Found:
    foreign = exhibit.foreign
    stated = foreign is None or any("stderr" in name for name in foreign.claims)
    if exhibit.summary is None:
        return (partly if stated else no), say("none can be reckoned", "无法计算")
    ratio = exhibit.summary.ret_ratio
    if ratio.low is None or ratio.high is None:
        return no, say(f"none: {ratio.method}", f"无区间：{ratio.method}")
    text = f"[{ratio.low:.3f}, {ratio.high:.3f}] {ratio.method}"
    if not stated:
        return partly, say(f"not stated; from its rows: {text}", f"未给出；由结果可得：{text}")
    if exhibit.stopped_early:
        return partly, say(
            f"{text}, but the round stopped when it was decided: that moves its mean",
            f"{text}，但这一轮一有定论就停了：均值因此有偏",
        )
    return yes, text


@_mended(
    "recompute from the results, and publish them case by case", "由结果重算，并公布逐条结果", _FALSE_NUMBERS
)
def _figures(exhibit: Exhibit) -> Found:
    if not exhibit.side.ids:
        return partly, say("nothing to reckon them from", "无从验算")
    return yes, say("they follow from the results", "与结果相符")


@_mended(
    "say how many were planned; count a missing or failed case as 0 beside the plain figure",
    "写明计划数；并另给一个把缺失与失败按 0 计的数字",
    _DENOMINATOR,
)
def _denominator(exhibit: Exhibit) -> Found:
    planned, there = exhibit.planned, len(exhibit.side.case)
    if not planned:
        return unknown, say("not told how many were planned", "未说明计划数")
    if there < planned:
        return partly, say(f"{there} of {planned} planned are there", f"计划 {planned}，有 {there}")
    return yes, say(f"{planned} planned, all there", f"计划 {planned}，全部在列")


@_mended(
    "give each session a status, and no score where it failed",
    "给每个会话写明状态；失败的不计分",
    ("errors_as_wrong",),
)
def _errors_apart(exhibit: Exhibit) -> Found:
    if exhibit.foreign is None:
        return yes, say("a failed session has no score", "失败的会话不计分")
    if failed := int((~exhibit.side.completed).sum()):
        return yes, say(f"{failed} failed sessions stand apart", f"{failed} 个失败的会话已单列")
    return unknown, say("no failed session is shown", "没有列出失败的会话")


@_mended("publish the cases, each under one id of its own", "公布用例，一个用例只用一个编号", _IDENTITY)
def _identity(exhibit: Exhibit) -> Found:
    if not exhibit.side.ids:
        return unknown, say("no cases are shown", "没有列出用例")
    return yes, say("one id for one case", "一个用例一个编号")


@_mended("name the source or template of each case in `cluster`", "用 `cluster` 标明用例的来源或模板")
def _clusters(exhibit: Exhibit) -> Found:
    named = exhibit.side.cluster[exhibit.side.cluster >= 0]
    if not len(named):
        return unknown, say("not told which cases are related", "未说明哪些用例同源")
    count, cases = len(np.unique(named)), len(named)
    return yes, say(f"{cases} cases are in {count} named clusters", f"{cases} 个用例标明在 {count} 簇里")


@_mended("publish the checks and what each found", "公布判定规则及其逐条结果")
def _checks_visible(exhibit: Exhibit) -> Found:
    if exhibit.foreign is None or exhibit.foreign.rules:
        return yes, say("each score shows its checks", "每个得分都列出所依据的检查")
    return no, say("not told what made a score", "未说明得分由何而来")


@_mended(
    "publish what the agent answered, so that others can score it", "公布 Agent 的回答，让别人可以重新评分"
)
def _raw_output(exhibit: Exhibit) -> Found:
    if exhibit.foreign is None or exhibit.foreign.raw_output:
        return yes, say("the agent's own words are there", "有 Agent 的原话")
    return no, say("scores only", "只有分数")


@_mended(
    "publish these parts; docs/fingerprint.md says how each gets known",
    "公布这些部分；各部分怎样得知，见 docs/fingerprint.zh.md",
)
def _fingerprint(exhibit: Exhibit) -> Found:
    told = {name for name, part in exhibit.fingerprint.parts.items() if part.digest is not None}
    known = ", ".join(part for part in _VITAL if part in told)
    lacks = ", ".join(part for part in _VITAL if part not in told)
    if not lacks:
        return yes, say("all vital parts are told", "关键部分齐全")
    if not known:
        return no, say(f"nothing is told of {lacks}", f"未说明 {lacks}")
    return partly, say(f"told: {known}; not: {lacks}", f"已说明：{known}；未说明：{lacks}")


@_mended(
    "check the scorer on golden samples: `fairtrial mark`, `fairtrial check`",
    "用金标准样本检验评分器：`fairtrial mark`、`fairtrial check`",
)
def _scorer_checked(exhibit: Exhibit) -> Found:
    if exhibit.header is None:
        return unknown, say("not told whether anyone checked it", "未说明是否检验过")
    if agreed := exhibit.header.config.get("golden_agreed"):
        return yes, say(f"agrees with {agreed} golden samples", f"与 {agreed} 个金标准样本一致")
    return no, say("no golden samples", "没有金标准样本")


@_mended(
    "compare the judge with 30 labels by people or more, and state kappa with its interval",
    "与 30 条以上人工标注对比，给出 kappa 及其区间",
)
def _judge_calibrated(exhibit: Exhibit) -> Found:
    part = exhibit.fingerprint.parts.get(PartName.judge)
    if exhibit.foreign is None:
        return yes, say("no judge: rules score", "没有裁判：由规则评分")
    if part is not None and part.digest is not None:
        return no, say(f"a judge scores, uncalibrated: {part.says}", f"由裁判评分，未校准：{part.says}")
    return unknown, say("not told whether a judge scored", "未说明是否由裁判评分")


@_mended(
    "examine it in another process or behind an address, by somebody who gains nothing from it",
    "让 Agent 在另一个进程或地址后面受测，并由无利害关系的人来跑",
)
def _examiner_apart(exhibit: Exhibit) -> Found:
    inside = exhibit.header.config.get("in_process") if exhibit.header else None
    if inside is None:
        return unknown, say("not told who ran it", "未说明由谁测评")
    if inside:
        return partly, say("the agent ran in the examiner's own process", "Agent 在考官自己的进程里运行")
    return yes, say("the agent ran apart from the examiner", "Agent 与考官分开运行")


@_mended(
    "keep cases that nobody tunes on, and look at them seldom: `fairtrial seal draw`, `seal look`",
    "留一部分没人用来调优的用例，少看：`fairtrial seal draw`、`seal look`",
)
def _holdout(exhibit: Exhibit) -> Found:
    if exhibit.looks is None:
        return unknown, say("not told whether cases were kept aside", "未说明是否留有未用过的用例")
    last = next((look for look in reversed(exhibit.looks) if look.figures is not None), None)
    if last is None or last.figures is None:
        return no, say("a ledger, and no look of this agent in it", "有账本，但其中没有对这个 Agent 的查看")
    ratio = last.figures.ret_ratio
    found = f"{last.slice} {last.look}/{last.budget}: "
    found += f"ret_ratio {ratio.mean:.3f} [{ratio.low:.3f}, {ratio.high:.3f}]"
    found += say(f", {ratio.n} cases", f"，{ratio.n} 个用例")
    lit = [told(line) for line in last.practised if line.lit]
    answer = no if lit else yes if last.status == "reliable" else partly
    return answer, say("; ", "；").join(
        [found, *(lit or [f"{line.name}: {told(line)}" for line in last.practised])]
    )


_CHECKS = {
    "cases": _cases,
    "repeats": _repeats,
    "interval": _interval,
    "figures": _figures,
    "denominator": _denominator,
    "errors_apart": _errors_apart,
    "case_identity": _identity,
    "clusters": _clusters,
    "checks_visible": _checks_visible,
    "raw_output": _raw_output,
    "fingerprint": _fingerprint,
    "scorer_checked": _scorer_checked,
    "judge_calibrated": _judge_calibrated,
    "examiner_apart": _examiner_apart,
    "holdout": _holdout,
}
