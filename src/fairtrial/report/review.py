"""Changes of a case set and what a review says of them, for a terminal and as JSON documents."""

import json
from collections import Counter
from typing import Any

from rich.console import Console
from rich.text import Text

from fairtrial.schema.review import CaseChange, ChangeKind, Reviewed, SetChanges
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_MOST = 90
"""Characters of a value that are shown."""
_STYLES = {
    ChangeKind.added: "green",
    ChangeKind.removed: "red",
    ChangeKind.changed: "yellow",
    ChangeKind.kept: "dim",
    ChangeKind.moved: "dim",
}


def _word(kind: ChangeKind) -> str:
    return {
        ChangeKind.added: say("added", "新增"),
        ChangeKind.removed: say("removed", "删除"),
        ChangeKind.changed: say("changed", "修改"),
        ChangeKind.kept: say("bookkeeping only", "仅登记信息"),
        ChangeKind.moved: say("moved", "换了文件"),
    }[kind]


def show_changes(console: Console, found: SetChanges) -> None:
    """One line a case, below it one a field, then the count."""
    for change in found.changes:
        _show_change(console, change)
    counts = Counter(change.kind for change in found.changes)
    told = say(", ", "，").join(f"{_word(kind)} {counts[kind]}" for kind in ChangeKind if counts[kind])
    to = say("the working tree", "工作区") if found.to is None else found.to[:10]
    text = say(
        f"{(found.base or '')[:10]} → {to}: {found.cases_before} → {found.cases} cases; ",
        f"{(found.base or '')[:10]} → {to}：用例 {found.cases_before} → {found.cases} 个；",
    )
    console.print(Text(text + (told or say("no case changed", "没有用例变化")), style="bold"), soft_wrap=True)


def _show_change(console: Console, change: CaseChange) -> None:
    line = Text(visible(f"{change.where}: ")).append(_word(change.kind), style=_STYLES[change.kind])
    line.append(visible(f" {change.case}"))
    if change.was is not None:
        line.append(visible(say(f" (from {change.was})", f"（原在 {change.was}）")), style="dim")
    if change.kind is ChangeKind.kept:
        names = dict.fromkeys(field.field.partition("[")[0] for field in change.fields)
        line.append(": " + ", ".join(names), style="dim")
    console.print(line, soft_wrap=True)
    for field in change.fields if change.kind is ChangeKind.changed else ():
        old, new = _both(field.old, field.new)
        console.print(Text(visible(f"    {field.field}: {old} → {new}")), soft_wrap=True)


def _both(old: Any, new: Any) -> tuple[str, str]:
    """The values in so many characters, from shortly before they differ."""
    one, other = (
        "–" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for value in (old, new)
    )
    one, other = one.replace("\n", "⏎"), other.replace("\n", "⏎")
    same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    start = max(0, same - 20) if max(len(one), len(other)) > _MOST else 0
    return _from(one, start), _from(other, start)


def _from(text: str, start: int) -> str:
    end = start + _MOST
    return ("…" if start else "") + text[start:end] + ("…" if len(text) > end else "")


def show_review(console: Console, found: Reviewed) -> None:
    """One line a fault, its place first, so that editors jump there; then how many cases were looked at."""
    for fault in found.faults:
        line = Text(visible(f"{fault.where}: ")).append(visible(fault.case), style="bold")
        line.append(visible(f": {fault.what}" + (f" ({fault.how})" if fault.how else "")))
        console.print(line, soft_wrap=True)
    base = say("the beginning", "最初") if found.base is None else found.base[:10]
    changed = say(
        f"{found.looked_at} changed since {base}, of {found.cases} cases",
        f"自 {base} 以来有 {found.looked_at} 处变化，现有用例 {found.cases} 个",
    )
    if found.faults:
        n = len(found.faults)
        text = say(f"{n} fault{'s' * (n > 1)}; {changed}", f"{n} 处不合规；{changed}")
    else:
        text = say(f"all is reviewed; {changed}", f"全部经过评审；{changed}")
    console.print(Text(text, style="bold red" if found.faults else "bold green"), soft_wrap=True)
