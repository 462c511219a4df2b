"""A round run again, for a terminal and as a JSON document."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fairtrial.report.documents import Document, plainly
from fairtrial.report.terminal import number
from fairtrial.schema.reproduction import Agreement, Reproduction
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_STYLES = {Agreement.agrees: "bold green", Agreement.differs: "bold red", Agreement.unclear: "bold yellow"}
_MOST = 20
"""Changed cases that are listed."""


def reproduction_document(found: Reproduction) -> Document:
    """What `reproduce` prints."""
    plain: Document = plainly(found)
    return plain


def show_reproduction(console: Console, found: Reproduction) -> None:
    """The verdict, what of the environment changed, and the cases that did not score as before."""
    console.print(Text(visible(found.meaning), style=_STYLES[found.status]), soft_wrap=True)
    for part in found.differs:
        console.print(Text(visible(f"  {part.part}: {part.base} → {part.candidate}")), soft_wrap=True)
    if found.changed:
        console.print(_cases(found))
    if len(found.changed) > _MOST:
        more = len(found.changed) - _MOST
        console.print(Text(say(f"  and {more} more (--json)", f"  另有 {more} 个（--json）"), style="dim"))
    method = f"  {found.difference.method}{say(', ', '，')}n = {found.difference.n}"
    console.print(Text(method, style="dim"), soft_wrap=True)
    console.print(Text(say("log: ", "日志：") + visible(found.log), style="dim"), soft_wrap=True)


def _cases(found: Reproduction) -> Table:
    table = Table(box=None, header_style="dim")
    table.add_column(say("case", "用例"), overflow="fold")
    table.add_column(say("before", "之前"), justify="right")
    table.add_column(say("now", "现在"), justify="right")
    for case in found.changed[:_MOST]:
        table.add_row(Text(visible(case.case)), number(case.base), number(case.again))
    return table
