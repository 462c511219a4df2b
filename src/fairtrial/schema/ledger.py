"""One line of the ledger: who did what when, chained to the line before it."""

from typing import Any

from fairtrial.schema.record import Frozen


class Entry(Frozen, frozen=True, kw_only=True):
    """A draw, a look, a rotation or a decision.

    `n` counts from 1, `at` is ISO 8601 in UTC. `previous` is the `hash` of the entry before (64 zeros before
    the first), `hash` the SHA-256 of all the rest, both in hexadecimal.
    """

    n: int
    at: str
    kind: str
    who: str
    body: dict[str, Any]
    previous: str
    hash: str
