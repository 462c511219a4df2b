"""Cases and sessions for a terminal: what a person reads before any total.

Agents' words are shown with control characters made visible: a reply must not be able to move the cursor.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from fairtrial.report.terminal import number
from fairtrial.report.views import CaseView, Reading
from fairtrial.report.words import Words
from fairtrial.schema.record import Call, Disturbance, Record, Snapshot, Step, Turn
from fairtrial.schema.score import Row, Score, Unscored, Useful
from fairtrial.schema.snapshot import Change, differences
from fairtrial.text.language import say
from fairtrial.text.normalise import visible


def show_reading(console: Console, found: Reading, *, most: int) -> None:
    """The cases a person should read before the total, at most `most` of each kind, each in full once."""
    parts: list[tuple[str, str, Sequence[CaseView]]] = [
        (
            say("Misses: is it the agent, the rule or the case?", "未命中：是 Agent、规则还是用例的问题？"),
            "red",
            found.misses,
        ),
        (say("Hits that help nobody", "命中但没用"), "yellow", found.useless_hits),
        (say("Misses that hold a clue", "未命中但给了线索"), "cyan", found.useful_misses),
        (say("No answer", "没有回答"), "magenta", found.unanswered),
    ]
    told: set[str] = set()
    for title, style, views in parts:
        if views:
            console.print(
                Rule(Text(f"{title} ({len(views)})", style=f"bold {style}"), align="left", style=style)
            )
            for view in views[:most]:
                console.print(_case_head(view) if view.case in told else _case_lines(view))
            told |= {view.case for view in views[:most]}
            if len(views) > most:
                more = len(views) - most
                console.print(Text(say(f"  … {more} more: --all", f"  … 还有 {more} 个：--all"), style="dim"))
            console.print()


def _case_head(view: CaseView) -> Text:
    return Text.assemble(
        ("  " + visible(view.case), "bold"),
        f"  {view.passed}/{view.scored}",
        say(f"  score {number(view.score, 2)}  useful ", f"  得分 {number(view.score, 2)}  useful "),
        number(view.useful, 2),
        (f"  ×{view.weight:g}  " + visible(" ".join(view.tags)), "dim"),
    )


def _case_lines(view: CaseView) -> RenderableType:
    lines: list[RenderableType] = [_case_head(view)]
    if _only_figures(view):
        return lines[0]
    for rule, why in list(view.broken.items())[:3]:
        lines.append(Words(Text(visible(f"✗ {rule}: {why}"), style="red"), indent=4))
    if view.example is not None:
        lines.append(Words(Text(visible(_excerpt(view.example)), style="dim"), indent=4))
    return Group(*lines)


def _only_figures(view: CaseView) -> bool:
    """Whether nothing is known of its sessions but the scores that a table gave for each."""
    talked = view.example is not None and (view.example.turns or view.example.failure)
    return not talked and view.broken.keys() == {"given"} and view.scored == view.trials


def _excerpt(record: Record) -> str:
    if record.failure is not None:
        return f"{record.status}: {record.failure.message}"[:200]
    reply = " ".join(record.reply.split())
    return say("said: ", "回复：") + (
        reply[:160] + " …" if len(reply) > 160 else reply or say("(nothing)", "（空）")
    )


def show_session(console: Console, row: Row) -> None:
    """One session whole: every turn and step verbatim, then each rule and signal."""
    trial, record = row.record.trial + 1, row.record
    title = say(
        f"{record.case}, trial {trial}: {record.status}", f"{record.case}，第 {trial} 次：{record.status}"
    )
    console.print(Rule(Text(visible(title), style="bold"), align="left"))
    show_record(console, record)
    _show_score(console, row.score)


def show_record(console: Console, record: Record) -> None:
    """What happened, turn by turn, and what was done on purpose; last, what is known of time and tokens."""
    for line in _before(record):
        console.print(Text("  " + visible(line), style="yellow"))
    show_turns(console, record.turns, record.snapshots)
    if record.failure is not None:
        kind, message = record.failure.kind, record.failure.message
        known = kind == record.status or f"{kind}:" in message
        text = f"{record.status}: {message}" if known else f"{record.status}: {kind}: {message}"
        console.print(Text(visible(text), style="magenta"))
    console.print(Text("  " + visible(_told(record)), style="dim"))


def show_turns(console: Console, turns: Sequence[Turn], points: Sequence[Snapshot] = ()) -> None:
    """What was said, done and shown, turn by turn, and the points of the state that have a name."""
    shown: Any = None
    for place, turn in enumerate(turns):
        for done in turn.disturbed:
            console.print(Padding(Text(visible(_disturbance(done)), style="yellow"), (0, 0, 0, 7)))
        if turn.clock is not None:
            console.print(Text("       " + visible(say("clock  ", "时钟  ") + turn.clock), style="yellow"))
        who = say("asked", "追问") if turn.aside else say("user", "用户")
        _say(console, who, "bold blue", turn.user)
        for step in turn.steps:
            console.print(Padding(Text(visible(_step(step)), style="dim"), (0, 0, 0, 7)))
        if turn.reply is not None:
            _say(console, say("agent", "Agent"), "bold green", turn.reply)
        for text in _states(turn, shown):
            console.print(Padding(Text(visible(text), style="dim"), (0, 0, 0, 7)))
        for point in points:
            if point.turn == place:
                kept = say(f"kept as {point.name}", f"存为快照 {point.name}")
                console.print(Padding(Text(visible(kept), style="dim"), (0, 0, 0, 7)))
        shown = turn.state if turn.state is not None else shown


def _before(record: Record) -> list[str]:
    """By which probes the session was disturbed, and what of it never came to pass."""
    lines = []
    if record.probed and record.probed.probes:
        lines.append(say("probed: ", "探针：") + say(", ", "、").join(record.probed.probes))
    if record.unfired:
        numbers = ", ".join(map(str, record.unfired))
        lines.append(say(f"steps whose moment never came: {numbers}", f"时机未到、没有发生的步骤：{numbers}"))
    return lines


def _disturbance(done: Disturbance) -> str:
    """What was done on purpose, and to which tool call."""
    hit = "" if done.call is None else say(f" (call {done.call + 1})", f"（第 {done.call + 1} 次调用）")
    detail = " ".join(f"{name}={_json(value)}" for name, value in done.detail.items())
    return f"⚡ {done.probe or say('case', '用例')}: {done.do}{hit}  {detail}".rstrip()


def _states(turn: Turn, before: Any) -> list[str]:
    """The state after a turn, whole the first time, then what changed of it."""
    if turn.state is None:
        return []
    if before is None:
        return [say("state  ", "状态  ") + _json(turn.state)]
    return [say("state  ", "状态  ") + _change(change) for change in differences(before, turn.state)]


def _change(change: Change) -> str:
    match change.kind:
        case "added":
            return f"+ {change.path} = {_json(change.after)}"
        case "removed":
            return f"- {change.path} (= {_json(change.before)})"
        case _:
            return f"{change.path}: {_json(change.before)} → {_json(change.after)}"


def _say(console: Console, who: str, style: str, text: str) -> None:
    """What was said beside who said it, so that no line of it can pass for another's."""
    grid = Table.grid()
    grid.add_column(no_wrap=True, min_width=7)
    grid.add_column(overflow="fold")
    grid.add_row(Text(who, style=style), Text(visible(text)))
    console.print(grid)


