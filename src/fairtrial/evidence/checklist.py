"""The credibility checklist: what a careful reader asks of any evaluation, answered from what is there."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.evidence.exhibit import Exhibit
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
_IDENTITY = ("duplicate_ids", "alike_ids", "clones", "trials_as_cases")
_FALSE_NUMBERS = ("non_finite", "out_of_range", "unreadable", "contradictions", "impossible", "claims")


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One exhibit, and the names of the lines that are lit."""

    exhibit: Exhibit
    lit: Collection[str]


Found = tuple[Answer, str, str]
"""The answer, what was found, and what would mend it ("" if nothing)."""


def checklist(exhibits: Sequence[Exhibit], lit: Collection[str]) -> tuple[Check, ...]:
    """Every check in the order of its table; of two results the worse answer stands, under its name."""
    return tuple(_worst(name, check, exhibits, lit) for name, check in _CHECKS.items())


_ORDER = (no, partly, unknown, yes)


def _worst(
    name: str, check: Callable[[Seen], Found], exhibits: Sequence[Exhibit], lit: Collection[str]
) -> Check:
    found = [(check(Seen(exhibit=one, lit=lit)), one.side.name) for one in exhibits]
    (answer, says, mend), of = min(found, key=lambda one: _ORDER.index(one[0][0]))
    if len({says for (_, says, _), _ in found}) > 1:
        says = f"{of}: {says}"
    return Check(name=name, answer=answer, says=says, mend="" if answer is yes else mend)


def _cases(seen: Seen) -> Found:
    summary = seen.exhibit.summary
    n = summary.ret_ratio.n if summary else 0
    answer = yes if n >= CASES_ENOUGH else partly if n >= CASES_NEEDED else no
    return (
        answer,
        say(f"{n} cases with a score", f"{n} 个用例有得分"),
        say(
            f"more cases: {CASES_ENOUGH} or more; `fairtrial power` says how many a difference needs",
            f"补充到 {CASES_ENOUGH} 个以上；`fairtrial power` 会算出看清某个差异需要多少",
        ),
    )


def _repeats(seen: Seen) -> Found:
    summary = seen.exhibit.summary
    mend = say(
        "run each case three times: `fairtrial run --trials 3`", "每个用例跑三次：`fairtrial run --trials 3`"
    )
    if summary is None:
        return unknown, say("no results to count them in", "没有可数的结果"), mend
    least, most = summary.facts.get("trials_min") or 0, summary.facts.get("trials_max") or 0
    answer = yes if least >= TRIALS_NEEDED else partly if most > 1 else no
    trials = f"{least}" if least == most else f"{least}–{most}"
    return answer, say(f"{trials} a case", f"每个用例 {trials} 次"), mend


def _interval(seen: Seen) -> Found:
    exhibit, summary = seen.exhibit, seen.exhibit.summary
    stated = exhibit.foreign is None or any("stderr" in name for name in exhibit.foreign.claims)
    mend = say("state the interval shown here with the figure", "公布数字时一并给出此处的区间")
    if summary is None:
        publish = say("publish the results case by case", "公布逐条结果")
        return (partly if stated else no), say("none can be reckoned", "无法计算"), publish
    ratio = summary.ret_ratio
    if ratio.low is None or ratio.high is None:
        return no, say("undetermined", "无法确定") + f" ({ratio.method})", say("more cases", "补充用例")
    text = f"[{ratio.low:.3f}, {ratio.high:.3f}] {ratio.method}"
    if stated:
        return yes, text, ""
    return partly, say("not stated; from its rows: ", "未给出；由结果可得：") + text, mend


def _fingerprint(seen: Seen) -> Found:
    parts = seen.exhibit.parts
    known = [part for part in _VITAL if part in parts and parts[part].digest is not None]
    missing = [part.value for part in _VITAL if part not in known]
    if not missing:
        return yes, say("all vital parts are told", "关键部分齐全"), ""
    mend = say(
        "publish these parts; a log of `fairtrial run` has them", "公布这些部分；`fairtrial run` 的日志里都有"
    )
    if seen.exhibit.foreign is None:
        mend = say(
            "docs/fingerprint.md says how each gets known", "各部分怎样得知，见 docs/fingerprint.zh.md"
        )
    lacks, told = ", ".join(missing), ", ".join(part.value for part in known)
    if not known:
        return no, say(f"nothing is told of {lacks}", f"未说明 {lacks}"), mend
    return partly, say(f"told: {told}; not: {lacks}", f"已说明：{told}；未说明：{lacks}"), mend


def _raw_output(seen: Seen) -> Found:
    foreign = seen.exhibit.foreign
    if foreign is None or foreign.raw_output:
        return yes, say("the agent's own words are there", "有 Agent 的原话"), ""
    return (
        no,
        say("scores only", "只有分数"),
        say(
            "publish what the agent answered, so that others can score it",
            "公布 Agent 的回答，让别人可以重新评分",
        ),
    )


def _rules(seen: Seen) -> Found:
    foreign = seen.exhibit.foreign
    if foreign is None or foreign.rules:
        return yes, say("each score shows its checks", "每个得分都列出所依据的检查"), ""
    return (
        no,
        say("not told what made a score", "未说明得分由何而来"),
        say("publish the checks and what each found", "公布判定规则及其逐条结果"),
    )


