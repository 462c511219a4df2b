import asyncio
import contextvars
import dataclasses
import sqlite3
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairtrial.agents.protocol import Busy, Opening, Reply, SessionFailed
from fairtrial.agents.python import PythonAgent
from fairtrial.errors import BadInput
from fairtrial.schema.record import Call, Say, Status, Usage

WHO: contextvars.ContextVar[str] = contextvars.ContextVar("WHO", default="nobody")


@dataclasses.dataclass
class Sent:
    text: str
    state: dict[str, object]


class Bare:
    pass


class Shop:
    """Has what may only be used by the thread that made it."""

    def __init__(self, seed: int) -> None:
        self.orders = sqlite3.connect(":memory:")
        self.orders.execute("create table seen (text)")
        self.seed = seed

    def __call__(self, text: str) -> str:
        self.orders.execute("insert into seen values (?)", [text])
        count = self.orders.execute("select count(*) from seen").fetchone()[0]
        if text == "bye":
            self.orders.close()
        return f"{self.seed}: {count}"


class Broken:
    def __init__(self) -> None:
        raise OSError("no stock file")

    def __call__(self, text: str) -> str:
        return text


def text_only(text: str) -> str:
    return text.upper()


def history(messages: list[dict[str, str]]) -> str:
    seen = "/".join(f"{m['role'][0]}:{m['content']}" for m in messages)
    messages.clear()  # what it does to its list is its own affair
    return seen


def told(text: str, *, session: str, seed: int = 0) -> str:
    return f"{text} {session} {seed}"


async def told_async(message: str, seed: int) -> str:
    await asyncio.sleep(0)
    return f"{message} {seed}"


def lazily(text: str) -> Any:
    return told_async(text, 5)


def remembers(text: str) -> str:
    before = WHO.get()
    WHO.set(text)
    return before


def varied(*args: object, **kwargs: object) -> str:
    return f"{args} {kwargs}"


def generator(text: str) -> Iterator[str]:
    yield text


async def generator_async(text: str) -> Any:
    yield text


def returns(text: str) -> Any:
    return VALUES[text]


VALUES: dict[str, Any] = {
    "none": None,
    "number": 5,
    "bytes": b"text",
    "list": ["text"],
    "bare": Bare(),
    "no text": {"reply": "x"},
    "wrong text": {"text": 5},
    "unknown": {"text": "x", "tool_call": []},
    "nameless": {"text": "x", "calls": [{"arguments": {}}]},
    "reply": Reply(text="x", steps=(Say(text="hm"), Call(name="f")), state=(1, 2), usage=Usage(cost=0.1)),
    "dict": {"text": "x", "calls": [{"name": "f", "arguments": '{"a": 1}'}]},
    "openai": {"text": "x", "calls": [{"id": "1", "function": {"name": "f", "arguments": "{oops"}}]},
    "dataclass": Sent("x", {"when": {1}}),
    "surrogate": "\ud83d half",
}


def raises(text: str) -> str:
    raise {
        "stop": StopIteration(text),
        "exit": SystemExit(0),
        "interrupt": KeyboardInterrupt(),
        "cancel": asyncio.CancelledError(),
        "long": ValueError("long\n" * 1000),
        "busy": Busy("later", 3),
        "failed": SessionFailed(Status.infra_error, "down", "the shop is down"),
    }.get(text, ValueError(text))


async def raises_async(text: str) -> str:
    return raises(text)


def agent(function: Any) -> PythonAgent:
    return PythonAgent(f"{__name__}:{function.__name__}")


async def ask(function: Any, *texts: str) -> Reply:
    talk = await agent(function).open(Opening(session="s1", seed=7))
    try:
        for text in texts:
            reply = await talk.send(text)
    finally:
        await talk.close()
    return reply


async def failing(function: Any, text: str) -> SessionFailed:
    with pytest.raises(SessionFailed) as failed:
        await ask(function, text)
    return failed.value


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (text_only, "HI"),
        (told, "hi s1 7"),
        (told_async, "hi 7"),
        (lazily, "hi 5"),
        (varied, "('hi',) {}"),
        (history, "u:hi"),
        (Shop, "7: 1"),
    ],
)
async def test_it_is_called_as_it_asks_to_be(function: Any, expected: str) -> None:
    assert (await ask(function, "hi")).text == expected


async def test_messages_are_the_whole_conversation() -> None:
    assert (await ask(history, "a", "b")).text == "u:a/a:u:a/u:b"


async def test_a_class_has_one_instance_and_one_thread_a_session() -> None:
    assert (await ask(Shop, "a", "b", "bye")).text == "7: 3"
    assert (await ask(Shop, "bye")).text == "7: 1"


async def test_context_variables_are_kept_within_a_session_alone() -> None:
    WHO.set("the examiner")
    assert (await ask(remembers, "a", "b")).text == "a"
    assert (await ask(remembers, "c")).text == "the examiner"
    assert WHO.get() == "the examiner"


async def test_the_loop_goes_on_while_a_call_blocks() -> None:
    release = threading.Event()
    talk = await agent(waits).open(Opening(session="s", seed=0))
    GATES["gate"] = release
    waiting = asyncio.create_task(talk.send("gate"))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    release.set()
    assert (await waiting).text == "released"
    await talk.close()


GATES: dict[str, threading.Event] = {}


