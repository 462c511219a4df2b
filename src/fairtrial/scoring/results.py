"""What came back from a tool: whether it failed, was empty, or is a value."""

import re
from typing import Any

from fairtrial.schema.record import Call, Turn
from fairtrial.scoring.reading import NotJson, parse_json

_ERROR = re.compile(
    r"\s*(?:\w*(?:error|exception)\s*[:(\[]|traceback\b|(?:错误|异常)\s*[:：])", re.IGNORECASE
)
_ERROR_KEYS = ("error", "errors", "错误")
_SAYS = 200


def calls_of(turn: Turn) -> tuple[Call, ...]:
    """The tool calls of a turn."""
    return tuple(step for step in turn.steps if isinstance(step, Call))


def value_of(result: Any) -> Any:
    """A result, parsed where it is the text of a JSON object or list."""
    if isinstance(result, str) and result.lstrip()[:1] in ("{", "["):
        try:
            return parse_json(result)
        except NotJson:
            return result
    return result


def failure(call: Call) -> str | None:
    """What went wrong with a call, None where nothing did.

    A call failed by its `error`, by a result whose `error` (`errors`, `错误`) is neither empty, false nor
    null or whose `isError` is true, and by a text that begins with `Error:` or the like.
    """
    if call.error is not None:
        return call.error or "error"
    value = value_of(call.result)
    if isinstance(value, dict):
        told = next((value[key] for key in _ERROR_KEYS if value.get(key)), None)
        if told is None and value.get("isError") is True:
            told = "isError"
        return None if told is None else str(told)[:_SAYS]
    return value[:_SAYS] if isinstance(value, str) and _ERROR.match(value) else None


def is_empty(result: Any) -> bool:
    """Whether a result was told and holds nothing: a blank text, a list or object without items."""
    value = value_of(result)
    return value.strip() in ("", "null", "None") if isinstance(value, str) else value in ([], {}, ())
