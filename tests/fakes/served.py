"""The fake server on a loop of its own, for tests that run a command in the test's thread."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from fake_server import FakeServer


@contextmanager
def serving() -> Iterator[FakeServer]:
    """Serve while the `with` lasts; scripts may be queued from the test's thread."""
    loop, ready = asyncio.new_event_loop(), Future[FakeServer]()
    stop = asyncio.Event()

    async def serve() -> None:
        async with FakeServer() as server:
            ready.set_result(server)
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        yield ready.result(10)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
