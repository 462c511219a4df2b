"""How a case set is doing, for a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairtrial.report.terminal import interval, number
from fairtrial.report.words import Words
from fairtrial.schema.health import Age, CaseHealth, Health, Saturation, Trend
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_SHOWN = 8
"""Ids named of each kind; all of them are in the JSON document."""


def show_health(console: Console, found: Health) -> None:
    """The mix, what each case still tells, what that leaves of the set, and the trend."""
    console.print(_mix(found))
    for name, age in found.mix.items():
        _show_age(console, name, age)
    head = say(f"full rounds of {found.logs}: {found.rounds}", f"{found.logs} 中的 {found.rounds} 轮完整结果")
    console.print(Text(visible(head), style="bold"), soft_wrap=True)
    _show_cases(console, found.by_case)
    console.print(Words(_saturation(found.saturation)))
    _show_trend(console, found.trend)


def _mix(found: Health) -> Table:
    table = Table(box=None, header_style="dim")
    heads = say("set,cases,share,oldest,newest,window", "集合,用例,占比,最早,最晚,时限").split(",")
    for at, head in enumerate(heads):
        table.add_column(head, justify="right" if at in (1, 2, 5) else "left")
    for name, age in found.mix.items():
        days = say(f"{age.window_days} days", f"{age.window_days} 天") if age.window_days else "-"
        shown = name or say("none", "无")
        share = f"{age.cases / found.cases:.0%}"
        table.add_row(shown, str(age.cases), share, age.oldest or "-", age.newest or "-", days)
    return table


def _show_age(console: Console, name: str, age: Age) -> None:
    old = say(f"{name}, older than its window", f"{name}，超出时限")
    _named(console, old, age.old, "yellow")
    ahead = say(f"{name or 'none'}, dated in the future", f"{name or '无'}，日期在未来")
    _named(console, ahead, age.ahead, "yellow")
    if age.window_days:
        undated = say(f"{name}, without a day and so not known", f"{name}，没有日期，无从判断")
        _named(console, undated, age.undated, "yellow")


def _show_cases(console: Console, cases: Sequence[CaseHealth]) -> None:
    kinds = {
        "always": (say("always passed", "总是通过"), "yellow"),
        "never": (say("never passed", "从未通过"), "yellow"),
        "not known": (say("too little history", "历史太短，无从判断"), "dim"),
    }
    for passed, (head, style) in kinds.items():
        _named(console, head, [_counted(case) for case in cases if case.passed == passed], style)
    flips = sorted((case for case in cases if case.flips), key=lambda case: -case.flips / case.repeated)
    told = [f"{case.case} ({case.flips}/{case.repeated})" for case in flips]
    _named(console, say("rounds whose trials disagree", "同一轮内时对时错"), told, "")
    one = [f"{case.case}: {case.decided_by}" for case in cases if case.decided_by]
    _named(console, say("decided by one rule", "只由一条规则决定"), one, "")


def _counted(case: CaseHealth) -> str:
    """Its passes, and where shares of its rules moved all the same, between what."""
    span = f", {case.low:.2f}-{case.high:.2f}" if case.moves else ""
    return f"{case.case} ({case.passes}/{case.trials}{span})"


def _named(console: Console, head: str, names: Sequence[str], style: str) -> None:
    if names:
        shown = ", ".join(names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
        text = say(f"{head} ({len(names)}): {shown}", f"{head}（{len(names)}）：{shown}")
        console.print(Words(Text(visible(text), style=style)))


def _saturation(found: Saturation) -> Text:
    if found.share is None:
        text = say("saturation is not known: too little history", "饱和程度未知：历史太短")
        return Text(text, style="dim")
    text = say(
        f"saturation: {found.known - found.left} of {found.known} cases ({found.share:.0%}) no longer tell "
        f"anything; {found.left} are left",
        f"饱和：{found.known} 个用例中有 {found.known - found.left} 个（{found.share:.0%}）不再有区分度；"
        f"剩下 {found.left} 个",
    )
    if found.detectable is not None and found.of_whole is not None:
        points, whole = (f"{100 * value:.1f}" for value in (found.detectable, found.of_whole))
        text += say(
            f", which in {found.trials} trials show a difference of {points} points or more with a chance of "
            f"0.8: {whole} points of the whole set's figure",
            f"，重复 {found.trials} 次时有 0.8 的把握看出 {points} 个百分点以上的差异，"
            f"相当于整个问题集指标的 {whole} 个百分点",
        )
    return Text(text, style="bold")


def _show_trend(console: Console, trend: Trend) -> None:
    if trend.points:
        head = say(
            f"trend over the {trend.cases} cases that these rounds asked alike:",
            f"以下各轮所问相同的 {trend.cases} 个用例上的趋势：",
        )
        console.print(Text(head, style="bold"), soft_wrap=True)
        table = Table(box=None, header_style="dim")
        for name in say("round,total,ret_ratio", "轮次,total,ret_ratio").split(","):
            table.add_column(name, no_wrap=True)
        for point in trend.points:
            cells = [f"{number(of.mean)} {interval(of)}" for of in (point.total, point.ret_ratio)]
            table.add_row(point.run + ("" if point.same_scorer else "*"), *cells)
        console.print(table)
        if not all(point.same_scorer for point in trend.points):
            text = say(
                "* scored by another scorer than the latest: `fairtrial rescore` its log",
                "* 与最近一轮的评分器不同：请 `fairtrial rescore` 其日志",
            )
            console.print(Words(Text(text, style="yellow")))
    for left in trend.left_out:
        text = say(f"left out: {left.run}: {left.why}", f"未列入：{left.run}：{left.why}")
        console.print(Words(Text(visible(text), style="dim")))
