"""Values of a file that nobody checked, as the shape that is hoped for, or nothing."""

import math
from typing import Any


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
