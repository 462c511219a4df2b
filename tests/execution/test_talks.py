"""A user's side that reacts: moves, a moved clock, fresh conversations, states, and whose fault what is."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from fairtrial.agents.protocol import Busy, Opening, Reply, Ruling, SessionFailed
from fairtrial.execution.contract import Limits, Move, Planned, StopSwitch, Talk, UserFailed, plan_session
from fairtrial.execution.local import run_sessions
from fairtrial.execution.plan import Plan
from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import NewSession
from fairtrial.schema.record import Call, Disturbance, Failure, Probed, Record, Snapshot, Status
from fakes.scripted import ScriptedAgent
from fakes.talks import ScriptedTalk
from fakes.virtual_time import run

DAY = 86400.0
NOON = Limits(clock="2026-11-30T12:00:00+08:00")
HIT = Disturbance(step=3, do="fault", call=0)


def held(talk: Talk | ScriptedTalk, agent: ScriptedAgent | None = None, limits: Limits = NOON) -> Record:
    """The record of one session that this user's side drives."""
    planned = plan_session(7, "退款", 0, ("你好",), talk=lambda: talk)
    return recorded(planned, agent or ScriptedAgent(lambda o, texts: f"答{len(texts)}"), limits)


def recorded(planned: Planned, agent: ScriptedAgent, limits: Limits = NOON) -> Record:
    records: list[Record] = []
    run(run_sessions([planned], agent, limits, records.append, StopSwitch()))
    (record,) = records
    assert agent.under_way == 0
    return record


def raising(error: BaseException) -> Any:
    async def move() -> Move:
        raise error

    return move


def message(record: Record) -> str:
    return record.failure.message if record.failure else ""


def test_what_is_done_is_kept_with_its_turn() -> None:
    moved = Disturbance(step=0, do="pause", probe="silence@2", detail={"seconds": 3 * DAY})
    talk = ScriptedTalk(
        Move(text="你好"),
        Move(text="我又来了", pause=3 * DAY, disturbed=(moved,), points=("back", "again")),
        Move(text="还记得吗", aside=True),
    )
    agent = ScriptedAgent(state=lambda opening, texts: {"轮": len(texts)})
    record = held(talk, agent)

    assert (record.status, record.failure, record.unfired) == (Status.completed, None, ())
    assert [turn.user for turn in record.turns] == ["你好", "我又来了", "还记得吗"]
    assert [turn.disturbed for turn in record.turns] == [(), (moved,), ()]
    assert [turn.clock for turn in record.turns] == [None, "2026-12-03T12:00:00+08:00", None]
    assert agent.clocks == ["2026-12-03T12:00:00+08:00"]
    assert [turn.aside for turn in record.turns] == [False, False, True]
    assert [turn.state for turn in record.turns] == [{"轮": 1}, {"轮": 2}, {"轮": 3}]
    assert record.snapshots == (
        Snapshot(name="back", turn=1, state={"轮": 2}),
        Snapshot(name="again", turn=1, state={"轮": 2}),
    )
    assert talk.clocks == [0, 0, 3 * DAY, 3 * DAY]
    assert talk.closed == 1


def test_a_point_where_no_state_is_shown_has_not_taken_place() -> None:
    said, point = Disturbance(step=0, do="utter"), Disturbance(step=1, do="snapshot")
    talk = ScriptedTalk(Move(text="在吗", disturbed=(said, point), points=("asked",)))
    record = held(talk)
    assert [turn.disturbed for turn in record.turns] == [(said,)]
    assert (record.snapshots, record.unfired) == ((), (1,))


def test_nobody_sleeps_through_a_pause_and_time_goes_by_as_the_agent_is_told() -> None:
    async def slowly(*_: object) -> str:
        await asyncio.sleep(5)
        return "好"

    for limits, seconds in (Limits(), 5), (NOON, 0):
        talk = ScriptedTalk(Move(text="一"), Move(text="二", pause=DAY))
        record = held(talk, ScriptedAgent(slowly), limits)
        assert [turn.seconds for turn in record.turns] == [5, 5]
        assert talk.clocks == [0, seconds, DAY + 2 * seconds]


def test_the_present_moves_on_too() -> None:
    agent = ScriptedAgent()
    held(ScriptedTalk(Move(text="hi", pause=1000 * 365 * DAY)), agent, Limits())
    assert agent.clocks[0] > f"{int(str(agent.openings[0].clock)[:4]) + 999}"
    assert agent.clocks[0].endswith("Z")


def test_a_fixed_clock_in_utc_keeps_its_z() -> None:
    agent = ScriptedAgent()
    held(ScriptedTalk(Move(text="hi", pause=1.5)), agent, Limits(clock="2026-11-30T12:00:00Z"))
    assert agent.clocks == ["2026-11-30T12:00:01.500000Z"]


