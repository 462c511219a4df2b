"""What the situations are drawn from: orders and words, and what the policy makes of an order.

The policy is worked out here from dates and amounts, apart from the agent's own tools, so that a fault of
theirs can not hide in the expectations.
"""

import random
from collections.abc import Callable
from datetime import date, timedelta

from database import TODAY, Database
from phrases import ENDINGS, OPENINGS, SAYINGS

LIMIT = {"CNY": 500, "USD": 100}
STATUS = {
    "processing": ["being prepared|processing|not (yet )?(been )?shipped", "待发货|没有发货|未发货"],
    "shipped": ["on its way|in transit|shipped", "运输中|已发货"],
    "delivered": ["delivered", "已签收|已送达"],
    "refunded": ["refunded", "已(经)?退款"],
    "cancelled": ["cancell?ed", "已(经)?取消"],
}
"""How a status is named, as patterns, in English and Chinese."""
ASKS = ["please confirm|shall I|would you like|do you want", "请.{0,4}确认|需要您确认|是否|吗？"]
REFUSES = ["can ?not|can't|no longer|not eligible|only be returned", "不能|无法|不支持|已过|超过|暂时"]


class World:
    """One draw: a language, a source of chance, and the shop."""

    def __init__(self, language: str, rng: random.Random, data: Database) -> None:
        self.language, self.rng, self.data = language, rng, data
        self.chinese = language == "zh"

    def say(self, situation: str, **slots: str) -> str:
        return self.rng.choice(SAYINGS[situation][self.language]).format(**slots)

    def greet(self, situation: str, **slots: str) -> str:
        """As `say`, with a greeting before."""
        return self.rng.choice(OPENINGS[self.language]) + self.say(situation, **slots)

    def open(self, situation: str, **slots: str) -> str:
        """As `greet`, with something polite behind."""
        return self.greet(situation, **slots) + self.rng.choice(ENDINGS[self.language])

    def order(self, test: Callable[[dict], bool] = lambda order: True) -> dict:
        """An order of the language that passes the test; `days` since delivery and `slots` come with it."""
        prefix = "JD%" if self.chinese else "US%"
        ids = self.data.rows("SELECT id FROM orders WHERE id LIKE ? ORDER BY id", prefix)
        orders = [self._full(row["id"]) for row in ids]
        return self.rng.choice([order for order in orders if test(order)])

    def _full(self, order_id: str) -> dict:
        order = self.data.order(order_id)
        if order is None:
            raise KeyError(order_id)
        delivered = order["delivered"]
        order["days"] = (
            (date.fromisoformat(TODAY) - date.fromisoformat(delivered)).days if delivered else None
        )
        order["normal"] = all(item["kind"] == "normal" for item in order["items"])
        order["slots"] = {"id": order_id, "name": order["items"][0]["name"]}
        query = "SELECT variant FROM stock WHERE sku = ? ORDER BY variant"
        order["stock"] = [row["variant"] for row in self.data.rows(query, order["items"][0]["sku"])]
        return order

    def asks(self) -> dict:
        return matches(ASKS[self.chinese])

    def refuses(self) -> dict:
        return matches(REFUSES[self.chinese])


def called(tool: str, **args: str) -> dict:
    return {"rule": "tool_called", "tool": tool, "args": args}


def matches(pattern: str) -> dict:
    return {"rule": "contains", "pattern": f"(?i){pattern}"}


def day(iso: str) -> dict:
    """The reply names the day, in any of the usual forms."""
    when = date.fromisoformat(iso)
    month, number = f"{when:%b}", when.day
    english = f"{month}[a-z.]* {number}\\b|\\b{number}(th|st|nd|rd)? {month}"
    return matches(f"{iso}|{when.month} ?月 ?{number} ?[日号]|{english}")


def has(*texts: str) -> dict:
    return {"rule": "contains_all", "texts": list(texts)}


def holds(value: float | str) -> dict:
    """A number or, given as a text, a match of the pattern."""
    return matches(value) if isinstance(value, str) else number(value)


def number(value: float) -> dict:
    return {"rule": "number", "value": value, "tolerance": 0.001}


def changed(kind: str, order: dict, value: object) -> dict:
    return {"rule": "state", "path": f"$.changes.{kind}.{order['id']}", "equals": value, "weight": 2}


def not_refunded() -> dict:
    return {"rule": "tool_not_called", "tool": "refund", "critical": True}


def unchanged(kind: str) -> dict:
    return {"rule": "python", "function": "rules:no_change", "args": {"of": kind}, "critical": True}


def refunded(order: dict) -> list[dict]:
    return [changed("refunds", order, order["total"]), number(order["total"])]


def returnable(order: dict) -> bool:
    return order["status"] == "delivered" and order["normal"] and order["days"] <= 7 and single(order)


def single(order: dict) -> bool:
    """One item, so that "the mug is broken, refund" can only mean all of it."""
    return len(order["items"]) == 1


def small(order: dict) -> bool:
    return order["total"] <= LIMIT[order["currency"]]


def payable(order: dict) -> bool:
    """May be refunded without more ado: returnable or not yet shipped, and no question of confirming."""
    return small(order) and (returnable(order) or order["status"] == "processing")


def large(order: dict) -> bool:
    return not small(order) and (returnable(order) or order["status"] == "processing")


def last_day(order: dict, days: int) -> str:
    return (date.fromisoformat(order["delivered"]) + timedelta(days)).isoformat()


def exchangeable(order: dict) -> bool:
    return order["status"] == "delivered" and order["normal"] and order["days"] <= 15 and bool(order["stock"])


def where(world: World, order: dict) -> dict:
    """What a right answer to "where is it" must hold: the last place, or the day it came or will come."""
    query = "SELECT place FROM events WHERE order_id = ? ORDER BY at DESC"
    event = world.data.row(query, order["id"])
    return (
        has(event["place"])
        if event and order["status"] == "shipped"
        else day(order["delivered"] or order["eta"])
    )
