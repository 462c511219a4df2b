"""Sealed slices and the ledger, for a terminal. Nothing here has seen a sealed case."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from fairtrial.schema.ledger import Entry
from fairtrial.schema.sealed import Anchored, Begin, Opening, Sealing, SliceState, Verified
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_LONGEST = 60
"""Of an entry's body, in a line of the list."""


def show_begin(console: Console, found: Begin) -> None:
    """Where the key is, and what to do with it."""
    _line(console, say(f"key: {found.key}", f"密钥：{found.key}"))
    _line(console, f"[seal] recipient = {found.recipient}  → {found.config}")
    _line(
        console,
        say(
            "keep the key where no agent and no loop can read it; without it no sealed case is ever read",
            "请把密钥放在任何 Agent 和循环都读不到的地方；一旦丢失，封存的用例再也无法读取",
        ),
        "bold",
    )
    if found.exposed:
        _line(
            console,
            say(
                "the key lies in a git work tree: move it out before anything is committed",
                "密钥位于 git 工作目录中：请在提交前移走",
            ),
            "bold red",
        )


def show_sealing(console: Console, found: Sealing) -> None:
    """What was sealed, of which kinds; then all that somebody must know of it."""
    if found.cases:
        what = say(
            f"{found.slice}: sealed {found.cases} cases of {found.clusters} clusters, {found.looks} looks",
            f"{found.slice}：封存 {found.cases} 个用例（{found.clusters} 簇），可查看 {found.looks} 次",
        )
    elif found.entry is None:
        what = say(f"{found.slice}: nothing new to draw from", f"{found.slice}：没有可抽取的新用例")
    else:
        what = say(f"{found.slice}: nothing sealed this time", f"{found.slice}：本次没有封存")
    _line(console, what, "bold green")
    _kinds(console, found.kinds)
    files = ", ".join(found.rewritten)
    remarks: tuple[tuple[int | str | None, str, str, str], ...] = (
        (
            found.visible,
            "{} new clusters stay in plain sight, for ever",
            "{} 个新簇留作可见，今后不变",
            "",
        ),
        (
            found.seen,
            "{} clusters were left out: git, a log, the queue or an earlier draw shows them",
            "{} 个簇不参与抽取：git、日志、队列或之前的抽取已使其可见",
            "",
        ),
        (
            found.exposed,
            "{} sealed clusters stand in git, a log or the queue: they are no secret any more",
            "{} 个已封存的簇出现在 git、日志或队列中：其内容已不再保密",
            "bold red",
        ),
        (
            found.finished,
            "{} cases that were sealed before somebody was stopped were taken out of the files",
            "上次中断的封存已补完：从文件中移除 {} 个用例",
            "",
        ),
        (files, "taken out of {}", "已从这些文件中移除：{}", ""),
        (
            found.plain,
            "{} still shows them all in plain text: whoever reads it has seen the slice",
            "{} 仍以明文保存全部内容：读到它的人就看过了这个封存集",
            "bold red",
        ),
    )
    for of, english, chinese, style in remarks:
        if of:
            _line(console, say(english, chinese).format(of), style)


def show_slices(console: Console, found: Sequence[SliceState]) -> None:
    """A line a slice, its kinds, and what is wrong with its parts."""
    if not found:
        _line(console, say("no sealed slice yet: fairtrial seal draw", "还没有封存集：fairtrial seal draw"))
        return
    for state in found:
        day = (state.last_look or "")[:10]
        last = day and say(f", last on {day}", f"，最近 {day}")
        if lost := state.without_result:
            last += say(f", {lost} without a result", f"，其中 {lost} 次没有结果")
        text = say(
            f"{state.slice}: {state.cases} cases of {state.clusters} clusters, {_state(state)}; "
            f"{state.used} of {state.budget} looks used",
            f"{state.slice}：{state.cases} 个用例（{state.clusters} 簇），{_state(state)}；"
            f"已查看 {state.used} 次，共 {state.budget} 次",
        )
        _line(console, text + last, "bold")
        _kinds(console, state.kinds)
        for what in state.broken:
            _line(console, what, "bold red")


def _kinds(console: Console, kinds: Mapping[str, int]) -> None:
    for kind, count in kinds.items():
        _line(console, f"  {count}  {kind}")


def _state(found: SliceState) -> str:
    if found.rotated:
        return say(f"opened {found.rotated[:10]}", f"{found.rotated[:10]} 打开")
    return say("spent", "已用尽") if found.spent else say("sealed", "封存中")


def show_opening(console: Console, found: Opening) -> None:
    """What is in plain sight now."""
    text = say(
        f"{found.slice}: opened after {found.looks} looks, {found.added} cases put into {found.into}",
        f"{found.slice}：查看 {found.looks} 次后打开，{found.added} 个用例并入 {found.into}",
    )
    _line(console, text, "bold green")
    for log in found.logs:
        _line(console, say(f"its sessions: fairtrial show {log}", f"其会话：fairtrial show {log}"))
    _line(console, say("the next one: fairtrial seal draw", "抽取下一个：fairtrial seal draw"))


def show_verified(console: Console, found: Verified) -> None:
    """Whole, and by how many witnesses; or every fault."""
    for fault in found.faults:
        _line(console, fault, "bold red")
    if not found.faults:
        text = say(
            f"{found.ledger}: whole, {found.entries} entries, {found.witnesses} witnesses",
            f"{found.ledger}：完整，共 {found.entries} 条，见证 {found.witnesses} 处",
        )
        _line(console, text, "bold green")
        if found.anchored is not None:
            later = found.entries - found.anchored
            _line(
                console,
                say(
                    f"anchored up to entry {found.anchored}; {later} since",
                    f"锚定至第 {found.anchored} 条；其后 {later} 条",
                ),
            )


def show_entries(console: Console, found: Sequence[Entry]) -> None:
    """A line an entry: number, time, kind, who, and the beginning of its body."""
    width = max((cell_len(entry.who) for entry in found), default=0)
    for entry in found:
        body = sorted(entry.body.items(), key=lambda item: item[0] != "slice")
        told = ", ".join(f"{name}={_short(value)}" for name, value in body if name != "tags")
        shown = told if len(told) <= _LONGEST else told[: _LONGEST - 1] + "…"
        who = entry.who + " " * (width - cell_len(entry.who))
        _line(console, f"{entry.n:>4}  {entry.at}  {entry.kind:<6}  {who}  {shown}")


def _short(value: object) -> str:
    return f"({len(value)})" if isinstance(value, list | dict) else str(value)


def show_anchored(console: Console, found: Anchored) -> None:
    """Which head is where."""
    text = say(
        f"entry {found.n} anchored on {found.branch} by {found.commit[:10]}",
        f"第 {found.n} 条已锚定在 {found.branch}，提交 {found.commit[:10]}",
    )
    if found.pushed:
        text += say(f", pushed to {found.pushed}", f"，已推送到 {found.pushed}")
    _line(console, text, "bold green")


def _line(console: Console, text: str, style: str = "") -> None:
    console.print(Text(visible(text), style=style), soft_wrap=True)
