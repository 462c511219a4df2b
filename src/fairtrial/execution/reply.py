"""A reply as the log will give it back."""

from typing import Any

from fairtrial.agents.protocol import Reply
from fairtrial.text.json import decode, encode

# What a log nests around a state, and room for the stack of whoever reads it.
_ROOM = 200


def as_logged(reply: Reply) -> Reply:
    """`reply` after a trip through JSON, so that a score now and a score from the log see the same.

    An agent in our process may hand over tuples, keys that are numbers, objects. Raises TypeError,
    ValueError or RecursionError where the log could not hold it or could not be read again.
    """
    if reply.state is not None or reply.steps:
        _must_nest(reply)
    return decode(encode(reply), Reply)


def _must_nest(value: Any) -> None:
    for _ in range(_ROOM):
        value = [value]
    encode(value)
