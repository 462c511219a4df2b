"""An event loop whose clock jumps: a test of an hour's waiting takes no time and is exact."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")


class _Jumping(selectors.DefaultSelector):  # type: ignore[misc,valid-type]
    """Instead of sleeping until the next timer, moves the clock there."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0 if timeout is not None else None)
        if not ready and timeout:
            self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._clock = _Jumping()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now


def run(main: Coroutine[Any, Any, _T]) -> _T:
    """`asyncio.run` on such a loop. No threads and no real input or output in `main`."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
