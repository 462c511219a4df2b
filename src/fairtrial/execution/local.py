"""The local backend: sessions of one process on one event loop."""

import asyncio
from collections.abc import Callable, Iterable
from contextvars import copy_context

from fairtrial.agents.protocol import Agent
from fairtrial.execution.contract import Limits, Outcome, Planned, StopReason, StopSwitch, Urgency
from fairtrial.execution.session import Session
from fairtrial.schema.record import Record, Usage

_ABORT_GRACE = 0.1  # seconds


async def run_sessions(
    plan: Iterable[Planned],
    agent: Agent,
    limits: Limits,
    on_record: Callable[[Record], None],
    stop: StopSwitch,
) -> Outcome:
    """Run the planned sessions, at most `limits.concurrency` at once, until all are done or `stop`.

    `plan` is asked for the next session when there is room for it, so it may be lazy and long.
    `on_record` gets each record as its session ends, before the conversation is closed. The records
    depend on `concurrency` in their order and times alone. No failure of the agent raises; what
    `on_record` and `plan` raise ends the run and is raised here, after sessions under way were
    cancelled. `agent` is not closed. A cost limit can be overspent by the sessions under way.
    Raises ValueError for a concurrency below 1.
    """
    if limits.concurrency < 1:
        raise ValueError("concurrency begins at 1")
    return await _Run(plan, agent, limits, on_record, stop).go()


class _Run:
    def __init__(
        self,
        plan: Iterable[Planned],
        agent: Agent,
        limits: Limits,
        on_record: Callable[[Record], None],
        stop: StopSwitch,
    ) -> None:
        self._plan, self._agent, self._limits = iter(plan), agent, limits
        self._on_record, self._stop = on_record, stop
        self._loop = asyncio.get_running_loop()
        self._context = copy_context()
        self._under_way: set[Session] = set()
        self._timers: list[asyncio.TimerHandle] = []
        self._idle = asyncio.Event()
        self._error: BaseException | None = None
        self._recorded = self._cancelled = self._unclosed = self._abandoned = 0
        self._cost, self._costs_known = 0.0, True

    async def go(self) -> Outcome:
        began = self._loop.time()
        self._stop.listen(self._halt)
        if self._limits.max_time is not None:
            self._after(self._limits.max_time, lambda: self._stop.press(StopReason.max_time))
        try:
            self._fill()
            await self._all_left()
        finally:
            self._stop.listen(None)
            for timer in self._timers:
                timer.cancel()
        if self._error:
            raise self._error
        return Outcome(
            recorded=self._recorded,
            cancelled=self._cancelled,
            stopped=self._stop.reason,
            cost=self._cost if self._costs_known else None,
            unclosed=self._unclosed,
            abandoned=self._abandoned,
            seconds=self._loop.time() - began,
        )

    def record(self, record: Record) -> None:
        self._on_record(record)
        self._recorded += 1

    def spend(self, usage: Usage | None) -> None:
        cost = usage.cost if usage else None
        if cost is None:
            self._costs_known = False
        else:
            self._cost += cost
        limit = self._limits.max_cost
        if limit is not None and not self._costs_known:
            self._stop.press(StopReason.cost_unknown)
        elif limit is not None and self._cost >= limit:
            self._stop.press(StopReason.max_cost)

    def left(self, session: Session, error: BaseException | None) -> None:
        self._under_way.discard(session)
        self._cancelled += not session.recorded
        self._unclosed += session.unclosed
        self._abandoned += session.abandoned
        if error:
            self._fail(error)
        self._fill()

    def _fill(self) -> None:
        try:
            while (
                len(self._under_way) < self._limits.concurrency and not self._stop.reason and not self._error
            ):
                planned = next(self._plan, None)
                if planned is None:
                    break
                session = Session(planned, self._agent, self._limits, self)
                self._under_way.add(session)
                session.start(self._context.copy())
        except Exception as error:
            self._fail(error)
        if not self._under_way:
            self._idle.set()

    def _fail(self, error: BaseException) -> None:
        if self._error is None:
            self._error = error
            self._cancel_all(self._limits.grace)

    async def _all_left(self) -> None:
        try:
            await self._idle.wait()
        except asyncio.CancelledError as error:
            self._fail(error)
            await self._idle.wait()  # bounded by the graces

    def _halt(self, urgency: Urgency) -> None:
        if urgency is Urgency.cancel_soon:
            self._after(self._limits.interrupt_grace, lambda: self._cancel_all(self._limits.grace))
        elif urgency is Urgency.cancel_now:
            self._cancel_all(self._limits.grace)
        elif urgency is Urgency.abort:
            self._cancel_all(_ABORT_GRACE)

    def _cancel_all(self, grace: float) -> None:
        for session in tuple(self._under_way):
            session.stop(grace)

    def _after(self, seconds: float, do: Callable[[], None]) -> None:
        self._timers.append(self._loop.call_later(seconds, do))
