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
    """The lines of the proposal. Raises BadInput where it is none, or holds what would not be taken over."""
    try:
        table = tomllib.loads(proposal.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise BadInput(error.strerror or str(error), where=str(proposal)) from error
    except ValueError as error:
        what = str(error) if isinstance(error, tomllib.TOMLDecodeError) else ""
        raise _no_proposal(proposal, what) from error
    try:
        DoubtConfig.model_validate(table.get("doubts"))
    except ValidationError as error:
        raise _no_proposal(proposal) from error
    yield from _lines(proposal, table, ())


def _no_proposal(proposal: Path, what: str = "") -> BadInput:
    return BadInput(
        say("not a proposal of thresholds", "不是阈值提案") + (f": {what}" if what else ""),
        where=str(proposal),
        how=say("make one: fairtrial calibrate", "用 fairtrial calibrate 生成"),
    )


def _lines(proposal: Path, table: dict[str, Any], place: tuple[str, ...]) -> Iterator[_Entry]:
    for name, value in table.items():
        words = (*place, name)
        if isinstance(value, dict) and value.keys() == {"threshold", "why"}:
            yield _Entry(words, float(value["threshold"]), value["why"])
        elif isinstance(value, dict) and words[0] == "doubts" and value and words[-1] not in LINES:
            yield from _lines(proposal, value, words)
        else:
            name = table_name(words)
            raise _no_proposal(
                proposal, say(f"{name} is no threshold with its why", f"{name} 不是带理由的阈值")
            )


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
