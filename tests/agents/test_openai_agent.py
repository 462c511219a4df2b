import asyncio
import json
import sys
import threading
from typing import Any

import pytest
from fake_server import (
    USAGE,
    Act,
    FakeServer,
    busy,
    call_tools,
    completion,
    cut,
    delta,
    document,
    finish,
    hang_up,
    raw,
    say,
    status,
    stream,
    tool_call,
)

from fairtrial.agents.openai import OpenAIAgent, completions_url
from fairtrial.agents.protocol import Busy, Opening, Reply, SessionFailed
from fairtrial.agents.resolve import read_config, resolve
from fairtrial.errors import BadInput, CannotRun
from fairtrial.schema.record import Call, Say, Status, Usage

TOKENS = Usage(input_tokens=10, output_tokens=5, cached_tokens=4, reasoning_tokens=2)

RAN: list[str] = []


def find(order: str, details: bool = False) -> dict[str, Any]:
    """Look an order up."""
    RAN.append(order)
    if order == "missing":
        raise KeyError(order)
    return {"order": order, "details": details, "状态": "已发货"}


def leave() -> None:
    sys.exit(0)


async def whoami(session: str) -> str:
    return f"you are {session}"


def blocking(seconds: float) -> str:
    threading.Event().wait(seconds)
    return "done"


FIND = f"{__name__}:find"


def openai(url: str, environ: dict[str, str] | None = None, **table: Any) -> OpenAIAgent:
    given = {"type": "openai", "model": "fake-1", "base_url": url, **table}
    agent = resolve(read_config(given, where="test"), environ=environ or {})
    assert isinstance(agent, OpenAIAgent)
    return agent


async def ask(server: FakeServer, *texts: str, **table: Any) -> Reply:
    agent = openai(server.url, **table)
    talk = await agent.open(Opening(session="s1", seed=7))
    try:
        for text in texts or ("hello",):
            reply = await talk.send(text)
        return reply
    finally:
        await talk.close()
        await agent.close()


async def failing(server: FakeServer, *acts: Act, **table: Any) -> SessionFailed:
    server.script(*acts)
    with pytest.raises(SessionFailed) as failed:
        await ask(server, **table)
    return failed.value


async def test_a_reply_tells_all_that_the_endpoint_tells(server: FakeServer) -> None:
    server.script(say("你好"))
    assert await ask(server) == Reply(
        text="你好", model="fake-1", system_fingerprint="fp_fake", finish_reason="stop", usage=TOKENS
    )


async def test_only_what_was_set_is_sent(server: FakeServer) -> None:
    await ask(server, "hello")
    await ask(
        server,
        "hello",
        system="Be kind.",
        temperature=0.0,
        top_p=0.5,
        max_tokens=9,
        send_seed=True,
        extra={"top_k": 3},
    )
    user = {"role": "user", "content": "hello"}
    assert server.bodies == [
        {"model": "fake-1", "messages": [user]},
        {
            "model": "fake-1",
            "messages": [{"role": "system", "content": "Be kind."}, user],
            "temperature": 0.0,
            "top_p": 0.5,
            "max_tokens": 9,
            "seed": 7,
            "top_k": 3,
        },
    ]


async def test_a_null_in_extra_takes_a_field_out(server: FakeServer) -> None:
    await ask(server, stream=True)
    await ask(server, stream=True, extra={"stream_options": None})
    assert [body.get("stream_options") for body in server.bodies] == [{"include_usage": True}, None]
    assert "stream_options" not in server.bodies[1]


async def test_the_conversation_goes_on(server: FakeServer) -> None:
    await ask(server, "one", "two")
    assert server.bodies[1]["messages"] == [
        {"role": "user", "content": "one"},
        {"role": "assistant", "content": "1: one"},
        {"role": "user", "content": "two"},
    ]


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("http://x", "http://x/v1/chat/completions"),
        ("http://x/", "http://x/v1/chat/completions"),
        ("http://x/v1", "http://x/v1/chat/completions"),
        ("http://x/v1/", "http://x/v1/chat/completions"),
        ("https://x/api/paas/v4", "https://x/api/paas/v4/chat/completions"),
        ("https://x/v1/chat/completions", "https://x/v1/chat/completions"),
    ],
)
def test_the_base_may_or_may_not_have_its_version(base: str, url: str) -> None:
    assert completions_url(base) == url


