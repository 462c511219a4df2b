"""A child process that is spoken to in lines, and that never outlives its session."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress

from fairtrial.text.language import say

LINE_LIMIT = 16 * 1024 * 1024
_TAIL = 2048
_LOOK = 0.01  # seconds between looks whether a process has ended


class LineTooLong(Exception):
    """A line of output went on beyond LINE_LIMIT bytes."""


class Child:
    """A process in a group of its own, with its last 2 KB of stderr kept."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._tail = b""
        self._listener = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, argv: Sequence[str], cwd: str | None, env: Mapping[str, str] | None) -> "Child":
        """Start it without a shell, in the folder and environment given. Raises OSError."""
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=cwd,
            env=env,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=LINE_LIMIT,
            start_new_session=True,
        )
        return cls(process)

    async def write(self, line: bytes) -> None:
        """Write a line. A process that no longer listens is found out by reading."""
        stdin = self._process.stdin
        if stdin is not None:
            with suppress(ConnectionError, RuntimeError):
                stdin.write(line + b"\n")
                await stdin.drain()

    async def read(self) -> bytes:
        """The next line without its end; b"" at the end of output. Raises LineTooLong."""
        stdout = self._process.stdout
        if stdout is None:
            return b""
        try:
            return await stdout.readline()
        except ValueError as error:  # asyncio's word for a line beyond the limit
            raise LineTooLong from error

    def unread(self) -> bytes:
        """What has come and was not read yet, blank lines apart."""
        stdout = self._process.stdout
        return bytes(stdout._buffer).strip() if stdout is not None else b""  # type: ignore[attr-defined]

    async def last_words(self, patience: float) -> str:
        """How a process that closed its output ended, and what it wrote to stderr, if it ends in time."""
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._listener), patience)
        await self._ended_within(patience)
        code = self._process.returncode
        said = self._tail.decode("utf-8", "backslashreplace").strip()
        ended = say("closed its output", "关闭了输出") if code is None else _ending(code)
        return ended + say("; stderr: ", "；stderr：") + said if said else ended

    async def end(self, grace: float, farewell: bytes | None) -> None:
        """End the process and its whole group: end of input, then SIGTERM, then SIGKILL, `grace` apart.

        `farewell` is a last line to it; None means that it is not worth waiting for.
        """
        process = self._process
        try:
            if farewell is not None:
                await self.write(farewell)
            if process.stdin is not None:
                process.stdin.close()
            if farewell is not None:
                await self._ended_within(grace)
            if process.returncode is None:
                self._signal(signal.SIGTERM)
                await self._ended_within(grace)
        finally:
            # Always: the process may be gone and have left children behind.
            self._signal(signal.SIGKILL)
            self._listener.cancel()
        await process.wait()
        await asyncio.wait([self._listener])
        # A child in a group of its own may still hold the pipes; only the transport can let go of them.
        process._transport.close()  # type: ignore[attr-defined]

    async def _ended_within(self, seconds: float) -> None:
        # Not `wait()`: that waits for the pipes as well, which children of the process may hold.
        loop = asyncio.get_running_loop()
        latest = loop.time() + seconds
        while self._process.returncode is None and loop.time() < latest:  # noqa: ASYNC110 - nobody sets an event
            await asyncio.sleep(_LOOK)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    async def _listen(self) -> None:
        stderr = self._process.stderr
        while stderr is not None and (data := await stderr.read(65536)):
            self._tail = (self._tail + data)[-_TAIL:]


def _ending(code: int) -> str:
    if code >= 0:
        return say(f"exited with code {code}", f"以退出码 {code} 结束")
    with suppress(ValueError):
        name = signal.Signals(-code).name
        return say(f"was ended by {name}", f"被 {name} 结束")
    return say(f"was ended by signal {-code}", f"被信号 {-code} 结束")
