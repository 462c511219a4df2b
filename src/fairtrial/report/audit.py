"""An audit for a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairtrial.report.comparison import show_difference
from fairtrial.report.terminal import number, show_doubts
from fairtrial.report.words import Words
from fairtrial.schema.audit import Answer, Audit, Check, Claim
from fairtrial.schema.evidence import Summary
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_MARKS = {
    Answer.yes: ("✓", "green"),
    Answer.partly: ("~", "yellow"),
    Answer.no: ("✗", "red"),
    Answer.unknown: ("?", "dim"),
}
_STYLES = {Answer.yes: "bold green", Answer.partly: "bold yellow", Answer.no: "bold red"}
_SHOWN = 10
"""Claims shown that agree or cannot be checked; one that disagrees is always shown."""


def show_audit(console: Console, found: Audit) -> None:
    """The verdict, what is lit and what mends it, the figures, the checklist, the claims."""
    trust = {Answer.yes: say("yes", "可信"), Answer.partly: say("partly", "部分可信")}
    word = say("trust: ", "可信度：") + trust.get(found.trust, say("no", "不可信"))
    console.print(Text(word, style=_STYLES[found.trust]))
    console.print(Words(Text(visible(found.meaning))))
    show_doubts(console, found.doubts)
    console.print()
    for path, kind, summary in zip(found.paths, found.formats, found.summaries, strict=True):
        console.print(Words(_figures(path, kind, summary)))
    if found.comparison is not None:
        console.print()
        show_difference(console, found.comparison)
    console.print()
    console.print(_checklist(found.checklist))
    if found.claims:
        console.print()
        console.print(_claims(found.claims))


def _figures(path: str, kind: str, summary: Summary | None) -> Text:
    text = Text(visible(path), style="bold").append(f" ({kind})", style="not bold dim")
    if summary is None:
        return text.append(say(": figures only, no results", "：只有数字，没有结果"), style="not bold")
    ratio, counts = summary.ret_ratio, summary.counts
    interval = (
        say("no interval", "无区间")
        if ratio.low is None or ratio.high is None
        else f"[{ratio.low:.3f}, {ratio.high:.3f}]"
    )
    told = say(
        f": mean {number(ratio.mean)} {interval} over {ratio.n} cases, {ratio.method}; "
        f"{counts.scored} of {counts.planned} sessions scored",
        f"：{ratio.n} 个用例的均值 {number(ratio.mean)} {interval}，{ratio.method}；"
        f"{counts.planned} 个会话中 {counts.scored} 个计分",
    )
    powers = [f"pass^{k} {number(value, 4)}" for k, value in summary.pass_hat_k.items() if value is not None]
    if len(powers) > 1:
        told += say("; ", "；") + ", ".join(powers)
    return text.append(told, style="not bold")


def _checklist(checks: Sequence[Check]) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False, title_justify="left")
    table.add_column("", no_wrap=True)
    table.add_column(say("check", "检查项"), no_wrap=True)
    table.add_column(say("what is there, and what would mend it", "现状与补救"), overflow="fold")
    for check in checks:
        mark, style = _MARKS[check.answer]
        words = Text(visible(check.says))
        if check.mend:
            words.append("\n→ " + check.mend, style="italic dim")
        table.add_row(Text(mark, style=style), check.name, Words(words))
    return table


def _claims(claims: Sequence[Claim]) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column(say("stated", "声称"), overflow="fold")
    table.add_column(say("there", "声称值"), justify="right")
    table.add_column(say("from the results", "由结果得出"), justify="right")
    wrong = [claim for claim in claims if claim.agrees is False]
    rest = [claim for claim in claims if claim.agrees is not False]
    for claim in (*wrong, *rest[:_SHOWN]):
        answer = {True: Answer.yes, False: Answer.no, None: Answer.unknown}[claim.agrees]
        mark, style = _MARKS[answer]
        name = Text(visible(claim.name + (f" ({claim.says})" if claim.says else "")))
        table.add_row(Text(mark, style=style), name, _value(claim.said), _value(claim.found))
    if len(rest) > _SHOWN:
        more = len(rest) - _SHOWN
        table.add_row("", Text(say(f"… and {more} more", f"……另有 {more} 项"), style="dim"), "", "")
    return table


def _value(figure: float | None) -> str:
    """Counts have no digits behind the point."""
    return number(figure, 0 if figure is not None and figure > 1 and figure == int(figure) else 4)