async def test_the_key_comes_from_the_environment_and_is_hidden(server: FakeServer) -> None:
    agent = openai(server.url, {"MINE": "sk-sesame"}, api_key_env="MINE")
    talk = await agent.open(Opening(session="s", seed=0))
    server.script(status(401, '{"error": {"message": "Incorrect API key provided: sk-sesame"}}'))
    with pytest.raises(SessionFailed) as failed:
        await talk.send("hello")
    assert server.headers[0]["Authorization"] == "Bearer sk-sesame"
    assert failed.value.status is Status.infra_error
    assert failed.value.message == "HTTP 401: Incorrect API key provided: ***"
    await agent.close()


async def test_a_local_endpoint_needs_no_key_and_gets_none(server: FakeServer) -> None:
    await ask(server)
    assert "Authorization" not in server.headers[0]


@pytest.mark.parametrize("url", ["https://api.example.com/v1", "http://8.8.8.8:8000"])
def test_elsewhere_a_missing_key_cannot_run(url: str) -> None:
    with pytest.raises(CannotRun, match="OPENAI_API_KEY"):
        openai(url)
    openai(url, headers={"authorization": "none needed"})


@pytest.mark.parametrize(
    "url", ["http://localhost:1", "http://[::1]:1", "http://10.1.2.3", "http://vllm:8000"]
)
def test_private_addresses_are_local(url: str) -> None:
    openai(url)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": None}, ""),
        ({"content": ""}, ""),
        ({"content": None, "refusal": "I will not."}, "I will not."),
        ({"content": [{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}, 5]}, "in parts"),
    ],
)
async def test_content_in_its_forms(server: FakeServer, message: dict[str, Any], text: str) -> None:
    server.script(document({"choices": [{"message": message, "finish_reason": "stop"}]}))
    reply = await ask(server)
    assert reply.text == text
    assert reply.usage is None


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
async def test_reasoning_is_a_step_and_not_the_answer(server: FakeServer, name: str) -> None:
    server.script(say("42", **{name: "6 × 7"}))
    reply = await ask(server)
    assert (reply.text, reply.steps) == ("42", (Say(text="6 × 7"),))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"{", "malformed"),
        (b"<html>", "malformed"),
        (b"[]", "malformed"),
        (b'{"choices": []}', "malformed"),
        (b'{"choices": [{"finish_reason": "stop"}]}', "malformed"),
        (b'{"choices": [{"message": {"content": 5}}]}', "malformed"),
        (b'{"error": {"message": "overloaded"}}', "error"),
    ],
)
@pytest.mark.parametrize("streaming", [False, True])
async def test_what_is_no_completion_is_the_agents_error(
    server: FakeServer, body: bytes, kind: str, streaming: bool
) -> None:
    failure = await failing(server, raw(body), stream=streaming)
    assert (failure.status, failure.kind) == (Status.agent_error, kind)
    assert body.decode()[:10] in failure.message


@pytest.mark.parametrize(
    "usage", [None, [], {}, {"prompt_tokens": "many"}, {"prompt_tokens": True}, {"cost": "x"}, {"cost": -1}]
)
async def test_odd_usage_is_unknown_and_spoils_nothing(server: FakeServer, usage: Any) -> None:
    server.script(document({**completion("x"), "usage": usage}))
    reply = await ask(server, price={"input": 1.0, "output": 1.0})
    assert reply.text == "x"
    assert reply.usage is None or reply.usage == Usage()


