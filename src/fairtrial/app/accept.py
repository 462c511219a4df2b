"""Proposed thresholds that a person takes over, with name and reason; the rest of the file stays as it is."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from fairtrial.app.calibrate import quoted, table_name
from fairtrial.app.config import FILE, load_project
from fairtrial.errors import BadInput
from fairtrial.evidence.thresholds import LINES, DoubtConfig
from fairtrial.records.whole import write_whole
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class Accepted:
    """The project file, and the tables that were added to it."""

    file: Path
    tables: tuple[str, ...]


@dataclass(frozen=True)
class _Entry:
    """A line of the proposal: the words of its table, and what it says."""

    place: tuple[str, ...]
    threshold: float
    why: str


def accept(proposal: Path, who: str, config: Path | None = None) -> Accepted:
    """Append the proposal's lines to `fairtrial.toml`, signed by `who`. Raises BadInput; all or nothing."""
    if not who.strip():
        raise BadInput(
            say("somebody must put a name to it", "须有人署名"),
            where="--who",
            how=say("--who NAME", "--who 名字"),
        )
    file = config or Path(FILE)
    load_project(config)  # refuses a file that is wrong already
    if not file.is_file():
        raise BadInput(
            say("no such file", "没有这个文件"),
            where=str(file),
            how=say("make one: fairtrial init", "用 fairtrial init 新建"),
        )
    entries = list(_entries(proposal))
    before = file.read_bytes()
    table = tomllib.loads(before.decode("utf-8-sig"))
    for entry in entries:
        _require_new(table, entry, file)
    after = before + _added(before, entries, who.strip())
    _require_sound(after, entries, file)
    write_whole(file, [after])
    return Accepted(file=file, tables=tuple(table_name(entry.place) for entry in entries))


def _entries(proposal: Path) -> Iterator[_Entry]:
    """The lines of the proposal. Raises BadInput where it is none."""
    try:
        table = tomllib.loads(proposal.read_bytes().decode("utf-8-sig"))
        DoubtConfig.model_validate(table["doubts"])
    except OSError as error:
        raise BadInput(error.strerror or str(error), where=str(proposal)) from error
    except (KeyError, ValueError, ValidationError) as error:
        lines = str(error).splitlines()
        raise _no_proposal(
            proposal, lines[-1] if isinstance(error, tomllib.TOMLDecodeError) else ""
        ) from error
    found = list(_lines(table["doubts"], ("doubts",)))
    if not found:
        raise _no_proposal(proposal, say("it has no line", "其中没有任何一条线"))
    yield from found


def _no_proposal(proposal: Path, what: str) -> BadInput:
    return BadInput(
        say("not a proposal of thresholds", "不是阈值提案") + (f": {what}" if what else ""),
        where=str(proposal),
        how=say("make one: fairtrial calibrate", "用 fairtrial calibrate 生成"),
    )


def _lines(table: dict[str, Any], place: tuple[str, ...]) -> Iterator[_Entry]:
    for name, value in table.items():
        words = (*place, name)
        if name in LINES and place[-1] != "sets":
            told = value if isinstance(value, dict) else {"threshold": value}
            if told.get("threshold") is not None:
                yield _Entry(words, float(told["threshold"]), told.get("why") or "calibrated")
        elif isinstance(value, dict):
            yield from _lines(value, words)


def _require_new(table: dict[str, Any], entry: _Entry, file: Path) -> None:
    there: Any = table
    for word in entry.place:
        if not isinstance(there, dict) or word not in there:
            return
        there = there[word]
    name = table_name(entry.place)
    raise BadInput(
        say(f"[{name}] is there already", f"已有 [{name}]"),
        where=str(file),
        how=say(
            "take it out of this file, or out of the proposal; then accept again",
            "请从本文件或提案中删去它，再接受一次",
        ),
    )


def _added(before: bytes, entries: list[_Entry], who: str) -> bytes:
    tables = "".join(
        f"\n[{table_name(entry.place)}]\nthreshold = {entry.threshold:g}\n"
        f"who = {quoted(who)}\nwhy = {quoted(entry.why)}\n"
        for entry in entries
    )
    end = b"" if before.endswith(b"\n") or not before else b"\n"
    text = end + tables.encode()
    return text.replace(b"\n", b"\r\n") if b"\r\n" in before else text


def _require_sound(after: bytes, entries: list[_Entry], file: Path) -> None:
    """What is about to be written is a valid project whose lines say what was accepted. Raises BadInput."""
    try:
        table = tomllib.loads(after.decode("utf-8-sig"))
        doubts = DoubtConfig.model_validate(table["doubts"])
    except (ValueError, ValidationError) as error:
        raise BadInput(
            say(f"the lines cannot be added to this file: {error}", f"这些线加不进本文件：{error}").split(
                "\n"
            )[0],
            where=str(file),
            how=say("write [doubts] as tables of their own", "请把 [doubts] 写成独立的表"),
        ) from error
    for name in {entry.place[2] if entry.place[1] == "sets" else None for entry in entries}:
        for mode in ("full", "quick"):
            doubts.resolve(name, mode)
