import asyncio
import gzip
import json
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from aiohttp import web
from fake_server import Act, FakeServer, busy, cut, document, hang_up, raw, status
from patience import eventually

from fairtrial.agents.http import HttpAgent
from fairtrial.agents.protocol import Busy, Opening, Reply, SessionFailed
from fairtrial.agents.resolve import read_config, resolve
from fairtrial.errors import BadInput, CannotRun
from fairtrial.schema.record import Call, Status, Usage


def http(url: str, environ: dict[str, str] | None = None, **table: Any) -> HttpAgent:
    agent = resolve(read_config({"type": "http", "url": url, **table}, where="test"), environ=environ or {})
    assert isinstance(agent, HttpAgent)
    return agent


async def ask(server: FakeServer, *texts: str, **table: Any) -> Reply:
    agent = http(f"{server.url}/agent", **table)
    try:
        talk = await agent.open(Opening(session="s1", seed=2**63 - 1))
        for text in texts or ("hello",):
            reply = await talk.send(text)
        return reply
    finally:
        await agent.close()


async def failing(server: FakeServer, act: Act, **table: Any) -> SessionFailed:
    server.script(act)
    with pytest.raises(SessionFailed) as failed:
        await ask(server, **table)
    return failed.value


async def test_the_template_is_filled_each_turn(server: FakeServer) -> None:
    server.script(document({"text": "one"}), document({"text": "二"}))
    request = {
        "all": "{{messages}}",
        "nested": [{"said": "{{ text }}"}, 5, None],
        "line": "{{session}} says {{text}} in {{turn}} ({{messages}})",
        "seed": "{{seed}}",
        "literal": {"keep": "{not this}", "{{text}}": True},
    }
    await ask(server, "hi", '再 "quoted"', request=request)
    first, second = server.bodies
    messages = [{"role": "user", "content": "hi"}]
    assert first["all"] == messages
    assert first["line"] == 's1 says hi in 0 ([{"role":"user","content":"hi"}])'
    assert second["all"] == [
        *messages,
        {"role": "assistant", "content": "one"},
        {"role": "user", "content": '再 "quoted"'},
    ]
    assert second["nested"] == [{"said": '再 "quoted"'}, 5, None]
    assert second["line"].startswith('s1 says 再 "quoted" in 1 ')
    assert second["seed"] == 2**63 - 1
    assert second["literal"] == {"keep": "{not this}", "{{text}}": True}


async def test_without_a_template_it_is_the_documented_one(server: FakeServer) -> None:
    assert (await ask(server, "hello")).text == "1: hello"
    assert server.bodies == [{"text": "hello", "session": "s1"}]


async def test_all_that_the_paths_lead_to_is_read(server: FakeServer) -> None:
    answer = {
        "out": [{"type": "text", "t": "on "}, {"type": "text", "t": "its way"}],
        "memory": {"n": 1},
        "by": "m-1",
        "tools": [
            {"name": "find", "arguments": {"id": "A1"}, "result": "sent"},
            {"id": "c", "type": "function", "function": {"name": "ship", "arguments": '{"to": "上海"}'}},
        ],
        "tokens": {"prompt_tokens": 9, "completion_tokens": 4, "cost": 0.25},
    }
    server.script(document(answer))
    paths = {
        "text": "$.out[?@.type == 'text'].t",
        "state": "$.memory",
        "model": "$.by",
        "calls": "$.tools",
        "usage": "$.tokens",
    }
    assert await ask(server, response=paths) == Reply(
        text="on its way",
        state={"n": 1},
        model="m-1",
        steps=(
            Call(name="find", arguments={"id": "A1"}, result="sent"),
            Call(name="ship", arguments={"to": "上海"}, id="c"),
        ),
        usage=Usage(input_tokens=9, output_tokens=4, cost=0.25),
    )


async def test_optional_paths_may_lead_nowhere(server: FakeServer) -> None:
    paths = {"state": "$.nothing", "model": "$.no", "calls": "$.no[*]", "usage": "$.no"}
    assert await ask(server, response=paths) == Reply(text="1: hello")


