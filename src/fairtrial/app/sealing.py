"""The ledger of a project with all that bears witness to it, and the sealed parts that it tells of."""

import ctypes
import getpass
import hashlib
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import msgspec

from fairtrial.app.config import Project
from fairtrial.cases.seal import VARIABLE, Key, open_cases, read_key
from fairtrial.errors import BadInput, CannotRun
from fairtrial.ledger.chain import (
    Book,
    Clock,
    contradictions,
    head,
    head_of,
    locked,
    missing,
    utc_now,
)
from fairtrial.records.closed import closed_at
from fairtrial.records.whole import sync_folder
from fairtrial.schema.case import Case
from fairtrial.schema.ledger import Added, Begun, Drawn, Entry, Part, Rotated, Witness
from fairtrial.text.language import say

PART, DRAFT, FROM = ".age", ".draft", ".from"
"""A part; one that the ledger has not yet; beside it, what is to be emptied."""
_PR_SET_DUMPABLE = 4
_SEEN = re.compile(r"\.(\d+)-([0-9a-f]{16})\.age$")
_CLOSED = "closed"
_T = TypeVar("_T")
Owned = tuple[str, Part, Entry]
"""A part with its slice and the entry that put it there."""


def ledger_file(project: Project) -> Path:
    """Where the project's ledger is, or would be."""
    return project.path(project.seal.ledger)


