"""A child process that is spoken to in lines, and that never outlives its session."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from fairtrial.text.language import say

LINE_LIMIT = 16 * 1024 * 1024
_TAIL = 2048
_STDIN, _STDOUT, _STDERR = 0, 1, 2


class LineTooLong(Exception):
    """A line of output went on beyond LINE_LIMIT bytes."""


class Child(asyncio.SubprocessProtocol):
    """A process in a group of its own, with its last 2 KB of stderr kept."""

    def __init__(self) -> None:
        self._transport: Any = None
        self._output, self._tail = bytearray(), b""
        self._news = asyncio.Event()  # of more output, or of its end
        self._ended = {_STDOUT: asyncio.Event(), _STDERR: asyncio.Event()}
        self._exited = asyncio.Event()

    @classmethod
    async def start(cls, argv: Sequence[str], cwd: str | None, env: Mapping[str, str] | None) -> "Child":
        """Start it without a shell, in the folder and environment given. Raises OSError."""
        loop = asyncio.get_running_loop()
        _, child = await loop.subprocess_exec(cls, *argv, cwd=cwd, env=env, start_new_session=True)
        return child

    def write(self, line: bytes) -> None:
        """Write a line. A process that no longer listens is found out by reading."""
        self._pipe(_STDIN).write(line + b"\n")

    async def read(self) -> bytes:
        """The next line with its end; b"" at the end of output. Raises LineTooLong."""
        searched = 0
        while (end := self._output.find(b"\n", searched) + 1) == 0:
            searched = len(self._output)
            if self._ended[_STDOUT].is_set():
                end = searched
                break
            if searched > LINE_LIMIT:
                raise LineTooLong
            self._news.clear()
            await self._news.wait()
        line = bytes(self._output[:end])
        del self._output[:end]
        return line

    def unread(self) -> bytes:
        """What has come and was not read yet, blank lines apart."""
        return bytes(self._output).strip()

    async def last_words(self, patience: float) -> str:
        """How a process that closed its output ended, and what it wrote to stderr, if it ends in time."""
        await _within(patience, self._ended[_STDERR])
        await _within(patience, self._exited)
        code = self._transport.get_returncode()
        said = self._tail.decode("utf-8", "backslashreplace").strip()
        ended = say("closed its output", "关闭了输出") if code is None else _ending(code)
        return ended + say("; stderr: ", "；stderr：") + said if said else ended

    async def end(self, grace: float, farewell: bytes | None) -> None:
        """End the process and its whole group: end of input, then SIGTERM, then SIGKILL, `grace` apart.

        `farewell` is a last line to it; None means that it is not worth waiting for.
        """
        try:
            if farewell is not None:
                self.write(farewell)
            self._pipe(_STDIN).close()
            if farewell is not None:
                await _within(grace, self._exited)
            if not self._exited.is_set():
                self._signal(signal.SIGTERM)
                await _within(grace, self._exited)
        finally:
            # Always: the process may be gone and have left children behind.
            self._signal(signal.SIGKILL)
        await self._exited.wait()
        # A child in a group of its own may still hold the pipes.
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the loop."""
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Called by the loop."""
        if fd == _STDERR:
            self._tail = (self._tail + data)[-_TAIL:]
            return
        self._output += data
        self._news.set()
        if (
            len(self._output) > LINE_LIMIT
        ):  # nobody reads so much: the process is kept waiting, not the memory
            self._pipe(_STDOUT).pause_reading()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Called by the loop."""
        if fd != _STDIN:
            self._ended[fd].set()
            self._news.set()

    def process_exited(self) -> None:
        """Called by the loop, whoever still holds the pipes."""
        self._exited.set()

    def _pipe(self, fd: int) -> Any:
        return self._transport.get_pipe_transport(fd)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._transport.get_pid(), number)


async def _within(seconds: float, event: asyncio.Event) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


def _ending(code: int) -> str:
    if code >= 0:
        return say(f"exited with code {code}", f"以退出码 {code} 结束")
    with suppress(ValueError):
        name = signal.Signals(-code).name
        return say(f"was ended by {name}", f"被 {name} 结束")
    return say(f"was ended by signal {-code}", f"被信号 {-code} 结束")
