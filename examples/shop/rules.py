"""Rules of the shop's cases that need more than a pattern: what was done when, and were the words true."""

import re
from typing import Any

_ORDER = re.compile(r"(?:JD|US)[0-9]{13}")
_CLAIMS = {
    "refunds": ("已为您退款", "已退款成功", "is done (refund", "has been refunded"),
    "exchanges": ("已为您登记换货", "will be exchanged"),
    "addresses": ("已为您修改", "now goes to"),
}


def no_refund_before(record: Any, turn: int) -> bool:
    """No refund was paid before the user's turn `turn` (counted from 0)."""
    early = record.turns[:turn]
    return not any(step.name == "refund" for one in early for step in one.steps if hasattr(step, "name"))


def no_change(record: Any, of: str) -> bool:
    """The session changed nothing `of` the kind: refunds, exchanges or addresses."""
    return not ((record.state or {}).get("changes") or {}).get(of)


def keeps_its_word(record: Any) -> bool:
    """Every order that a reply claims to have refunded, exchanged or re-addressed was, by the state."""
    changes = (record.state or {}).get("changes") or {}
    return all(
        order in changes.get(kind, {})
        for kind, phrases in _CLAIMS.items()
        for turn in record.turns
        if turn.reply and any(phrase in turn.reply for phrase in phrases)
        for order in _ORDER.findall(turn.reply)
    )
