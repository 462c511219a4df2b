"""The log of sessions on sealed cases: plain as to which look it is of, encrypted row by row.

The first line tells the slice, and the look by its entry of the ledger; every other line is one row,
encrypted and in base64. A row is with the kernel as its session ends, so that a kill loses at most the one
being written. What encrypts and what decrypts are given as functions: no key is known here.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeVar

import fairtrial
from fairtrial.errors import BadInput, CannotRun
from fairtrial.records.part import Part
from fairtrial.schema.evidence import Header
from fairtrial.schema.record import Frozen
from fairtrial.schema.score import Row
from fairtrial.text.json import decode, encode
from fairtrial.text.language import say

Crypt = Callable[[bytes], bytes]
"""Encrypts, or decrypts; the latter raises ValueError or BadInput for what it cannot open."""
_LONGEST = 1 << 26
_T = TypeVar("_T")


class Closed(Frozen, frozen=True, kw_only=True, omit_defaults=False):
    """The first line: which look of which slice, by its entry in the ledger (number and hash), and when.

    `header` is that of the round, encrypted and in base64.
    """

    fairtrial: str
    kind: Literal["fairtrial closed log"]
    slice: str
    entry: int
    hash: str
    started: str
    header: str


def closed_at(path: Path) -> Closed | None:
    """The first line of a closed log, None where the file is none."""
    try:
        with path.open("rb") as file:
            return closed_of(file.readline(_LONGEST))
    except OSError:
        return None


def closed_of(line: bytes) -> Closed | None:
    """A file's first line as that of a closed log, None where it is another's."""
    try:
        return decode(line, Closed)
    except ValueError:
        return None


def refuse_closed(line: bytes, path: Path) -> None:
    """Raise BadInput where the first line of `path` is that of a closed log."""
    if closed_of(line) is not None:
        raise BadInput(
            say("a closed log: its sessions are on sealed cases", "封存日志：其中是封存用例的会话"),
            where=str(path),
            how=say(
                "it opens when its slice does: fairtrial seal rotate",
                "随封存集一起打开：fairtrial seal rotate",
            ),
        )


class ClosedWriter:
    """Writes one closed log; a context manager. Raises BadInput if there is one, CannotRun where it cannot.

    `entry` and `hash` are those of the look's debit.
    """

    def __init__(
        self, path: Path, header: Header, *, slice: str, entry: int, hash: str, encrypt: Crypt
    ) -> None:
        self.path = path
        self._encrypt = encrypt
        self._part = Part.create(path)
        first = Closed(
            fairtrial=fairtrial.__version__,
            kind="fairtrial closed log",
            slice=slice,
            entry=entry,
            hash=hash,
            started=header.started,
            header=b64encode(encrypt(encode(header))).decode(),
        )
        self._append(encode(first))

    def append(self, row: Row) -> None:
        """Hand one row to the kernel, encrypted. Raises CannotRun where the disk refuses it."""
        self._append(b64encode(self._encrypt(encode(row))))

    def __enter__(self) -> "ClosedWriter":
        return self

    def __exit__(self, *error: object) -> None:
        self._part.close()

    def _append(self, line: bytes) -> None:
        try:
            self._part.append(line + b"\n")
        except CannotRun as error:
            how = say("the look is spent all the same; make room", "这次查看已计入次数；请腾出空间")
            raise CannotRun(error.what, where=error.where, how=how) from None


def read_closed(path: Path, decrypt: Crypt) -> tuple[Header, Iterator[Row]]:
    """The header with which the look began, and its rows as they ended; a torn last line is dropped.

    Raises BadInput where it is no closed log, and, where it comes to one, for a line that does not decrypt.
    """
    lines = _lines(path)
    _, first = next(lines, (1, b""))
    closed = closed_of(first)
    if closed is None:
        raise BadInput(say("not a closed log", "不是封存日志"), where=f"{path}:1")
    header = _opened(closed.header.encode(), Header, decrypt, f"{path}:1")
    return header, (_opened(line, Row, decrypt, f"{path}:{number}") for number, line in lines)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    return
                yield number, line[:-1]
    except OSError as error:
        raise BadInput(error.strerror or str(error), where=str(path)) from error


def _opened(line: bytes, kind: type[_T], decrypt: Crypt, where: str) -> _T:
    try:
        return decode(decrypt(b64decode(line, validate=True)), kind)
    except (ValueError, BadInput):
        # What the line holds is for nobody's eyes: not even its beginning is told.
        raise BadInput(
            say("a line of a closed log that this key does not open", "封存日志中有一行，这把钥匙打不开"),
            where=where,
            how=say("it was changed, or closed with another key", "它被改动过，或是用另一把钥匙封存的"),
        ) from None
