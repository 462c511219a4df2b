"""A session that a test holds, turn by turn: what it sends, and what it may look at."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from fairtrial.agents.protocol import Ability
from fairtrial.app.examine import Asked, Room
from fairtrial.errors import BadInput
from fairtrial.execution.contract import Move, StopReason, StopSwitch, plan_session
from fairtrial.execution.local import run_sessions
from fairtrial.schema.disturbance import Fault
from fairtrial.schema.record import Call, Disturbance, Record, Status, Turn
from fairtrial.schema.snapshot import Change, differences
from fairtrial.scoring.rules_paths import compile_path
from fairtrial.sessions.faults import Faults
from fairtrial.text.language import say

_NO_LIMIT = 1e9  # seconds: a test may think as long as it likes, each answer has a limit of its own

Intent = Callable[[Turn], object]
"""What the agent took the user to want, by a turn; None where it does not tell."""


class NoAnswer(Exception):
    """The session ended without an answer: a time-out, a rate limit, an error. No answer is no wrong one."""


def stated_intent(turn: Turn) -> object:
    """The intent by the agent's state: its `intent`."""
    return turn.state.get("intent") if isinstance(turn.state, dict) else None


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came back for one message."""

    turn: Turn
    intent: object

    @property
    def answer(self) -> str:
        """The agent's words, verbatim."""
        return self.turn.reply or ""

    @property
    def state(self) -> Any:
        """What the agent showed of its state after the turn, None if it shows none."""
        return self.turn.state

    @property
    def calls(self) -> tuple[Call, ...]:
        """The tool calls of the turn, in order."""
        return tuple(step for step in self.turn.steps if isinstance(step, Call))


@dataclass(frozen=True, kw_only=True)
class StateAt:
    """The agent's state at one point of a session."""

    name: str
    state: Any
    intent: object = None
    last_tool: str | None = None

    def get(self, key: str, default: Any = None) -> Any:
        """A value of the state by its key, or by an RFC 9535 path that leads to one place (`$.order.id`).

        `intent` and `last_tool` are what the session knows where the state has no such key. Raises BadInput
        for a path that is none.
        """
        if key.startswith("$"):
            found = compile_path(key)(self.state)
            return found[0] if len(found) == 1 else default
        known = {"intent": self.intent, "last_tool": self.last_tool}
        told = self.state if isinstance(self.state, dict) else {}
        value = told.get(key, known.get(key))
        return default if value is None and key not in told else value

    def differences(self, later: "StateAt") -> tuple[Change, ...]:
        """Each place at which a later state differs from this one."""
        return differences(self.state, later.state)


