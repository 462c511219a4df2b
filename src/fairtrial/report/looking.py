"""A look at a sealed slice, for a terminal and as a document."""

from rich.console import Console
from rich.text import Text

from fairtrial.report.terminal import figures, sessions, show_doubts
from fairtrial.report.words import Words
from fairtrial.schema.look import Practice, SealedLook
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_STYLES = {"reliable": "bold green", "unreliable": "bold red", "stopped": "bold yellow"}
_MARKS = {True: ("●", "bold red"), False: ("✓", "green"), None: ("?", "dim")}


def show_look(console: Console, taken: SealedLook) -> None:
    """Which look it was, the figures of the whole slice, the doubts, and whether the agent is practised."""
    console.print(Text(_head(taken), style=_STYLES[taken.status]))
    if taken.figures is not None:
        console.print(figures(taken.figures))
    console.print(Words(sessions(taken.counts), indent=2))
    held = say(
        f"  {taken.cases} cases; {taken.clusters} clusters with a score",
        f"  {taken.cases} 个用例；{taken.clusters} 簇有得分",
    )
    console.print(Text(held), soft_wrap=True)
    if taken.practised:
        console.print()
    for line in taken.practised:
        console.print(Words(_line(line), indent=2))
    show_doubts(console, taken.doubts)
    seal = say("agent's fingerprint: ", "Agent 指纹：") + taken.fingerprint
    for note in (seal, *taken.notes):
        console.print(Text("  " + visible(note), style="dim"), soft_wrap=True)
    kept = say("sessions, encrypted: ", "会话（已加密）：") + visible(taken.closed)
    console.print(Text(kept, style="dim"), soft_wrap=True)


def _head(taken: SealedLook) -> str:
    name, status = (
        visible(taken.slice),
        {
            "reliable": say("reliable", "可信"),
            "unreliable": say("UNRELIABLE: it proves nothing", "UNRELIABLE：不可信"),
            "stopped": say("stopped, and spent", "已停止，仍计入次数"),
        },
    )
    return say(
        f"look {taken.look} of {taken.budget} at {name}: {status[taken.status]}",
        f"第 {taken.look} 次查看 {name}（共 {taken.budget} 次）：{status[taken.status]}",
    )


def _line(line: Practice) -> Text:
    mark, style = _MARKS[line.lit]
    text = Text(f"{mark} ", style=style).append(f"{line.name} ", style="bold default")
    told = f"{visible(line.says)}"
    if line.visible is not None and line.holdout is not None:
        sides = (100 * line.visible, 100 * line.holdout)
        form = "{:+.1f}, {:+.1f}" if line.name == "movement" else "{:.1f}, {:.1f}"
        told += say(" (visible, holdout: ", "（可见、留存：") + form.format(*sides) + say(")", "）")
    return text.append(told, style="not bold default")