def test_a_fresh_conversation_has_the_same_user_and_tells_nothing_else() -> None:
    done = Disturbance(step=0, do="new_session")
    talk = ScriptedTalk(
        Move(text="one"),
        Move(text="two", fresh=True, pause=DAY, disturbed=(done,)),
        Move(text="three", fresh=True),
    )
    agent = ScriptedAgent(lambda opening, texts: f"{len(texts)}: {texts[-1]}")
    record = held(talk, agent)

    assert [turn.reply for turn in record.turns] == ["1: one", "1: two", "1: three"]
    first, second, third = agent.openings
    assert (first.session, first.seed) == (record.session, record.seed)
    assert len({first.session, second.session, third.session}) == 3
    assert len({first.seed, second.seed, third.seed}) == 3
    assert first.user == second.user == third.user
    assert first.user is not None
    assert agent.closed == [first.session, second.session, third.session]
    assert agent.clocks == []  # it was told when it was opened
    assert second.clock == third.clock == record.turns[1].clock == "2026-12-01T12:00:00+08:00"
    assert record.turns[2].clock is None


def test_users_differ_by_run_case_and_trial() -> None:
    users = {
        plan_session(seed, case, trial, ()).user for seed in (0, 1) for case in ("a", "b") for trial in (0, 1)
    }
    assert len(users) == 8


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (SessionFailed(Status.agent_error, "gone", "没有了"), Status.agent_error, "没有了"),
        (OSError("no more"), Status.infra_error, "no more (test_talks.py:"),
        (Busy("full", 0), Status.rate_limited, "still busy after 5 retries: full"),
    ],
)
def test_a_conversation_that_cannot_be_opened_again(error: Exception, status: Status, said: str) -> None:
    async def once(opening: Opening) -> None:
        if len(agent.sent):
            raise error

    agent = ScriptedAgent(on_open=once)
    talk = ScriptedTalk(Move(text="one"), Move(text="two", fresh=True, disturbed=(HIT,)))
    record = held(talk, agent)
    assert record.status is status
    assert message(record).startswith(f"turn 2: opening: {said}")
    assert [(turn.user, turn.reply is None) for turn in record.turns] == [("one", False), ("two", True)]
    assert record.turns[1].disturbed == (HIT,)
    assert agent.closed == [record.session]
    assert talk.closed == 1


def test_a_conversation_that_cannot_be_closed_is_counted_and_left() -> None:
    async def close() -> None:
        raise OSError("gone")

    agent = ScriptedAgent(on_close=close)
    talk = ScriptedTalk(Move(text="one"), Move(text="two", fresh=True))
    planned = plan_session(7, "c", 0, (), talk=lambda: talk)
    records: list[Record] = []
    outcome = run(run_sessions([planned], agent, NOON, records.append, StopSwitch()))
    assert records[0].status is Status.completed
    assert outcome.unclosed == 1


@pytest.mark.parametrize(
    ("error", "status", "kind", "said"),
    [
        (UserFailed("left_brief", "说了别的订单号"), Status.user_error, "left_brief", "说了别的订单号"),
        (UserFailed("no_player", "down", infra=True), Status.infra_error, "no_player", "down"),
        (KeyError("x"), Status.infra_error, "KeyError", "'x' (test_talks.py:"),
        (Busy("slow"), Status.infra_error, "Busy", "slow (test_talks.py:"),
        (SessionFailed(Status.agent_error, "a", "b"), Status.infra_error, "SessionFailed", "b ("),
        (SystemExit(0), Status.infra_error, "SystemExit", "0 ("),
    ],
)
def test_a_user_who_fails_is_not_the_agents_failure(
    error: BaseException, status: Status, kind: str, said: str
) -> None:
    talk = ScriptedTalk(Move(text="hi"), raising(error), Move(text="never"))
    record = held(talk)
    assert (record.status, record.failure and record.failure.kind) == (status, kind)
    assert message(record).startswith(f"turn 2: {said}")
    assert [(turn.user, turn.reply) for turn in record.turns] == [("hi", "答1")]
    assert record.unfired == (7,)
    assert talk.closed == 1


def test_a_user_who_cannot_begin_is_an_infrastructure_error() -> None:
    def none() -> Talk:
        raise LookupError("no such user")

    agent = ScriptedAgent()
    record = recorded(plan_session(7, "c", 0, (), talk=none), agent)
    assert (record.status, message(record)[:22]) == (Status.infra_error, "opening: no such user ")
    assert agent.openings == []