class Session:
    """One session with an agent, from the first `send` to `close`."""

    def __init__(self, room: Room, asked: Asked, name: str, intent: Intent = stated_intent) -> None:
        self._room, self._asked, self._intent = room, asked, intent
        self._planned = plan_session(room.project.run.seed, name, 0, ())
        self._live = _Live()
        self._task: asyncio.Task[None] | None = None
        self._record: Record | None = None
        self._over: NoAnswer | None = None
        self._switch = StopSwitch()
        self._pause, self._fresh = 0.0, False

    def send(self, text: str) -> Answer:
        """Say something and wait for the reply. Raises NoAnswer where none comes, and from then on."""
        move = Move(text=text, pause=self._pause, fresh=self._fresh)
        self._pause, self._fresh = 0.0, False
        self._room.run(self._say(move))
        turn = self.turns[-1]
        return Answer(turn=turn, intent=self._intent(turn))

    def snapshot(self, name: str = "") -> StateAt:
        """The agent's state after the last turn."""
        last = self.turns[-1] if self.turns else None
        return StateAt(
            name=name,
            state=last.state if last else None,
            intent=self._intent(last) if last else None,
            last_tool=self.last_tool,
        )

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What was said so far."""
        return self._record.turns if self._record else tuple(self._live.turns)

    @property
    def calls(self) -> tuple[Call, ...]:
        """All tool calls so far, in order."""
        return tuple(step for turn in self.turns for step in turn.steps if isinstance(step, Call))

    @property
    def last_tool(self) -> str | None:
        """The name of the tool called last."""
        return self.calls[-1].name if self.calls else None

    def wait(self, *, seconds: float = 0, minutes: float = 0, hours: float = 0, days: float = 0) -> None:
        """Let the user be away before the next turn: the clock is moved, nobody waits. Raises BadInput."""
        self._needs(Ability.clock)
        self._pause += seconds + 60 * minutes + 3600 * hours + 86400 * days

    def new_session(self) -> None:
        """Let the next turn begin another conversation, with the same user."""
        self._fresh = True

    def disturb(self, fault: str, tool: str | None = None, **more: Any) -> None:
        """Let calls of a tool go wrong from now on, as a step `fault` of a case says. Raises BadInput."""
        self._needs(Ability.tools)
        try:
            step = Fault.model_validate({"do": "fault", "fault": fault, "tool": tool} | more)
        except ValueError as error:
            raise BadInput(str(error).splitlines()[-2].strip(), where=f"disturb({fault!r})") from error
        self._live.tools.add(step)

    def close(self) -> None:
        """End the session; one that has ended stays as it is."""
        if self._task is not None and not self._task.done():
            self._room.run(self._end())

    async def _end(self) -> None:
        self._live.moves.put_nowait(None)
        if self._task is not None:
            await self._task

    async def _say(self, move: Move) -> None:
        if self._over:
            raise self._over
        async with self._room.cap.place():
            if self._task is None:
                self._task = asyncio.create_task(self._go())
            self._live.ready.clear()
            self._live.moves.put_nowait(move)
            await self._answered(self._task)

    async def _answered(self, task: asyncio.Task[None]) -> None:
        """Wait until the agent has answered, or the session is over."""
        ready = asyncio.create_task(self._live.ready.wait())
        limit = self._room.timeout
        await asyncio.wait({ready, task}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
        if ready.done():
            return
        ready.cancel()
        if not task.done():
            self._switch.press(StopReason.max_time)
            self._over = NoAnswer(
                f"{Status.timeout}: " + say(f"not done within {limit:g} s", f"{limit:g} s 内没有完成")
            )
        else:
            task.result()
            self._over = _over(self._record)
        raise self._over

    async def _go(self) -> None:
        planned = msgspec.structs.replace(self._planned, talk=lambda: self._live)
        limits = msgspec.structs.replace(self._room.limits, session_seconds=_NO_LIMIT)
        await run_sessions([planned], self._asked.agent, limits, self._keep, self._switch)

    def _keep(self, record: Record) -> None:
        self._record = record

    def _needs(self, ability: Ability) -> None:
        if ability not in self._asked.agent.abilities:
            raise BadInput(
                say(f"this agent does not offer `{ability}`", f"这个 Agent 不具备 `{ability}`"),
                where=self._asked.agent.name,
            )


def _over(record: Record | None) -> NoAnswer:
    if record is None or record.failure is None:
        return NoAnswer(say("the session is over", "会话已结束"))
    return NoAnswer(f"{record.status}: {record.failure.message}")


class _Live:
    """The user's side of a session (`execution.contract.Talk`) that a test speaks for."""

    def __init__(self) -> None:
        self.tools = Faults(())
        self.moves: asyncio.Queue[Move | None] = asyncio.Queue()
        self.ready = asyncio.Event()
        self.turns: Sequence[Turn] = ()

    async def next(self, turns: Sequence[Turn], clock: float) -> Move | None:
        self.turns = tuple(turns)
        if turns:
            self.ready.set()
        return await self.moves.get()

    def hit(self) -> tuple[Disturbance, ...]:
        return self.tools.hit()

    def unfired(self) -> tuple[int, ...]:
        return self.tools.unfired()

    async def close(self) -> None:
        pass