async def test_calls_may_be_found_one_by_one_and_null(server: FakeServer) -> None:
    server.script(document({"text": "x", "steps": [{"tool": {"name": "a"}}, {"tool": None}]}))
    reply = await ask(server, response={"calls": "$.steps[*].tool"})
    assert reply.steps == (Call(name="a"),)


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"<html>oops", "not JSON: <html>oops"),
        (b"", "not JSON"),
        (b'{"txt": "x"}', "response.text"),
        (b'{"text": null}', "response.text"),
        (b'{"text": 5}', "response.text"),
        (b"[1]", "response.text"),
        (b'{"text": "x", "calls": [5]}', "response.calls"),
        (b'{"text": "x", "calls": [{}]}', "name"),
        (b"[" * 5000, "not JSON"),
    ],
)
async def test_a_malformed_answer_is_the_agents_error(server: FakeServer, body: bytes, word: str) -> None:
    failure = await failing(server, raw(body), response={"calls": "$.calls"})
    assert (failure.status, failure.kind) == (Status.agent_error, "malformed")
    assert word in failure.message


async def test_lone_surrogates_are_kept(server: FakeServer) -> None:
    server.script(raw(rb'{"text": "half \ud83d pair", "state": ["\ude00"]}'))
    reply = await ask(server, "and \ud83d", response={"state": "$.state"})
    assert (reply.text, reply.state) == ("half \ud83d pair", ["\ude00"])
    assert server.bodies[0]["text"] == "and \ud83d"


@pytest.mark.parametrize("code", [429, 503, 529])
async def test_busy_with_seconds_with_a_date_and_without(server: FakeServer, code: int) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    for header, low, high in [("2", 2, 2), ("0.5", 0.5, 0.5), (later, 3500, 3600)]:
        server.script(busy(header, code))
        with pytest.raises(Busy) as seen:
            await ask(server)
        assert seen.value.retry_after is not None
        assert low <= seen.value.retry_after <= high
        assert str(code) in seen.value.message
    server.script(busy(None, code))
    with pytest.raises(Busy) as seen:
        await ask(server)
    assert seen.value.retry_after is None


@pytest.mark.parametrize(
    ("code", "blamed"),
    [
        (500, Status.agent_error),
        (502, Status.agent_error),
        (504, Status.agent_error),
        (400, Status.agent_error),
        (422, Status.agent_error),
        (401, Status.infra_error),
        (403, Status.infra_error),
        (404, Status.infra_error),
        (405, Status.infra_error),
        (307, Status.infra_error),
    ],
)
async def test_whose_fault_a_status_is(server: FakeServer, code: int, blamed: Status) -> None:
    failure = await failing(server, status(code, '{"error": {"message": "因为"}}', Location="http://x/"))
    assert failure.status is blamed
    assert f"HTTP {code}: 因为" in failure.message


async def test_a_redirect_is_not_followed(server: FakeServer) -> None:
    failure = await failing(server, status(302, "", Location=f"{server.url}/elsewhere"))
    assert failure.kind == "redirect"
    assert "/elsewhere" in failure.message
    assert server.requests == 1


@pytest.mark.parametrize("body", ['{"error": "plain"}', '{"error": {}}', "<h1>no</h1>", "", '"x"'])
async def test_any_error_body_will_do(server: FakeServer, body: str) -> None:
    failure = await failing(server, status(500, body))
    assert failure.kind == "http_500"
    assert failure.message == failure.message.rstrip(": ")


async def test_a_body_that_breaks_off_is_a_cut_stream(server: FakeServer) -> None:
    failure = await failing(server, cut())
    assert failure.status is Status.stream_cut


async def test_who_hangs_up_on_a_request_is_to_blame(server: FakeServer) -> None:
    failure = await failing(server, hang_up())
    assert (failure.status, failure.kind) == (Status.agent_error, "disconnected")


async def test_who_cannot_be_reached_is_not() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for url in (f"http://127.0.0.1:{port}/", "http://no-such-host.invalid/"):
        agent = http(url)
        talk = await agent.open(Opening(session="s", seed=0))
        with pytest.raises(SessionFailed) as failed:
            await talk.send("hello")
        assert (failed.value.status, failed.value.kind) == (Status.infra_error, "unreachable")
        await agent.close()


async def test_plain_http_where_tls_was_meant_is_no_fault_of_the_agent(server: FakeServer) -> None:
    agent = http(server.url.replace("http://", "https://"))
    talk = await agent.open(Opening(session="s", seed=0))
    with pytest.raises(SessionFailed) as failed:
        await talk.send("hello")
    assert failed.value.status is Status.infra_error
    await agent.close()


