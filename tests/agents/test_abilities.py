"""What an agent offers beside answers, whoever is behind it: state, a clock that moves, users, tools."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import fake_agent
import pytest
from fake_server import FakeServer

from fairtrial.agents.config import AgentConfig
from fairtrial.agents.protocol import Ability, Agent, Opening, Ruling
from fairtrial.agents.resolve import read_config, resolve
from fairtrial.execution.contract import Move
from fairtrial.schema.record import Call, Disturbance, Status
from fakes.talks import NOON, examine

ALL = frozenset(Ability)
EXAMPLE = str(Path(__file__).resolve().parents[2] / "examples/command_agents/tools.py")
LATER = "2026-12-03T12:00:00Z"

OFFERED = {
    "python": ALL,
    "async": ALL,
    "command": ALL,
    "http": ALL - {Ability.tools},
    "openai": {Ability.tools, Ability.clock},
    "stream": {Ability.clock},
    "plain python": set(),
    "plain command": set(),
    "plain http": set(),
    "plain openai": set(),
    "echo": set(),
}


def table(kind: str, url: str) -> dict[str, Any]:
    command = [sys.executable, fake_agent.__file__]
    request = {"text": "{{text}}", "session": "{{session}}", "user": "{{user}}", "clock": "{{ clock }}"}
    chat = {"type": "openai", "model": "m", "base_url": url}
    return {
        "python": {"type": "python", "function": "fake_agent:OpenAgent"},
        "async": {"type": "python", "function": "fake_agent:AsyncOpenAgent"},
        "command": {"type": "command", "command": [*command, "--open"], "offers": [*map(str, ALL)]},
        "http": {
            "type": "http",
            "url": f"{url}/agent",
            "request": request,
            "state_url": f"{url}/state/{{{{session}}}}",
        },
        "openai": {**chat, "system": "{{clock}}", "tools": ["fake_agent:find"]},
        "stream": {**chat, "system": "{{clock}}", "stream": True},
        "plain python": {"type": "python", "function": "fake_agent:FakeAgent"},
        "plain command": {"type": "command", "command": command},
        "plain http": {"type": "http", "url": f"{url}/agent"},
        "plain openai": {**chat, "system": "It is {{ now }}."},
        "echo": {"type": "null", "kind": "echo"},
    }[kind]


def made(kind: str, url: str) -> Agent:
    config: AgentConfig = read_config(table(kind, url), where="test")
    return resolve(config, environ={})


@pytest.fixture
async def agent(request: pytest.FixtureRequest, server: FakeServer) -> AsyncIterator[Agent]:
    agent = made(request.param, server.url)
    yield agent
    await agent.close()
    fake_agent.RELEASE.set()
    fake_agent.RELEASE.clear()


def those_with(*abilities: Ability) -> Any:
    kinds = [kind for kind, offered in OFFERED.items() if offered >= set(abilities)]
    return pytest.mark.parametrize("agent", kinds, indirect=True)


class Hook:
    """Rules as it was told, shows `shown` for a result if it has one, and notes what passed."""

    def __init__(self, ruling: Ruling | None = None, shown: Any = None) -> None:
        self.ruling, self.shown = ruling or Ruling(), shown
        self.passed: list[Any] = []

    def before(self, name: str, arguments: Any) -> Ruling:
        self.passed.append((name, arguments))
        return self.ruling

    def after(self, name: str, arguments: Any, result: Any) -> Any:
        self.passed.append((name, arguments, result))
        return result if self.shown is None else self.shown


async def ask(agent: Agent, *texts: str, hook: Hook | None = None) -> list[str]:
    opening = Opening(session="s1", seed=1, clock=NOON, user="u1", tools=hook)
    conversation = await agent.open(opening)
    try:
        return [(await conversation.send(text)).text for text in texts]
    finally:
        await conversation.close()


@pytest.mark.parametrize(("kind", "offered"), OFFERED.items())
async def test_what_it_offers_is_known_before_it_is_asked(
    kind: str, offered: set[Ability], server: FakeServer
) -> None:
    agent = made(kind, server.url)
    assert agent.abilities == offered
    await agent.close()


@those_with()
async def test_whoever_offers_nothing_answers_all_the_same(agent: Agent) -> None:
    conversation = await agent.open(Opening(session="s1", seed=1, clock=NOON, user="u1", tools=Hook()))
    first = await conversation.send("你好")
    state = await conversation.snapshot()
    conversation.tell(LATER)
    second = await conversation.send("再见")
    await conversation.close()
    assert [text.removeprefix(f"{n}: ") for n, text in enumerate((first.text, second.text), 1)] == [
        "你好",
        "再见",
    ]
    assert state == ({"turns": 1} if Ability.state in agent.abilities else None)


@those_with(Ability.clock)
async def test_the_time_is_told_and_moves(agent: Agent) -> None:
    conversation = await agent.open(Opening(session="s1", seed=1, clock=NOON, user="u1"))
    assert (await conversation.send("!clock")).text == f"1: {NOON}"
    conversation.tell(LATER)
    assert (await conversation.send("!clock")).text == f"2: {LATER}"
    assert (await conversation.send("!clock")).text == f"3: {LATER}"
    await conversation.close()
    assert await ask(agent, "!clock") == [f"{1 if 'http' not in agent.name else 4}: {NOON}"]


@those_with(Ability.users)
async def test_it_is_told_who_the_user_is(agent: Agent) -> None:
    assert await ask(agent, "!user") == ["1: u1"]


@those_with()
async def test_a_session_is_kept_whole_by_all(agent: Agent) -> None:
    begun = Disturbance(step=0, do="new_session")
    record = await examine(
        agent,
        Move(text="one"),
        Move(text="two", pause=259200, points=("back",)),
        Move(text="three", fresh=True, disturbed=(begun,)),
    )
    assert (record.status, record.failure) == (Status.completed, None)
    if "null" in agent.name:
        return
    assert [turn.reply for turn in record.turns] == ["1: one", "2: two", "1: three"]
    assert [turn.clock for turn in record.turns] == [None, LATER, None]
    shows = Ability.state in agent.abilities
    assert [turn.state for turn in record.turns] == [{"turns": n} if shows else None for n in (1, 2, 1)]
    assert [(point.turn, point.state) for point in record.snapshots] == [(1, {"turns": 2})] * shows

    again = resolve(read_config({"type": "replay", "log": "x"}, ""), load_records=lambda _: [record])
    replayed = await examine(again, Move(text="one"), Move(text="two"), Move(text="three", fresh=True))
    assert [(turn.reply, turn.state) for turn in replayed.turns] == [
        (turn.reply, turn.state) for turn in record.turns
    ]


class TestTools:
    FOUND = '{"order": "A1", "state": "已发货"}'

    @those_with(Ability.tools)
    async def test_a_call_passes_through_the_hook(self, agent: Agent) -> None:
        hook = Hook()
        (text,) = await ask(agent, "!find A1", hook=hook)
        assert text.replace('":"', '": "').replace('","', '", "') == f"1: {self.FOUND}"
        arguments = {"order": "A1"}
        assert hook.passed == [("find", arguments), ("find", arguments, fake_agent.find("A1"))]

    @those_with(Ability.tools)
    async def test_where_nobody_listens_it_is_made(self, agent: Agent) -> None:
        (text,) = await ask(agent, "!find A1")
        assert "已发货" in text

    @those_with(Ability.tools)
    async def test_a_refused_call_is_not_made(self, agent: Agent) -> None:
        hook = Hook(Ruling(error="服务不可用", delay=0.01))
        (text,) = await ask(agent, "!find A1", hook=hook)
        assert text.endswith(": 服务不可用")
        assert hook.passed == [("find", {"order": "A1"})]

    @those_with(Ability.tools)
    async def test_a_changed_result_is_what_the_agent_sees(self, agent: Agent) -> None:
        (text,) = await ask(agent, "!find A1", hook=Hook(shown=["空"]))
        assert text == '1: ["空"]'

    @pytest.mark.parametrize("agent", ["python", "async"], indirect=True)
    async def test_a_time_out_is_one(self, agent: Agent) -> None:
        assert await ask(agent, "!find A1", hook=Hook(Ruling(error="too late", timeout=True))) == [
            "1: TimeoutError: too late"
        ]

    async def test_the_documented_program_lets_itself_be_ruled(self) -> None:
        table = {"type": "command", "command": [sys.executable, EXAMPLE], "offers": ["tools", "state"]}
        agent = resolve(read_config(table, "test"))
        hook = Hook(shown={"order": "A1", "state": None})
        conversation = await agent.open(Opening(session="s1", seed=1, tools=hook))
        changed = await conversation.send("Where is A1")
        hook.ruling = Ruling(error="timed out")
        refused = await conversation.send("Where is A2")
        assert await conversation.snapshot() == {"A1": "sent"}
        await conversation.close()
        assert changed.steps == (
            Call(name="find", arguments={"order": "A1"}, result={"order": "A1", "state": None}),
        )
        assert refused.text == "Sorry, I cannot see order A2: timed out"
        assert refused.steps == (Call(name="find", arguments={"order": "A2"}, error="timed out"),)

    @pytest.mark.parametrize("agent", ["openai"], indirect=True)
    @pytest.mark.parametrize(
        ("hook", "error", "result"),
        [(Hook(Ruling(error="timed out")), "timed out", None), (Hook(shown={}), None, {})],
    )
    async def test_a_call_is_recorded_as_the_model_saw_it(
        self, agent: Agent, hook: Hook, error: str | None, result: Any
    ) -> None:
        conversation = await agent.open(Opening(session="s", seed=1, tools=hook))
        (call,) = (await conversation.send("!find A1")).steps
        await conversation.close()
        assert (call.error, call.result) == (error, result)

    @pytest.mark.parametrize("agent", ["openai"], indirect=True)
    async def test_a_call_that_cannot_be_made_does_not_come_to_the_hook(
        self, agent: Agent, server: FakeServer
    ) -> None:
        from fake_server import call_tools, say, tool_call

        server.script(call_tools(tool_call("find", "{}"), tool_call("fetch", "{}")), say("sorry"))
        hook = Hook()
        assert await ask(agent, "hi", hook=hook) == ["sorry"]
        assert hook.passed == []
