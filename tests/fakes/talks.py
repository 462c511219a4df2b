"""The user's side of a session as a test writes it."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from fairtrial.agents.protocol import Agent, ToolHook
from fairtrial.execution.contract import Limits, Move, StopSwitch, plan_session
from fairtrial.execution.local import run_sessions
from fairtrial.schema.record import Disturbance, Record, Turn

NOON = "2026-11-30T12:00:00Z"


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


async def examine(agent: Agent, *moves: Move, seconds: float = 20.0) -> Record:
    """The record of one session of these moves, begun at NOON, with so long to end."""
    records: list[Record] = []
    planned = plan_session(7, "c", 0, ("a",), talk=lambda: ScriptedTalk(*moves))
    limits = Limits(clock=NOON, session_seconds=seconds, grace=0.5)
    await run_sessions([planned], agent, limits, records.append, StopSwitch())
    return records[0]
