"""The local backend, on a clock that jumps."""

import asyncio
import contextvars
from collections.abc import Callable, Iterable

import pytest

from fairtrial.agents.protocol import Busy, Opening, Reply, SessionFailed
from fairtrial.errors import CannotRun
from fairtrial.execution.contract import Limits, Outcome, Planned, StopReason, StopSwitch
from fairtrial.execution.local import run_sessions
from fairtrial.schema.record import Call, Record, Status, Usage
from fakes.scripted import ScriptedAgent
from fakes.virtual_time import run

DEFAULT = Limits()


def planned(number: int, *turns: str) -> Planned:
    return Planned(
        case_id=f"c{number}", trial=0, turns=turns or (f"问{number}",), session=f"s{number}", seed=number
    )


def trial(
    agent: ScriptedAgent,
    plan: Iterable[Planned],
    limits: Limits = DEFAULT,
    *,
    stop: StopSwitch | None = None,
    meanwhile: Callable[[StopSwitch], None] = lambda stop: None,
) -> tuple[Outcome, dict[str, Record]]:
    records: dict[str, Record] = {}
    switch = stop or StopSwitch()

    async def main() -> Outcome:
        meanwhile(switch)
        return await run_sessions(plan, agent, limits, lambda r: records.__setitem__(r.case, r), switch)

    return run(main()), records


def one(agent: ScriptedAgent, *turns: str, limits: Limits = DEFAULT) -> Record:
    outcome, records = trial(agent, [planned(1, *turns)], limits)
    assert outcome.recorded == 1
    return records["c1"]


