"""Copies, leaks and labels, for a terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from fairtrial.report.words import Words
from fairtrial.schema.leaks import Copy, Labelled, Labels, Leaks
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_SHOWN = 10


def show_leaks(console: Console, found: Leaks, *, everything: bool) -> None:
    """Copies by where they are, suspects with their run, neighbours by embedding."""
    places = {
        "inside": say("inside a set", "同一集合内"),
        "set": say("between sets", "集合之间"),
        "against": say("in another file", "与其他文件"),
        "prompt": say("in a prompt", "出现在提示词中"),
        "sealed": say("in a sealed slice", "与封存集"),
    }
    for place, title in places.items():
        copies = [copy for copy in found.copies if copy.place == place]
        _list(console, title, [_copy(copy) for copy in copies], everything)
    title = say("reference answers given back almost word for word", "几乎逐字重现的参考答案")
    told = [
        say(
            f"{one.case}: {one.share:.0%} in one run, {one.trials} of {one.of} trials: {one.run}",
            f"{one.case}：连续重现 {one.share:.0%}，{one.of} 次中有 {one.trials} 次：{one.run}",
        )
        for one in found.suspects
    ]
    _list(console, title, told, everything)
    title = say("nearest by meaning (ranked, not judged)", "语义最近的用例（只排序，不判定）")
    _list(
        console, title, [f"{one.score:.3f}  {one.case} ~ {one.of}" for one in found.paraphrases], everything
    )
    if found.set_aside:
        names = ", ".join(found.set_aside)
        console.print(
            Words(Text(visible(say(f"moved to {found.file}: {names}", f"已移到 {found.file}：{names}"))))
        )
    n = len(found.copies) + len(found.suspects)
    text = say(f"{found.cases} cases, {n} leaks", f"{found.cases} 个用例，{n} 处泄漏")
    console.print(Text(text, style="bold red" if found.found else "bold green"))


def _copy(copy: Copy) -> str:
    of = f" ~ {copy.of}" if copy.of else ""
    return f"{copy.similarity:.2f} {copy.kind:<9} {copy.case}{of}  ({copy.between})"


def show_labels(console: Console, found: Labels, *, everything: bool) -> None:
    """Agreement within and across, by period and labeller, and the pairs that disagree."""
    for word, (agree, n) in (
        (say("within a period and labeller", "同一时期、同一标注人"), found.within),
        (say("across", "跨时期或跨标注人"), found.across),
    ):
        console.print(Text(say(f"{word}: {agree} of {n} agree", f"{word}：{n} 对中 {agree} 对一致")))
    for group in found.groups:
        console.print(Text(visible("  " + _group(group)), style="yellow" if group.drifts else ""))
    told = [
        f"{one.similarity:.2f}  {one.first} {one.labels[0]!r} ({_by(one.who[0], one.when[0])})"
        f" ~ {one.second} {one.labels[1]!r} ({_by(one.who[1], one.when[1])})"
        for one in found.disagreements
    ]
    _list(console, say("neighbours labelled differently", "标注不一致的相近用例"), told, everything)
    p = "" if found.p is None else f" (p = {found.p:.4f}, Fisher)"
    text, style = {
        True: (say("labels drift", "标签有漂移"), "bold red"),
        False: (say("no drift shown", "没有显示出漂移"), "bold green"),
        None: (say("not known: too few neighbours", "未知：相近的用例太少"), "bold yellow"),
    }[found.drifts]
    console.print(Text(say(f"{found.label}: {text}{p}", f"{found.label}：{text}{p}"), style=style))


def _group(group: Labelled) -> str:
    interval = f"[{group.low:.3f}, {group.high:.3f}]"
    return say(
        f"{group.name}: {group.agree} of {group.n} agree {interval}",
        f"{group.name}：{group.n} 对中 {group.agree} 对一致 {interval}",
    )


def _by(*parts: str | None) -> str:
    return ", ".join(filter(None, parts)) or "–"


def _list(console: Console, title: str, lines: Sequence[str], everything: bool) -> None:
    if not lines:
        return
    console.print(Text(say(f"{title}: {len(lines)}", f"{title}：{len(lines)}"), style="bold"))
    shown: Iterable[str] = lines if everything else lines[:_SHOWN]
    for line in shown:
        console.print(Text(visible("  " + line)), soft_wrap=True)
    if not everything and len(lines) > _SHOWN:
        console.print(
            Text(say(f"  … {len(lines) - _SHOWN} more: --all", f"  ……另有 {len(lines) - _SHOWN} 条：--all"))
        )
