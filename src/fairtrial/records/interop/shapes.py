"""Values of a file that nobody checked, as the shape that is hoped for, or nothing."""

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from fairtrial.records.interop.content import parsed
from fairtrial.schema.record import Usage
from fairtrial.text.json import encode


def as_dict(value: Any) -> dict[str, Any]:
    """An object, else {}."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """A list, else []."""
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str | None:
    """A text, else None."""
    return value if isinstance(value, str) else None


def as_number(value: Any) -> float | None:
    """A finite number, else None; True is none."""
    if not isinstance(value, int | float) or isinstance(value, bool) or abs(value) > 1e300:
        return None
    return float(value) if math.isfinite(value) else None


def as_count(value: Any) -> int | None:
    """A whole number from 0, else None; True is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def as_time(value: Any) -> float | None:
    """An ISO 8601 time as epoch seconds, else None."""
    try:
        return datetime.fromisoformat(value).timestamp() if isinstance(value, str) else None
    except (ValueError, OverflowError):
        return None


def first_of(of: Mapping[str, Any], *names: str) -> Any:
    """What stands under the first of the names that has a value, else None."""
    return next((of[name] for name in names if of.get(name) is not None), None)


def dig(of: Any, path: str) -> Any:
    """What stands at a path of keys (`eval.config.limit`), None where nothing does."""
    for key in path.split("."):
        of = of.get(key) if isinstance(of, dict) else None
    return of


def without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    """What is told: the rest of the names have no value."""
    return {name: value for name, value in values.items() if value is not None}


def usage_of(told: Mapping[str, Any], names: Mapping[str, str]) -> Usage | None:
    """Tokens and cost by the names, likeliest first, that a tool has for each; None where it tells none."""
    found = {field: first_of(told, *keys.split()) for field, keys in names.items()}
    known = {field: as_number(one) if field == "cost" else as_count(one) for field, one in found.items()}
    return Usage(**known) if without_none(known) else None  # type: ignore[arg-type]


def plain(value: Any) -> str:
    """Any plain value as text: a text as it is, else JSON."""
    return value if isinstance(value, str) else encode(value).decode()


def opened(value: Any) -> Any:
    """A text that is a JSON object or list, as that; anything else as it is."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return parsed(value.encode())
    except (ValueError, UnicodeEncodeError):
        return value