def test_a_user_who_never_speaks_is_told_from_an_agent_who_does_not() -> None:
    async def forever() -> Move:
        await asyncio.sleep(1e9)
        raise AssertionError

    talk = ScriptedTalk(Move(text="hi"), forever)
    record = held(talk)
    assert (record.status, record.failure and record.failure.kind) == (Status.infra_error, "player")
    assert message(record) == "turn 2: the user's side was not done within 60 s"
    assert len(record.turns) == 1
    assert talk.closed == 1


def test_a_user_who_swallows_the_cancellation_says_nothing_more() -> None:
    async def stubborn() -> Move:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(1e9)
        return Move(text="too late")

    agent = ScriptedAgent()
    record = held(ScriptedTalk(Move(text="hi"), stubborn), agent)
    assert record.status is Status.infra_error
    assert [text for _, text in agent.sent] == ["hi"]


def test_messages_name_the_turn_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    assert message(held(ScriptedTalk(raising(UserFailed("k", "没话说"))))) == "第 1 轮：没话说"


class TestState:
    def test_the_replys_own_comes_first(self) -> None:
        agent = ScriptedAgent(
            lambda o, texts: Reply(text="ok", state={"own": 1} if len(texts) == 1 else None),
            state=lambda *_: {"hook": 2},
        )
        record = held(ScriptedTalk(Move(text="a"), Move(text="b")), agent)
        assert [turn.state for turn in record.turns] == [{"own": 1}, {"hook": 2}]

    def test_it_is_kept_as_the_log_will_show_it(self) -> None:
        record = held(ScriptedTalk(Move(text="a")), ScriptedAgent(state=lambda *_: {1: (2, "\ud83d")}))
        assert record.state == {"1": [2, "\ud83d"]}

    @pytest.mark.parametrize(
        ("error", "said"),
        [
            (ValueError("锁住了"), "ValueError: 锁住了 (test_talks.py:"),
            (SessionFailed(Status.agent_error, "exited", "the process exited"), "the process exited"),
            (SystemExit(0), "SystemExit: 0"),
        ],
    )
    def test_a_hook_that_raises_sets_the_session_aside(self, error: BaseException, said: str) -> None:
        def state(opening: Opening, texts: list[str]) -> object:
            if len(texts) == 2:
                raise error
            return len(texts)

        talk = ScriptedTalk(Move(text="a"), Move(text="b", points=("p",)), Move(text="c"))
        record = held(talk, ScriptedAgent(state=state))
        assert (record.status, record.failure and record.failure.kind) == (Status.infra_error, "snapshot")
        assert message(record).startswith(f"turn 2: the agent's state cannot be had: {said}")
        assert [(turn.user, turn.reply is None, turn.state) for turn in record.turns] == [
            ("a", False, 1),
            ("b", False, None),
        ]

    def test_a_state_that_a_log_cannot_hold_is_such_a_failure(self) -> None:
        record = held(ScriptedTalk(Move(text="a")), ScriptedAgent(state=lambda *_: object()))
        assert record.failure is not None
        assert record.failure.kind == "snapshot"

    def test_a_busy_hook_is_asked_again(self) -> None:
        left = [Busy("later", 1)]

        def state(*_: object) -> object:
            if left:
                raise left.pop()
            return "s"

        record = held(ScriptedTalk(Move(text="a")), ScriptedAgent(state=state))
        assert (record.state, record.waited) == ("s", pytest.approx(1))

    def test_a_state_that_never_comes_is_named(self) -> None:
        async def never(*_: object) -> None:
            await asyncio.sleep(1e9)

        record = held(ScriptedTalk(Move(text="a")), ScriptedAgent(state=never))
        assert record.status is Status.timeout
        assert message(record) == "turn 1: the state was not shown within 60 s"
        assert record.turns[0].reply is not None

    def test_a_plain_case_has_it_too(self) -> None:
        agent = ScriptedAgent(state=lambda opening, texts: len(texts))
        record = recorded(plan_session(7, "c", 0, ("一", "二")), agent)
        assert [turn.state for turn in record.turns] == [1, 2]


class Hook:
    """Notes a hit for each call; breaks where it is told to."""

    def __init__(self, talk: ScriptedTalk, broken: str = "") -> None:
        self.talk, self.broken = talk, broken

    def before(self, name: str, arguments: Any) -> Ruling:
        if self.broken == "before":
            raise ZeroDivisionError("hook")
        return Ruling()

    def after(self, name: str, arguments: Any, result: Any) -> Any:
        if self.broken == "after":
            raise ZeroDivisionError("hook")
        self.talk.hits.append(HIT)
        return []


