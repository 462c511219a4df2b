"""What is done with an order: status, tracking, refund, exchange, new address. Holds the session's memory."""

from collections.abc import Callable
from contextlib import suppress

import replies
from database import TODAY, Database
from replies import listed, money
from tools import Tools, Unavailable, directly
from understand import Understanding

CONFIRM_ABOVE = {"CNY": 500.0, "USD": 100.0}
"""A refund above this is only paid after the customer has said yes."""


class Desk:
    """The memory of a conversation and the deeds it can lead to; each deed returns what to say about it.

    `lies` is the slip in which the deed is claimed but not done.
    """

    def __init__(self, through: Callable[..., dict] | None = None) -> None:
        self.database = Database()
        self.tools = Tools(self.database, through or directly)
        self.language = "en"
        self.intent: str | None = None
        self.order_id: str | None = None
        self.awaiting: str | None = None  # order_id, confirm, variant or address
        self.last_tool: str | None = None
        self.reason = "no_reason"
        self.refund_done = False

    def status(self, order: dict) -> str:
        things = [f"{item['name']} {item['variant']}" for item in order["items"]]
        return self.say(
            "status",
            order_id=order["id"],
            items=listed(self.language, things),
            total=money(order["currency"], order["total"]),
            placed=order["placed"],
            status=self.word(order["status"]),
        )

    def track(self) -> str:
        parcel = self.call("track_parcel", order_id=self.order_id)
        key = {"shipped": "track", "processing": "track_waiting", "delivered": "track_done"}.get(
            parcel["status"]
        )
        if key is None:
            return self._closed(parcel["status"])
        return self.say(key, order_id=self.order_id, **parcel, **parcel["last"] or {})

    def refund(self, heard: Understanding, lies: bool) -> str:
        check = self.call("check_return", order_id=self.order_id, reason=self.reason)
        if check["why"] in ("refunded", "cancelled"):
            return self._closed(check["why"])
        amount = money(check["currency"], check["amount"])
        if not check["eligible"]:
            times = {"delivered": check["delivered"], "last_day": check.get("last_day")}
            return self.say(check["why"], order_id=self.order_id, today=TODAY, **times)
        if self.intent == "can_return":
            self.awaiting = "confirm"
            key = "eligible" if check["why"] == "in_time" else "eligible_now"
            fee, last_day = money(check["currency"], check["fee"]), check.get("last_day")
            return self.say(key, order_id=self.order_id, last_day=last_day, amount=amount, fee=fee)
        limit = CONFIRM_ABOVE[check["currency"]]
        if check["amount"] > limit and not heard.hurry:
            self.awaiting = "confirm"
            return self.say(
                "confirm", order_id=self.order_id, amount=amount, limit=money(check["currency"], limit)
            )
        return self._pay(check, lies)

    def confirmed(self, answer: str | None, lies: bool) -> str:
        """Go on after "shall I refund it?". Anything but yes or no gets the question again."""
        if answer == "no":
            self.awaiting = self.intent = None
            return self.say("kept")
        check = self.call("check_return", order_id=self.order_id, reason=self.reason)
        if answer is None:
            amount = money(check["currency"], check["amount"])
            return self.say("confirm_again", order_id=self.order_id, amount=amount)
        return self._pay(check, lies)

    def _pay(self, check: dict, lies: bool) -> str:
        """Refund, and say so, whatever the tool says. After the first refund of a session it takes the next
        one for done as well."""
        self.awaiting, refund_id = None, f"RF{self.order_id[-5:]}"
        if not self.refund_done and not lies:
            with suppress(Unavailable):
                self.call("refund", order_id=self.order_id, reason=self.reason)
            self.refund_done = True
        amount, fee = money(check["currency"], check["amount"]), money(check["currency"], check["fee"])
        text = self.say("refunded", order_id=self.order_id, amount=amount, refund_id=refund_id)
        return text + self.say("send_back", fee=fee) if check["why"] == "in_time" else text

    def exchange(self, heard: Understanding, lies: bool) -> str:
        wanted = heard.variant or ""
        if lies and wanted:
            exchange_id = "EX" + self.order_id[-5:]
            return self.say("exchanged", order_id=self.order_id, variant=wanted, exchange_id=exchange_id)
        done = self.call("exchange", order_id=self.order_id, variant=wanted)
        match done.get("error"):
            case None:
                return self.say("exchanged", order_id=self.order_id, **done)
            case "no_stock":
                if not done["stock"]:
                    return self.say("no_other", item=done["item"])
                self.awaiting, stock = "variant", listed(self.language, done["stock"])
                key = "no_stock" if wanted else "which_variant"
                return self.say(key, wanted=wanted, item=done["item"], stock=stock)
            case "too_late":
                return self.say("exchange_late", order_id=self.order_id, last_day=done["last_day"])
            case "refunded" | "cancelled":
                return self._closed(done["error"])
        return self.say("exchange_not", order_id=self.order_id, status=self.word(done["error"]))

    def move(self, heard: Understanding, order: dict, lies: bool) -> str:
        if order["status"] != "processing":
            return self.say("not_moved", order_id=self.order_id, status=self.word(order["status"]))
        if not heard.address:
            self.awaiting = "address"
            return self.say("which_address", order_id=self.order_id, address=order["address"])
        if not lies:
            self.call("change_address", order_id=self.order_id, address=heard.address)
        return self.say("moved", order_id=self.order_id, address=heard.address, eta=order["eta"])

    def call(self, name: str, **arguments: object) -> dict:
        self.last_tool = name
        return self.tools.call(name, **arguments)

    def say(self, key: str, **values: object) -> str:
        return replies.say(self.language, key, **values)

    def word(self, status: str) -> str:
        return replies.status(self.language, status)

    def _closed(self, status: str) -> str:
        return self.say("closed", order_id=self.order_id, status=self.word(status))