def _step(step: Step) -> str:
    if isinstance(step, Call):
        return f"{step.name} {_json(step.arguments)} → {step.error or _json(step.result)}"
    return step.text


def _json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _told(record: Record) -> str:
    """Time, model and tokens as far as the agent told them."""
    last = record.turns[-1] if record.turns else None
    parts = []
    if record.started is not None and record.ended is not None:
        parts.append(f"{record.ended - record.started:.2f} s")
    if record.attempts > 1:
        parts.append(say(f"{record.attempts} requests", f"{record.attempts} 次请求"))
    if record.waited:
        parts.append(say(f"waited {record.waited:.1f} s", f"等待 {record.waited:.1f} s"))
    if last and last.model:
        parts.append(last.model)
    if any(turn.usage for turn in record.turns):
        used = (_sum(record, "input_tokens"), _sum(record, "output_tokens"))
        parts.append(say("tokens ", "词元 ") + " + ".join("?" if n is None else str(n) for n in used))
    return say(", ", "，").join(parts)


def _sum(record: Record, name: Literal["input_tokens", "output_tokens"]) -> int | None:
    """Tokens of all turns; None where one did not tell."""
    counts: list[int | None] = [getattr(turn.usage, name, None) for turn in record.turns]
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _show_score(console: Console, score: Score) -> None:
    for hit in score.hits:
        mark, style = {True: ("✓", "green"), False: ("✗", "red"), None: ("?", "magenta")}[hit.met]
        weight = say("prohibition", "禁止项") if hit.critical else f"×{hit.share:g}"
        console.print(Words(Text(visible(f"{mark} {hit.rule}  {weight}  {hit.why}"), style=style), indent=2))
    value = score.value.why if isinstance(score.value, Unscored) else number(score.value)
    console.print(Text(say(f"  score   {value}", f"  得分    {value}"), style="bold"))
    useful = score.useful
    if isinstance(useful, Useful):
        detail = say(
            f"concrete {useful.concrete:.2f}, context {useful.context:.2f}, "
            f"next step {useful.next_step:.2f}, no repetition {useful.no_repetition:.2f}; "
            f"facts supported {useful.supported}, unsupported {useful.unsupported}",
            f"具体 {useful.concrete:.2f}，上下文 {useful.context:.2f}，下一步 {useful.next_step:.2f}，"
            f"不重复 {useful.no_repetition:.2f}；有据 {useful.supported}，无据 {useful.unsupported}",
        )
        console.print(
            Words(Text(f"useful  {useful.value:.3f}  " + say(f"({detail})", f"（{detail}）")), indent=2)
        )
    else:
        console.print(Words(Text(f"useful  {useful.why}", style="dim"), indent=2))


def show_sample(console: Console, rows: Iterable[Row]) -> None:
    """High scorers, whole, to be read for emptiness: does it say anything?"""
    for row in rows:
        show_session(console, row)
    console.print(
        Text(
            say(
                "If one says nothing, the rules are loose: `fairtrial mark LOG CASE --scorer-wrong`.",
                "读起来等于没说的，是规则太松：`fairtrial mark LOG CASE --scorer-wrong`。",
            ),
            style="italic",
        )
    )
