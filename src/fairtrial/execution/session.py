"""One session under way: its turns, its time limit, its waiting, and its end, obeyed or enforced."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextvars import Context
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from fairtrial.agents.protocol import (
    Ability,
    Agent,
    Busy,
    Conversation,
    Opening,
    Reply,
    SessionFailed,
    Unasked,
)
from fairtrial.execution.clock import Clock
from fairtrial.execution.contract import Limits, Move, Planned, Talk, UserFailed
from fairtrial.execution.minutes import Minutes
from fairtrial.execution.reply import as_logged
from fairtrial.execution.script import Script
from fairtrial.execution.waiting import wait_seconds
from fairtrial.execution.watched import Watched
from fairtrial.schema.record import Disturbance, Failure, Record, Status, Usage
from fairtrial.text.language import say

_T = TypeVar("_T")
_Ending = tuple[Status, Failure | None]


class Host(Protocol):
    """Whoever runs sessions."""

    def record(self, record: Record) -> None:
        """Take the record of a session that ended."""

    def spend(self, usage: Usage | None) -> None:
        """Take note of what a reply cost."""

    def left(self, session: "Session", error: BaseException | None) -> None:
        """The session is over, its conversation closed or given up; `error` is none of the agent's."""


class _Cut(Enum):
    timeout = auto()
    stop = auto()


class _Doing(Enum):
    opening = auto()
    user = auto()
    agent = auto()
    state = auto()