async def test_an_answer_without_end_is_refused(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairtrial.agents.connect.BODY_LIMIT", 200_000)

    async def endless(request: web.BaseRequest) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b" " * 65536)

    assert (await failing(server, endless)).kind == "malformed"
    await eventually(lambda: server.now == 0)


async def test_a_compressed_answer_is_read(server: FakeServer) -> None:
    async def packed(_: web.BaseRequest) -> web.StreamResponse:
        body = gzip.compress(json.dumps({"text": "unpacked"}).encode())
        return web.Response(
            body=body, headers={"Content-Encoding": "gzip", "Content-Type": "application/json"}
        )

    server.script(packed)
    assert (await ask(server)).text == "unpacked"


async def test_headers_and_address_take_variables_and_messages_hide_them(server: FakeServer) -> None:
    environ = {"MY_KEY": "sesame-1", "PLACE": "sesame-2"}
    agent = http(
        f"{server.url}/agent?key=${{PLACE}}", environ, headers={"X-Key": "Token ${MY_KEY}"}, method="PUT"
    )
    assert "sesame" not in agent.name
    talk = await agent.open(Opening(session="s", seed=0))
    await talk.send("hello")
    assert server.headers[0]["X-Key"] == "Token sesame-1"
    assert server.headers[0]["Content-Type"] == "application/json"
    server.script(status(401, '{"error": {"message": "bad key sesame-1 at sesame-2"}}'))
    with pytest.raises(SessionFailed) as failed:
        await talk.send("hello")
    assert "bad key *** at ***" in failed.value.message
    await agent.close()


@pytest.mark.parametrize("table", [{"headers": {"X": "${UNSET}"}}, {"url": "http://x/${UNSET}"}])
def test_an_unset_variable_cannot_run(table: dict[str, Any]) -> None:
    with pytest.raises(CannotRun, match="UNSET"):
        http(**{"url": "http://x/", **table})


@pytest.mark.parametrize(
    ("table", "word"),
    [
        ({"request": {"a": ["{{oops}}"]}}, "agent.request.a[0]"),
        ({"response": {"text": "text["}}, "agent.response.text"),
        ({"url": "http://me:secret@x/"}, "login"),
        ({"url": "ftp://x/"}, "url"),
        ({"url": "http://x:99999/"}, "99999"),
        ({"method": "GET"}, "method"),
        ({"respons": {}}, "respons"),
    ],
)
def test_a_wrong_configuration_is_refused_with_its_place(table: dict[str, Any], word: str) -> None:
    with pytest.raises(BadInput) as refused:
        http(**{"url": "http://x/", **table})
    assert word in str(refused.value)
    assert "secret" not in str(refused.value)


async def test_connections_are_kept_and_cookies_are_not(server: FakeServer) -> None:
    peers = []

    async def note(request: web.BaseRequest) -> web.StreamResponse:
        peers.append(request.transport.get_extra_info("peername") if request.transport else None)
        response = web.json_response({"text": "x"})
        response.set_cookie("who", "somebody")
        return response

    server.script(note, note)
    await ask(server, "one", "two")
    assert peers[0] == peers[1]
    assert "Cookie" not in server.headers[1]


async def test_as_many_at_once_as_were_asked(server: FakeServer) -> None:
    async def together(_: web.BaseRequest) -> web.StreamResponse:
        await eventually(lambda: server.busiest == 150)  # more than the hundred of aiohttp's own limit
        return web.json_response({"text": "x"})

    server.script(*[together] * 150)
    agent = http(f"{server.url}/agent")

    async def one(number: int) -> None:
        await (await agent.open(Opening(session=str(number), seed=0))).send("hello")

    await asyncio.gather(*map(one, range(150)))
    await agent.close()


async def test_a_proxy_of_the_environment_is_used_but_not_for_local_addresses(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    agent = http("http://agent.example.com/agent")
    talk = await agent.open(Opening(session="s", seed=0))
    assert (await talk.send("hello")).text == "1: hello"
    assert server.headers[0]["Host"] == "agent.example.com"
    await agent.close()
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert (await ask(server)).text == "1: hello"


async def test_a_variable_with_a_line_end_makes_a_header_all_the_same(server: FakeServer) -> None:
    agent = http(f"{server.url}/agent", {"KEY": "sesame\n"}, headers={"X-Key": "${KEY}"})
    talk = await agent.open(Opening(session="s", seed=0))
    await talk.send("hello")
    assert server.headers[0]["X-Key"] == "sesame"
    await agent.close()
