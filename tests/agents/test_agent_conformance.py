"""What every adapter keeps of the protocol, whoever is behind it."""

import asyncio
import gc
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import fake_agent
import pytest
from fake_server import FakeServer
from patience import eventually

from fairtrial.agents.config import AgentConfig
from fairtrial.agents.protocol import Agent, Busy, Conversation, Opening, Reply, SessionFailed
from fairtrial.agents.resolve import read_config, resolve
from fairtrial.schema.record import Failure, Record, Status, Turn

COMMAND = [sys.executable, fake_agent.__file__]

CHAT = {"type": "openai", "model": "fake-1"}

# Everybody; those that answer "<turn>: <text>" and obey `!fail`, `!busy`, `!hang`; those that show a state.
LIVE = ["python", "async", "command", "http", "openai", "stream"]
EVERYBODY = [*LIVE, "replay", "echo"]

UNICODE = [
    "héllo — ünïcode",
    "退货的订单号是 １２３４，谢谢。",
    "👩‍👩‍👧‍👦 and 🇨🇳",
    "two\nlines\r\nand a\ttab",
    'quote " and back\\slash {} {{text}}',
    "\u2028 separators \u2029 and \x00 nul",
]


class Bed:
    """An agent of one kind and what stands behind it."""

    def __init__(self, agent: Agent, server: FakeServer) -> None:
        self.agent, self.server = agent, server

    async def open(self, session: str = "s1", seed: int = 7) -> Conversation:
        return await self.agent.open(Opening(session=session, seed=seed))


@pytest.fixture
async def bed(request: pytest.FixtureRequest, server: FakeServer) -> AsyncIterator[Bed]:
    agent = _agent(request.param, server)
    tasks = len(asyncio.all_tasks())
    yield Bed(agent, server)
    await agent.close()
    fake_agent.RELEASE.set()
    await eventually(lambda: len(asyncio.all_tasks()) <= tasks)
    fake_agent.RELEASE.clear()
    gc.collect()  # an unclosed transport or client warns, and warnings are errors


def _agent(kind: str, server: FakeServer) -> Agent:
    if kind == "replay":
        return resolve(read_config({"type": "replay", "log": "x"}, ""), load_records=_records)
    tables = {
        "python": {"type": "python", "function": "fake_agent:FakeAgent"},
        "async": {"type": "python", "function": "fake_agent:AsyncFakeAgent"},
        "command": {"type": "command", "command": COMMAND},
        "http": {"type": "http", "url": f"{server.url}/agent", "response": {"state": "$.state"}},
        "openai": {**CHAT, "base_url": server.url},
        "stream": {**CHAT, "base_url": f"{server.url}/v1/", "stream": True},
        "echo": {"type": "null", "kind": "echo"},
    }
    config: AgentConfig = read_config(tables[kind], where="test")
    return resolve(config, environ={})


def _records(_: Path) -> list[Record]:
    def turn(number: int, user: str) -> Turn:
        return Turn(user=user, reply=f"{number}: {user}")

    talks = [["hello"], ["one", "two", "three"], *([text] for text in UNICODE)]
    talks += [[f"question {n}", f"more {n}"] for n in range(8)]
    kept = [
        Record(
            case=str(number),
            trial=0,
            status=Status.completed,
            turns=tuple(turn(n, user) for n, user in enumerate(talk, start=1)),
        )
        for number, talk in enumerate(talks)
    ]
    failed = Failure(kind="boom", message="told to fail")
    return [*kept, Record(case="f", trial=0, status=Status.agent_error, session="failing", failure=failed)]


@asynccontextmanager
async def conversation(bed: Bed, session: str = "s1") -> AsyncIterator[Conversation]:
    talk = await bed.open(session)
    try:
        yield talk
    finally:
        await talk.close()


def said(bed: Bed, turn: int, text: str) -> str:
    return text if bed.agent.name.startswith("null") else f"{turn}: {text}"


everybody = pytest.mark.parametrize("bed", EVERYBODY, indirect=True)
live = pytest.mark.parametrize("bed", LIVE, indirect=True)


