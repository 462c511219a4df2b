"""What came of an expansion, for a terminal and as a document."""

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairtrial.report.documents import plainly
from fairtrial.schema.variants import Expanded, Expansion, Refused
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_STATUS = {0: "queued", 3: "short", 4: "unanswered"}


def expansion_document(found: Expansion) -> dict[str, Any]:
    """`status` is `queued`, `short` or `unanswered`; the rest is what came of it."""
    return {"status": _STATUS[found.exit_code], **plainly(found)}


def show_expansion(console: Console, found: Expansion) -> None:
    """A line a case, what was refused with the reasons, and where the variants wait."""
    table = Table(box=None, pad_edge=False)
    table.add_column(say("case", "用例"))
    heads = (say("asked", "要"), say("there", "已有"), say("new", "新增"), say("missing", "缺"))
    for head in (*heads, say("refused", "退回")):
        table.add_column(head, justify="right")
    for case in found.cases:
        figures = (case.asked, case.waiting, len(case.kept), case.short, len(case.refused))
        style = "yellow" if case.short else None
        table.add_row(Text(visible(case.case)), *map(str, figures), style=style)
    console.print(table)
    for case in found.cases:
        for one in case.refused:
            console.print(Text(visible(_line(case, one)), style="dim"), soft_wrap=True)
    console.print(Text(visible(_end(found))), soft_wrap=True)


def _line(case: Expanded, one: Refused) -> str:
    text = " / ".join(one.question)
    what = " ".join(filter(None, (one.variant_type, text and f"“{text}”")))
    return (
        say(f"{case.case}: refused: ", f"{case.case}：退回：")
        + (what + say(": ", "：") if what else "")
        + one.why
    )


def _end(found: Expansion) -> str:
    new = sum(len(case.kept) for case in found.cases)
    text = say(
        f"{new} new in {found.queue}; a person's yes moves them into a set: fairtrial cases queue",
        f"{found.queue} 中新增 {new} 个；须由人确认后才进入问题集：fairtrial cases queue",
    )
    if found.requests:
        cost = say("unknown", "未知") if found.cost is None else f"{found.cost:g}"
        text = (
            say(
                f"{found.answered} of {found.requests} requests answered, cost {cost}\n",
                f"{found.requests} 次请求有 {found.answered} 次得到应答，费用 {cost}\n",
            )
            + text
        )
    if found.stopped:
        text = say("interrupted: what came is kept\n", "已中断：已得到的保留\n") + text
    return text
