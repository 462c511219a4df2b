"""Waiting for what tells nobody that it is done: a process that dies, a connection that closes, a file."""

import asyncio
from collections.abc import Callable
from pathlib import Path


async def eventually(done: Callable[[], object], seconds: float = 10) -> None:
    """Return once `done()` is true. Raises TimeoutError when it is not within `seconds`."""
    async with asyncio.timeout(seconds):
        while not done():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def written(path: Path) -> str:
    """The text of a file, once somebody has written it."""
    await eventually(lambda: path.exists() and path.read_text())
    return _text(path)


def _text(path: Path) -> str:
    return path.read_text()


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
