"""The run log: JSON Lines, appended to while the run goes on, and made whole and final at its end.

While running, `NAME.jsonl.part` holds a header with status `running` and then a row a session, in the
order in which they ended. Finishing replaces it, in one step, by `NAME.jsonl`: the final header, then
the rows in planned order. A kill at any moment leaves one of the two, and nothing finished is lost.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path

from fairtrial.errors import BadInput
from fairtrial.records.index import Index, Key, Ordinals
from fairtrial.records.part import Part
from fairtrial.records.reading import (
    PART,
    header_of,
    latest,
    latest_part,
    read_header,
    read_rows,
    row_of,
)
from fairtrial.records.whole import sync_folder, write_whole
from fairtrial.schema.evidence import Header
from fairtrial.schema.record import Status
from fairtrial.schema.score import Row
from fairtrial.text.json import encode
from fairtrial.text.language import say

__all__ = [
    "LogWriter",
    "iso",
    "latest",
    "latest_part",
    "open_resumed",
    "part_of",
    "read_header",
    "read_rows",
    "run_name",
    "write_log",
]


def iso(moment: datetime) -> str:
    """A moment as logs write it: `2026-11-30T16:27:05Z`, so that order of text is order of time."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def run_name(moment: datetime) -> str:
    """A new run's name, `2026-11-30T16-27-05Z-1f0c9a27`: its start, and 32 random bits against twins."""
    return f"{iso(moment).replace(':', '-')}-{secrets.token_hex(4)}"


def part_of(path: Path) -> Path:
    """Where the log `path` lies while it is being written."""
    return path.with_name(path.name + PART)


class LogWriter:
    """Writes one run's log; a context manager that, unless it was finished, leaves a resumable part file.

    `path` is the finished log's; `planned` names the sessions, (case, trial), in the order in which the
    finished log shows them. It is kept and asked, never copied: about 25 bytes a session are held. A
    number is how many there are at most, where they are chosen as the run goes: each has its place as its
    trial. Raises BadInput if there is such a log already, CannotRun if the folder cannot be written,
    ValueError if `header` is not `running`.
    """

    def __init__(
        self, path: Path, header: Header, planned: Sequence[Key] | int, *, part: Part | None = None
    ) -> None:
        if header.status != "running":
            raise ValueError("a log begins with a running header")
        self.path = path
        self.header = header
        self._index = Ordinals(planned) if isinstance(planned, int) else Index(planned)
        self._finished = False
        self._part = part or Part.create(part_of(path))
        try:
            if part:
                self._recall()
            else:
                self._begin()
        except BaseException:
            self._part.close()
            raise

    @property
    def done(self) -> int:
        """How many planned sessions have their row."""
        return self._index.done

    def is_done(self, case: str, trial: int) -> bool:
        """Whether the session has its row. Raises KeyError if it is not planned."""
        return self._index.place(self._position((case, trial))) is not None

    def append(self, row: Row) -> None:
        """Hand one row to the kernel.

        Raises CannotRun if the disk refuses it (nothing before it is lost), KeyError for a session that
        is not planned and ValueError for one that has its row.
        """
        key = (row.record.case, row.record.trial)
        position = self._position(key)
        if self._finished or self._index.place(position):
            raise ValueError(f"written already: {key}")
        line = encode(row) + b"\n"
        offset = self._part.append(line)
        if row.record.status is not Status.cancelled:
            self._index.put(position, offset, len(line))

    def rows(self) -> Iterator[Row]:
        """The rows so far in planned order, read back from the file one by one."""
        for line in self._lines():
            yield row_of(line, self._part.path, 0)

    def finish(self, header: Header) -> Path:
        """Write the log with its final header and rows in planned order, remove the part file.

        All or nothing: until the log is there whole and synced, the part file stays. Raises CannotRun
        where the disk refuses, ValueError if `header` is still `running`.
        """
        _write(self.path, header, self._lines())
        self._finished = True
        self._part.discard()
        return self.path

    def close(self) -> None:
        """Sync and let go of the part file, which stays and can be resumed."""
        self._part.close()

    def __enter__(self) -> "LogWriter":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _begin(self) -> None:
        # Looked for only now that the name is held: another run of this name may just have finished.
        if self.path.exists():
            self._part.discard()
            raise BadInput(
                say("there is a log of this name", "已有同名日志"),
                where=str(self.path),
                how=say("choose another name", "请换一个名字"),
            )
        self._part.append(encode(self.header) + b"\n")
        sync_folder(self.path.parent)

    def _recall(self) -> None:
        path = self._part.path
        for number, (offset, line) in enumerate(islice(self._part.lines(), 1, None), start=2):
            record = row_of(line, path, number).record
            position = self._index.position((record.case, record.trial))
            if position is None:
                raise BadInput(
                    say(
                        f"a row of a session that is not planned: case {record.case!r}, trial {record.trial}",
                        f"计划中没有这个会话：用例 {record.case!r}，第 {record.trial} 次重复",
                    ),
                    where=f"{path}:{number}",
                    how=say(
                        "resume with the cases and trials it was started with",
                        "请用启动时的用例与重复次数续跑",
                    ),
                )
            if record.status is not Status.cancelled and not self._index.place(position):
                self._index.put(position, offset, len(line))

    def _lines(self) -> Iterator[bytes]:
        for position in range(len(self._index)):
            if place := self._index.place(position):
                yield self._part.read(*place)

    def _position(self, key: Key) -> int:
        position = self._index.position(key)
        if position is None:
            raise KeyError(key)
        return position


def open_resumed(path: Path, planned: Sequence[Key] | int) -> LogWriter:
    """Go on with the part file `path`; `is_done` of the writer then tells which sessions have their row.

    `planned` is made from the header that `read_header(path)` gives. A torn last line is cut off.
    Raises BadInput if the file is gone, held by another process, or holds a line (named by its number)
    that is no row or belongs to no planned session. If a kill came after the log was made whole, the
    left-over part file is removed and BadInput says that there is nothing to resume.
    """
    if path.suffix != PART:
        raise BadInput(
            say("not a part file", "不是部分文件"),
            where=str(path),
            how=say(f"only NAME.jsonl{PART} can be resumed", f"只有 NAME.jsonl{PART} 可以续跑"),
        )
    part = Part.reopen(path)
    log = path.with_suffix("")
    try:
        header = header_of(next(part.lines(), (0, b""))[1], path)
        if log.exists():
            part.discard()
            raise BadInput(
                say("the run is finished, there is nothing to resume", "这一轮已经完成，无需续跑"),
                where=str(log),
                how=say(f"fairtrial show {log}", f"执行 fairtrial show {log}"),
            )
    except BaseException:
        part.close()
        raise
    return LogWriter(log, header, planned, part=part)


def write_log(path: Path, header: Header, rows: Iterable[Row]) -> Path:
    """Write a finished log in one step, for rows that are all there already; an older one is replaced.

    Raises CannotRun where the disk refuses, ValueError if `header` is still `running`.
    """
    _write(path, header, (encode(row) + b"\n" for row in rows))
    return path


def _write(path: Path, header: Header, lines: Iterable[bytes]) -> None:
    if header.status == "running":
        raise ValueError("a finished log needs a final header")
    write_whole(path, chain([encode(header) + b"\n"], lines))
