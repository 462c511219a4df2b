"""A local endpoint in the shape of OpenAI's chat completions that answers the reference cases at once.

Run as a process of its own, so that its CPU is nobody's. It prints its port on the first line.
`GET /count` tells how many completions it served since the last time it was asked.

    python -m benchmarks.run.mock_server [PORT]
"""

import asyncio
import json
import sys
import time
from typing import Any

from aiohttp import web
from benchmarks.run import reference_cases


def _question(body: dict[str, Any]) -> str:
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def _whole(text: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": "mock",
        "system_fingerprint": "fp_mock",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 25, "total_tokens": 45},
    }


def _chunks(text: str) -> list[dict[str, Any]]:
    head = {
        "id": "chatcmpl-0",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": "mock",
    }
    half = len(text) // 2
    deltas: list[tuple[dict[str, Any], str | None]] = [
        ({"role": "assistant", "content": text[:half]}, None),
        ({"content": text[half:]}, None),
        ({}, "stop"),
    ]
    return [{**head, "choices": [{"index": 0, "delta": d, "finish_reason": f}]} for d, f in deltas]


class Mock:
    """The handlers and the one number they keep."""

    def __init__(self) -> None:
        self.served = 0

    async def complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        text = reference_cases.reply(reference_cases.index_in(_question(body)))
        self.served += 1
        if not body.get("stream"):
            return web.json_response(_whole(text))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for chunk in _chunks(text):
            await response.write(f"data: {json.dumps(chunk)}\n\n".encode())
        await response.write(b"data: [DONE]\n\n")
        return response

    async def count(self, _: web.Request) -> web.Response:
        served, self.served = self.served, 0
        return web.json_response({"served": served})


async def serve(port: int) -> None:
    """Serve on the loopback address until killed."""
    mock = Mock()
    app = web.Application()
    app.add_routes([web.post("/v1/chat/completions", mock.complete), web.get("/count", mock.count)])
    runner = web.AppRunner(app, access_log=None, keepalive_timeout=3600)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=1024)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
