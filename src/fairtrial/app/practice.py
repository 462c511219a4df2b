"""What a sealed slice is held against: a visible round of the same agent, and an earlier look at another."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from fairtrial.app.earlier import Rows
from fairtrial.app.finish import judged
from fairtrial.app.opened import open_round
from fairtrial.errors import BadInput
from fairtrial.evidence.columns import Columns
from fairtrial.evidence.practised import level, movement, not_known
from fairtrial.records.closed import Crypt, closed_at, read_closed
from fairtrial.records.fingerprint import agents_side
from fairtrial.records.history import NAME, append_round, read_history, rounds
from fairtrial.records.log import read_header, read_rows, write_log
from fairtrial.schema.ledger import Entry
from fairtrial.schema.look import Practice
from fairtrial.schema.record import Status
from fairtrial.schema.score import Row
from fairtrial.text.language import say

CLOSED = "closed"
"""The folder, in that of the logs, of the encrypted sessions."""


@dataclass(frozen=True, kw_only=True)
class Past:
    """What is there to hold a look against; None where it is not, and then why.

    `visible` is a log of the agent that is looked at, `earlier` one of the agent of the `look` before,
    `closed` that look's own.
    """

    visible: Path | None
    run: str | None
    earlier: Path | None = None
    look: str | None = None
    closed: Path | None = None
    missing: str = ""


def past_of(name: str, folder: Path, side: str, visible: Path | None, entries: Sequence[Entry]) -> Past:
    """Find it, before the look is debited. Raises BadInput where `visible` is no sound round of this agent.

    `folder` is that of the logs, `side` the agent's fingerprint. The earlier look is the latest reliable one
    at this slice of an agent with another fingerprint.
    """
    now = _named(visible, side) if visible is not None else _latest(folder, side)
    if now is None:
        missing = say(
            f"no reliable full round of this agent ({side}) on visible cases: fairtrial run",
            f"没有这个 Agent（{side}）在可见用例上的可信完整一轮：fairtrial run",
        )
        return Past(visible=None, run=None, missing=missing)
    run = read_header(now).run
    looks = [entry.body for entry in entries if entry.kind == "result" and entry.body["slice"] == name]
    others = [body for body in looks if body["status"] == "reliable" and body["fingerprint"] != side]
    if not others:
        missing = say("no earlier reliable look at another version", "此前没有对另一版本的可信查看")
        return Past(visible=now, run=run, missing=missing)
    found = Past(visible=now, run=run)
    for look, its in reversed([(body["run"], body["fingerprint"]) for body in others]):
        closed, earlier, lacks = folder / CLOSED / f"{look}.jsonl", _latest(folder, its), ""
        if earlier is None:
            lacks = say("a visible round of its agent is missing", "缺少其 Agent 的可见一轮")
        elif not closed.is_file():
            lacks = say("its sessions are missing", "缺少它的会话")
        missing = lacks and say(f"of the earlier look {look}, {lacks}", f"此前的查看 {look} {lacks}")
        found = replace(found, earlier=earlier, look=look, closed=closed, missing=missing)
        if not missing:
            break
    return found


def practised(past: Past, holdout: Sequence[Row], pass_at: float, decrypt: Crypt) -> tuple[Practice, ...]:
    """Both lines. The sessions of the earlier look are read in memory."""
    if past.visible is None:
        return not_known("level", past.missing), not_known("movement", past.missing)
    seen, read = Columns.of(read_rows(past.visible), pass_at=pass_at), partial(read_rows, past.visible)
    first = level(seen, Columns.of(holdout, pass_at=pass_at), against=past.run)
    if past.missing or past.earlier is None or past.closed is None:
        return first, not_known("movement", past.missing)
    closed = past.closed
    visible = _alike(partial(read_rows, past.earlier), read, pass_at)
    kept = _alike(lambda: read_closed(closed, decrypt)[1], lambda: holdout, pass_at)
    return first, movement(visible, kept, against=past.look)


def _alike(then: Rows, now: Rows, pass_at: float) -> tuple[Columns, Columns]:
    """Both sides over the cases of which neither question nor rules were edited in between."""
    asked = [{row.record.case: row.about.asked for row in side()} for side in (then, now)]
    same = {case for case, what in asked[0].items() if what is not None and asked[1].get(case) == what}
    before, after = (
        Columns.of((row for row in side() if row.record.case in same), pass_at=pass_at)
        for side in (then, now)
    )
    return before, after


def _named(path: Path, side: str) -> Path:
    header = open_round(path).header
    if header is None or header.fingerprint is None or agents_side(header.fingerprint) != side:
        what = say(
            f"not a round of the agent that is looked at ({side})", f"不是被查看的 Agent（{side}）的一轮"
        )
        raise BadInput(what, where=str(path), how=say("run it on the visible cases", "请让它跑一轮可见用例"))
    if header.status != "reliable":
        what = say(
            f"not a reliable full round, but {header.status}", f"不是可信的完整一轮，而是 {header.status}"
        )
        raise BadInput(what, where=str(path), how=say("name another", "请另选一轮"))
    return path


def _latest(folder: Path, side: str) -> Path | None:
    for past in reversed(rounds(read_history(folder / NAME))):
        log = folder / past.log
        if past.fingerprint is not None and agents_side(past.fingerprint) == side and log.is_file():
            return log
    return None


def open_looks(name: str, folder: Path, decrypt: Crypt) -> list[Path]:
    """The looks at a slice that is opened, as ordinary logs in `folder`; one that is there stays as it is.

    Raises BadInput where the key is another, CannotRun where the disk refuses.
    """
    made = []
    for path in sorted((folder / CLOSED).glob("*.jsonl")):
        closed, log = closed_at(path), folder / path.name
        if closed is None or closed.slice != name or log.exists():
            continue
        header, rows = read_closed(path, decrypt)
        done = (row for row in rows if row.record.status is not Status.cancelled)
        held = sorted(done, key=lambda row: (row.record.trial, row.record.case))
        ended = judged(header, partial(tuple, held), folder, None)
        write_log(log, ended, held)
        append_round(folder / NAME, ended, log=log.name)
        made.append(log)
    return made
