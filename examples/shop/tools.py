"""What the agent can do in the shop. Each call is noted with its arguments and its result."""

from collections.abc import Callable

from database import TODAY, Database

RETURN_DAYS, FAULT_DAYS, EXCHANGE_DAYS = 7, 30, 15
RETURN_FEE = {"CNY": 12.0, "USD": 6.0}


class Unavailable(Exception):
    """A tool did not do its work."""


def directly(name: str, arguments: dict, call: Callable[[], dict]) -> dict:
    """Make a call with nobody in between."""
    return call()


class Tools:
    """The tools of one session; `steps` are the calls since it was last emptied.

    Calls go `through` a function that makes them: whoever runs the shop may log, limit or fail them there.
    """

    NAMES = (
        "find_order",
        "list_orders",
        "track_parcel",
        "check_return",
        "refund",
        "exchange",
        "change_address",
        "policy",
        "hand_over",
    )

    def __init__(self, database: Database, through: Callable[..., dict] = directly) -> None:
        self._data, self._through = database, through
        self.steps: list[dict] = []

    def call(self, name: str, **arguments: object) -> dict:
        """Call a tool by its name. What the shop refuses is in the result's `error`.

        Raises Unavailable where the call could not be made or gave something that is no result.
        """
        step = {"step": "call", "name": name, "arguments": arguments}
        self.steps.append(step)
        try:
            result = self._through(name, arguments, lambda: getattr(self, f"_{name}")(**arguments))
        except (TimeoutError, RuntimeError) as problem:
            step["error"] = str(problem)
            raise Unavailable from problem
        step["result"] = result
        if not isinstance(result, dict):
            raise Unavailable
        return result

    def _find_order(self, order_id: str) -> dict:
        order = self._data.order(order_id)
        if order is None:
            return {"error": "not_found"}
        who = self._data.row("SELECT phone FROM customers WHERE id = ?", order.pop("customer"))
        return order | {"phone": who["phone"][:3] + "****" + who["phone"][-4:] if who else None}

    def _list_orders(self, phone: str) -> dict:
        query = (
            "SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer WHERE c.phone = ? ORDER BY o.id"
        )
        return {"orders": [row["id"] for row in self._data.rows(query, phone)]}

    def _track_parcel(self, order_id: str) -> dict:
        order = self._data.order(order_id)
        if order is None:
            return {"error": "not_found"}
        events = self._data.rows(
            "SELECT at, place, what FROM events WHERE order_id = ? ORDER BY at", order_id
        )
        keep = ("status", "carrier", "tracking", "eta", "delivered")
        return {key: order[key] for key in keep} | {"last": events[-1] if events else None}

    def _check_return(self, order_id: str, reason: str) -> dict:
        """Whether the policy lets the order be returned; `why` is one word."""
        order = self._data.order(order_id)
        if order is None:
            return {"error": "not_found"}
        about = {"amount": order["total"], "currency": order["currency"], "delivered": order["delivered"]}
        if order["status"] != "delivered":
            why = {"processing": "not_shipped", "shipped": "on_the_way"}.get(order["status"], order["status"])
            return about | {"eligible": why == "not_shipped", "why": why, "fee": 0.0}
        limit = FAULT_DAYS if reason == "fault" else RETURN_DAYS
        last_day = self._data.after(order["delivered"], limit)
        about |= {"last_day": last_day, "fee": 0.0 if reason == "fault" else RETURN_FEE[order["currency"]]}
        if reason != "fault" and any(item["kind"] != "normal" for item in order["items"]):
            return about | {"eligible": False, "why": "final_sale"}
        in_time = last_day >= TODAY
        return about | {"eligible": in_time, "why": "in_time" if in_time else "too_late"}

    def _refund(self, order_id: str, reason: str, sku: str | None = None) -> dict:
        """Pay back an order, or one item of it; never twice. Whether it may be, says `check_return`."""
        order = self._data.order(order_id)
        if order is None or order["status"] in ("refunded", "cancelled"):
            return {"error": order["status"] if order else "not_found"}
        amount = sum(item["price"] for item in order["items"] if sku in (None, item["sku"]))
        refund_id = "RF" + order_id[-5:]
        self._data.change(
            "INSERT INTO refunds VALUES (?, ?, ?, ?, ?)", refund_id, order_id, amount, reason, TODAY
        )
        if sku is None:
            self._data.change("UPDATE orders SET status = 'refunded' WHERE id = ?", order_id)
        return {"refund_id": refund_id, "amount": amount, "currency": order["currency"]}

    def _exchange(self, order_id: str, variant: str) -> dict:
        """Exchange the order's first item for another variant; says what is in stock where it can not."""
        order = self._data.order(order_id)
        if order is None:
            return {"error": "not_found"}
        item = order["items"][0]
        stock = [row["variant"] for row in self._data.rows("SELECT * FROM stock WHERE sku = ?", item["sku"])]
        if order["status"] != "delivered":
            return {"error": order["status"]}
        if self._data.days_since(order["delivered"]) > EXCHANGE_DAYS:
            return {"error": "too_late", "last_day": self._data.after(order["delivered"], EXCHANGE_DAYS)}
        if item["kind"] != "normal":
            return {"error": "final_sale"}
        wanted = [one for one in stock if variant and variant.casefold() in one.casefold()]
        if not wanted:
            return {"error": "no_stock", "stock": stock, "item": item["name"]}
        exchange_id = "EX" + order_id[-5:]
        self._data.change(
            "INSERT INTO exchanges VALUES (?, ?, ?, ?)", exchange_id, order_id, wanted[0], TODAY
        )
        return {"exchange_id": exchange_id, "item": item["name"], "variant": wanted[0]}

    def _change_address(self, order_id: str, address: str) -> dict:
        order = self._data.order(order_id)
        if order is None or order["status"] != "processing":
            return {"error": order["status"] if order else "not_found"}
        self._data.change("UPDATE orders SET address = ? WHERE id = ?", address, order_id)
        self._data.change("INSERT OR REPLACE INTO moved VALUES (?, ?)", order_id, address)
        return {"address": address, "eta": order["eta"]}

    def _policy(self, topic: str, language: str) -> dict:
        found = self._data.row("SELECT text FROM policies WHERE topic = ? AND language = ?", topic, language)
        return found or {"error": "not_found"}

    def _hand_over(self, reason: str, order_id: str | None = None) -> dict:
        return {"ticket": "T" + (order_id or TODAY.replace("-", ""))[-5:], "queue": "people"}
