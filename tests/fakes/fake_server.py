"""One model server for all tests and benchmarks, on loopback, as lean as aiohttp allows.

    async with FakeServer() as server:
        ... server.url ...    # chat completions at /v1/chat/completions, {"text"} to {"text"} elsewhere
        server.script(busy(1), say("hello"))   # what the next requests get, in their order

Without a script it answers "<turn>: <text>" (turn counts the user's messages, or the requests of a
session), and obeys a text that begins with `!fail` (500), `!busy` (429 the first time that this text comes),
`!hang`, `!delay SECONDS`, `!clock` and `!user` (what it was told of them), `!find X` (a tool call, then its
result). A GET of `/state/SESSION` shows how many turns a session had. `requests`, `busiest` (the highest
number at once) and `bodies` tell what came.

`python fake_server.py [--delay S] [--reply TEXT]` serves until stdin closes and prints its address first.
"""

import argparse
import asyncio
import json
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from aiohttp import web

Act = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]

JSON = "application/json"


class FakeServer:
    """Serves while the `with` lasts. `keep_bodies=False` and a `fixed` reply are for benchmarks."""

    def __init__(self, *, fixed: str | None = None, delay: float = 0.0, keep_bodies: bool = True) -> None:
        self.requests = self.now = self.busiest = 0
        self.bodies: list[Any] = []
        self.headers: list[Any] = []
        self.url = ""
        self._acts: deque[Act] = deque()
        self._refused: set[str] = set()
        self._turns: dict[str, int] = {}
        self._fixed = None if fixed is None else msgspec.json.encode(completion(fixed))
        self._delay, self._keep = delay, keep_bodies
        self._runner: web.ServerRunner | None = None

    def script(self, *acts: Act) -> None:
        """Queue what the next requests get."""
        self._acts.extend(acts)

    async def __aenter__(self) -> "FakeServer":
        self._runner = web.ServerRunner(
            web.Server(self._serve, access_log=None, handler_cancellation=True), shutdown_timeout=0.1
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    async def _serve(self, request: web.BaseRequest) -> web.StreamResponse:
        self.requests += 1
        self.now += 1
        self.busiest = max(self.busiest, self.now)
        try:
            if request.method == "GET":
                return await self._show(request)
            data = await request.read()
            if self._delay:
                await asyncio.sleep(self._delay)
            if self._keep:
                self.bodies.append(json.loads(data))
                self.headers.append(request.headers)
            if self._acts:
                return await self._acts.popleft()(request)
            if self._fixed is not None:
                return web.Response(body=self._fixed, content_type=JSON)
            return await self._answer(request, json.loads(data))
        finally:
            self.now -= 1

    async def _show(self, request: web.BaseRequest) -> web.StreamResponse:
        if self._acts:
            return await self._acts.popleft()(request)
        turns = self._turns.get(request.path.removeprefix("/state/"), 0)
        return await document({"turns": turns})(request)

    async def _answer(self, request: web.BaseRequest, body: dict[str, Any]) -> web.StreamResponse:
        chat = request.path.endswith("/chat/completions")
        text, turn = _asked(body) if chat else (body["text"], self._turns.get(body["session"], 0) + 1)
        word = text.split()[0] if text.split() else ""
        if word == "!fail":
            return await status(500)(request)
        if word == "!busy" and text not in self._refused:
            self._refused.add(text)
            return await busy(0)(request)
        if word == "!hang":
            await asyncio.sleep(3600)
        if word == "!delay":
            await asyncio.sleep(float(text.split()[1]))
        if word == "!find":
            if body["messages"][-1]["role"] != "tool":
                order = json.dumps({"order": text.split()[1]})
                return await call_tools(tool_call("find", order))(request)
            text = body["messages"][-1]["content"]
        if word in ("!clock", "!user"):
            text = body["messages"][0]["content"] if chat else body[word[1:]]
        if not chat:
            self._turns[body["session"]] = turn
            return await document({"text": f"{turn}: {text}", "state": {"turns": turn}})(request)
        answer = f"{turn}: {text}"
        return await (stream(*_pieces(answer)) if body.get("stream") else say(answer))(request)


def _asked(body: dict[str, Any]) -> tuple[str, int]:
    said = [message["content"] for message in body["messages"] if message["role"] == "user"]
    return said[-1], len(said)


def _pieces(text: str) -> Sequence[dict[str, Any]]:
    half = len(text) // 2
    return [delta(content=text[:half]), delta(content=text[half:]), finish("stop"), USAGE]


def completion(text: str | None, *, finish_reason: str = "stop", **message: Any) -> dict[str, Any]:
    """A whole completion; further fields go into its message."""
    return {
        "id": "fake",
        "object": "chat.completion",
        "model": "fake-1",
        "system_fingerprint": "fp_fake",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **message},
                "finish_reason": finish_reason,
            }
        ],
        "usage": USAGE["usage"],
    }