@pytest.mark.parametrize("streaming", [False, True])
async def test_the_price_makes_the_cost(server: FakeServer, streaming: bool) -> None:
    # 10 tokens in, 4 of them cached, 5 out.
    table = {"stream": streaming, "price": {"input": 1.0, "output": 10.0}}
    reply = await ask(server, **table)
    assert reply.usage is not None
    assert reply.usage.cost == pytest.approx(60e-6)
    reply = await ask(server, **{**table, "price": {"input": 1.0, "output": 10.0, "cached_input": 0.25}})
    assert reply.usage is not None
    assert reply.usage.cost == pytest.approx(57e-6)


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    ("reason", "status_"), [("length", Status.truncated), ("content_filter", Status.agent_error)]
)
async def test_an_answer_that_did_not_end_is_none_but_kept(
    server: FakeServer, streaming: bool, reason: str, status_: Status
) -> None:
    act = stream(delta(content="半"), finish(reason), USAGE) if streaming else say("半", finish_reason=reason)
    failure = await failing(server, act, stream=streaming)
    assert (failure.status, failure.kind) == (status_, reason)
    assert failure.partial is not None
    assert (failure.partial.text, failure.partial.usage) == ("半", TOKENS)


async def test_busy_and_who_is_to_blame_as_for_any_endpoint(server: FakeServer) -> None:
    server.script(busy(3))
    with pytest.raises(Busy) as seen:
        await ask(server, stream=True)
    assert seen.value.retry_after == 3
    assert (await failing(server, status(500))).status is Status.agent_error
    assert (await failing(server, cut())).status is Status.stream_cut
    assert (await failing(server, hang_up())).status is Status.agent_error
    assert (await failing(server, hang_up(), stream=True)).status is Status.agent_error


class TestStream:
    async def test_pieces_are_put_together_and_timed(self, server: FakeServer) -> None:
        server.script(
            stream(
                delta(role="assistant", content=""),
                delta(reasoning_content="think "),
                delta(reasoning_content="more"),
                delta(content="答"),
                delta(content="案"),
                finish("stop"),
                USAGE,
            )
        )
        reply = await ask(server, stream=True)
        assert reply.text == "答案"
        assert reply.steps == (Say(text="think more"),)
        assert (reply.model, reply.system_fingerprint, reply.finish_reason) == ("fake-1", "fp_fake", "stop")
        assert reply.usage == TOKENS
        assert reply.first_token_seconds is not None
        assert reply.thinking_seconds is not None
        assert server.bodies[0]["stream"] is True

    async def test_without_reasoning_no_thinking_is_known(self, server: FakeServer) -> None:
        reply = await ask(server, stream=True)
        assert reply.first_token_seconds is not None
        assert reply.thinking_seconds is None

    @pytest.mark.parametrize(
        "act",
        [
            stream(delta(content="half"), done=False),
            stream(delta(content="half"), cut=True),
        ],
    )
    async def test_an_end_without_a_finish_is_a_cut(self, server: FakeServer, act: Act) -> None:
        failure = await failing(server, act, stream=True)
        assert failure.status is Status.stream_cut
        assert failure.partial is not None
        assert failure.partial.text == "half"
        assert failure.partial.usage is None

    @pytest.mark.parametrize(
        "act",
        [
            stream(delta(content="whole"), finish("stop"), done=False),
            stream(delta(content="whole"), done=True),
            raw(b'data:{"choices":[{"delta":{"content":"whole"}}]}\n\ndata:[DONE]', "text/event-stream"),
            raw(
                b'event: x\r\ndata: {"choices":[{"delta":{"content":"whole"}}]}\r\n\r\ndata: [DONE]\r\n',
                "text/event-stream",
            ),
            document(completion("whole")),
        ],
    )
    async def test_servers_differ_in_how_they_end(self, server: FakeServer, act: Act) -> None:
        server.script(act)
        assert (await ask(server, stream=True)).text == "whole"

    async def test_an_error_in_the_stream_keeps_what_came(self, server: FakeServer) -> None:
        failure = await failing(
            server, stream(delta(content="half"), {"error": {"message": "engine died"}}), stream=True
        )
        assert (failure.status, failure.kind) == (Status.agent_error, "error")
        assert "engine died" in failure.message
        assert failure.partial is not None
        assert failure.partial.text == "half"

    async def test_a_piece_may_arrive_in_bits(self, server: FakeServer) -> None:
        async def bits(request: Any) -> Any:
            from aiohttp import web

            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            whole = "".join(f"data: {json.dumps(delta(content=c), ensure_ascii=False)}\n\n" for c in "退货😀")
            data = whole.encode() + b"data: [DONE]\n\n"
            for i in range(0, len(data), 7):
                await response.write(data[i : i + 7])
            return response

        server.script(bits)
        assert (await ask(server, stream=True)).text == "退货😀"

    @pytest.mark.parametrize("indexed", [True, False])
    async def test_tool_calls_come_in_pieces(self, server: FakeServer, indexed: bool) -> None:
        def piece(index: int, **fields: Any) -> dict[str, Any]:
            return delta(tool_calls=[{**({"index": index} if indexed else {}), **fields}])

        server.script(
            stream(
                piece(0, id="a", function={"name": "find", "arguments": ""}),
                piece(0, function={"arguments": '{"order"'}),
                piece(0, function={"arguments": ': "A1"}'}),
                piece(1, id="b", function={"name": "find", "arguments": '{"order": "B2"}'}),
                finish("tool_calls"),
            ),
            stream(delta(content="found"), finish("stop")),
        )
        RAN.clear()
        reply = await ask(server, stream=True, tools=[FIND])
        assert reply.text == "found"
        assert RAN == ["A1", "B2"]
        assert [call.id for call in reply.steps if isinstance(call, Call)] == ["a", "b"]