def waits(text: str) -> str:
    GATES[text].wait()
    return "released"


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("none", "NoneType"),
        ("number", "int"),
        ("bytes", "bytes"),
        ("list", "list"),
        ("bare", "Bare"),
        ("no text", "reply"),
        ("wrong text", "$.text"),
        ("unknown", "tool_call"),
        ("nameless", "name"),
    ],
)
async def test_a_wrong_return_value_is_named(value: str, word: str) -> None:
    failure = await failing(returns, value)
    assert (failure.status, failure.kind) == (Status.agent_error, "malformed")
    assert word in failure.message


@pytest.mark.parametrize(
    ("function", "word"), [(generator, "generator"), (generator_async, "async_generator")]
)
async def test_a_generator_is_no_answer(function: Any, word: str) -> None:
    failure = await failing(function, "x")
    assert failure.kind == "malformed"
    assert f"returned {word};" in failure.message


@pytest.mark.parametrize(
    ("value", "reply"),
    [
        (
            "reply",
            Reply(text="x", steps=(Say(text="hm"), Call(name="f")), state=[1, 2], usage=Usage(cost=0.1)),
        ),
        ("dict", Reply(text="x", steps=(Call(name="f", arguments={"a": 1}),))),
        ("openai", Reply(text="x", steps=(Call(name="f", arguments="{oops", id="1"),))),
        ("dataclass", Reply(text="x", state={"when": [1]})),
        ("surrogate", Reply(text="\ud83d half")),
    ],
)
async def test_a_full_answer_is_taken_over(value: str, reply: Reply) -> None:
    assert await ask(returns, value) == reply


@pytest.mark.parametrize("function", [raises, raises_async])
@pytest.mark.parametrize(
    ("text", "kind"), [("退货", "ValueError"), ("exit", "SystemExit"), ("cancel", "CancelledError")]
)
async def test_what_it_raises_is_its_own_error(function: Any, text: str, kind: str) -> None:
    failure = await failing(function, text)
    assert (failure.status, failure.kind) == (Status.agent_error, kind)
    assert failure.message.startswith(kind if kind != "CancelledError" else "asyncio")
    assert "test_python_agent.py:" in failure.message
    assert "in raises" in failure.message
    if kind == "ValueError":
        assert text in failure.message


async def test_even_stop_iteration_ctrl_c_and_a_long_message() -> None:
    assert "StopIteration" in (await failing(raises, "stop")).message
    assert "KeyboardInterrupt" in (await failing(raises, "interrupt")).message
    assert len((await failing(raises, "long")).message) < 1000


@pytest.mark.parametrize("function", [raises, raises_async])
async def test_it_may_speak_the_protocol(function: Any) -> None:
    with pytest.raises(Busy) as busy:
        await ask(function, "busy")
    assert busy.value.retry_after == 3
    assert (await failing(function, "failed")).status is Status.infra_error


async def test_an_instance_that_cannot_be_made_is_an_agent_error() -> None:
    failure = await failing(Broken, "x")
    assert (failure.status, failure.kind) == (Status.agent_error, "OSError")


def nothing() -> str:
    return ""


def too_much(text: str, order: str) -> str:
    return text + order


def only_keywords(*, text: str) -> str:
    return text


class NeedsMore:
    def __init__(self, database: str) -> None: ...

    def __call__(self, text: str) -> str:
        return text


@pytest.mark.parametrize("function", [nothing, too_much, only_keywords, Bare, NeedsMore])
def test_what_cannot_be_called_so_is_refused(function: Any) -> None:
    with pytest.raises(BadInput, match=function.__name__):
        agent(function)


@pytest.mark.parametrize(
    "spec",
    [
        "no_such_module:fn",
        "json:no_such_name",
        "json:__doc__",
        "no/such/file.py:fn",
        "json:JSONDecoder.nothing",
    ],
)
def test_what_cannot_be_imported_is_refused_with_its_name(spec: str) -> None:
    with pytest.raises(BadInput) as refused:
        PythonAgent(spec)
    assert spec in str(refused.value)


async def test_a_file_may_import_its_neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", ["/nowhere"])
    for folder, word in [("one", "eins"), ("two", "zwei")]:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"neighbour_{folder}.py").write_text(f"WORD = {word!r}")
        source = f"from neighbour_{folder} import WORD\ndef answer(text): return WORD + text\n"
        (tmp_path / folder / "agent.py").write_text(source)
    replies = []
    for folder in ("one", "two"):
        talk = await PythonAgent(f"{tmp_path / folder}/agent.py:answer").open(Opening(session="", seed=0))
        replies.append((await talk.send("!")).text)
        await talk.close()
    assert replies == ["eins!", "zwei!"]


@pytest.mark.parametrize(("code", "kind"), [("1/0", "ZeroDivisionError"), ("exit(0)", "SystemExit: 0")])
def test_what_raises_or_exits_when_imported_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, kind: str
) -> None:
    (tmp_path / "raising_agent.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for place in ("raising_agent.py", "raising_agent"):
        with pytest.raises(BadInput, match=kind):
            PythonAgent(f"{place}:answer")


async def test_the_working_folder_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_agent_here.py").write_text("def answer(text): return text")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/nowhere"])
    assert PythonAgent("my_agent_here:answer").name == "python:my_agent_here:answer"
