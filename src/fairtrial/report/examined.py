"""What tests say of a case that failed or was not answered, and of their sets, as plain text."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from io import StringIO

from rich.console import Console

from fairtrial.report.sessions import show_session, show_turns
from fairtrial.report.terminal import interval, number, show_summary
from fairtrial.schema.evidence import Header
from fairtrial.schema.record import Record, Turn
from fairtrial.schema.score import Row
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_WIDTH = 110


def missed(rows: Sequence[Row], passes: Sequence[bool | None], need: int, log: str) -> str:
    """Why a case failed: how many trials passed, the first that did not, and where to read on."""
    case, passed = rows[0].record.case, sum(bool(one) for one in passes)
    head = say(
        f"{case}: {passed} of {len(passes)} trials passed, {need} needed",
        f"{case}：{len(passes)} 次中通过 {passed} 次，要求 {need} 次",
    )
    without = unanswered([row.record for row in rows])
    first = rows[passes.index(False)]
    lines = [
        visible(head),
        *([say("no answer: ", "没有回答：") + without] if without else ()),
        _plain(lambda console: show_session(console, first)),
        visible(say("look at it: ", "查看：") + f"fairtrial show {log} {case}"),
    ]
    return "\n".join(lines)


def unanswered(records: Sequence[Record]) -> str:
    """The sessions without an answer by how they ended, with the first message: "timeout 2 (…)"."""
    without = [record for record in records if not record.status.counts]
    counts = Counter(str(record.status) for record in without)
    told = ", ".join(f"{status} {n}" for status, n in counts.items())
    why = next((record.failure.message for record in without if record.failure), "")
    return visible(f"{told} ({' '.join(why.split())[:200]})" if why else told)


def transcript(turns: Sequence[Turn]) -> str:
    """A session turn by turn: what was done to it, said, called and shown."""
    return _plain(lambda console: show_turns(console, turns))


def summary(log: str, header: Header, sets: Sequence[tuple[str, Header, str | None]]) -> Iterator[str]:
    """A run of tests: a line a set and why it fails, then what a round ends with."""
    for test, one, fails in sets:
        failed = say(f"; FAILED: {fails}", f"；未通过：{fails}") if fails else ""
        yield visible(f"{test}: {_figures(one)}{failed}")
    yield from _plain(lambda console: show_summary(console, header, log)).splitlines()


def _figures(header: Header) -> str:
    found = header.summary
    if found is None:
        return "–"
    n, counts = header.config["cases"]["n"], found.counts
    total = f"total {number(found.total.mean)} {interval(found.total)}"
    return say(
        f"cases {n}, sessions {counts.planned}, scored {counts.scored}, no answer {counts.errored}; {total}",
        f"用例 {n}，会话 {counts.planned}，计分 {counts.scored}，没有回答 {counts.errored}；{total}",
    )


def _plain(show: Callable[[Console], None]) -> str:
    """What is shown on a console, as text without colours."""
    console = Console(file=StringIO(), width=_WIDTH, color_system=None, legacy_windows=False)
    with console.capture() as shown:
        show(console)
    return "\n".join(line.rstrip() for line in shown.get().rstrip().splitlines())
