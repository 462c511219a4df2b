"""A customer-service agent: `ShopAgent` as a callable, one instance a session, or this file as a command.

As a command, `python agent.py --slip 0.05`, it serves one session: JSON lines on stdin and stdout. With
`--tools` it asks there before and after each call of a tool.
"""

import json
import os
import sys
from collections.abc import Callable

from desk import Desk
from replies import listed
from tools import Unavailable
from understand import Understanding, understand


class ShopAgent(Desk):
    """One conversation. The same (seed, slip) and the same messages always give the same answers.

    `slip` in [0, 1] is the share of turns at which the agent slips: says that it has done what it has
    not, stalls, or forgets the order. Unset, it is the environment's SHOP_SLIP, else 0. Its tools are called
    through `tools(name, arguments, call)` where that is given.
    """

    def __init__(
        self,
        session: str = "",
        seed: int = 0,
        slip: float | None = None,
        tools: Callable[..., dict] | None = None,
    ) -> None:
        super().__init__(tools)
        self.session, self.seed, self.turn = session, seed, 0
        self.slip = float(os.environ.get("SHOP_SLIP") or 0) if slip is None else slip

    def __call__(self, text: str) -> dict:
        """Answer one message: the text, the tool calls made for it, and the state after it."""
        self.tools.steps = []
        heard = understand(text)
        self.language = heard.language or self.language
        slipped = self._slips()
        self.turn += 1
        if slipped == "forget":
            heard, self.order_id = heard._replace(order_id=None), None
        try:
            reply = self.say("stall") if slipped == "stall" else self._answer(heard, text, slipped == "lie")
        except (Unavailable, LookupError, TypeError):  # a result that lacks what it should have is of no use
            reply = self.say("unavailable")
        return {"text": reply, "steps": self.tools.steps, "state": self.state()}

    def close(self) -> None:
        self.database.close()

    def _answer(self, heard: Understanding, text: str, lies: bool) -> str:
        if heard.intent in ("policy", "greet", "thanks", "human"):
            return self._without_order(heard)
        if self.awaiting == "confirm" and self.order_id:
            return self.confirmed(heard.answer, lies)
        # While something is missing the first wish stays; a new one is only heard when nothing is open.
        if self.awaiting is None and heard.intent:
            self.intent = heard.intent
        if self.awaiting == "address" and not heard.order_id:
            heard = heard._replace(address=heard.address or text.strip(" 。."))
        if heard.fault:
            self.reason = "fault"
        return self._identify(heard) or self._handle(heard, lies)

    def _without_order(self, heard: Understanding) -> str:
        if heard.intent == "policy":
            return self.call("policy", topic=heard.topic, language=self.language)["text"]
        if heard.intent == "human":
            self.awaiting = None
            ticket = self.call("hand_over", reason=self.intent or "request", order_id=self.order_id)
            return self.say("handed_over", **ticket)
        return self.say(heard.intent)

    def _identify(self, heard: Understanding) -> str | None:
        """Find out which order is meant; returns the question to ask where it is not clear."""
        if heard.order_id and heard.order_id != self.order_id:
            self.order_id, self.reason = heard.order_id, "fault" if heard.fault else "no_reason"
        elif heard.phone:
            orders = self.call("list_orders", phone=heard.phone)["orders"]
            if len(orders) != 1:
                self.awaiting = "order_id"
                key = "several" if orders else "nobody"
                return self.say(key, phone=heard.phone, orders=listed(self.language, orders))
            self.order_id = orders[0]
        if self.order_id is None:
            if self.intent is None:
                return self.say("lost")
            self.awaiting = "order_id"
            return self.say("which_order")
        self.intent = self.intent or "status"
        return None

    def _handle(self, heard: Understanding, lies: bool) -> str:
        self.awaiting = None
        order = self.call("find_order", order_id=self.order_id)
        if "error" in order:
            missing, self.order_id, self.awaiting = self.order_id, None, "order_id"
            return self.say("not_found", order_id=missing)
        match self.intent:
            case "refund" | "can_return":
                return self.refund(heard, lies)
            case "exchange":
                return self.exchange(heard, lies)
            case "address":
                return self.move(heard, order, lies)
            case "track":
                return self.track()
        return self.status(order)

    def state(self) -> dict:
        """What the agent knows, and under `changes` what the session really did to the shop."""
        names = ("language", "intent", "order_id", "awaiting", "last_tool")
        return {name: getattr(self, name) for name in names} | {"changes": self.database.changes()}

    def _slips(self) -> str | None:
        """Whether and how this turn goes wrong; a slip at a low rate is one at any higher rate."""
        drawn = _scatter(_scatter(self.seed) + self.turn)
        return ("lie", "stall", "forget")[drawn % 3] if drawn < self.slip * 2**64 else None


def _scatter(number: int) -> int:
    """A 64-bit hash (the finaliser of splitmix64), because `hash` and `random` cost start-up time."""
    mask = 2**64 - 1
    number = (number + 0x9E3779B97F4A7C15) & mask
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & mask
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & mask
    return number ^ (number >> 31)


def main() -> None:
    """Serve one session: read a message a line, answer each `user` with one `reply`."""
    slip = float(sys.argv[sys.argv.index("--slip") + 1]) if "--slip" in sys.argv else None
    tools = asked if "--tools" in sys.argv else None
    agent = None
    # Bytes, because the locale may not be UTF-8.
    for line in sys.stdin.buffer:
        message = json.loads(line)
        match message["type"]:
            case "open":
                agent = ShopAgent(message["session"], message["seed"], slip, tools)
            case "user" if agent:
                tell({"type": "reply", **agent(message["text"])})
            case "state" if agent:
                tell({"type": "state", "state": agent.state()})
            case "close":
                break


def asked(name: str, arguments: dict, call: Callable[[], dict]) -> dict:
    """Make a call if whoever listens lets it be made, and take what they give back for its result."""
    tell({"type": "tool", "name": name, "arguments": arguments})
    told = json.loads(sys.stdin.buffer.readline())
    if "error" in told:
        raise RuntimeError(told["error"])
    tell({"type": "result", "result": call()})
    return json.loads(sys.stdin.buffer.readline())["result"]


def tell(message: dict) -> None:
    """Write a message as one line."""
    sys.stdout.buffer.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
