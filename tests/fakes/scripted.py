"""An agent in memory that does what a test's script says, and counts what was done to it."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from fairtrial.agents.protocol import Ability, Agent, Conversation, Opening, Reply

Answer = Callable[[Opening, list[str]], Any]


def echo(opening: Opening, texts: list[str]) -> str:
    return f"{texts[-1]} / {opening.seed}"


async def _nothing() -> None: ...


class ScriptedAgent(Agent):
    """`answer(opening, texts so far)` returns or awaits a text or Reply, or raises.

    `on_open` and `on_close` may wait or raise in their places. With `state` it shows what that returns or
    awaits, given the opening and the texts so far.
    """

    name = "scripted"

    def __init__(
        self,
        answer: Answer = echo,
        *,
        on_open: Callable[[Opening], Awaitable[None]] | None = None,
        on_close: Callable[[], Awaitable[None]] = _nothing,
        in_process: bool = True,
        state: Answer | None = None,
    ) -> None:
        self.state = state
        self.abilities = frozenset({Ability.state} if state else ())
        self.clocks: list[str] = []
        self.answer, self.on_open, self.on_close, self.in_process = answer, on_open, on_close, in_process
        self.openings: list[Opening] = []
        self.sent: list[tuple[str, str]] = []
        self.closed: list[str] = []
        self.under_way = self.peak = 0

    async def open(self, opening: Opening) -> "ScriptedConversation":
        self.openings.append(opening)
        if self.on_open:
            await self.on_open(opening)
        self.under_way += 1
        self.peak = max(self.peak, self.under_way)
        return ScriptedConversation(self, opening)

    async def close(self) -> None: ...


class ScriptedConversation(Conversation):
    def __init__(self, agent: ScriptedAgent, opening: Opening) -> None:
        self._agent, self._opening = agent, opening
        self._texts: list[str] = []

    async def send(self, text: str) -> Reply:
        self._agent.sent.append((self._opening.session, text))
        answer = self._agent.answer(self._opening, [*self._texts, text])
        if inspect.isawaitable(answer):
            answer = await answer
        self._texts.append(text)
        return answer if isinstance(answer, Reply) else Reply(text=answer)

    async def snapshot(self) -> object:
        state = self._agent.state and self._agent.state(self._opening, self._texts)
        return await state if inspect.isawaitable(state) else state

    def tell(self, clock: str) -> None:
        self._agent.clocks.append(clock)

    async def close(self) -> None:
        self._agent.under_way -= 1
        self._agent.closed.append(self._opening.session)
        await self._agent.on_close()
