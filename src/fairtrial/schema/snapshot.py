"""What differs between two states of an agent."""

from collections.abc import Iterator
from typing import Any

from fairtrial.schema.record import Frozen


class Change(Frozen, frozen=True, kw_only=True):
    """A value at `path` (RFC 9535, normalised: `$['order']['id']`) that is not what it was.

    `kind` is "added", "removed" or "changed"; `before` and `after` are None where there was nothing.
    """

    path: str
    kind: str
    before: Any = None
    after: Any = None


def differences(before: Any, after: Any) -> tuple[Change, ...]:
    """Each place at which two JSON states differ, outermost first where a whole part came or went.

    Objects are compared by key, lists by position; a number equals another of the same value, true is not 1.
    """
    return tuple(_differences(before, after, "$"))


def _differences(before: Any, after: Any, path: str) -> Iterator[Change]:
    match before, after:
        case dict(), dict():
            for key in before | after:
                yield from _item(before, after, key, f"{path}[{_quoted(key)}]")
        case list() | tuple(), list() | tuple():
            for index in range(max(len(before), len(after))):
                one, other = dict(enumerate(before)), dict(enumerate(after))
                yield from _item(one, other, index, f"{path}[{index}]")
        case _ if before != after or isinstance(before, bool) != isinstance(after, bool):
            yield Change(path=path, kind="changed", before=before, after=after)


def _item(before: dict[Any, Any], after: dict[Any, Any], key: Any, path: str) -> Iterator[Change]:
    if key not in before:
        yield Change(path=path, kind="added", after=after[key])
    elif key not in after:
        yield Change(path=path, kind="removed", before=before[key])
    else:
        yield from _differences(before[key], after[key], path)


def _quoted(key: object) -> str:
    return "'" + str(key).replace("\\", "\\\\").replace("'", "\\'") + "'"
