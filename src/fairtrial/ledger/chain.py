"""One JSONL file to which only is added: each entry holds the hash of the one before.

Every line is canonical, so that any byte that is changed is seen. Beside the file stands its head: number and
hash of the last entry, which tells that entries are gone from the end. A kill at any byte leaves the entry
that was being written out, or the head one behind; neither is a broken chain.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from fairtrial.errors import BadInput, CannotRun
from fairtrial.schema.ledger import Entry, Witness
from fairtrial.text.language import say

FIRST = "0" * 64
"""What the first entry has for the hash of the one before."""
Clock = Callable[[], datetime]


def head_of(path: Path) -> Path:
    """Where the head of the ledger `path` stands: `ledger.head` beside `ledger.jsonl`."""
    return path.with_suffix(".head")


def read(path: Path) -> tuple[Entry, ...]:
    """The entries of a whole chain; none if there is no such file. A torn last line is none.

    Raises BadInput, with the number of the line, for the first that does not continue the chain.
    """
    return _entries(_content(path), path)


def head(where: Path) -> Witness | None:
    """What the head at `where` says, `head_of` a ledger; None if there is none. Raises BadInput."""
    try:
        told = json.loads(_content(where) or "null")
        return None if told is None else Witness(n=int(told["n"]), hash=str(told["hash"]), where=str(where))
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(
            say("not the head of a ledger", "不是账本的末端记录"),
            where=str(where),
            how=say("take a sound copy of it", "请换回完好的副本"),
        ) from error


class Book:
    """The ledger, held by this process alone. `entries` are those so far."""

    def __init__(self, path: Path, descriptor: int, now: Clock) -> None:
        self.path = path
        self._descriptor, self._now = descriptor, now
        content = _content(path)
        self.entries = _entries(content, path)
        self._end = content.rfind(b"\n") + 1
        for fault in contradictions(self.entries, filter(None, (head(head_of(path)),))):
            raise BadInput(fault, where=str(path), how="fairtrial ledger verify")

    def append(self, kind: str, who: str, body: Any) -> Entry:
        """Add an entry; it is on the disk when this returns. `body` is a frozen type or plain data.

        Raises BadInput where nobody puts a name to it or the clock stands before the last entry, CannotRun
        where the disk refuses; the file then ends with the entry before.
        """
        if not who.strip():
            raise BadInput(
                say("somebody must put a name to it", "须有人署名"),
                where="--who",
                how=say("--who NAME", "--who 名字"),
            )
        last = self.entries[-1] if self.entries else None
        at = self._now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        if last and at < last.at:
            raise BadInput(
                say(
                    f"the clock says {at}, the ledger's last entry is of {last.at}",
                    f"时钟为 {at}，而账本最后一条的时间是 {last.at}",
                ),
                where=str(self.path),
                how=say("set the clock right", "请校准时钟"),
            )
        entry = Entry(
            n=len(self.entries) + 1,
            at=at,
            kind=kind,
            who=who.strip(),
            body=json.loads(_canonical(msgspec.to_builtins(body))),  # as it will be read back
            previous=last.hash if last else FIRST,
            hash="",
        )
        entry = msgspec.structs.replace(entry, hash=_hash(entry))
        self._write(entry)
        self.entries += (entry,)
        return entry

    def _write(self, entry: Entry) -> None:
        line = _canonical(msgspec.to_builtins(entry)) + b"\n"
        try:
            os.ftruncate(self._descriptor, self._end)  # what a kill left of an entry is none
            data = line
            while data:  # a disk that fills up takes a piece before it refuses
                data = data[os.write(self._descriptor, data) :]
            os.fsync(self._descriptor)
            set_head(head_of(self.path), entry)
        except BaseException as error:
            with suppress(OSError):
                os.ftruncate(self._descriptor, self._end)
                os.fsync(self._descriptor)
            if not isinstance(error, OSError):
                raise
            raise _unwritable(self.path, error) from error
        self._end += len(line)


def utc_now() -> datetime:
    """The clock of this machine."""
    return datetime.now(UTC)


@contextmanager
def locked(path: Path, *, now: Clock = utc_now, begin: bool = False) -> Iterator[Book]:
    """The ledger at `path` for this process alone: another one waits until it is let go.

    One that is missing is made if it is to `begin`. Raises BadInput where it is missing otherwise, for a
    broken chain and for one that its head shows to be shortened, CannotRun where it cannot be opened.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | (os.O_CREAT if begin else 0), 0o644)
    except FileNotFoundError as error:
        raise missing(path) from error
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield Book(path, descriptor, now)
    finally:
        os.close(descriptor)