def later(seconds: float, press: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_later(seconds, press)


async def forever(*_: object) -> str:
    await asyncio.sleep(1e9)
    return "never"


async def stubborn(*_: object) -> str:
    while True:
        try:
            await asyncio.sleep(1e9)
        except asyncio.CancelledError:
            continue


def test_a_session_of_two_turns_is_kept_whole() -> None:
    async def answer(opening: Opening, texts: list[str]) -> Reply:
        await asyncio.sleep(2)
        return Reply(
            text=f"答{len(texts)}", model="m", usage=Usage(input_tokens=3), requests=2, state={"步": 1}
        )

    record = one(ScriptedAgent(answer), "你好", "再见")

    assert (record.status, record.failure, record.seed, record.session) == (Status.completed, None, 1, "s1")
    assert [(t.user, t.reply, t.seconds, t.model) for t in record.turns] == [
        ("你好", "答1", 2, "m"),
        ("再见", "答2", 2, "m"),
    ]
    assert record.state == {"步": 1}
    assert record.attempts == 4
    assert record.ended >= record.started > 1e9


def test_an_empty_reply_is_an_answer() -> None:
    assert one(ScriptedAgent(lambda *_: "")).status is Status.completed


def test_sessions_end_out_of_order_and_keep_their_names() -> None:
    async def answer(opening: Opening, texts: list[str]) -> str:
        await asyncio.sleep((opening.seed * 7) % 5)
        return f"{texts[-1]}={opening.seed}"

    results = []
    for concurrency in (1, 3, 64):
        agent = ScriptedAgent(answer)
        outcome, records = trial(agent, (planned(n) for n in range(40)), Limits(concurrency=concurrency))
        assert agent.peak == min(concurrency, 40)
        assert agent.under_way == 0
        assert outcome.recorded == 40
        assert outcome.stopped is None
        results.append({case: (r.seed, r.session, r.reply) for case, r in records.items()})
    assert results[0] == results[1] == results[2]
    assert results[0]["c7"] == (7, "s7", "问7=7")


def test_the_plan_is_asked_only_when_there_is_room() -> None:
    asked: list[int] = []
    agent = ScriptedAgent(lambda *_: "ok")

    def plan() -> Iterable[Planned]:
        for number in range(20):
            asked.append(number)
            assert len(asked) - len(agent.closed) <= 3
            yield planned(number)

    assert trial(agent, plan(), Limits(concurrency=3))[0].recorded == 20


def test_what_an_agent_puts_in_a_context_variable_reaches_no_other_session() -> None:
    memory: contextvars.ContextVar[str] = contextvars.ContextVar("memory", default="fresh")

    def answer(opening: Opening, texts: list[str]) -> str:
        seen = memory.get()
        memory.set("spoilt")
        return seen

    _, records = trial(ScriptedAgent(answer), [planned(n, "a", "b") for n in range(3)])
    assert {(r.turns[0].reply, r.turns[1].reply) for r in records.values()} == {("fresh", "spoilt")}


def test_a_failure_keeps_its_status_its_turn_and_the_partial_reply() -> None:
    def answer(opening: Opening, texts: list[str]) -> str:
        if len(texts) == 2:
            raise SessionFailed(Status.stream_cut, "cut", "连接断开", partial=Reply(text="半句", requests=3))
        return "好"

    record = one(ScriptedAgent(answer), "一", "二", "三")
    assert record.status is Status.stream_cut
    assert [t.reply for t in record.turns] == ["好", "半句"]
    assert record.failure is not None
    assert (record.failure.kind, record.failure.message) == ("cut", "turn 2 of 3: 连接断开")
    assert record.attempts == 4


def test_a_replayed_failure_names_its_turn_once() -> None:
    def answer(*_: object) -> str:
        raise SessionFailed(Status.agent_error, "broken", "turn 1 of 1: 坏了")

    record = one(ScriptedAgent(answer))
    assert record.failure is not None
    assert record.failure.message == "turn 1 of 1: 坏了"


def test_messages_are_in_the_language_of_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    record = one(ScriptedAgent(forever))
    assert record.failure is not None
    assert record.failure.message == "第 1 轮（共 1 轮）：60 s 内没有完成"


@pytest.mark.parametrize(
    "error", [ValueError("bad json"), SystemExit(0), TimeoutError("socket"), asyncio.CancelledError()]
)
def test_a_fault_of_ours_is_not_the_agents(error: BaseException) -> None:
    def answer(*_: object) -> str:
        raise error

    agent = ScriptedAgent(answer)
    outcome, records = trial(agent, [planned(1), planned(2)])
    record = records["c1"]
    assert outcome.recorded == 2
    assert record.status is Status.infra_error
    assert record.failure is not None
    assert record.failure.kind == type(error).__name__
    assert "test_local.py:" in record.failure.message
    assert agent.under_way == 0


@pytest.mark.parametrize("reply", [Reply(text=None), Reply(text="", state=object()), Reply(text="", usage=3)])  # type: ignore[arg-type]
def test_a_reply_that_a_log_cannot_hold_ends_the_session_not_the_run(reply: Reply) -> None:
    record = one(ScriptedAgent(lambda *_: reply))
    assert record.status is Status.infra_error
    assert record.failure is not None
    assert record.failure.kind == "unloggable"


def test_a_state_nested_without_end_ends_the_session_not_the_run() -> None:
    state: list[object] = []
    state.append(state)
    assert one(ScriptedAgent(lambda *_: Reply(text="", state=state))).status is Status.infra_error


def test_a_record_shows_values_as_its_log_will() -> None:
    reply = Reply(text="\ud83d", state={1: (2, 3)}, steps=(Call(name="查", arguments={"a": (1,)}),))
    record = one(ScriptedAgent(lambda *_: reply))
    assert record.reply == "\ud83d"
    assert record.state == {"1": [2, 3]}
    assert record.calls[0].arguments == {"a": [1]}


class TestLimit:
    def test_a_hanging_turn_times_out_and_is_named(self) -> None:
        async def answer(opening: Opening, texts: list[str]) -> str:
            return "好" if len(texts) == 1 else await forever()

        agent = ScriptedAgent(answer)
        outcome, records = trial(agent, [planned(1, "一", "二", "三")])
        record = records["c1"]
        assert record.status is Status.timeout
        assert [(t.user, t.reply) for t in record.turns] == [("一", "好"), ("二", None)]
        assert record.failure is not None
        assert (record.failure.kind, record.failure.message) == (
            "timeout",
            "turn 2 of 3: not done within 60 s",
        )
        assert agent.closed == ["s1"]
        assert outcome.seconds == pytest.approx(60)

    def test_the_limit_is_the_sessions_not_the_turns(self) -> None:
        async def answer(opening: Opening, texts: list[str]) -> str:
            await asyncio.sleep(25)
            return "ok"

        record = one(ScriptedAgent(answer), "1", "2", "3", "4")
        assert record.status is Status.timeout
        assert [t.reply for t in record.turns] == ["ok", "ok", None]

    def test_opening_counts_too(self) -> None:
        record = one(ScriptedAgent(on_open=forever))
        assert record.status is Status.timeout
        assert record.failure is not None
        assert record.failure.message.startswith("opening: ")
        assert record.turns == ()

    def test_a_cancellation_shown_as_another_error_is_still_a_timeout(self) -> None:
        async def answer(*_: object) -> str:
            try:
                return await forever()
            except asyncio.CancelledError as error:
                raise SessionFailed(Status.agent_error, "broken", "pipe") from error

        assert one(ScriptedAgent(answer)).status is Status.timeout

    def test_an_answer_after_the_limit_is_none(self) -> None:
        async def answer(*_: object) -> str:
            try:
                return await forever()
            except asyncio.CancelledError:
                return "too late"

        agent = ScriptedAgent(answer)
        record = one(agent, "1", "2")
        assert (record.status, [t.reply for t in record.turns]) == (Status.timeout, [None])
        assert len(agent.sent) == 1

    def test_an_agent_that_obeys_nobody_is_left_behind(self) -> None:
        async def answer(opening: Opening, texts: list[str]) -> str:
            return await stubborn() if opening.seed == 2 else "ok"

        agent = ScriptedAgent(answer)
        outcome, records = trial(agent, [planned(n) for n in range(5)])
        assert [r.status for r in records.values()].count(Status.completed) == 4
        assert records["c2"].status is Status.timeout
        assert [t.user for t in records["c2"].turns] == ["问2"]
        assert (outcome.recorded, outcome.abandoned, outcome.unclosed) == (5, 1, 0)
        assert len(agent.closed) == 5
        assert outcome.seconds == pytest.approx(65)

    @pytest.mark.parametrize(("close", "abandoned"), [(forever, 0), (stubborn, 5)])
    def test_a_close_without_end_costs_a_grace_not_the_answer(
        self, close: Callable[[], object], abandoned: int
    ) -> None:
        agent = ScriptedAgent(on_close=close)  # type: ignore[arg-type]
        outcome, records = trial(agent, [planned(n) for n in range(5)], Limits(concurrency=5))
        assert all(r.status is Status.completed for r in records.values())
        assert (outcome.recorded, outcome.unclosed, outcome.abandoned) == (5, 5, abandoned)

    def test_a_close_that_fails_is_counted(self) -> None:
        async def close() -> None:
            raise OSError("gone")

        outcome, _ = trial(ScriptedAgent(on_close=close), [planned(1)])
        assert (outcome.recorded, outcome.unclosed) == (1, 1)


class TestBusy:
    def test_waiting_is_outside_the_limit_and_summed(self) -> None:
        asked = []

        async def answer(opening: Opening, texts: list[str]) -> str:
            asked.append(asyncio.get_running_loop().time())
            await asyncio.sleep(10)
            if len(asked) <= 5:
                raise Busy("429", retry_after=50)
            return "ok"

        agent = ScriptedAgent(answer)
        record = one(agent, limits=Limits(session_seconds=61))
        assert record.status is Status.completed
        assert record.waited == pytest.approx(250)
        assert record.attempts == 6
        assert record.turns[0].seconds == pytest.approx(10)
        assert asked == pytest.approx([0, 60, 120, 180, 240, 300])
        assert len(agent.closed) == 1

    def test_the_limit_still_holds_for_what_is_not_waiting(self) -> None:
        async def answer(*_: object) -> str:
            await asyncio.sleep(10)
            raise Busy("429", retry_after=1)

        record = one(ScriptedAgent(answer), limits=Limits(session_seconds=25))
        assert (record.status, record.waited) == (Status.timeout, pytest.approx(2))

    def test_a_day_is_not_waited(self) -> None:
        def answer(*_: object) -> str:
            raise Busy("429", retry_after=86400)

        assert one(ScriptedAgent(answer)).waited == pytest.approx(5 * 60)

    def test_a_storm_ends_as_rate_limited(self) -> None:
        def answer(opening: Opening, texts: list[str]) -> str:
            raise Busy("slow down")

        agent = ScriptedAgent(answer)
        outcome, records = trial(agent, [planned(n) for n in range(100)], Limits(concurrency=16))
        assert outcome.recorded == 100
        assert {r.status for r in records.values()} == {Status.rate_limited}
        assert agent.peak == 16
        assert len(agent.sent) == 600
        assert records["c0"].failure is not None
        assert records["c0"].failure.message == "turn 1 of 1: still busy after 5 retries: slow down"
        assert len({r.waited for r in records.values()}) == 100

    def test_opening_may_be_busy_too(self) -> None:
        left = [Busy("full"), Busy("full")]

        async def on_open(opening: Opening) -> None:
            if left:
                raise left.pop()

        record = one(ScriptedAgent(on_open=on_open))
        assert (record.status, record.attempts) == (Status.completed, 3)


class TestStop:
    def slow(self) -> ScriptedAgent:
        async def answer(*_: object) -> str:
            await asyncio.sleep(10)
            return "ok"

        return ScriptedAgent(answer)

    def plan(self) -> list[Planned]:
        return [planned(n) for n in range(10)]

    def test_max_time_cancels_what_is_under_way_without_a_record(self) -> None:
        agent = self.slow()
        outcome, records = trial(agent, self.plan(), Limits(concurrency=2, max_time=25))
        assert (outcome.stopped, outcome.recorded, outcome.cancelled) == (StopReason.max_time, 4, 2)
        assert set(records) == {"c0", "c1", "c2", "c3"}
        assert outcome.seconds == pytest.approx(25)
        assert agent.under_way == 0

    def test_ctrl_c_gives_a_short_grace(self) -> None:
        outcome, _ = trial(
            self.slow(), self.plan(), meanwhile=lambda s: later(9, lambda: s.press(StopReason.interrupt))
        )
        assert (outcome.stopped, outcome.recorded, outcome.cancelled) == (StopReason.interrupt, 1, 0)
        agent = self.slow()
        outcome, _ = trial(
            agent, self.plan(), meanwhile=lambda s: later(5, lambda: s.press(StopReason.interrupt))
        )
        assert (outcome.recorded, outcome.cancelled, outcome.seconds) == (0, 1, pytest.approx(7))
        assert agent.closed == ["s0"]

    def test_a_second_ctrl_c_waits_for_nobody(self) -> None:
        def twice(stop: StopSwitch) -> None:
            later(5, lambda: stop.press(StopReason.interrupt))
            later(5.5, lambda: stop.press(StopReason.interrupt))

        for agent in (ScriptedAgent(stubborn, on_close=stubborn), ScriptedAgent(on_close=stubborn)):
            outcome, _ = trial(agent, self.plan(), Limits(concurrency=2, grace=50), meanwhile=twice)
            assert outcome.abandoned == 2
            assert outcome.seconds == pytest.approx(5.6, abs=0.3)

    def test_waiting_for_a_busy_agent_can_be_interrupted(self) -> None:
        def answer(*_: object) -> str:
            raise Busy("429", retry_after=60)

        outcome, _ = trial(ScriptedAgent(answer), self.plan(), Limits(max_time=90))
        assert (outcome.recorded, outcome.cancelled, outcome.seconds) == (0, 1, pytest.approx(90))

    def test_a_cost_limit_is_overspent_by_no_more_than_what_is_under_way(self) -> None:
        async def answer(*_: object) -> Reply:
            await asyncio.sleep(1)
            return Reply(text="ok", usage=Usage(cost=0.5))

        for concurrency, recorded in ((1, 4), (3, 6)):
            outcome, _ = trial(
                ScriptedAgent(answer), self.plan(), Limits(concurrency=concurrency, max_cost=2)
            )
            assert (outcome.stopped, outcome.recorded) == (StopReason.max_cost, recorded)
            assert (outcome.cost, outcome.cancelled) == (recorded / 2, 0)

    def test_an_unknown_cost_stops_a_run_that_has_a_cost_limit(self) -> None:
        agent = ScriptedAgent(lambda *_: Reply(text="ok", usage=Usage(input_tokens=5)))
        outcome, _ = trial(agent, self.plan(), Limits(max_cost=2))
        assert (outcome.stopped, outcome.recorded, outcome.cost) == (StopReason.cost_unknown, 1, None)
        outcome, _ = trial(agent, self.plan())
        assert (outcome.stopped, outcome.recorded, outcome.cost) == (None, 10, None)

    def test_a_switch_pressed_before_lets_nothing_start(self) -> None:
        stop = StopSwitch()
        stop.press(StopReason.interrupt)
        agent = ScriptedAgent()
        outcome, _ = trial(agent, self.plan(), stop=stop)
        assert (outcome.recorded, agent.openings) == (0, [])

    def test_being_cancelled_from_outside_closes_what_is_open(self) -> None:
        agent = self.slow()

        async def main() -> None:
            task = asyncio.create_task(
                run_sessions(self.plan(), agent, Limits(concurrency=3), lambda r: None, StopSwitch())
            )
            await asyncio.sleep(5)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        run(main())
        assert len(agent.closed) == len(agent.openings) == 3

    def test_a_log_that_cannot_be_written_ends_the_run(self) -> None:
        agent = self.slow()

        def full(record: Record) -> None:
            raise CannotRun("no space")

        async def main() -> None:
            await run_sessions(self.plan(), agent, Limits(concurrency=3), full, StopSwitch())

        with pytest.raises(CannotRun, match="no space"):
            run(main())
        assert len(agent.closed) == len(agent.openings) == 3

    def test_a_plan_that_fails_ends_the_run(self) -> None:
        def plan() -> Iterable[Planned]:
            yield planned(1)
            raise LookupError("no more")

        with pytest.raises(LookupError, match="no more"):
            trial(self.slow(), plan())

    def test_a_run_of_nothing_is_done(self) -> None:
        outcome, _ = trial(ScriptedAgent(), [])
        assert (outcome.recorded, outcome.cost, outcome.stopped) == (0, 0.0, None)

    def test_concurrency_begins_at_one(self) -> None:
        with pytest.raises(ValueError, match="begins at 1"):
            trial(ScriptedAgent(), [], Limits(concurrency=0))