@everybody
async def test_one_reply(bed: Bed) -> None:
    async with conversation(bed) as talk:
        reply = await talk.send("hello")
    assert isinstance(reply, Reply)
    assert reply.text == said(bed, 1, "hello")
    assert reply.requests == 1
    assert reply.usage is None or reply.usage.cost is None  # nobody said what it costs


@everybody
async def test_turns_of_one_session_follow_each_other(bed: Bed) -> None:
    async with conversation(bed) as talk:
        replies = [(await talk.send(text)).text for text in ("one", "two", "three")]
    assert replies == [said(bed, n, text) for n, text in enumerate(("one", "two", "three"), start=1)]


@everybody
@pytest.mark.parametrize("text", UNICODE)
async def test_unicode_goes_there_and_back(bed: Bed, text: str) -> None:
    async with conversation(bed) as talk:
        assert (await talk.send(text)).text == said(bed, 1, text)


@everybody
async def test_concurrent_sessions_do_not_mix(bed: Bed) -> None:
    async def talk(number: int) -> list[str]:
        async with conversation(bed, f"session {number}") as talk:
            return [(await talk.send(f"{word} {number}")).text for word in ("question", "more")]

    replies = await asyncio.gather(*map(talk, range(8)))
    assert replies == [[said(bed, 1, f"question {n}"), said(bed, 2, f"more {n}")] for n in range(8)]


@pytest.mark.parametrize("bed", [*LIVE, "replay"], indirect=True)
async def test_a_failing_agent_is_its_own_fault(bed: Bed) -> None:
    async with conversation(bed, "failing") as talk:
        with pytest.raises(SessionFailed) as failed:
            await talk.send("!fail now")
    assert failed.value.status is Status.agent_error
    assert "told" in failed.value.message
    assert " " not in failed.value.kind


@live
async def test_busy_loses_nothing(bed: Bed) -> None:
    async with conversation(bed) as talk:
        assert (await talk.send("hello")).text == "1: hello"
        with pytest.raises(Busy) as busy:
            await talk.send("!busy please")
        assert busy.value.retry_after == 0
        assert (await talk.send("!busy please")).text == "2: !busy please"
        assert (await talk.send("and on")).text == "3: and on"


@live
async def test_a_session_cancelled_while_it_hangs_leaves_nothing_behind(bed: Bed) -> None:
    others = _children()  # of tests before it, as the resource tracker of multiprocessing
    talk = await bed.open()
    before = asyncio.all_tasks()
    waiting = asyncio.create_task(talk.send("!hang"))
    await _reached(bed, waiting)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await talk.close()
    fake_agent.RELEASE.set()
    await eventually(lambda: bed.server.now == 0)  # the connection is gone
    await eventually(lambda: not _threads())
    await eventually(lambda: _children() <= others)
    assert asyncio.all_tasks() <= before


async def _reached(bed: Bed, waiting: asyncio.Task[Reply]) -> None:
    """Wait until the request has come to whoever hangs."""
    if bed.agent.name.startswith(("http", "openai")):
        await eventually(lambda: bed.server.now == 1)
    else:
        await asyncio.sleep(0.05)
    assert not waiting.done()


def _threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "fairtrial-session"]


def _children() -> set[str]:
    me = os.getpid()
    return set(Path(f"/proc/{me}/task/{me}/children").read_text().split())


@everybody
async def test_closing_twice_and_without_a_turn_is_fine(bed: Bed) -> None:
    talk = await bed.open()
    await talk.close()
    await talk.close()


@pytest.mark.parametrize("bed", ["python", "async", "command"], indirect=True)
async def test_calls_and_state_are_told(bed: Bed) -> None:
    async with conversation(bed) as talk:
        reply = await talk.send("!tool")
    (call,) = reply.steps
    assert (call.name, call.arguments, call.result) == ("look_up", {"id": "A1"}, {"state": "sent"})
    assert reply.state == {"turns": 1}


@pytest.mark.parametrize(
    ("kind", "inside"),
    [("python", True), ("command", False), ("http", False), ("openai", False), ("echo", True)],
)
async def test_whether_it_runs_in_our_process_is_told(kind: str, inside: bool, server: FakeServer) -> None:
    agent = _agent(kind, server)
    assert agent.in_process is inside
    await agent.close()