def missing(path: Path, *, lost: bool = False) -> BadInput:
    """What to say of a ledger that is not there: fresh, or `lost`, as it is where its head was left."""
    if lost or head_of(path).exists():
        return BadInput(
            say(
                "the ledger is missing, and what it counted is there: every slice is spent",
                "账本缺失，而它所计的内容仍在：所有封存集视为已用尽",
            ),
            where=str(path),
            how=say("put the ledger back; a new one is no substitute", "请找回账本；新账本不能代替它"),
        )
    return BadInput(
        say("there is no ledger yet", "还没有账本"),
        where=str(path),
        how=say("fairtrial seal init --key FILE", "执行 fairtrial seal init --key 文件"),
    )


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise BadInput(error.strerror or str(error), where=str(path)) from error


def _entries(content: bytes, path: Path) -> tuple[Entry, ...]:
    found: list[Entry] = []
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        entry = _entry(line)
        what = _wrong(entry, found) if entry else say("not an entry as it was written", "不是原样的账本条目")
        if what or entry is None:
            raise BadInput(
                what,
                where=f"{path}:{number}",
                how=say(
                    "the history was changed; take a sound copy of it",
                    "历史被改动；请换回完好的副本",
                ),
            )
        found.append(entry)
    return tuple(found)


def _entry(line: bytes) -> Entry | None:
    """The entry of a line, None for one that this ledger would not have written in these bytes."""
    try:
        entry = msgspec.convert(json.loads(line), Entry)
        return entry if _canonical(msgspec.to_builtins(entry)) == line else None
    except (ValueError, RecursionError):
        return None


def _wrong(entry: Entry, before: list[Entry]) -> str:
    """Why the entry does not continue the chain, or nothing."""
    last = before[-1] if before else None
    if entry.hash != _hash(entry):
        return say(f"entry {entry.n} was changed: its hash is another", f"第 {entry.n} 条被改动：哈希不符")
    if entry.n != len(before) + 1:
        return say(
            f"entry {entry.n} stands where entry {len(before) + 1} should",
            f"此处应为第 {len(before) + 1} 条，却是第 {entry.n} 条",
        )
    if entry.previous != (last.hash if last else FIRST):
        return say(f"entry {entry.n} does not follow the one before it", f"第 {entry.n} 条与前一条不衔接")
    if last and entry.at < last.at:
        return say(f"entry {entry.n} is older than the one before it", f"第 {entry.n} 条早于前一条")
    return ""


def contradictions(entries: Sequence[Entry], witnesses: Iterable[Witness]) -> Iterator[str]:
    """One sentence for each witness that saw an entry which the chain lacks, or has otherwise."""
    for seen in witnesses:
        if not 0 < seen.n <= len(entries):
            yield say(
                f"shortened: {seen.where} saw entry {seen.n}, the ledger ends with entry {len(entries)}",
                f"被截短：{seen.where} 见过第 {seen.n} 条，账本却止于第 {len(entries)} 条",
            )
        elif not entries[seen.n - 1].hash.startswith(seen.hash):
            yield say(
                f"rewritten: {seen.where} saw another entry {seen.n}",
                f"被改写：{seen.where} 见过的第 {seen.n} 条与此不同",
            )


def _hash(entry: Entry) -> str:
    content = msgspec.to_builtins(entry)
    del content["hash"]
    return hashlib.sha256(_canonical(content)).hexdigest()


def _canonical(value: Any) -> bytes:
    """JSON in ASCII with sorted keys and no blanks. Raises ValueError for what is not finite."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def set_head(path: Path, entry: Entry) -> None:
    """Write down at `path` that this entry was seen. Raises OSError."""
    draft = path.with_name(path.name + ".tmp")
    with draft.open("wb") as file:
        file.write(_canonical({"n": entry.n, "hash": entry.hash}) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _unwritable(path: Path, error: OSError) -> CannotRun:
    return CannotRun(
        say(f"cannot write the ledger: {error.strerror}", f"无法写入账本：{error.strerror}"),
        where=str(path),
        how=say(
            "it ends with the entry before; make room or give access",
            "账本止于前一条；请腾出空间或授予权限",
        ),
    )