USAGE: dict[str, Any] = {
    "choices": [],
    "usage": {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 2},
    },
}
"""The last piece of a stream that was asked to tell its usage."""


def tool_call(name: str, arguments: str, call_id: str = "c1") -> dict[str, Any]:
    """A tool call as a message holds it."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def delta(**fields: Any) -> dict[str, Any]:
    """A piece of a stream."""
    return {"model": "fake-1", "system_fingerprint": "fp_fake", "choices": [{"index": 0, "delta": fields}]}


def finish(reason: str) -> dict[str, Any]:
    """The piece that ends a stream."""
    return {"model": "fake-1", "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}


def say(text: str | None, **fields: Any) -> Act:
    """A whole completion."""
    return document(completion(text, **fields))


def call_tools(*calls: dict[str, Any], text: str | None = None) -> Act:
    """A completion that asks for tools."""
    return say(text, finish_reason="tool_calls", tool_calls=list(calls))


def document(value: Any) -> Act:
    """Any JSON document."""
    return raw(json.dumps(value).encode())


def raw(body: bytes, content_type: str = JSON) -> Act:
    """These bytes with status 200."""

    async def act(_: web.BaseRequest) -> web.StreamResponse:
        return web.Response(body=body, content_type=content_type)

    return act


def status(code: int, body: str = '{"error": {"message": "as told"}}', **headers: str) -> Act:
    """An error, or any other status; `_` in the names of headers stands for `-`."""

    async def act(_: web.BaseRequest) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.Response(status=code, text=body, headers=named)

    return act


def busy(retry_after: float | str | None = None, code: int = 429) -> Act:
    """Too busy, with Retry-After in seconds or as a date."""
    return status(code) if retry_after is None else status(code, Retry_After=str(retry_after))


def stream(*pieces: dict[str, Any], done: bool = True, cut: bool = False) -> Act:
    """Server-sent events; `cut` drops the connection after them."""

    async def act(request: web.BaseRequest) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for piece in pieces:
            await response.write(b": still here\n\ndata: " + json.dumps(piece).encode() + b"\r\n\r\n")
        if cut:
            _drop(request)
        elif done:
            await response.write(b"data: [DONE]\n\n")
        return response

    return act


def cut(body: bytes = b'{"choices": [{"mess') -> Act:
    """Half a document, then the connection is dropped."""

    async def act(request: web.BaseRequest) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": JSON, "Content-Length": "1000"})
        await response.prepare(request)
        await response.write(body)
        _drop(request)
        return response

    return act


def hang() -> Act:
    """No answer at all."""
    return wait(3600, say("too late"))


def wait(seconds: float, then: Act) -> Act:
    """Some delay first."""

    async def act(request: web.BaseRequest) -> web.StreamResponse:
        await asyncio.sleep(seconds)
        return await then(request)

    return act


def hang_up() -> Act:
    """The connection is dropped without an answer."""

    async def act(request: web.BaseRequest) -> web.StreamResponse:
        _drop(request)
        return web.Response()

    return act


def _drop(request: web.BaseRequest) -> None:
    if request.transport is not None:
        request.transport.close()


async def _main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--reply", default=None)
    options = parser.parse_args()
    async with FakeServer(fixed=options.reply, delay=options.delay, keep_bodies=False) as server:
        sys.stdout.write(server.url + "\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_main())