def examiner_key(path: Path | None) -> Key:
    """The key of the file, or else of FAIRTRIAL_EXAMINER_KEY, which leaves our environment: nobody who is
    started gets it. No other process of this user reads our memory from here on, and no crash leaves a copy
    of it. Raises BadInput.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    return read_key(path, os.environ.pop(VARIABLE, None))


def witness_of(key: Key | None) -> Path | None:
    """Where the last look is kept out of the project's reach: `FILE.seen`, beside the key's file."""
    return key.file.with_name(key.file.name + ".seen") if key and key.file else None


@contextmanager
def held(project: Project, key: Key | None = None, *, now: Clock = utc_now) -> Iterator[Book]:
    """The project's ledger for this process alone, sound by all that is beside it, and beside the key.

    What a kill left of a sealed part is finished where the ledger has it, and else removed. Raises BadInput
    for a ledger that is missing, broken, shortened, of another history or another key.
    """
    path, folder = ledger_file(project), project.path(project.seal.folder)
    if not path.exists() and any(folder.glob(f"*{PART}")):
        raise missing(path, lost=True)
    with locked(path, now=now) as book:
        if not book.entries:
            raise missing(path)
        _settle(folder, book.entries)
        if key:
            _require_key(key, book.entries)
        for fault in faults(project, book.entries, key):
            raise BadInput(fault, where=str(path), how="fairtrial ledger verify")
        yield book


def bodies(entries: Sequence[Entry], kind: str, form: type[_T]) -> Iterator[tuple[Entry, _T]]:
    """The entries of a kind with their bodies."""
    for entry in entries:
        if entry.kind == kind:
            yield entry, msgspec.convert(entry.body, form)


def begun(entries: Sequence[Entry]) -> Begun:
    """To whom is sealed: a ledger begins with that."""
    return [body for _, body in bodies(entries, "init", Begun)][-1]


def _require_key(key: Key, entries: Sequence[Entry]) -> None:
    """The key is the one that the ledger began with, both its secrets. Raises BadInput."""
    if (key.recipient, key.check) != ((told := begun(entries)).recipient, told.check):
        raise BadInput(
            say("not the key of this ledger", "不是这份账本的密钥"),
            where="--key",
            how=say(f"its public half is {told.recipient}", f"其公钥应为 {told.recipient}"),
        )


def parts(entries: Sequence[Entry]) -> list[Owned]:
    """All parts that were ever sealed, the oldest first."""
    drawn = [(body.slice, body.part, entry) for entry, body in bodies(entries, "draw", Drawn)]
    added = [(body.slice, body.part, entry) for entry, body in bodies(entries, "add", Added)]
    found = [(name, part, entry) for name, part, entry in (*drawn, *added) if part is not None]
    return sorted(found, key=lambda owned: owned[2].n)


def rotations(entries: Sequence[Entry]) -> dict[str, tuple[Entry, Rotated]]:
    """The slices that were opened, by name."""
    return {body.slice: (entry, body) for entry, body in bodies(entries, "rotate", Rotated)}


def witnesses(project: Project, key: Key | None = None) -> Iterator[Witness]:
    """What saw the ledger: its head, the names of sealed parts, closed logs, and what is beside the key."""
    for where in filter(None, (head_of(ledger_file(project)), witness_of(key))):
        if seen := head(where):
            yield seen
    for file in sorted(project.path(project.seal.folder).glob(f"*{PART}")):
        if named := _SEEN.search(file.name):
            yield Witness(n=int(named[1]), hash=named[2], where=file.name)
    for file in sorted(project.path(project.run.out).glob(f"{_CLOSED}/*.jsonl")):
        if closed := closed_at(file):
            yield Witness(n=closed.entry, hash=closed.hash, where=str(file))


def faults(project: Project, entries: Sequence[Entry], key: Key | None = None) -> Iterator[str]:
    """What around the ledger contradicts it, a sentence each; the chain itself is sound when it was read."""
    yield from contradictions(entries, witnesses(project, key))
    told = head(head_of(ledger_file(project)))
    if len(entries) - (told.n if told else 0) > 1:  # a kill leaves it one behind, never more
        yield say("its head is missing or older than it", "末端记录缺失或过旧")
    for before, entry in pairwise(entries):
        if entry.kind == "init" and before.kind != "init":
            yield say(
                f"entry {entry.n} puts another key in place of the first",
                f"第 {entry.n} 条用另一把密钥替换了最初的密钥",
            )
    known = {part.file for _, part, _ in parts(entries)}
    for file in sorted(project.path(project.seal.folder).glob(f"*{PART}")):
        if file.name not in known:
            yield say(f"the ledger knows no sealed part {file.name}", f"账本中没有封存部分 {file.name}")


def broken(project: Project, part: Part) -> str | None:
    """Why the file of a part is not what was sealed; None where it is."""
    try:
        data = project.path(project.seal.folder).joinpath(part.file).read_bytes()
    except OSError as error:
        return error.strerror or str(error)
    sound = hashlib.sha256(data).hexdigest() == part.sha256
    return None if sound else say("not what was sealed: changed or cut off", "与封存时不同：被改动或截断")


def open_parts(
    project: Project, entries: Sequence[Entry], key: Key
) -> list[tuple[str, Part, tuple[Case, ...]]]:
    """All parts with their cases, in memory. Raises BadInput for one that is not as it was sealed."""
    found = []
    for name, part, _ in parts(entries):
        path = project.path(project.seal.folder) / part.file
        if what := broken(project, part):
            how = say("put a sound copy in its place", "请换回完好的副本")
            raise BadInput(what, where=str(path), how=how)
        found.append((name, part, open_cases(path.read_bytes(), key, str(path))))
    return found


def user() -> str:
    """Who this machine says we are."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container whose user has no name
        return str(os.getuid())


def _settle(folder: Path, entries: Sequence[Entry]) -> None:
    """A part is written under another name, and takes its own once the ledger has it: go on from there."""
    due = {part.file: part.sha256 for _, part, _ in parts(entries)}
    try:
        for draft in folder.glob(f"*{PART}{DRAFT}*"):
            final = draft.with_name(draft.name.partition(DRAFT)[0])
            whole = hashlib.sha256(draft.read_bytes()).hexdigest()
            if draft.suffix == DRAFT and due.get(final.name) == whole and not final.exists():
                place(draft)
            else:
                draft.unlink()
        for note in folder.glob(f"*{PART}{FROM}"):
            if note.stem not in due:
                note.unlink()
    except OSError as error:
        raise CannotRun(error.strerror or str(error), where=str(folder)) from error


def place(draft: Path) -> None:
    """Give a part its own name. Raises OSError."""
    os.replace(draft, draft.with_suffix(""))
    sync_folder(draft.parent)
