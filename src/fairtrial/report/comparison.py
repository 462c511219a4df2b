"""A comparison for a terminal and as a document."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from fairtrial.report.documents import plainly
from fairtrial.report.terminal import number, show_doubts
from fairtrial.report.words import Words
from fairtrial.schema.comparison import ALPHA, Bucket, Comparison, Difference, Verdict
from fairtrial.schema.fingerprint import PartName
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_STYLES = {
    Verdict.better: "bold green",
    Verdict.worse: "bold red",
    Verdict.mixed: "bold red",
    Verdict.not_shown: "bold yellow",
}
_EXPLAINED = 3
"""Buckets whose cases are named, each with what it moves the total."""
_MANY, _FEW = 10, 5
"""Names, or buckets, shown of a kind; few where names are long or nothing is shown to differ."""
_LONG = 30
"""Characters of a name above which it is long."""


def comparison_document(found: Comparison) -> dict[str, Any]:
    """All that is known of the comparison; `status` is `compared`."""
    document: dict[str, Any] = plainly(found)
    return {"status": "compared"} | document


def show_comparison(console: Console, found: Comparison, *, everything: bool = False) -> None:
    """What differs around the two, the verdict, the figures and tests, where it comes from, and doubts.

    Unless `everything` is asked for, ten cases of a kind are listed, five where their names are long; and ten
    of the buckets that move the total, five where nothing is shown to differ.
    """
    for word, name in ((say("base", "基准"), found.base), (say("candidate", "候选"), found.candidate)):
        console.print(Text.assemble((f"{word}  ", "dim"), visible(name)), soft_wrap=True)
    show_difference(console, found)
    _show_tests(console, found)
    parts = [bucket for bucket in found.buckets if bucket.difference.n < found.shared]
    _show_buckets(console, found, [bucket for bucket in parts if bucket.share or everything], everything)
    _show_cases(console, found, everything)
    show_doubts(console, found.doubts)


def show_difference(console: Console, found: Comparison) -> None:
    """What differs around the two, the verdict, and the figures with each denominator."""
    _show_environment(console, found)
    console.print()
    console.print(Words(Text(visible(found.meaning), style=_STYLES[found.verdict])))
    console.print(_figures(found))


def _show_environment(console: Console, found: Comparison) -> None:
    """Above the figures: whoever reads these must know it."""
    differing = [part for part in found.differs if part.known]
    if differing:
        table = Table(box=None, header_style="dim")
        table.add_column(say("differs", "不同之处"), no_wrap=True, style="yellow")
        table.add_column(say("base", "基准"), overflow="fold")
        table.add_column(say("candidate", "候选"), overflow="fold")
        for part in differing:
            # Words of what is long, a prompt or code, may be the same for two contents.
            changed = say(" (changed)", "（已改动）") if part.base == part.candidate else ""
            table.add_row(part.part, Text(visible(part.base)), Text(visible(part.candidate) + changed))
        console.print(table)
    unknown = [part.part for part in found.differs if not part.known]
    words = say("not known on both sides: ", "并非两边都已知：") + ", ".join(unknown)
    if len(unknown) == len(PartName):
        words = say("what they depend on is not told", "没有说明结果依赖什么")
    if unknown:
        console.print(Words(Text(words, style="dim"), indent=2))


def _figures(found: Comparison) -> Table:
    table = Table(box=None, header_style="dim")
    table.add_column("", overflow="fold")
    for title in (say("base", "基准"), say("candidate", "候选")):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column(say("points", "百分点"), justify="right", no_wrap=True)
    table.add_column(say("95 % interval", "95% 区间"), no_wrap=True)
    table.add_column(say("cases", "用例数"), justify="right", no_wrap=True)
    base, candidate = found.base_ratios, found.candidate_ratios
    table.add_row(
        say("shared cases", "共有用例"),
        number(base.mean_shared),
        number(candidate.mean_shared),
        *_points(found.difference),
    )
    if found.shared < found.difference_all.n:
        table.add_row(
            say("all of the base, none as 0", "基准全部，缺按 0"), "", "", *_points(found.difference_all)
        )
    shared, own, asked = (
        tuple(number(figure) for figure in pair)
        for pair in (
            (base.mean_shared, candidate.mean_shared),
            (base.mean, candidate.mean),
            (base.mean_all, candidate.mean_all),
        )
    )
    if own != shared:
        table.add_row(say("each over its own", "各自有得分的"), *own, "", "", f"{base.n} / {candidate.n}")
    if asked != own:
        title = say("all it was asked, none as 0", "各自问过的，缺按 0")
        table.add_row(title, *asked, "", "", f"{base.n_all} / {candidate.n_all}")
    return table


def _points(difference: Difference) -> tuple[str, str, str]:
    interval = difference.interval or say("no interval", "无区间")
    clusters = say(f" in {difference.clusters}", f"（{difference.clusters} 簇）")
    cases = f"{difference.n}{clusters if difference.clusters < difference.n else ''}"
    return difference.points, interval, cases


def _show_tests(console: Console, found: Comparison) -> None:
    """A line each; how they are made stands in the documents, here only why one could not be."""
    pair, smallest = found.mcnemar, found.smallest_detectable
    semicolon = say("; ", "；")
    lines = [
        say(
            f"McNemar: {pair.b} gained, {pair.c} lost, p = {_p(pair.p)}",
            f"McNemar：新通过 {pair.b}，新失败 {pair.c}，p = {_p(pair.p)}",
        )
    ]
    for name, test in (("Wilcoxon", found.wilcoxon), (say("sign-flip", "符号翻转"), found.sign_flip)):
        why = f"{semicolon}{test.method}" if test.p is None else ""
        lines.append(f"{name}{say(': ', '：')}p = {_p(test.p)}{why}")
    if found.difference.interval is None:
        lines.append(say("interval: ", "区间：") + found.difference.method)
    if smallest is not None and not _said(found):
        lines.append(
            say(
                f"smallest true difference seen four times in five: {100 * smallest:.1f} points",
                f"五次能看出四次的最小真实差异：{100 * smallest:.1f} 个百分点",
            )
        )
    trials = (found.trials_base, found.trials_candidate)
    lines.append(
        say(
            f"trials a case, at most: base {trials[0]}, candidate {trials[1]}; methods: docs/comparing.md",
            f"每个用例至多重复：基准 {trials[0]}，候选 {trials[1]}；方法：docs/comparing.zh.md",
        )
    )
    console.print(Words(Text("\n".join(lines), style="dim"), indent=2))


def _said(found: Comparison) -> bool:
    """Whether the verdict's sentence names the smallest difference: where only the interval decides."""
    forbidden = any(doubt.lit and doubt.forbids for doubt in found.doubts)
    return found.verdict is Verdict.not_shown and not forbidden


