"""The file of a run under way: locked, append-only, one write a line, synced in batches."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from fairtrial.errors import BadInput, CannotRun
from fairtrial.text.language import say

SYNC_ROWS = 100
SYNC_SECONDS = 1.0


class Part:
    """One process's hold on a part file.

    A line is with the kernel when `append` returns, so it outlives a kill of this process; a thread syncs
    the file 1 s after the first unsynced line or as soon as 100 wait, so a power cut takes at most that.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._broken: CannotRun | None = None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._end = os.fstat(descriptor).st_size
            if not path.exists() or not os.path.samestat(os.fstat(descriptor), path.stat()):
                raise _gone(path)
        except BlockingIOError as error:
            os.close(descriptor)
            raise _locked(path) from error
        except BaseException:
            os.close(descriptor)
            raise
        self._syncer = _Syncer(descriptor)

    @classmethod
    def create(cls, path: Path) -> "Part":
        """A new, empty file. Raises BadInput if there is one, CannotRun if there cannot be one."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(path.parent, error) from error
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError as error:
            raise BadInput(
                say("there is a log of this name", "已有同名日志"),
                where=str(path),
                how=say(
                    "choose another name, or go on with `run --resume`",
                    "换一个名字，或用 `run --resume` 续跑",
                ),
            ) from error
        except OSError as error:
            raise _unwritable(path, error) from error
        return cls(path, descriptor)

    @classmethod
    def reopen(cls, path: Path) -> "Part":
        """An existing file. Raises BadInput if it is not there or another process holds it."""
        try:
            return cls(path, os.open(path, os.O_RDWR | os.O_APPEND))
        except FileNotFoundError as error:
            raise _gone(path) from error
        except OSError as error:
            raise _unwritable(path, error) from error

    def append(self, line: bytes) -> int:
        """Hand a whole line to the kernel; returns its offset.

        Raises CannotRun where it cannot be written whole; the file then ends with the line before.
        """
        if self._broken:
            raise self._broken
        if self._syncer.error:
            self._fail(self._syncer.error)
        try:
            written = os.write(self._descriptor, line)
            while written < len(line):  # a disk that fills up takes a piece before it refuses
                written += os.write(self._descriptor, line[written:])
        except OSError as error:
            self._fail(error)
        offset, self._end = self._end, self._end + len(line)
        self._syncer.note()
        return offset

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Each whole line with its offset. A torn last line is cut off the file."""
        offset = 0
        with self.path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    self._end = offset
                    os.ftruncate(self._descriptor, offset)
                    return
                yield offset, line
                offset += len(line)

    def read(self, offset: int, length: int) -> bytes:
        """`length` bytes at `offset`, as they were appended."""
        return os.pread(self._descriptor, length, offset)

    def close(self) -> None:
        """Sync and let go; the file stays."""
        if not self._syncer.closed:
            self._syncer.close()
            os.close(self._descriptor)

    def discard(self) -> None:
        """Remove the file, then let go."""
        self.path.unlink(missing_ok=True)
        self.close()

    def _fail(self, error: OSError) -> None:
        with suppress(OSError):  # a torn last line is dropped on resuming anyway
            os.ftruncate(self._descriptor, self._end)
        self._broken = CannotRun(
            say(f"cannot write: {error.strerror}", f"无法写入：{error.strerror}"),
            where=str(self.path),
            how=say(
                f"all finished sessions are kept; make room, then `fairtrial run --resume {self.path}`",
                f"已完成的会话都在；腾出空间后执行 `fairtrial run --resume {self.path}`",
            ),
        )
        raise self._broken from error


class _Syncer(threading.Thread):
    """Syncs a descriptor off the event loop, which a slow disk would otherwise stall."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(name="fairtrial-log-sync", daemon=True)
        self.error: OSError | None = None
        self.closed = False
        self._descriptor = descriptor
        self._waiting = 0
        self._some, self._many = threading.Event(), threading.Event()
        self.start()

    def note(self) -> None:
        """One more line waits to be synced."""
        self._waiting += 1
        if self._waiting >= SYNC_ROWS:
            self._many.set()
        # Not only for the first: the count may be reset while it is being read, this flag is never lost.
        if not self._some.is_set():
            self._some.set()

    def close(self) -> None:
        """Sync what waits and end the thread."""
        self.closed = True
        self._many.set()
        self._some.set()
        self.join()

    def run(self) -> None:
        """Wait for lines, then for more of them or the end of a second, then sync."""
        closed = False
        while not closed:
            self._some.wait()
            self._many.wait(SYNC_SECONDS)
            self._some.clear()
            self._many.clear()
            self._waiting = 0
            closed = self.closed  # asked before the sync, which then has the last line in it
            try:
                os.fsync(self._descriptor)
            except OSError as error:
                self.error = error


def _locked(path: Path) -> BadInput:
    return BadInput(
        say("another process is writing this log", "另一个进程正在写这份日志"),
        where=str(path),
        how=say("wait for it, or stop it first", "等它结束，或先停掉它"),
    )


def _gone(path: Path) -> BadInput:
    return BadInput(
        say("no such part file; a finished log has none", "没有这个部分文件；已完成的日志没有部分文件"),
        where=str(path),
        how=say("name an existing .part file", "请指定存在的 .part 文件"),
    )


def _unwritable(path: Path, error: OSError) -> CannotRun:
    return CannotRun(
        say(f"cannot open for writing: {error.strerror}", f"无法打开写入：{error.strerror}"),
        where=str(path),
        how=say("choose another folder for the logs", "请换一个日志目录"),
    )
