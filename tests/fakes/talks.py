"""The user's side of a session as a test writes it."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from fairtrial.agents.protocol import ToolHook
from fairtrial.execution.contract import Move
from fairtrial.schema.record import Disturbance, Turn


class ScriptedTalk:
    """Makes the moves given, one a turn; one that is callable is called and awaited to make it, or raises."""

    def __init__(self, *moves: Move | Callable[[], Awaitable[Move]], tools: ToolHook | None = None) -> None:
        self._moves, self.tools = list(moves), tools
        self.clocks: list[float] = []
        self.closed = 0
        self.hits: list[Disturbance] = []

    async def next(self, turns: Sequence[Turn], clock: float) -> Move | None:
        self.clocks.append(clock)
        if not self._moves:
            return None
        move: Any = self._moves.pop(0)
        return await move() if callable(move) else move

    def hit(self) -> tuple[Disturbance, ...]:
        hits, self.hits = tuple(self.hits), []
        return hits

    def unfired(self) -> tuple[int, ...]:
        return tuple(range(7, 7 + len(self._moves)))

    async def close(self) -> None:
        self.closed += 1