class TestTools:
    async def test_a_tool_is_run_and_its_result_sent_back(self, server: FakeServer) -> None:
        server.script(
            call_tools(tool_call("find", '{"order": "A1"}'), text="Let me look."), say("It was sent.")
        )
        reply = await ask(server, tools=[FIND])
        look, call = reply.steps
        result = {"order": "A1", "details": False, "状态": "已发货"}
        assert look == Say(text="Let me look.")
        assert isinstance(call, Call)
        assert (call.name, call.arguments, call.result, call.error, call.id) == (
            "find",
            {"order": "A1"},
            result,
            None,
            "c1",
        )
        assert call.seconds is not None
        assert (reply.text, reply.requests) == ("It was sent.", 2)
        assert reply.usage is not None
        assert (reply.usage.input_tokens, reply.usage.cached_tokens) == (20, 8)
        asked, answered = server.bodies[1]["messages"][1:]
        assert asked["tool_calls"] == [tool_call("find", '{"order": "A1"}')]
        assert answered["role"] == "tool"
        assert answered["tool_call_id"] == "c1"
        assert json.loads(answered["content"]) == result

    async def test_the_next_turn_remembers_the_calls(self, server: FakeServer) -> None:
        server.script(call_tools(tool_call("find", '{"order": "A1"}')), say("Sent."))
        reply = await ask(server, "where?", "thanks", tools=[FIND])
        roles = [message["role"] for message in server.bodies[2]["messages"]]
        assert roles == ["user", "assistant", "tool", "assistant", "user"]
        assert (reply.steps, reply.requests) == ((), 1)

    async def test_the_schema_is_that_of_the_function(self, server: FakeServer) -> None:
        given = {"type": "object", "properties": {"order": {"type": "string"}}}
        tool = {"function": FIND, "name": "look_up", "description": "Looks.", "parameters": given}
        await ask(server, tools=[FIND, f"{__name__}:whoami", tool])
        found, who, look = (tool["function"] for tool in server.bodies[0]["tools"])
        assert (found["name"], found["description"]) == ("find", "Look an order up.")
        assert found["parameters"]["required"] == ["order"]
        assert found["parameters"]["properties"]["order"]["type"] == "string"
        assert found["parameters"]["properties"]["details"]["type"] == "boolean"
        assert found["parameters"]["additionalProperties"] is False
        assert who["parameters"]["properties"] == {}
        assert look == {"name": "look_up", "description": "Looks.", "parameters": given}

    @pytest.mark.parametrize(
        ("call", "arguments", "word"),
        [
            (tool_call("nothing", "{}"), {}, "unknown tool nothing; there are: find, whoami, leave"),
            (tool_call("find", '{"order": '), '{"order": ', "not a JSON object"),
            (tool_call("find", "[1]"), "[1]", "not a JSON object"),
            (tool_call("find", "{}"), {}, "order"),
            (tool_call("find", '{"order": {}}'), {"order": {}}, "order"),
            (tool_call("find", '{"order": "A", "x": 1}'), {"order": "A", "x": 1}, "x"),
            (tool_call("find", '{"order": "missing"}'), {"order": "missing"}, "KeyError: 'missing'"),
            (tool_call("leave", "{}"), {}, "SystemExit: 0"),
            (tool_call("whoami", '{"session": "mine"}'), {"session": "mine"}, "session"),
        ],
    )
    async def test_a_call_that_goes_wrong_is_told_to_the_model(
        self, server: FakeServer, call: dict[str, Any], arguments: Any, word: str
    ) -> None:
        server.script(call_tools(call), say("Sorry."))
        reply = await ask(server, tools=[FIND, f"{__name__}:whoami", f"{__name__}:leave"])
        (made,) = reply.steps
        assert isinstance(made, Call)
        assert (made.name, made.arguments, made.result) == (call["function"]["name"], arguments, None)
        assert made.error is not None
        assert word in made.error
        assert server.bodies[1]["messages"][-1]["content"] == f"Error: {made.error}"
        assert reply.text == "Sorry."

    async def test_a_tool_may_know_the_session_which_the_model_does_not(self, server: FakeServer) -> None:
        server.script(call_tools(tool_call("whoami", "")), say("x"))
        (call,) = (await ask(server, tools=[f"{__name__}:whoami"])).steps
        assert isinstance(call, Call)
        assert call.result == "you are s1"

    async def test_rounds_have_an_end(self, server: FakeServer) -> None:
        RAN.clear()
        failure = await failing(
            server, *[call_tools(tool_call("find", '{"order": "A1"}'))] * 3, tools=[FIND], max_rounds=3
        )
        assert (failure.status, failure.kind) == (Status.agent_error, "tool_rounds")
        assert failure.partial is not None
        assert len(failure.partial.steps) == 3
        assert failure.partial.requests == 3

    async def test_busy_in_the_middle_runs_no_tool_twice(self, server: FakeServer) -> None:
        RAN.clear()
        agent = openai(server.url, tools=[FIND])
        talk = await agent.open(Opening(session="s", seed=0))
        server.script(call_tools(tool_call("find", '{"order": "A1"}')), busy(0), say("Sent."))
        with pytest.raises(Busy):
            await talk.send("where?")
        reply = await talk.send("where?")
        assert RAN == ["A1"]
        assert (reply.text, reply.requests, len(reply.steps)) == ("Sent.", 2, 1)
        await talk.close()
        await agent.close()

    async def test_a_failure_in_the_middle_keeps_the_calls(self, server: FakeServer) -> None:
        failure = await failing(
            server, call_tools(tool_call("find", '{"order": "A1"}')), status(500), tools=[FIND]
        )
        assert failure.partial is not None
        assert [call.name for call in failure.partial.steps if isinstance(call, Call)] == ["find"]

    async def test_without_tools_calls_are_recorded_and_not_run(self, server: FakeServer) -> None:
        server.script(call_tools(tool_call("find", '{"order": "A1"}')))
        reply = await ask(server, extra={"tools": [{"type": "function", "function": {"name": "find"}}]})
        assert reply.steps == (Call(name="find", arguments={"order": "A1"}, id="c1"),)
        assert reply.text == ""

    async def test_a_blocking_tool_leaves_the_loop_alone_and_can_be_left(self, server: FakeServer) -> None:
        server.script(call_tools(tool_call("blocking", '{"seconds": 0.2}')))
        agent = openai(server.url, tools=[f"{__name__}:blocking"])
        talk = await agent.open(Opening(session="s", seed=0))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await talk.send("go")
        await talk.close()
        await agent.close()

    @pytest.mark.parametrize(
        "tools",
        [["no_such:tool"], [FIND, FIND], [{"function": FIND, "nam": "x"}], [f"{__name__}:unannotatable"]],
    )
    def test_a_wrong_tool_is_refused_early(self, tools: list[Any]) -> None:
        with pytest.raises(BadInput):
            openai("http://localhost", tools=tools)


def unannotatable(order: threading.Event) -> str:
    return str(order)
