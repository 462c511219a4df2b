"""One thread a session for code that blocks, so that the examiner's loop never waits for it."""

import asyncio
import contextvars
import queue
import threading
from collections.abc import Callable
from typing import Any

_Job = tuple[asyncio.Future[Any], Callable[[], Any]]


class SessionThread:
    """Runs a session's calls one after the other in the same thread and the same context.

    The same thread, because a session's objects may be bound to theirs (an SQLite connection); a
    daemon, because a call that hangs cannot be stopped and must not keep the examiner from ending.
    """

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._context = contextvars.copy_context()
        self._thread: threading.Thread | None = None

    async def run(self, call: Callable[[], Any]) -> Any:
        """What `call` returns or raises. Cancelled, it leaves the call to itself and forgets its outcome."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="fairtrial-session", daemon=True)
            self._thread.start()
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._jobs.put((done, call))
        value, error = await done
        if error is not None:
            raise error
        return value

    def end(self) -> None:
        """Let the thread end after the call it is in, if any."""
        self._jobs.put(None)

    def _work(self) -> None:
        while job := self._jobs.get():
            done, call = job
            outcome = self._outcome(call)
            try:
                done.get_loop().call_soon_threadsafe(_settle, done, outcome)
            except RuntimeError:  # the loop is closed: nobody waits any more
                return

    def _outcome(self, call: Callable[[], Any]) -> tuple[Any, BaseException | None]:
        try:
            return self._context.run(call), None
        except (StopIteration, KeyboardInterrupt) as error:
            # A coroutine cannot raise the one; the other would pass for Ctrl-C, which no thread gets.
            meant = RuntimeError(f"{type(error).__name__} {error}")
            return None, meant.with_traceback(error.__traceback__)
        except BaseException as error:
            return None, error


def _settle(done: asyncio.Future[Any], outcome: tuple[Any, BaseException | None]) -> None:
    if not done.done():
        done.set_result(outcome)
