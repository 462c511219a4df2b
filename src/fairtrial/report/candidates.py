"""Candidates, what became of a log's failures and what a person decided, for a terminal and as documents."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console
from rich.text import Text

from fairtrial.report.words import Words
from fairtrial.schema.candidate import Candidate, Decided, Gathered
from fairtrial.text.language import say
from fairtrial.text.normalise import visible


def gathered_document(found: Gathered) -> dict[str, Any]:
    """What `cases from-log` prints; `left_out` counts the failures that made no candidate."""
    left_out = {name: getattr(found, name) for name in ("alike", "waiting", "known", "rejected")}
    return {
        "status": "queued",
        "log": found.log,
        "sessions": found.sessions,
        "failures": found.failures,
        "candidates": [
            _brief(one) | {"file": file} for one, file in zip(found.candidates, found.files, strict=True)
        ],
        "left_out": left_out,
    }


def queue_document(waiting: Sequence[tuple[Path, Candidate]], *, whole: bool) -> dict[str, Any]:
    """What `cases queue` prints: each candidate in brief, or `whole` with its case."""
    told = [_brief(one) | ({"case": one.case} if whole else {}) for _, one in waiting]
    return {"status": "waiting", "candidates": told}


def decided_document(done: Decided, status: str) -> dict[str, Any]:
    """What `cases accept` and `cases reject` print."""
    return {"status": status, "ids": list(done.ids), "finished": list(done.finished), "into": done.into}


def _brief(one: Candidate) -> dict[str, Any]:
    return {
        "id": one.id,
        "why": one.why,
        "from": one.origin,
        "rules": _has_rules(one),
        "doubtful": list(one.doubtful),
        "replaced": [each.model_dump(mode="json") for each in one.replaced],
    }


def _has_rules(one: Candidate) -> bool:
    return any(one.case.get(name) for name in ("expect", "expected"))


def show_gathered(console: Console, found: Gathered) -> None:
    """Each new candidate, what was left out, and the next step."""
    for one in found.candidates:
        _show_brief(console, one)
    n = len(found.candidates)
    text = say(
        f"{n} candidates of {found.failures} failures in {found.sessions} sessions",
        f"{found.sessions} 个会话中有 {found.failures} 个失败，得到 {n} 个候选用例",
    )
    reasons = [
        (found.alike, say("like another one", "与其他候选相近")),
        (found.waiting, say("in the queue already", "已在队列中")),
        (found.known, say("in the case set already", "已在问题集中")),
        (found.rejected, say("rejected before", "曾被拒绝")),
    ]
    left = [say(f"{count} {why}", f"{count} 个{why}") for count, why in reasons if count]
    if left:
        text += say("; left out: ", "；略去：") + say(", ", "，").join(left)
    console.print(Words(Text(text, style="bold green" if n else "bold yellow")))
    if n:
        first = found.candidates[0].id
        console.print(
            Text(say(f"next: fairtrial cases queue {first}", f"下一步：fairtrial cases queue {first}"))
        )


def show_queue(console: Console, waiting: Sequence[tuple[Path, Candidate]]) -> None:
    """One candidate after the other, in brief."""
    for _, one in waiting:
        _show_brief(console, one)
    n, unsure = len(waiting), sum(bool(one.doubtful) for _, one in waiting)
    text = say(
        f"{n} candidates wait, {unsure} of them doubtful", f"{n} 个候选用例在等待，其中 {unsure} 个存疑"
    )
    console.print(Text(text, style="bold"))


def _show_brief(console: Console, one: Candidate) -> None:
    console.print(
        Text(visible(one.id), style="bold").append(f"  {visible(one.why)}", style="not bold"), soft_wrap=True
    )
    if one.replaced:
        kinds = dict.fromkeys(each.kind for each in one.replaced)
        counted = (f"{kind} {sum(each.kind == kind for each in one.replaced)}" for kind in kinds)
        console.print(Words(Text(say("replaced: ", "已替换：") + ", ".join(counted), style="dim"), indent=2))
    for doubt in one.doubtful:
        console.print(Words(Text(f"? {visible(doubt)}", style="yellow"), indent=2))


def show_candidate(console: Console, path: Path, one: Candidate) -> None:
    """One whole: its case, what was replaced where, the doubtful places."""
    _show_brief(console, one)
    text = yaml.safe_dump(one.case, allow_unicode=True, sort_keys=False, width=100)
    console.print(
        Text("\n".join(f"  {visible(line)}" for line in text.splitlines()), style="cyan"), soft_wrap=True
    )
    for each in one.replaced:
        line = f"{each.where}: {each.kind} → {each.fiction}  [{each.digest}]"
        console.print(Text(f"  {visible(line)}", style="dim"), soft_wrap=True)
    if not _has_rules(one):
        console.print(
            Words(
                Text(say("no rules yet: write `expect`", "还没有判定规则：请写 `expect`"), style="yellow"),
                indent=2,
            )
        )
    console.print(Text(say("file: ", "文件：") + visible(str(path)), style="dim"), soft_wrap=True)


def show_decided(console: Console, done: Decided) -> None:
    """What left the queue, and whereto."""
    for name in done.ids:
        whereto = (
            say(f"accepted into {done.into}", f"已并入 {done.into}")
            if done.into
            else say("rejected", "已拒绝")
        )
        console.print(Text(f"{visible(name)}: {visible(whereto)}"), soft_wrap=True)
    for name in done.finished:
        there = say(f"was in {done.into} already; left the queue", f"此前已在 {done.into} 中，现移出队列")
        console.print(Text(f"{visible(name)}: {visible(there)}"), soft_wrap=True)
