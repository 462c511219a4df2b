"""The examiner's hook as a callable, through which an agent in our process makes its tool calls."""

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import Any

from fairtrial.agents.protocol import Ruling, ToolHook

NOTHING = Ruling()


class Tools:
    """`tools(name, arguments, call)` makes the call and gives its result, as the agent is to see it.

    Inside a running event loop it is awaitable, and `call` may be `async`; elsewhere it blocks. Raises
    TimeoutError or RuntimeError where the call is to fail, and whatever `call` raises. Where nobody listens
    it just calls.
    """

    def __init__(self, hook: ToolHook | None) -> None:
        self._hook = hook

    def __call__(self, name: str, arguments: Any, call: Callable[[], Any]) -> Any:
        """Make a call now, or give what is to be awaited for it."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            ruling = self._before(name, arguments)
            time.sleep(ruling.delay)
            _fail(ruling)
            return self._after(name, arguments, call())
        return self._awaited(name, arguments, call)

    async def _awaited(self, name: str, arguments: Any, call: Callable[[], Any]) -> Any:
        ruling = self._before(name, arguments)
        await asyncio.sleep(ruling.delay)
        _fail(ruling)
        result = call()
        return self._after(name, arguments, await result if inspect.isawaitable(result) else result)

    def _before(self, name: str, arguments: Any) -> Ruling:
        return self._hook.before(name, arguments) if self._hook else NOTHING

    def _after(self, name: str, arguments: Any, result: Any) -> Any:
        return self._hook.after(name, arguments, result) if self._hook else result


def _fail(ruling: Ruling) -> None:
    if ruling.error is not None:
        raise TimeoutError(ruling.error) if ruling.timeout else RuntimeError(ruling.error)