class TestHook:
    def answer(self, opening: Opening, texts: list[str]) -> Reply:
        hook = opening.tools
        assert hook is not None
        assert hook.before("find", {}) == Ruling()
        if texts[-1] == "fail":
            hook.after("find", {}, {"n": 1})
            raise SessionFailed(Status.agent_error, "confused", "?")
        return Reply(text="ok", steps=(Call(name="find", result=hook.after("find", {}, {"n": 1})),))

    def talk(self, *texts: str, broken: str = "") -> ScriptedTalk:
        talk = ScriptedTalk(*(Move(text=text) for text in texts))
        talk.tools = Hook(talk, broken)
        return talk

    def test_what_was_hit_is_kept_with_the_turn(self) -> None:
        record = held(self.talk("a", "b"), ScriptedAgent(self.answer))
        assert [turn.disturbed for turn in record.turns] == [(HIT,), (HIT,)]
        assert record.calls[0].result == []

    def test_also_where_the_agent_fails_at_it(self) -> None:
        record = held(self.talk("a", "fail", "c"), ScriptedAgent(self.answer))
        assert record.failure == Failure(kind="confused", message="turn 2: ?")
        assert [(turn.reply, turn.disturbed) for turn in record.turns] == [("ok", (HIT,)), (None, (HIT,))]

    @pytest.mark.parametrize("broken", ["before", "after"])
    @pytest.mark.parametrize("text", ["a", "fail"])
    def test_a_hook_that_breaks_is_never_the_agents_failure(self, broken: str, text: str) -> None:
        agent = ScriptedAgent(self.answer)
        record = held(self.talk(text, "b", broken=broken), agent)
        assert (record.status, record.failure and record.failure.kind) == (Status.infra_error, "tool_hook")
        assert message(record).startswith("turn 1: the hook for tool calls failed: ZeroDivisionError: hook (")
        assert len(agent.sent) == 1
        assert [turn.user for turn in record.turns] == [text]

    def test_nobody_listens_to_a_plain_case(self) -> None:
        agent = ScriptedAgent()
        recorded(plan_session(7, "c", 0, ("一",)), agent)
        assert agent.openings[0].tools is None


@pytest.mark.parametrize("broken", ["hit", "unfired"])
def test_a_user_who_cannot_say_what_was_done_loses_no_turn(broken: str) -> None:
    def fail() -> Any:
        raise ArithmeticError("lost count")

    talk = ScriptedTalk(Move(text="a"))
    setattr(talk, broken, fail)
    record = held(talk)
    assert record.status is Status.infra_error
    assert "lost count" in message(record)
    assert [turn.reply for turn in record.turns] == ["答1"]


def test_the_plan_begins_a_talk_where_the_case_needs_one() -> None:
    step = NewSession(do="new_session", before=1)
    cases = [
        Case(id="plain", input=("a",), rules=()),
        Case(id="disturbed", input=("a", "b"), rules=(), disturb=(step,)),
    ]
    began: list[tuple[str, int]] = []

    def talk(case: Case, seed: int) -> ScriptedTalk:
        began.append((case.id, seed))
        return ScriptedTalk()

    plain, disturbed = Plan(cases, trials=1, run_seed=3, talk=talk).sessions()
    assert plain.talk is None
    assert disturbed.talk is not None
    assert began == []
    disturbed.talk()
    assert began == [("disturbed", disturbed.seed)]
    assert all(planned.talk is None for planned in Plan(cases, trials=1, run_seed=3).sessions())


def test_what_the_session_was_for_goes_into_the_record() -> None:
    probed = Probed(probes=("typos@2",), seed=5, phase="explore")
    planned = plan_session(7, "c", 0, ("一",), probed=probed)
    assert recorded(planned, ScriptedAgent()).probed == probed


@pytest.mark.parametrize(
    "comes",
    [SessionFailed(Status.agent_error, "ValueError", "no"), Busy("later", 0.0), RuntimeError("ours"), None],
)
def test_a_case_that_is_over_stays_so_whatever_a_question_after_it_brings(comes: Exception | None) -> None:
    async def answer(opening: Opening, texts: list[str]) -> str:
        if len(texts) == 2:
            if comes is None:
                await asyncio.sleep(3600)
            else:
                raise comes
        return "好的"

    record = held(
        ScriptedTalk(Move(text="退款"), Move(text="真的退了吗？", aside=True)),
        ScriptedAgent(lambda opening, texts: answer(opening, texts)),
        Limits(clock="2026-11-30T12:00:00+08:00", session_seconds=5, retries=1),
    )
    assert (record.status, record.failure) == (Status.completed, None)
    assert [(turn.reply, turn.aside) for turn in record.turns] == [("好的", False), (None, True)]
