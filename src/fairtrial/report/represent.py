"""A case set beside live dialogues, for a terminal and as a document."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairtrial.report.documents import Document, plainly
from fairtrial.report.terminal import number
from fairtrial.report.words import Words
from fairtrial.schema.represent import Figure, Gap, Outcomes, Representation, Sampled, Unlike
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_WORD = {
    True: ("represents", "bold green"),
    False: ("apart", "bold red"),
    None: ("unknown", "bold yellow"),
}
_TRAITS = {
    "length": ("words or letters a turn", "每轮字词数"),
    "turns": ("turns", "轮数"),
    "typo": ("typos", "错别字"),
    "colloquial": ("colloquial", "口语"),
    "emotion": ("emotion", "情绪"),
    "question": ("questions", "疑问"),
    "request": ("requests", "祈使"),
    "narrative": ("narrative", "叙述"),
    "several": ("several questions at once", "一次多问"),
    "order_number": ("an order's number", "给出单号"),
    "mixed": ("two languages mixed", "中英夹杂"),
    "emoji": ("emoji", "表情"),
    "full_width": ("full-width letters", "全角字符"),
    "chinese": ("in Chinese", "用中文"),
    "unlike": ("like nothing in the set", "集内无相近用例"),
}


def representation_document(found: Representation) -> Document:
    """What `cases represent` prints."""
    return {"status": _WORD[found.represents][0], **plainly(found)}


def show_representation(console: Console, found: Representation) -> None:
    """The verdict, the traits, what is like no case, and what became of it online."""
    console.print(Words(Text(visible(found.meaning), style=_WORD[found.represents][1])))
    about = say(
        f"{found.cases} cases in {found.clusters} clusters; {found.dialogues} dialogues, {found.silent} of "
        f"them without a word of the user, {found.measured} measured",
        f"{found.cases} 个用例，{found.clusters} 个簇；{found.dialogues} 段对话，其中 {found.silent} 段用户"
        f"没有发言，考察了 {found.measured} 段",
    )
    console.print(Words(Text(about, style="dim")))
    if found.gaps:
        console.print(_gaps(found.gaps))
    if found.unlike:
        console.print()
        console.print(Text(say("dialogues that no case is like", "集内没有相近用例的对话"), style="bold"))
        for one in found.unlike:
            console.print(Words(_unlike(one), indent=2))
    if found.outcomes is not None:
        console.print()
        _show_outcomes(console, found.outcomes)
    if found.sampled is not None:
        console.print(Words(Text(_sampled(found.sampled))))
    for note in found.notes:
        console.print(Words(Text(visible(note), style="dim")))


def _gaps(gaps: Sequence[Gap]) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column(say("trait", "特征"), overflow="fold")
    for name in (
        say("cases", "用例"),
        say("live", "线上"),
        say("difference", "差异"),
        "p",
        say("effect", "效应"),
    ):
        table.add_column(name, justify="right", no_wrap=True)
    for gap in gaps:
        mark, style = {True: ("✗", "red"), False: ("·", "dim"), None: ("?", "dim")}[gap.apart]
        told = _TRAITS.get(gap.trait)
        name = say(*told) if told else visible(gap.trait)
        p = "—" if gap.p is None else "<0.001" if gap.p < 0.001 else f"{gap.p:.3f}"
        sides = (number(side, 3 if gap.unit == "share" else 1) for side in (gap.cases, gap.live))
        table.add_row(Text(mark, style=style), Text(name), *sides, _difference(gap), p, number(gap.effect, 2))
    return table


def _difference(gap: Gap) -> str:
    sign, form = ("×", ".2f") if gap.unit == "ratio" else ("", "+.3f")
    whole = f"{sign}{gap.difference:{form}}"
    if gap.low is None or gap.high is None:
        return whole
    return f"{whole} [{gap.low:{form}}, {gap.high:{form}}]"


def _unlike(one: Unlike) -> Text:
    text = Text(visible(f"{one.dialogue}: {one.text}"))
    near = say(
        f"  (nearest: {one.nearest}, {one.likeness:.2f})", f"（最近：{one.nearest}，{one.likeness:.2f}）"
    )
    return text.append(visible(near), style="dim")


def _show_outcomes(console: Console, found: Outcomes) -> None:
    head = say(
        f"offline {_figure(found.offline)} ({visible(found.log)}); in the live mix {_figure(found.mixed)}, "
        f"of which it knows {found.covered:.0%}",
        f"线下 {_figure(found.offline)}（{visible(found.log)}）；按线上构成加权 {_figure(found.mixed)}，"
        f"覆盖其中 {found.covered:.0%}",
    )
    console.print(Words(Text(head, style="bold")))
    for one in found.online:
        told = f"{one.mark} {_figure(one.figure)}"
        if one.difference is not None:
            ends = "" if one.low is None or one.high is None else f" [{one.low:+.3f}, {one.high:+.3f}]"
            told += say(
                f"; offline less online {one.difference:+.3f}{ends}",
                f"；线下减线上 {one.difference:+.3f}{ends}",
            )
        console.print(Words(Text(told, style="red" if one.apart else ""), indent=2))
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column(say("task type", "任务类型"), no_wrap=True)
    for name in (say("live share", "线上占比"), say("offline", "线下"), "resolved", "satisfied"):
        table.add_column(name, justify="right", no_wrap=True)
    for each in found.strata:
        figures = (_figure(one, 2) for one in (each.offline, each.resolved, each.satisfied))
        table.add_row(Text(visible(each.name)), f"{each.share:.2f}", *figures)
    if found.strata:
        console.print(table)


def _figure(found: Figure, digits: int = 3) -> str:
    if found.mean is None:
        return "—"
    ends = ""
    if found.low is not None and found.high is not None:
        ends = f" [{found.low:.{digits}f}, {found.high:.{digits}f}]"
    return f"{found.mean:.{digits}f}{ends}" + (f" n={found.n}" if digits == 3 else "")


def _sampled(found: Sampled) -> str:
    if not found.drawn:
        return say("no dialogue is marked as dissatisfied: nothing was drawn", "没有标为不满意的对话，未抽取")
    return say(
        f"{found.drawn} of {found.dissatisfied} dissatisfied dialogues, by intent and day ({found.strata}), "
        f"are in {found.path}, as users wrote them; next: fairtrial cases from-log {found.path}",
        f"{found.dissatisfied} 段不满意对话中按意图与日期（{found.strata} 组）抽取 {found.drawn} 段，"
        f"原文写入 {found.path}；下一步：fairtrial cases from-log {found.path}",
    )