def _p(p: float | None) -> str:
    return "–" if p is None else f"{p:.3g}"


def _show_buckets(console: Console, found: Comparison, parts: Sequence[Bucket], everything: bool) -> None:
    if not parts:
        whole = [(say("most of it", "主要来自"), bucket) for bucket in found.buckets[:1]]
        _show_causes(console, whole, everything)
        return
    console.print()
    differ = found.verdict is not Verdict.not_shown or any(_shown(bucket) for bucket in parts)
    shown = sorted(parts, key=_worst_first)[: None if everything else _MANY if differ else _FEW]
    title = say("where it comes from", "差值来自哪里")
    console.print(Words(Text(f"{title}{say(': ', '：')}{found.bins}", style="bold")))
    table = Table(box=None, header_style="dim")
    table.add_column(say("bucket", "分桶"), overflow="fold")
    for name in (say("cases", "用例"), say("base", "基准"), say("cand.", "候选")):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column(say("points", "百分点"), justify="right", no_wrap=True)
    table.add_column(say("of total", "占总差"), justify="right", no_wrap=True)
    table.add_column("p (Holm)", justify="right", no_wrap=True)
    for bucket in shown:
        table.add_row(
            Text(visible(_title(bucket)), style="red" if bucket.falls else ""),
            str(bucket.difference.n),
            number(bucket.base),
            number(bucket.candidate),
            bucket.difference.points,
            f"{100 * bucket.share:+.2f}",
            say("not tested", "未检验") if bucket.p_holm is None else _p(bucket.p_holm),
        )
    console.print(table)
    if len(parts) > len(shown):
        more = len(parts) - len(shown)
        words = say(f"{more} more buckets: --all", f"另有 {more} 个分桶：--all")
        console.print(Padding(Text(words, style="dim"), (0, 0, 0, 2)))
    _show_causes(console, [(_title(bucket), bucket) for bucket in shown], everything)


def _shown(bucket: Bucket) -> bool:
    """Whether it is shown to differ, the other buckets paid for."""
    return bucket.p_holm is not None and bucket.p_holm < ALPHA


def _show_causes(console: Console, buckets: Sequence[tuple[str, Bucket]], everything: bool) -> None:
    """The cases that make most of each bucket's share; of buckets that come to the same cases the first."""
    unlike = {bucket.cases: (title, bucket) for title, bucket in reversed(buckets)}
    for title, bucket in [*reversed(unlike.values())][:_EXPLAINED]:
        names = [f"{part.case} {100 * part.share:+.2f}" for part in bucket.cases]
        _show_names(console, title, names, None if everything else _FEW)


def _title(bucket: Bucket) -> str:
    kind = {
        "task type": say("task type", "任务类型"),
        "turns": say("turns", "轮数"),
        "length": say("length", "长度"),
        "tag": say("tag", "标签"),
        "bucket": say("bucket", "分桶"),
    }.get(bucket.kind)
    return bucket.name if kind is None else f"{kind} {bucket.name}"


def _worst_first(bucket: Bucket) -> tuple[bool, float]:
    """Those shown to fall, then whatever moves the total most."""
    return (not bucket.falls, -abs(bucket.share))


def _show_cases(console: Console, found: Comparison, everything: bool) -> None:
    for title, names in (
        (say("gained", "新通过"), found.gained),
        (say("lost", "新失败"), found.lost),
        (say("broke again", "修好后又坏"), found.broke_again),
        (say("only in the base", "只在基准中"), found.dropped),
        (say("only in the candidate", "只在候选中"), found.added),
    ):
        long = any(len(name) > _LONG for name in names[:_MANY])
        most = None if everything else _FEW if long else _MANY
        _show_names(console, f"{title} ({len(names)})", names, most)


def _show_names(console: Console, title: str, names: Sequence[str], most: int | None) -> None:
    if names:
        left = len(names[most:]) if most else 0
        rest = say(f" … {left} more: --all", f" …… 另 {left} 个：--all") if left > 0 else ""
        shown = visible(", ".join(names[:most]))
        text = Text.assemble((title + say(": ", "："), "bold"), shown, (rest, "dim"))
        console.print(Words(text, indent=2))