class Session:
    """Runs one planned session in one task.

    Foreign code may not obey a cancellation. If it has not after the grace, its task is left behind: the
    session is recorded, and its conversation closed, without it.
    """

    def __init__(self, planned: Planned, agent: Agent, limits: Limits, host: Host) -> None:
        self.recorded = False
        self.unclosed = False
        self.abandoned = False
        self._planned, self._agent, self._limits, self._host = planned, agent, limits, host
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None]
        self._timer: asyncio.TimerHandle | None = None
        self._talk: Talk | None = None
        self._tools: Watched | None = None
        self._conversation: Conversation | None = None
        self._conversations = 0
        self._grace = limits.grace
        self._cut: _Cut | None = None
        self._cancels = 0
        self._closing = False
        self._doing = _Doing.opening
        self._at = 0  # the turn under way, from 1; 0 while the first conversation is opened
        self._clock = Clock(limits.clock)
        self._minutes = Minutes(planned)
        self._began = self._loop.time()

    def start(self, context: Context) -> None:
        """Begin. What the agent sets in `context` reaches no other session if none shares it."""
        self._task = self._loop.create_task(self._run(), context=context)
        self._task.add_done_callback(self._ended)

    def stop(self, grace: float) -> None:
        """Cancel the session without a record, and leave it behind if it has not obeyed within `grace` s.

        One that has its record already is given as long to close.
        """
        self._grace = min(self._grace, grace)
        if self._closing:
            self._arm(self._grace)
        else:
            self._cancel(_Cut.stop)

    async def _run(self) -> None:
        self._arm(self._limits.session_seconds)
        ending = await self._interview()
        if self._task is asyncio.current_task():
            await self._finish(ending)

    async def _interview(self) -> _Ending:
        try:
            await self._converse()
        except SessionFailed as failed:
            return self._failed(failed.status, failed.kind, failed.message)
        except UserFailed as failed:
            status = Status.infra_error if failed.infra else Status.user_error
            return self._failed(status, failed.kind, failed.message)
        except Busy as busy:
            return self._failed(Status.rate_limited, "busy", _still_busy(busy, self._limits.retries))
        except asyncio.CancelledError as error:
            if self._cut is None and self._task.cancelling():
                raise  # by the loop that ends, not by us
            return self._failed(Status.infra_error, type(error).__name__, _place(error))
        except (Exception, SystemExit) as error:
            # An adapter says SessionFailed where the agent is at fault; anything else is a fault of ours.
            # SystemExit among them, or an agent could end its own examination with exit code 0.
            return self._failed(Status.infra_error, type(error).__name__, f"{error} ({_place(error)})")
        return Status.completed, None

    async def _converse(self) -> None:
        planned = self._planned
        self._talk = planned.talk() if planned.talk else None
        talk = self._talk or Script(planned.turns)
        self._tools = Watched(talk.tools) if talk.tools else None
        conversation = await self._patiently(self._open)
        while move := await self._next(talk):
            if move.pause:
                self._clock.moved += move.pause
            self._minutes.begin(move, self._clock.told() if move.pause else None)
            if move.fresh:
                conversation = await self._open_anew(conversation)
            elif move.pause:
                conversation.tell(self._clock.told())
            self._doing = _Doing.agent
            await self._patiently(partial(self._send, conversation, move.text))
            if Ability.state in self._agent.abilities:
                await self._see_state(conversation)
            for name in move.points:
                self._minutes.point(name)

    async def _next(self, talk: Talk) -> Move | None:
        self._doing = _Doing.user
        self._at = len(self._minutes.turns) + 1
        seconds = self._clock.since(self._began, self._loop.time())
        try:
            move = await talk.next(self._minutes.turns, seconds)
        except UserFailed:
            raise
        except Exception as error:
            raise UserFailed(type(error).__name__, f"{error} ({_place(error)})", infra=True) from error
        self._obey()
        return move

    async def _open(self) -> Conversation:
        planned, clock = self._planned, self._clock.told()
        opening = Opening(
            session=planned.session, seed=planned.seed, clock=clock, user=planned.user, tools=self._tools
        )
        if self._conversations:
            opening = opening.again(self._conversations, clock)
        try:
            self._conversation = await self._agent.open(opening)
        except Busy:
            self._minutes.attempts += 1
            raise
        return self._conversation

    async def _open_anew(self, before: Conversation) -> Conversation:
        self._doing = _Doing.opening
        self._conversations += 1
        try:
            await before.close()
        except (Exception, SystemExit):
            self.unclosed = True
        self._obey()
        self._conversation = None
        return await self._patiently(self._open)

    async def _send(self, conversation: Conversation, text: str) -> None:
        started, began = time.time(), self._loop.time()
        self._minutes.attempts += 1
        try:
            reply = await conversation.send(text)
        except SessionFailed as failed:
            if failed.partial and not self._cut:
                self._keep(failed.partial, started, began)
            raise
        if not self._cut:
            self._keep(reply, started, began)
            self._require_hook()

    def _keep(self, reply: Reply, started: float, began: float) -> None:
        seconds = self._loop.time() - began
        try:
            reply = as_logged(reply)
        except (TypeError, ValueError, RecursionError) as error:
            self._host.spend(None)
            raise SessionFailed(Status.infra_error, "unloggable", str(error)) from error
        hits: tuple[Disturbance, ...] = ()
        try:
            hits = self._hits()
        finally:
            self._minutes.answered(reply, hits, started, seconds)
            self._host.spend(reply.usage)

    def _hits(self) -> tuple[Disturbance, ...]:
        return self._talk.hit() if self._talk else ()

    async def _see_state(self, conversation: Conversation) -> None:
        """Ask for the state where the reply did not show it. Whatever a hook raises is no wrong answer."""
        if self._minutes.turns[-1].state is not None:
            return
        self._doing = _Doing.state
        try:
            state = await self._patiently(conversation.snapshot)
            self._minutes.show(as_logged(Reply(text="", state=state)).state)
        except (Busy, Unasked):
            raise
        except (Exception, SystemExit) as error:
            what = say("the agent's state cannot be had: ", "无法取得 Agent 的状态：")
            raise SessionFailed(Status.infra_error, "snapshot", f"{what}{_said(error)}") from error

    def _require_hook(self) -> None:
        """A fault that was not played leaves the session without its meaning."""
        if self._tools and (error := self._tools.error):
            what = say("the hook for tool calls failed: ", "工具调用的钩子出错：")
            raise SessionFailed(Status.infra_error, "tool_hook", f"{what}{_said(error)}") from error

    def _obey(self) -> None:
        """Go no further after a cancellation that was swallowed."""
        if self._cut:
            raise asyncio.CancelledError

    async def _patiently(self, ask: Callable[[], Awaitable[_T]]) -> _T:
        retry = 0
        while True:
            try:
                answer = await ask()
            except Busy as busy:
                retry += 1
                if retry > self._limits.retries or self._cut:
                    raise
                longest, seed = self._limits.longest_wait, self._planned.seed
                await self._wait(wait_seconds(retry, busy.retry_after, longest=longest, seed=seed))
            else:
                self._obey()
                return answer

    async def _wait(self, seconds: float) -> None:
        began = self._loop.time()
        left = self._disarm() - began
        try:
            await asyncio.sleep(seconds)
        finally:
            self._minutes.waited += self._loop.time() - began
        self._arm(left)

    async def _finish(self, ending: _Ending) -> None:
        self._disarm()
        while self._cancels:
            self._cancels -= 1
            self._task.uncancel()
        self._closing = True
        try:
            if self._cut is not _Cut.stop:
                self._hand_on(*ending)
        finally:
            await self._close()

    def _hand_on(self, status: Status, failure: Failure | None) -> None:
        hits: tuple[Disturbance, ...] = ()
        unfired: tuple[int, ...] = ()
        try:
            hits, unfired = self._hits(), self._talk.unfired() if self._talk else ()
            self._require_hook()
        except SessionFailed as failed:
            status, failure = self._failed(failed.status, failed.kind, failed.message)
        except Exception as error:
            status, failure = self._failed(Status.infra_error, type(error).__name__, _said(error))
        self._minutes.answered(None, hits)
        self._host.record(self._minutes.record(status, failure, unfired))
        self.recorded = True

    async def _close(self) -> None:
        for held in (self._talk, self._conversation):
            if held is None:
                continue
            self._arm(self._grace)
            try:
                await held.close()
            except (Exception, SystemExit, asyncio.CancelledError):
                self.unclosed = True

    def _failed(self, status: Status, kind: str, message: str) -> _Ending:
        if self._cut is _Cut.timeout:
            return self._timed_out()  # however the agent chose to show its cancellation
        # A replayed failure names its turn already.
        return status, Failure(kind=kind, message=self._which() + message.removeprefix(self._which()))

    def _timed_out(self) -> _Ending:
        limit = f"{self._limits.session_seconds:g} s"
        match self._doing:
            case _Doing.user:
                message = say(
                    f"the user's side was not done within {limit}", f"用户一方在 {limit} 内没有说完"
                )
                return Status.infra_error, Failure(kind="player", message=self._which() + message)
            case _Doing.state:
                message = say(f"the state was not shown within {limit}", f"{limit} 内没有给出状态")
            case _:
                message = say(f"not done within {limit}", f"{limit} 内没有完成")
        return Status.timeout, Failure(kind="timeout", message=self._which() + message)

    def _which(self) -> str:
        opening = say("opening: ", "建立会话时：") if self._doing is _Doing.opening else ""
        if not self._at:
            return opening
        if self._planned.talk:  # how many turns there will be is not known
            return say(f"turn {self._at}: ", f"第 {self._at} 轮：") + opening
        of = len(self._planned.turns)
        return say(f"turn {self._at} of {of}: ", f"第 {self._at} 轮（共 {of} 轮）：") + opening

    def _arm(self, seconds: float) -> None:
        self._disarm()
        self._timer = self._loop.call_later(seconds, self._cancel, _Cut.timeout)

    def _disarm(self) -> float:
        """End the time limit; returns when it would have passed, on the loop's clock."""
        if self._timer is None:
            return self._loop.time()
        self._timer.cancel()
        return self._timer.when()

    def _cancel(self, cut: _Cut) -> None:
        self._cut = self._cut or cut
        self._cancels += 1
        self._disarm()
        self._timer = self._loop.call_later(self._grace, self._abandon)
        self._task.cancel()

    def _abandon(self) -> None:
        self.abandoned = True
        lost, self._cancels = self._task, 0
        _forget(lost)
        if self._closing:
            self.unclosed = True
            self._host.left(self, None)
        else:
            self._task = self._loop.create_task(self._finish(self._timed_out()))
            self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if isinstance(error, KeyboardInterrupt):  # the loop has raised it already, and ends
            error = asyncio.CancelledError()
        if task is self._task:
            self._disarm()
            self._host.left(self, error)


def _forget(task: asyncio.Task[None]) -> None:
    """Take a task that obeys nobody out of the loop's books, so that the loop can end without it."""
    asyncio._unregister_task(task)
    task._log_destroy_pending = False  # type: ignore[attr-defined]


def _still_busy(busy: Busy, retries: int) -> str:
    return say(f"still busy after {retries} retries: ", f"重试 {retries} 次后仍然繁忙：") + busy.message


def _said(error: BaseException) -> str:
    return (
        error.message
        if isinstance(error, SessionFailed)
        else f"{type(error).__name__}: {error} ({_place(error)})"
    )


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    if trace is None:
        return "?"
    while trace.tb_next:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    return f"{Path(code.co_filename).name}:{trace.tb_lineno}, {code.co_name}"
