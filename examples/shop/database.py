"""The shop's data: one in-memory SQLite database a session, so that sessions can not see each other."""

import sqlite3
from pathlib import Path

TODAY = "2024-11-20"
"""The shop's calendar stands still, so that "within 7 days" means the same in every run."""

_SCRIPT = Path(__file__).with_name("shop.sql")


class Database:
    """Rows as dictionaries, days as numbers."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.row_factory = sqlite3.Row
        self._connection.executescript("BEGIN;" + _SCRIPT.read_text(encoding="utf-8") + "COMMIT;")

    def rows(self, query: str, *values: object) -> list[dict]:
        return [dict(row) for row in self._connection.execute(query, values)]

    def row(self, query: str, *values: object) -> dict | None:
        found = self.rows(query, *values)
        return found[0] if found else None

    def change(self, statement: str, *values: object) -> None:
        self._connection.execute(statement, values)

    def order(self, order_id: str) -> dict | None:
        """An order with its items and total, None if there is none of that number."""
        order = self.row("SELECT * FROM orders WHERE id = ?", order_id)
        if order is not None:
            order["items"] = self.rows(
                "SELECT sku, name, variant, price, kind FROM items WHERE order_id = ?", order_id
            )
            order["total"] = round(sum(item["price"] for item in order["items"]), 2)
        return order

    def days_since(self, day: str) -> int:
        """Whole days from `day` to today."""
        found = self.row("SELECT CAST(julianday(?) - julianday(?) AS INTEGER) AS days", TODAY, day)
        return found["days"] if found else 0

    def after(self, day: str, days: int) -> str:
        """The date that lies `days` after `day`."""
        found = self.row("SELECT date(?, ?) AS day", day, f"+{days} days")
        return found["day"] if found else day

    def changes(self) -> dict:
        """What this session did to the shop: the truth behind every "it is done"."""
        refunds = self.rows("SELECT order_id, amount FROM refunds WHERE created = ?", TODAY)
        exchanges = self.rows("SELECT order_id, variant FROM exchanges")
        moved = self.rows("SELECT order_id, address FROM moved")
        return {
            "refunds": {row["order_id"]: row["amount"] for row in refunds},
            "exchanges": {row["order_id"]: row["variant"] for row in exchanges},
            "addresses": {row["order_id"]: row["address"] for row in moved},
        }

    def close(self) -> None:
        self._connection.close()
