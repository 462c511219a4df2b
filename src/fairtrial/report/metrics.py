"""The metrics of a log for a terminal: figures, what was not judged, and the sessions to look at."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from fairtrial.report.terminal import number
from fairtrial.report.words import Words
from fairtrial.schema.evidence import Estimate
from fairtrial.schema.metrics import Measured, Metric, Metrics, NotJudged, Share
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_NAMES: dict[Metric, tuple[str, str]] = {
    Metric.task_completion: ("task completion", "任务完成率"),
    Metric.pass_hat_k: ("pass^k", "pass^k"),
    Metric.state_updated: ("state updated rightly", "状态更新正确率"),
    Metric.tool_effectiveness: ("tool-call effectiveness", "工具调用有效率"),
    Metric.useless_calls: ("useless calls", "无效调用率"),
    Metric.failure_recovery: ("failure recovery", "失败恢复率"),
    Metric.key_information: ("key information", "关键信息覆盖率"),
    Metric.memory_retention: ("memory retention", "多轮记忆保持率"),
    Metric.steps: ("calls / least needed", "调用数 / 最少所需"),
    Metric.latency: ("seconds a reply", "每条回复秒数"),
    Metric.first_token: ("seconds to first token", "首个词元秒数"),
    Metric.input_tokens: ("input tokens a session", "每会话输入词元"),
    Metric.output_tokens: ("output tokens a session", "每会话输出词元"),
    Metric.cost: ("cost a session", "每会话费用"),
}
_REASONS: dict[NotJudged, tuple[str, str]] = {
    NotJudged.not_completed: ("did not complete", "会话未完成"),
    NotJudged.no_score: ("no score", "没有得分"),
    NotJudged.case_at_fault: ("the case is at fault", "用例有误"),
    NotJudged.no_rule: ("no state or claim rule", "没有 state 或 claim 规则"),
    NotJudged.no_call: ("no call", "没有调用"),
    NotJudged.no_result: ("result not told", "未给出结果"),
    NotJudged.failed: ("call failed", "调用失败"),
    NotJudged.nothing_to_use: ("nothing to use in the result", "结果中没有可用的内容"),
    NotJudged.no_failure: ("no failed call", "没有失败的调用"),
    NotJudged.no_key_facts: ("no key information", "没有关键信息"),
    NotJudged.no_fact: ("nothing to remember", "没有需要记住的信息"),
    NotJudged.neither: ("neither used nor lost", "既没用到也没丢失"),
    NotJudged.goal_not_reached: ("goal not reached", "未达成目标"),
    NotJudged.no_least: ("least not known", "最少次数未知"),
    NotJudged.untold: ("not told", "未给出"),
}
_FEW = 3
"""Sessions named of a metric unless all are asked for."""


def show_metrics(console: Console, found: Metrics, *, everything: bool) -> None:
    """One line a metric; retention by distance; sessions against each; with `everything` all, and buckets."""
    console.print(_figures(found))
    for line in (*_beside(found), *_not_judged(found)):
        console.print(Words(Text(line, style="dim"), indent=2))
    far = say("memory retention, turns apart", "多轮记忆保持率，相隔轮数")
    for kind, title in (("distance", far), ("k", "pass^k")):
        parts = [(metric, part) for metric in found.metrics for part in metric.buckets if part.kind == kind]
        if parts:
            console.print()
            console.print(_parts(title, [(metric, part, part.name) for metric, part in parts]))
    for metric in found.metrics:
        if metric.against and metric.name is not Metric.pass_hat_k:
            _show_against(console, metric, len(metric.against) if everything else _FEW)
    if everything:
        _show_buckets(console, found.metrics)


def _figures(found: Metrics) -> Table:
    table = Table(box=None, header_style="dim")
    title = say(f"metric ({found.sessions} sessions)", f"指标（{found.sessions} 个会话）")
    table.add_column(title, no_wrap=True)
    table.add_column(say("mean", "均值"), justify="right", no_wrap=True)
    table.add_column(say("95 % interval", "95% 区间"), no_wrap=True)
    table.add_column(say("judged", "已判定"), justify="right")
    table.add_column(say("cases", "用例数"), justify="right")
    for metric in found.metrics:
        mean, interval = _of(metric, metric.estimate)
        table.add_row(_name(metric), mean, interval, str(metric.counted), str(metric.estimate.n))
    return table


def _not_judged(found: Metrics) -> Iterator[str]:
    for metric in found.metrics:
        if metric.not_judged and metric.name is not Metric.pass_hat_k:
            why = (f"{say(*_REASONS[reason])} {n}" for reason, n in metric.not_judged.items())
            told = say(", ", "，").join(why)
            yield say(f"not judged, {_name(metric)}: {told}", f"未判定（{_name(metric)}）：{told}")


def _name(metric: Measured) -> str:
    if metric.name is Metric.pass_hat_k and metric.details["k"] is not None:
        return f"pass^{metric.details['k']}"
    return say(*_NAMES[metric.name])


def _of(metric: Measured, estimate: Estimate) -> tuple[str, str]:
    digits = {"tokens": 0, "money": 5}.get(metric.unit, 3)
    if estimate.low is None or estimate.high is None:
        return number(estimate.mean, digits), say("no interval", "无区间")
    low, high = number(estimate.low, digits), number(estimate.high, digits)
    return number(estimate.mean, digits), f"[{low}, {high}]"


def _beside(found: Metrics) -> Iterator[str]:
    """What stands beside the figures, where there is anything to say."""
    for metric in found.metrics:
        d = metric.details
        match metric.name:
            case Metric.task_completion if d["marked"]:
                yield say(
                    f"read by people: {d['marked']}; the rules agree in {d['agreed']} of {d['compared']}",
                    f"人工看过 {d['marked']} 个；可比的 {d['compared']} 个中 {d['agreed']} 个与规则一致",
                )
            case Metric.tool_effectiveness if any(d.values()):
                yield say(
                    f"calls: {d['failed']} failed, {d['empty']} brought nothing, {d['repeated']} repeated",
                    f"调用：失败 {d['failed']}，结果为空 {d['empty']}，重复 {d['repeated']}",
                )
            case Metric.steps if d["least_from_rules"]:
                yield say(
                    f"least number of calls from the rules, a lower bound: {d['least_from_rules']} sessions",
                    f"最少次数由规则推出，只是下界：{d['least_from_rules']} 个会话",
                )
            case Metric.latency | Metric.first_token if d["p50"] is not None:
                yield f"{_name(metric)}: p50 {number(d['p50'])}, p95 {number(d['p95'])}"
            case Metric.input_tokens | Metric.output_tokens | Metric.cost if d["total_known"] is not None:
                known = say("in all, as far as known", "合计（已知部分）")
                yield f"{_name(metric)}: {known} {d['total_known']:g}"


def _parts(title: str, parts: Iterable[tuple[Measured, Share, str]]) -> Table:
    table = Table(box=None, header_style="dim")
    table.add_column(title, overflow="fold")
    table.add_column(say("mean", "均值"), justify="right", no_wrap=True)
    table.add_column(say("95 % interval", "95% 区间"), no_wrap=True)
    table.add_column(say("cases", "用例数"), justify="right")
    for metric, part, name in parts:
        table.add_row(Text(visible(name)), *_of(metric, part.estimate), str(part.estimate.n))
    return table


def _show_against(console: Console, metric: Measured, most: int) -> None:
    title = say(f"against {_name(metric)}", f"不利于“{_name(metric)}”的会话")
    console.print()
    console.print(Rule(Text(f"{title} ({len(metric.against)})", style="bold"), align="left", style="dim"))
    for one in metric.against[:most]:
        trial = say(f"trial {one.trial + 1}", f"第 {one.trial + 1} 次")
        head = Text.assemble((visible(one.case), "bold"), f"  {trial}  ", (visible(one.why), "dim"))
        console.print(Words(head, indent=2))
    if len(metric.against) > most:
        more = len(metric.against) - most
        console.print(Text(say(f"  … {more} more: --all", f"  … 还有 {more} 个：--all"), style="dim"))


def _show_buckets(console: Console, metrics: Sequence[Measured]) -> None:
    for metric in metrics:
        parts = [part for part in metric.buckets if part.kind not in ("distance", "k")]
        if parts:
            console.print()
            named = [(metric, part, f"{part.kind}: {part.name}") for part in parts]
            console.print(_parts(_name(metric), named))
