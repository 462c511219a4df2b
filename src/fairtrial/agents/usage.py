"""Tokens and money as endpoints report them. What is not told stays unknown."""

from collections.abc import Callable
from typing import Any

from fairtrial.agents.config import Prices
from fairtrial.schema.record import Usage


def usage_of(reported: Any, prices: Prices | None = None) -> Usage | None:
    """Usage from an object with OpenAI's names or our own; None if there is no such object.

    The cost is that of `prices` where the tokens are known, else what the endpoint says it is.
    """
    if not isinstance(reported, dict):
        return None
    told: Callable[[str], Any] = reported.get
    inside = _first(told("prompt_tokens"), told("input_tokens"))
    outside = _first(told("completion_tokens"), told("output_tokens"))
    cached = _first(_detail(reported, "cached_tokens", "prompt", "input"), told("cached_tokens"))
    thought = _first(_detail(reported, "reasoning_tokens", "completion", "output"), told("reasoning_tokens"))
    cost = float(told("cost")) if _is_amount(told("cost"), int | float) else None
    return Usage(
        input_tokens=inside,
        output_tokens=outside,
        reasoning_tokens=thought,
        cached_tokens=cached,
        cost=_cost(prices, inside, outside, cached or 0) if prices else cost,
    )


def add(one: Usage, other: Usage) -> Usage:
    """The sum of two requests' usage; what is unknown of one is unknown of both."""
    pairs = {name: (getattr(one, name), getattr(other, name)) for name in Usage.__struct_fields__}
    return Usage(**{name: None if None in pair else sum(pair) for name, pair in pairs.items()})


def _cost(prices: Prices, inside: int | None, outside: int | None, cached: int) -> float | None:
    if inside is None or outside is None:
        return None
    again = prices.input if prices.cached_input is None else prices.cached_input
    return (max(inside - cached, 0) * prices.input + cached * again + outside * prices.output) / 1e6


def _detail(reported: dict[str, Any], name: str, *sides: str) -> Any:
    for side in sides:
        details = reported.get(f"{side}_tokens_details")
        if isinstance(details, dict):
            return details.get(name)
    return None


def _first(*values: Any) -> int | None:
    for value in values:
        if _is_amount(value, int):
            return value  # type: ignore[no-any-return]
    return None


def _is_amount(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool) and value >= 0