def _errors_apart(seen: Seen) -> Found:
    exhibit = seen.exhibit
    mend = say("give each session a status, and no score where it failed", "给每个会话写明状态；失败的不计分")
    if "errors_as_wrong" in seen.lit:
        return no, say("failed sessions are scored", "失败的会话被计了分"), mend
    if exhibit.foreign is None:
        return yes, say("a failed session has no score", "失败的会话不计分"), ""
    failed = int((~exhibit.side.completed).sum())
    if failed:
        return yes, say(f"{failed} failed sessions stand apart", f"{failed} 个失败的会话已单列"), ""
    return unknown, say("no failed session is shown", "没有列出失败的会话"), mend


def _identity(seen: Seen) -> Found:
    wrong = [name for name in _IDENTITY if name in seen.lit]
    if wrong:
        return no, ", ".join(wrong), say("one id for one case", "一个用例只用一个编号")
    if not seen.exhibit.side.ids:
        return unknown, say("no cases are shown", "没有列出用例"), say("publish them by id", "按编号公布")
    return yes, say("one id for one case", "一个用例一个编号"), ""


def _clusters(seen: Seen) -> Found:
    side = seen.exhibit.side
    mend = say("name the source or template of each case in `cluster`", "用 `cluster` 标明用例的来源或模板")
    if not (side.cluster >= 0).any():
        return unknown, say("not told which cases are related", "未说明哪些用例同源"), mend
    count = len(np.unique(side.cluster[side.cluster >= 0]))
    return yes, say(f"{count} clusters are named", f"已标明 {count} 簇"), ""


def _denominator(seen: Seen) -> Found:
    exhibit = seen.exhibit
    mend = say(
        "count a missing or failed case as 0 beside the plain figure", "另给一个把缺失与失败按 0 计的数字"
    )
    if wrong := [name for name in ("missing_cases", "dropped_rows", "errors") if name in seen.lit]:
        return no, ", ".join(wrong), mend
    if not exhibit.planned:
        return unknown, say("not told how many were planned", "未说明计划数"), mend
    return yes, say(f"{exhibit.planned} planned, all there", f"计划 {exhibit.planned}，全部在列"), ""


def _figures(seen: Seen) -> Found:
    if wrong := [name for name in _FALSE_NUMBERS if name in seen.lit]:
        return no, ", ".join(wrong), say("recompute from the results", "由结果重算")
    exhibit = seen.exhibit
    if exhibit.foreign is not None and exhibit.foreign.claims and not exhibit.side.ids:
        return (
            partly,
            say("stated, and nothing to reckon them from", "只有声称，无从验算"),
            say("publish the results case by case", "公布逐条结果"),
        )
    return yes, say("they follow from the results", "与结果相符"), ""


def _scorer(seen: Seen) -> Found:
    mend = say(
        "check the scorer on golden samples: `fairtrial mark`, `fairtrial check`",
        "用金标准样本检验评分器：`fairtrial mark`、`fairtrial check`",
    )
    if seen.exhibit.header is None:
        return unknown, say("not told whether anyone checked it", "未说明是否检验过"), mend
    agreed = seen.exhibit.header.config.get("golden_agreed") or 0
    if not agreed:
        return no, say("no golden samples", "没有金标准样本"), mend
    return yes, say(f"agrees with {agreed} golden samples", f"与 {agreed} 个金标准样本一致"), ""


def _judge(seen: Seen) -> Found:
    part = seen.exhibit.parts.get(PartName.judge)
    mend = say(
        "compare the judge with 30 labels by people or more, and state kappa with its interval",
        "与 30 条以上人工标注对比，给出 kappa 及其区间",
    )
    if seen.exhibit.foreign is None:
        return yes, say("no judge: rules score", "没有裁判：由规则评分"), ""
    if part is not None and part.digest is not None:
        return no, say(f"a judge scores, uncalibrated: {part.says}", f"由裁判评分，未校准：{part.says}"), mend
    return unknown, say("not told whether a judge scored", "未说明是否由裁判评分"), mend


def _examiner(seen: Seen) -> Found:
    header = seen.exhibit.header
    mend = say(
        "examine the agent in another process or behind an address", "让 Agent 在另一个进程或地址后面受测"
    )
    if header is None:
        return (
            unknown,
            say("not told who ran it", "未说明由谁测评"),
            say("have it run by somebody who gains nothing from it", "请无利害关系的人来跑"),
        )
    if header.config.get("in_process"):
        return (
            partly,
            say("the agent ran in the examiner's own process", "Agent 在考官自己的进程里运行"),
            mend,
        )
    if header.mode == "import":
        return unknown, say("imported from another tool", "由别的工具导入"), mend
    return yes, say("the agent ran apart from the examiner", "Agent 与考官分开运行"), ""


def _holdout(seen: Seen) -> Found:
    return (
        unknown,
        say("not told whether cases were kept aside", "未说明是否留有未用过的用例"),
        say("keep cases that nobody tunes on, and ask them seldom", "留一部分没人用来调优的用例，少问"),
    )


_CHECKS: dict[str, Callable[[Seen], Found]] = {
    "cases": _cases,
    "repeats": _repeats,
    "interval": _interval,
    "figures": _figures,
    "denominator": _denominator,
    "errors_apart": _errors_apart,
    "case_identity": _identity,
    "clusters": _clusters,
    "checks_visible": _rules,
    "raw_output": _raw_output,
    "fingerprint": _fingerprint,
    "scorer_checked": _scorer,
    "judge_calibrated": _judge,
    "examiner_apart": _examiner,
    "holdout": _holdout,
}
