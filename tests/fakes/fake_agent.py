"""One agent for all tests, as Python callables and as a command (`python fake_agent.py`).

It answers "<turn>: <text>", which tells whether sessions were mixed, and obeys a text that begins with:

!fail    raise, or say that it failed
!busy    be busy the first time it is asked this in a session, then answer
!hang    never answer
!exit    (command) write to stderr, end with code 3
!noise   (command) write a line that is no JSON
!child   (command) start a process of its own, then hang
!deaf    (command) close stdin, ignore SIGTERM, never answer
!huge    (command) write a line that does not end
!tool    answer with a tool call and a state

`OpenAgent`, its `async` twin, and the command when started with `--open` also show their state and obey

!clock   answer with the time that it is
!user    answer with who the user is
!find X  look an order up through the examiner's hook, answer with what came of it
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

RELEASE = threading.Event()
"""Set by a test's end, so that no thread hangs on."""


class FakeAgent:
    """Blocking; one instance a session."""

    def __init__(self, session: str, seed: int) -> None:
        self.session, self.seed, self.turns, self.was_busy = session, seed, 0, False

    def __call__(self, text: str) -> Any:
        if text.startswith("!hang"):
            RELEASE.wait()
        return self.answer(text)

    def answer(self, text: str) -> Any:
        if text.startswith("!fail"):
            raise ValueError("told to fail")
        if text.startswith("!busy") and not self.was_busy:
            from fairtrial.agents.protocol import Busy

            self.was_busy = True
            raise Busy("busy as told", 0.0)
        self.turns += 1
        return answer(self.turns, text)


class AsyncFakeAgent(FakeAgent):
    async def __call__(self, text: str) -> Any:
        await asyncio.sleep(3600 if text.startswith("!hang") else 0)
        return self.answer(text)


class OpenAgent(FakeAgent):
    def __init__(self, session: str, seed: int, user: str, tools: Any) -> None:
        super().__init__(session, seed)
        self.user, self.tools = user, tools

    def __call__(self, text: str, clock: str) -> Any:  # type: ignore[override]
        if text.startswith("!find"):
            order = text.split()[1]
            try:
                return self.answer(found(self.tools("find", {"order": order}, lambda: find(order))))
            except (RuntimeError, TimeoutError) as error:
                return self.answer(failed(type(error).__name__, str(error)))
        return super().__call__(self.told(text, clock))

    def told(self, text: str, clock: str) -> str:
        return text.replace("!clock", clock).replace("!user", self.user)

    def state(self) -> Any:
        return {"turns": self.turns}


class AsyncOpenAgent(OpenAgent):
    async def __call__(self, text: str, clock: str) -> Any:  # type: ignore[override]
        await asyncio.sleep(3600 if text.startswith("!hang") else 0)
        if text.startswith("!find"):
            order = text.split()[1]

            async def call() -> Any:
                await asyncio.sleep(0)
                return find(order)

            try:
                return self.answer(found(await self.tools("find", {"order": order}, call)))
            except (RuntimeError, TimeoutError) as error:
                return self.answer(failed(type(error).__name__, str(error)))
        return self.answer(self.told(text, clock))


def find(order: str) -> Any:
    """The tool."""
    return {"order": order, "state": "已发货"}


def found(result: Any) -> str:
    return json.dumps(result, ensure_ascii=False)


def failed(kind: str, message: str) -> str:
    return f"{kind}: {message}"


def answer(turn: int, text: str) -> Any:
    """What the agent says in turn 1, 2, …"""
    if text.startswith("!tool"):
        call = {"name": "look_up", "arguments": {"id": "A1"}, "result": {"state": "sent"}}
        return {"text": f"{turn}: {text}", "calls": [call], "state": {"turns": turn}}
    return f"{turn}: {text}"


def serve() -> None:
    """Speak JSON lines."""
    turn, was_busy, opening = 0, False, {}
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "open":
            opening = message
        if message["type"] == "state":
            write({"type": "state", "state": {"turns": turn}})
        if message["type"] != "user":
            continue
        text = message["text"]
        misbehave(text)
        if "--open" in sys.argv:
            text = obeyed(text, opening | message)
        if text.startswith("!fail"):
            write({"type": "error", "message": "told to fail"})
        elif text.startswith("!busy") and not was_busy:
            was_busy = True
            write({"type": "busy", "retry_after": 0})
        else:
            turn += 1
            said = answer(turn, text)
            write({"type": "reply", **(said if isinstance(said, dict) else {"text": said})})


def obeyed(text: str, told: dict[str, Any]) -> str:
    """The text, or what is answered to one that asks for more than that."""
    if not text.startswith("!find"):
        return text.replace("!clock", told["clock"]).replace("!user", told["user"])
    order = text.split()[1]
    ruling = ask({"type": "tool", "name": "find", "arguments": {"order": order}})
    if "error" in ruling:
        return failed("RuntimeError", ruling["error"])
    return found(ask({"type": "result", "result": find(order)})["result"])


def ask(message: dict[str, Any]) -> Any:
    write(message)
    return json.loads(sys.stdin.readline())


def misbehave(text: str) -> None:
    match text.split()[0] if text.split() else "":
        case "!hang":
            time.sleep(3600)
        case "!exit":
            sys.stderr.write("out of cheese\n")
            sys.exit(3)
        case "!noise":
            sys.stdout.write("Loading model…\n")
            sys.stdout.flush()
        case "!child":
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
            with open(text.split(maxsplit=1)[1], "w") as file:
                file.write(f"{os.getpid()} {child.pid}")
            time.sleep(3600)
        case "!deaf":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.close(0)
            with open(text.split(maxsplit=1)[1], "w") as file:
                file.write(str(os.getpid()))
            time.sleep(3600)
        case "!huge":
            while True:
                sys.stdout.write("x" * 65536)


def write(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    serve()
