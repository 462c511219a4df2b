"""The ledger: JSON Lines that are only ever appended to, each chained by its hash to the line before.

A line is on the disk before `Book.append` returns. A last line without its end is what a kill left of one
that nobody was told of; it is no entry, and the next one takes its place. `NAME.head` beside the ledger holds
the number and the hash of its last entry, so that one that was cut off at its end is not taken for whole.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fairtrial.errors import BadInput, CannotRun
from fairtrial.schema.ledger import Entry
from fairtrial.text.json import decode, encode
from fairtrial.text.language import say

NONE_BEFORE = "0" * 64
"""What stands for the hash before the first entry."""


def utc_now() -> datetime:
    """The time that an entry is given."""
    return datetime.now(UTC)


def digest(entry: Entry) -> str:
    """The hash that belongs to an entry: SHA-256 of its other fields as JSON with sorted keys, in UTF-8."""
    content = {name: getattr(entry, name) for name in Entry.__struct_fields__ if name != "hash"}
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def head_file(path: Path) -> Path:
    """Where the head of the ledger `path` is kept."""
    return path.with_suffix(".head")


def read(path: Path) -> tuple[Entry, ...]:
    """All entries, oldest first; none where there is no such file and no head.

    Raises BadInput, naming the line, for what breaks the chain, for times that go back, and for a ledger
    that is shorter than its head says, or gone.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        content = b""
    except OSError as error:
        raise BadInput(error.strerror or str(error), where=str(path)) from error
    entries = tuple(_entries(content, path))
    _hold_against_head(entries, path)
    return entries


class Book:
    """A ledger under its lock: what it holds, and where more is put behind it."""

    def __init__(self, path: Path, entries: Sequence[Entry], now: Callable[[], datetime]) -> None:
        self.path = path
        self._entries = list(entries)
        self._now = now

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Oldest first."""
        return tuple(self._entries)

    def append(self, kind: str, who: str, body: dict[str, Any]) -> Entry:
        """One entry more, synced before this returns.

        Raises BadInput where the clock stands before the last entry, CannotRun where the disk refuses: the
        ledger then ends as it did.
        """
        last = self._entries[-1] if self._entries else None
        at = self._now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        if last is not None and at < last.at:
            raise BadInput(
                say(
                    f"the clock says {at}, the last entry is of {last.at}",
                    f"时钟是 {at}，账本最后一条却是 {last.at}",
                ),
                where=f"{self.path}:{last.n}",
                how=say("set the clock right", "请校准时钟"),
            )
        entry = Entry(
            n=last.n + 1 if last else 1,
            at=at,
            kind=kind,
            who=who,
            body=body,
            previous=last.hash if last else NONE_BEFORE,
            hash="",
        )
        entry = _with_hash(entry)
        self._put(encode(entry) + b"\n")
        self._entries.append(entry)
        _keep_head(self.path, entry)
        return entry

    def _put(self, line: bytes) -> None:
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            end = _whole_length(descriptor)
            os.ftruncate(descriptor, end)
            try:
                rest = line
                while rest:
                    rest = rest[os.write(descriptor, rest) :]
                os.fsync(descriptor)
            except OSError as error:
                os.ftruncate(descriptor, end)
                raise _refused(self.path, error) from error
            _sync_folder(self.path.parent)
        finally:
            os.close(descriptor)


@contextmanager
def locked(path: Path, *, now: Callable[[], datetime] = utc_now) -> Iterator[Book]:
    """The ledger for whoever is first; a second process waits until the first has done.

    Raises BadInput as `read`, CannotRun where the lock cannot be taken.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise _refused(path, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield Book(path, read(path), now)
    finally:
        os.close(descriptor)


def _with_hash(entry: Entry) -> Entry:
    content = {name: getattr(entry, name) for name in Entry.__struct_fields__}
    # As it will be read back: a tuple becomes a list, a number a number.
    plain = decode(encode(entry), Entry)
    return Entry(**content | {"body": plain.body, "hash": digest(plain)})


def _entries(content: bytes, path: Path) -> Iterator[Entry]:
    before, time = NONE_BEFORE, ""
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        where = f"{path}:{number}"
        try:
            entry = decode(line, Entry)
        except ValueError as error:
            raise _broken(say("not an entry", "不是账本条目"), where) from error
        if entry.n != number or entry.previous != before:
            raise _broken(
                say("an entry was dropped, put in or moved before this one", "此前有条目被删去、插入或移动"),
                where,
            )
        if digest(entry) != entry.hash or encode(entry) != line:
            raise _broken(say("the entry was changed", "该条目被改动"), where)
        if entry.at < time:
            raise _broken(say("older than the entry before it", "早于前一条"), where)
        before, time = entry.hash, entry.at
        yield entry


def _hold_against_head(entries: Sequence[Entry], path: Path) -> None:
    """The head is written after the entry: it may be one behind, never ahead."""
    head = head_file(path)
    try:
        n, told = json.loads(head.read_bytes())
    except FileNotFoundError:
        if len(entries) > 1:  # a kill may have come between the first entry and its head
            raise _broken(say("its head is missing", "缺少账本头"), str(head)) from None
        return
    except (OSError, ValueError, TypeError) as error:
        raise _broken(say("no head of a ledger", "不是账本头"), str(head)) from error
    if not isinstance(n, int) or not 1 <= n <= len(entries):
        raise _broken(
            say(
                f"cut short: {len(entries)} entries, its head is of {n}",
                f"被截短：有 {len(entries)} 条，账本头是第 {n} 条",
            ),
            str(path),
        )
    if entries[n - 1].hash != told:
        raise _broken(say("not the entry that the head names", "与账本头所指的条目不符"), f"{path}:{n}")


def _keep_head(path: Path, entry: Entry) -> None:
    head = head_file(path)
    draft = head.with_name(head.name + ".tmp")
    try:
        with draft.open("wb") as file:
            file.write(json.dumps([entry.n, entry.hash]).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, head)
        _sync_folder(head.parent)
    except OSError as error:
        draft.unlink(missing_ok=True)
        if entry.n == 1:
            raise _refused(head, error) from error


def _whole_length(descriptor: int) -> int:
    """Up to where the file holds whole lines."""
    size = os.fstat(descriptor).st_size
    return os.pread(descriptor, size, 0).rfind(b"\n") + 1


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _broken(what: str, where: str) -> BadInput:
    return BadInput(
        say(f"the ledger is broken: {what}", f"账本已损坏：{what}"),
        where=where,
        how=say(
            "restore it from a sound copy; until then all that it counts is spent",
            "请用完好的副本恢复；在此之前，它所计的额度都视为用尽",
        ),
    )


def _refused(path: Path, error: OSError) -> CannotRun:
    return CannotRun(
        say(f"cannot write the ledger: {error.strerror}", f"无法写入账本：{error.strerror}"),
        where=str(path),
        how=say("make room or give access; it is as it was", "请腾出空间或授予权限；账本未改动"),
    )
