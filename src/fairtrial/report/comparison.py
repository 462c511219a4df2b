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
from fairtrial.schema.comparison import Bucket, Comparison, Difference, Verdict
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


def comparison_document(found: Comparison) -> dict[str, Any]:
    """All that is known of the comparison; `status` is `compared`."""
    document: dict[str, Any] = plainly(found)
    return {"status": "compared"} | document


def show_comparison(console: Console, found: Comparison, *, everything: bool = False) -> None:
    """What differs around the two, the verdict, the figures and tests, where it comes from, and doubts.

    Unless `everything` is asked for, ten cases of a kind are listed, and ten of the buckets that differ.
    """
    most = 10**9 if everything else 10
    for word, name in ((say("base", "基准"), found.base), (say("candidate", "候选"), found.candidate)):
        console.print(Text.assemble((f"{word}  ", "dim"), visible(name)), soft_wrap=True)
    show_difference(console, found)
    _show_tests(console, found)
    parts = [bucket for bucket in found.buckets if bucket.difference.n < found.shared]
    _show_buckets(console, found, [bucket for bucket in parts if bucket.share or everything], most)
    _show_cases(console, found, most)
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
    sides = (base, candidate)
    if any(side.mean != side.mean_shared for side in sides):
        own = (f"{number(side.mean)} ({side.n})" for side in sides)
        table.add_row(say("each over its own", "各自有得分的"), *own)
    if any(side.mean != side.mean_all for side in sides):
        own = (f"{number(side.mean_all)} ({side.n_all})" for side in sides)
        table.add_row(say("… and none as 0", "……缺按 0"), *own)
    return table


def _points(difference: Difference) -> tuple[str, str, str]:
    interval = difference.interval or say("no interval", "无区间")
    clusters = say(f" in {difference.clusters}", f"（{difference.clusters} 簇）")
    cases = f"{difference.n}{clusters if difference.clusters < difference.n else ''}"
    return difference.points, interval, cases


def _show_tests(console: Console, found: Comparison) -> None:
    pair, smallest = found.mcnemar, found.smallest_detectable
    lines = [
        say(
            f"McNemar: {pair.b} gained, {pair.c} lost, p = {_p(pair.p)}; {found.pass_rule}",
            f"McNemar：新通过 {pair.b}，新失败 {pair.c}，p = {_p(pair.p)}；{found.pass_rule}",
        ),
        f"Wilcoxon{say(': ', '：')}p = {_p(found.wilcoxon.p)}{say('; ', '；')}{found.wilcoxon.method}",
        say("sign-flip: ", "符号翻转：")
        + f"p = {_p(found.sign_flip.p)}{say('; ', '；')}{found.sign_flip.method}",
        say("interval: ", "区间：") + found.difference.method,
    ]
    if smallest is not None:
        lines.append(
            say(
                f"smallest true difference seen four times in five: {100 * smallest:.1f} points",
                f"五次能看出四次的最小真实差异：{100 * smallest:.1f} 个百分点",
            )
        )
    trials = (found.trials_base, found.trials_candidate)
    lines.append(
        say(
            f"trials a case, at most: base {trials[0]}, candidate {trials[1]}",
            f"每个用例至多重复：基准 {trials[0]}，候选 {trials[1]}",
        )
    )
    console.print(Words(Text("\n".join(lines), style="dim"), indent=2))


def _p(p: float | None) -> str:
    return "–" if p is None else f"{p:.3g}"


def _show_buckets(console: Console, found: Comparison, parts: Sequence[Bucket], most: int) -> None:
    if not parts:
        _show_causes(console, [(say("most of it", "主要来自"), whole) for whole in found.buckets[:1]], most)
        return
    console.print()
    shown = sorted(parts, key=_worst_first)[:most]
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
    _show_causes(console, [(_title(bucket), bucket) for bucket in shown], most)


def _show_causes(console: Console, buckets: Sequence[tuple[str, Bucket]], most: int) -> None:
    """The cases that make most of each bucket's share; of buckets that come to the same cases the first."""
    unlike = {bucket.cases: (title, bucket) for title, bucket in reversed(buckets)}
    for title, bucket in [*reversed(unlike.values())][:_EXPLAINED]:
        names = [f"{part.case} {100 * part.share:+.2f}" for part in bucket.cases]
        _show_names(console, title, names, most // 2)


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


def _show_cases(console: Console, found: Comparison, most: int) -> None:
    for title, names in (
        (say("gained", "新通过"), found.gained),
        (say("lost", "新失败"), found.lost),
        (say("broke again", "修好后又坏"), found.broke_again),
        (say("only in the base", "只在基准中"), found.dropped),
        (say("only in the candidate", "只在候选中"), found.added),
    ):
        _show_names(console, f"{title} ({len(names)})", names, most)


def _show_names(console: Console, title: str, names: Sequence[str], most: int) -> None:
    if names:
        left = len(names) - most
        rest = say(f" … {left} more: --all", f" …… 另 {left} 个：--all") if left > 0 else ""
        shown = visible(", ".join(names[:most]))
        text = Text.assemble((title + say(": ", "："), "bold"), shown, (rest, "dim"))
        console.print(Words(text, indent=2))
