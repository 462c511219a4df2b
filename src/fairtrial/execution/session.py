"""One session under way: its turns, its time limit, its waiting, and its end, obeyed or enforced."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextvars import Context
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from fairtrial.agents.protocol import Agent, Busy, Conversation, Opening, Reply, SessionFailed, told
from fairtrial.execution.contract import Limits, Planned
from fairtrial.execution.reply import as_logged
from fairtrial.execution.waiting import wait_seconds
from fairtrial.schema.record import Failure, Record, Status, Turn, Usage
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
        self._conversation: Conversation | None = None
        self._grace = limits.grace
        self._cut: _Cut | None = None
        self._cancels = 0
        self._closing = False
        self._at = 0  # the turn under way, from 1; 0 while the conversation is opened
        self._turns: list[Turn] = []
        self._attempts = 0
        self._waited = 0.0
        self._started = time.time()

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
            conversation = await self._patiently(self._open)
            for text in self._planned.turns:
                self._at += 1
                await self._patiently(partial(self._send, conversation, text))
        except SessionFailed as failed:
            return self._failed(failed.status, failed.kind, failed.message)
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

    async def _open(self) -> Conversation:
        clock = self._limits.clock or time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        opening = Opening(session=self._planned.session, seed=self._planned.seed, clock=clock)
        try:
            self._conversation = await self._agent.open(opening)
        except Busy:
            self._attempts += 1
            raise
        return self._conversation

    async def _send(self, conversation: Conversation, text: str) -> None:
        started, began = time.time(), self._loop.time()
        self._attempts += 1
        try:
            reply = await conversation.send(text)
        except SessionFailed as failed:
            if failed.partial and not self._cut:
                self._keep(text, failed.partial, started, began)
            raise
        if not self._cut:
            self._keep(text, reply, started, began)

    def _keep(self, text: str, reply: Reply, started: float, began: float) -> None:
        seconds = self._loop.time() - began
        try:
            reply = as_logged(reply)
        except (TypeError, ValueError, RecursionError) as error:
            self._host.spend(None)
            raise SessionFailed(Status.infra_error, "unloggable", str(error)) from error
        self._attempts += max(reply.requests, 1) - 1
        self._turns.append(Turn(user=text, reply=reply.text, started=started, seconds=seconds, **told(reply)))
        self._host.spend(reply.usage)

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
                if self._cut:  # the cancellation was swallowed; what came after it came too late
                    raise asyncio.CancelledError
                return answer

    async def _wait(self, seconds: float) -> None:
        began = self._loop.time()
        left = self._disarm() - began
        try:
            await asyncio.sleep(seconds)
        finally:
            self._waited += self._loop.time() - began
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
        if len(self._turns) < self._at:
            self._turns.append(Turn(user=self._planned.turns[self._at - 1], reply=None))
        self._host.record(
            Record(
                case=self._planned.case_id,
                trial=self._planned.trial,
                status=status,
                session=self._planned.session,
                seed=self._planned.seed,
                started=self._started,
                ended=time.time(),
                attempts=max(self._attempts, 1),
                waited=self._waited,
                turns=tuple(self._turns),
                failure=failure,
            )
        )
        self.recorded = True

    async def _close(self) -> None:
        if self._conversation is None:
            return
        self._arm(self._grace)
        try:
            await self._conversation.close()
        except (Exception, SystemExit, asyncio.CancelledError):
            self.unclosed = True

    def _failed(self, status: Status, kind: str, message: str) -> _Ending:
        if self._cut is _Cut.timeout:
            return self._timed_out()  # however the agent chose to show its cancellation
        # A replayed failure names its turn already.
        return status, Failure(kind=kind, message=self._which() + message.removeprefix(self._which()))

    def _timed_out(self) -> _Ending:
        limit = f"{self._limits.session_seconds:g} s"
        message = say(f"not done within {limit}", f"{limit} 内没有完成")
        return Status.timeout, Failure(kind="timeout", message=self._which() + message)

    def _which(self) -> str:
        if not self._at:
            return say("opening: ", "建立会话时：")
        of = len(self._planned.turns)
        return say(f"turn {self._at} of {of}: ", f"第 {self._at} 轮（共 {of} 轮）：")

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


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    if trace is None:
        return "?"
    while trace.tb_next:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    return f"{Path(code.co_filename).name}:{trace.tb_lineno}, {code.co_name}"
