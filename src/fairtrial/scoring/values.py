"""When two JSON values are the same, and when one covers another."""

from typing import Any


def same(one: Any, other: Any) -> bool:
    """Equal as JSON values: 1 is 1.0, true is not 1, objects whatever the order of their keys."""
    return _compare(one, other, subset=False)


def covers(whole: Any, part: Any) -> bool:
    """Whether `whole` has all that `part` asks for: of objects, at every depth, the keys named in `part`.

    Lists must have the same length and cover each other item by item; all else must be the same.
    """
    return _compare(whole, part, subset=True)


def _compare(whole: Any, part: Any, *, subset: bool) -> bool:
    if isinstance(whole, dict) and isinstance(part, dict):
        if not (part.keys() <= whole.keys() if subset else part.keys() == whole.keys()):
            return False
        return all(_compare(whole[key], value, subset=subset) for key, value in part.items())
    if isinstance(whole, list | tuple) and isinstance(part, list | tuple):
        pairs = zip(whole, part, strict=False)
        return len(whole) == len(part) and all(_compare(w, p, subset=subset) for w, p in pairs)
    if isinstance(whole, bool) or isinstance(part, bool):
        return whole is part
    if isinstance(whole, int | float) and isinstance(part, int | float):
        return whole == part
    return type(whole) is type(part) and bool(whole == part)
