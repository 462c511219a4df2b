"""Reading logs, finished or under way: the header, the rows, and which log of a folder is the newest."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from fairtrial.errors import BadInput, FairtrialError
from fairtrial.records.closed import refuse_closed
from fairtrial.schema.evidence import Header
from fairtrial.schema.record import Frozen, Status
from fairtrial.schema.score import Row
from fairtrial.text.json import decode
from fairtrial.text.language import say

SCHEMA = 1
PART = ".part"
_LONGEST_HEADER = 1 << 26  # bytes; a file without line ends is not read into memory whole


class _Stamp(Frozen, frozen=True, kw_only=True):
    """What a header of any version has."""

    fairtrial: str
    run: str
    started: str
    schema: int = 1


def read_header(path: Path) -> Header:
    """The first line of a log or part file. Raises BadInput if it is no log, or too new for this code."""
    with _open(path) as file:
        return header_of(file.readline(_LONGEST_HEADER), path)


def headers(files: Iterable[Path]) -> Iterator[tuple[Path, Header]]:
    """Those of some files that are logs, with their headers: not the history, a list of marks."""
    for path in files:
        try:
            yield path, read_header(path)
        except FairtrialError:
            continue


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a log in planned order, or of a part file in the order in which they ended.

    A part file's torn last line is dropped, and of two rows of one session the first that is done is
    taken. Raises BadInput at once if the file is no log, and, where it comes to one, for a line that is
    no row, with its number.
    """
    running = read_header(path).status == "running"
    return _first_of_each(_rows(path, running)) if running else _rows(path, running)


def latest(folder: Path) -> Path | None:
    """The finished log of `folder` that was started last, None if there is none."""
    return _newest(folder, "*.jsonl")


def latest_part(folder: Path) -> Path | None:
    """The part file of `folder` that was started last, None if there is none that could be resumed."""
    return _newest(folder, "*.jsonl" + PART)


def header_of(line: bytes, path: Path) -> Header:
    """`line` as the header of `path`. Raises BadInput."""
    if not line:
        raise BadInput(say("the file is empty", "文件是空的"), where=str(path), how=_another())
    if line.startswith(b"\x1f\x8b"):
        raise BadInput(
            say("the file is compressed", "文件是压缩的"),
            where=str(path),
            how=say("gunzip it first", "先用 gunzip 解压"),
        )
    stamp = _stamp(line)
    if stamp is None:
        refuse_closed(line, path)
        raise BadInput(
            say("not a log: its first line is no header", "不是日志：第一行不是日志头"),
            where=f"{path}:1",
            how=_another(),
        )
    if stamp.schema > SCHEMA:
        raise BadInput(
            say(
                f"written by fairtrial {stamp.fairtrial} in form {stamp.schema}, known are up to {SCHEMA}",
                f"由 fairtrial {stamp.fairtrial} 以格式 {stamp.schema} 写成，本版本只读到 {SCHEMA}",
            ),
            where=f"{path}:1",
            how=say("update fairtrial", "请升级 fairtrial"),
        )
    try:
        return decode(line, Header)
    except ValueError as error:
        raise BadInput(
            say(f"the header is damaged: {error}", f"日志头损坏：{error}"), where=f"{path}:1", how=_another()
        ) from error


def row_of(line: bytes, path: Path, number: int) -> Row:
    """Line `number` (from 1) of `path` as a row. Raises BadInput."""
    try:
        return decode(line, Row)
    except ValueError as error:
        raise BadInput(
            say(f"not a row of a log: {error}", f"不是日志的一行：{error}"),
            where=f"{path}:{number}",
            how=say("the file was changed or damaged; use a sound copy", "文件被改动或损坏，请用完好的副本"),
        ) from error


def _rows(path: Path, running: bool) -> Iterator[Row]:
    with _open(path) as file:
        file.readline()
        for number, line in enumerate(file, start=2):
            if running and not line.endswith(b"\n"):
                return
            yield row_of(line, path, number)


def _first_of_each(rows: Iterator[Row]) -> Iterator[Row]:
    seen = set()
    for row in rows:
        key = row.record.case, row.record.trial
        if key not in seen and row.record.status is not Status.cancelled:
            seen.add(key)
            yield row


def _newest(folder: Path, pattern: str) -> Path | None:
    found = []
    for path in folder.glob(pattern):
        if path.suffix == PART and path.with_suffix("").exists():
            continue  # a kill came between finishing the log and removing its part file
        with suppress(OSError), path.open("rb") as file:  # a folder, or another's: not for us to read
            if stamp := _stamp(file.readline(_LONGEST_HEADER)):
                found.append((stamp.started, path.stat().st_mtime_ns, path))
    return max(found)[-1] if found else None


def _stamp(line: bytes) -> _Stamp | None:
    try:
        return decode(line, _Stamp) if line.endswith(b"\n") else None
    except ValueError:
        return None


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise BadInput(
            say(f"cannot read the log: {error.strerror}", f"无法读取日志：{error.strerror}"),
            where=str(path),
            how=_another(),
        ) from error


def _another() -> str:
    return say(
        "name a log that `fairtrial run` or `import` wrote", "请指定 `fairtrial run` 或 `import` 写出的日志"
    )
