"""The figures and doubts of a round for a terminal, through Rich, which knows the width of Chinese."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairtrial.report.words import Words
from fairtrial.schema.evidence import Counts, Doubt, Estimate, Header, QuickOutcome, QuickVerdict, Summary
from fairtrial.schema.fingerprint import Fingerprint
from fairtrial.schema.look import Figures
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_STYLES = {
    "reliable": "bold green",
    "unreliable": "bold red",
    "quick": "bold yellow",
    "running": "bold yellow",
}


def show_summary(console: Console, header: Header, log: str) -> None:
    """The figures with their n and method, the lit doubts with what to do, and the verdict on the round."""
    console.print(_verdict(header))
    if header.summary is not None:
        console.print(figures(header.summary))
        console.print(Words(sessions(header.summary.counts), indent=2))
        if header.summary.pass_rates:
            console.print(Words(_pass_rates(header.summary), indent=2))
        if header.summary.tags:
            console.print()
            console.print(_tags(header.summary))
    if header.quick is not None:
        console.print()
        console.print(Words(_quick(header.quick)))
    if header.decision is not None:
        console.print()
        question = Text(visible(header.decision.question) + " ", style="bold")
        console.print(Words(question.append(visible(header.decision.meaning), style="not bold")))
    show_doubts(console, header.doubts)
    if header.fingerprint is not None:
        seal = say("fingerprint: ", "指纹：") + header.fingerprint.whole
        console.print(Text("  " + seal, style="dim"), soft_wrap=True)
    for note in header.notes:
        console.print(Text("  " + visible(note), style="dim"), soft_wrap=True)
    console.print(Text(say("log: ", "日志：") + visible(log), style="dim"), soft_wrap=True)


def show_fingerprint(console: Console, fingerprint: Fingerprint) -> None:
    """What the result depends on, part by part; what is not known is marked."""
    table = Table(box=None, header_style="dim")
    table.add_column(say("depends on", "取决于"), no_wrap=True)
    table.add_column(fingerprint.whole, overflow="fold")
    for name, part in fingerprint.parts.items():
        mark = "" if part.digest is not None else say("unknown: ", "未知：")
        table.add_row(name, Text(visible(mark + part.says), style="" if part.digest else "yellow"))
    console.print(table)


def _verdict(header: Header) -> Text:
    lit = [d.name for d in header.doubts if d.lit and d.forbids]
    words = {
        "reliable": say("reliable: no forbidding doubt line is lit", "可信：没有亮起禁止性的认错线"),
        "quick": say(
            "quick: finds an evident regression, shows no improvement", "快速回归：只找明显退化，不能证明进步"
        ),
        "running": say(
            "unfinished: `fairtrial run --resume` goes on with it", "未完成：用 `fairtrial run --resume` 继续"
        ),
        "unreliable": say(
            f"UNRELIABLE: these figures prove nothing ({', '.join(lit)})",
            f"UNRELIABLE：本轮不可信（{'，'.join(lit)}）",
        ),
    }
    return Text(words[header.status], style=_STYLES[header.status])


def _quick(verdict: QuickVerdict) -> Text:
    style = "bold red" if verdict.outcome is QuickOutcome.worse else "bold"
    text = Text(visible(verdict.meaning or verdict.outcome), style=style)
    if verdict.base is not None:
        base = visible(verdict.base)
        text.append(say(f"\n  compared with {base}", f"\n  对比的是 {base}"), style="not bold default")
    return text


def number(value: float | None, digits: int = 3) -> str:
    """A figure, or a dash where it is not known."""
    return "–" if value is None else f"{value:.{digits}f}"


def interval(estimate: Estimate) -> str:
    """The bounds of an estimate, or that it has none."""
    if estimate.low is None or estimate.high is None:
        return say("no interval", "无区间")
    return f"[{estimate.low:.3f}, {estimate.high:.3f}]"


def figures(summary: Summary | Figures) -> Table:
    """The figures with interval, n and method."""
    table = Table(box=None, pad_edge=True, header_style="dim")
    table.add_column("", no_wrap=True)
    table.add_column(say("mean", "均值"), justify="right", no_wrap=True)
    table.add_column(say("95 % interval", "95% 区间"), no_wrap=True)
    table.add_column(say("cases", "用例数"), justify="right")
    table.add_column(say("method", "方法"), overflow="fold")
    rows = [("total", summary.total), ("ret_ratio", summary.ret_ratio)]
    if summary.ret_ratio_all != summary.ret_ratio:
        rows.append((say("ret_ratio, unanswered as 0", "ret_ratio（未答按 0）"), summary.ret_ratio_all))
    rows.append(("useful", summary.useful))
    for name, estimate in rows:
        method = Text(estimate.method, style="dim")
        table.add_row(name, number(estimate.mean), interval(estimate), str(estimate.n), method)
    for k, value in summary.pass_hat_k.items():
        table.add_row(f"pass^{k}", number(value))
    return table


def sessions(counts: Counts) -> Text:
    """How many sessions were planned, scored, errored, and how those ended."""
    ended = {k: v for k, v in counts.by_status.items() if k != "completed" and v}
    detail = f" ({', '.join(f'{k} {v}' for k, v in ended.items())})" if ended else ""
    told = say(
        f"sessions: {counts.planned} planned, {counts.scored} scored, {counts.errored} errored{detail}",
        f"会话：计划 {counts.planned}，计分 {counts.scored}，出错 {counts.errored}{detail}",
    )
    return Text("\n".join([told, *(f"  {n} × {visible(cause)}" for cause, n in counts.causes.items())]))


def _pass_rates(summary: Summary) -> Text:
    """So that a case that always fails does not hide in a mean."""
    shown = say(", ", "，").join(f"{rate} × {cases}" for rate, cases in summary.pass_rates.items())
    return Text(say(f"trials passed × cases: {shown}", f"通过的重复 × 用例数：{shown}"))


def _tags(summary: Summary) -> Table:
    table = Table(box=None, header_style="dim", title_justify="left")
    table.add_column(say("tag", "标签"), overflow="fold")
    table.add_column("ret_ratio", justify="right")
    table.add_column(say("95 % interval", "95% 区间"))
    table.add_column(say("cases", "用例数"), justify="right")
    for tag, estimate in sorted(summary.tags.items(), key=lambda item: (item[1].mean or 0.0, item[0])):
        table.add_row(Text(visible(tag)), number(estimate.mean), interval(estimate), str(estimate.n))
    return table


def show_doubts(console: Console, doubts: Sequence[Doubt]) -> None:
    """After a blank line: lit lines with meaning and advice, how many are quiet, and those not judged."""
    if doubts:
        console.print()
    for doubt in doubts:
        if doubt.lit:
            value, threshold = _value(doubt.value), _value(doubt.threshold)
            head = Text.assemble(
                ("● ", "red" if doubt.forbids else "yellow"), (doubt.name, "bold"), f"  {value}"
            )
            head.append(say(f"  (line: {threshold})", f"（线：{threshold}）"), style="dim")
            console.print(head)
            advice = Text("→ " + doubt.advice, style="italic")
            console.print(Words(Text(visible(doubt.meaning)), indent=2), Words(advice, indent=2), sep="")
    quiet = sum(doubt.lit is False for doubt in doubts)
    told = [say(f"quiet: {quiet} lines", f"未亮：{quiet} 条")] if quiet else []
    if names := [doubt.name for doubt in doubts if doubt.lit is None]:
        told.append(say("not judged: ", "无法判断：") + ", ".join(names))
    if told:
        console.print(Words(Text(say("; ", "；").join(told), style="dim"), indent=2))


def _value(value: float | str | None) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "–" if value is None else str(value)
