"""Tokens and money as endpoints report them. What is not told stays unknown."""

from typing import Any

from fairtrial.agents.config import Prices
from fairtrial.schema.record import Usage


def usage_of(reported: Any, prices: Prices | None = None) -> Usage | None:
    """Usage from an object with OpenAI's names or our own; None if there is no such object.

    The cost is that of `prices` where the tokens are known, else what the endpoint says it is.
    """
    if not isinstance(reported, dict):
        return None
    inside = _number(reported, "prompt_tokens", "input_tokens")
    outside = _number(reported, "completion_tokens", "output_tokens")
    cached = _number(_details(reported, "prompt", "input"), "cached_tokens")
    if cached is None:
        cached = _number(reported, "cached_tokens")
    reasoning = _number(_details(reported, "completion", "output"), "reasoning_tokens")
    if reasoning is None:
        reasoning = _number(reported, "reasoning_tokens")
    cost = reported.get("cost")
    known = (
        float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) and cost >= 0 else None
    )
    return Usage(
        input_tokens=inside,
        output_tokens=outside,
        reasoning_tokens=reasoning,
        cached_tokens=cached,
        cost=_cost(prices, inside, outside, cached or 0) if prices else known,
    )


def add(one: Usage, other: Usage) -> Usage:
    """The sum of two requests' usage; what is unknown of one is unknown of both."""
    return Usage(
        input_tokens=_sum(one.input_tokens, other.input_tokens),
        output_tokens=_sum(one.output_tokens, other.output_tokens),
        reasoning_tokens=_sum(one.reasoning_tokens, other.reasoning_tokens),
        cached_tokens=_sum(one.cached_tokens, other.cached_tokens),
        cost=None if one.cost is None or other.cost is None else one.cost + other.cost,
    )


def _cost(prices: Prices, inside: int | None, outside: int | None, cached: int) -> float | None:
    if inside is None or outside is None:
        return None
    again = prices.input if prices.cached_input is None else prices.cached_input
    return (max(inside - cached, 0) * prices.input + cached * again + outside * prices.output) / 1e6


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _details(reported: dict[str, Any], *sides: str) -> dict[str, Any]:
    found = (reported.get(f"{side}_tokens_details") for side in sides)
    return next((details for details in found if isinstance(details, dict)), {})


def _number(fields: dict[str, Any], *names: str) -> int | None:
    for name in names:
        value = fields.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None
