"""JSON in and out, so that any text survives: half of a surrogate pair too, which UTF-8 cannot hold."""

import json
import math
from functools import cache
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
_ENCODER = msgspec.json.Encoder()


def encode(value: Any) -> bytes:
    """Plain data or a frozen type as one line of JSON. What is not finite is null: it is unknown.

    A lone surrogate is written as JSON's own escape (`\\ud83d`); such a line is ASCII throughout, and two
    halves side by side are read back as the one sign they make. Raises TypeError or RecursionError for a
    value that JSON cannot hold.
    """
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return json.dumps(_finite(msgspec.to_builtins(value)), separators=(",", ":")).encode()


def decode(data: bytes, kind: type[T]) -> T:
    """The document as `kind`; unknown fields are passed over.

    Raises msgspec.DecodeError (a ValueError) for what is not JSON, its subclass ValidationError for another
    shape.
    """
    hashable: Any = kind  # a class is, but mypy doubts it of type[T]
    try:
        decoded: T = _decoder(hashable).decode(data)
        return decoded
    except msgspec.ValidationError:
        raise
    except RecursionError:
        raise msgspec.DecodeError("nested too deeply") from None
    except msgspec.DecodeError:
        # msgspec refuses the escape of a lone surrogate, the standard library reads it.
        if rb"\u" not in data:
            raise
        return _converted(_lenient(data), kind)


@cache
def _decoder(kind: Any) -> "msgspec.json.Decoder[Any]":
    return msgspec.json.Decoder(kind)


def _lenient(data: bytes) -> Any:
    try:
        return json.loads(data, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise msgspec.DecodeError(str(error)) from None


def _converted(value: Any, kind: type[T]) -> T:
    try:
        return msgspec.convert(value, kind)
    except UnicodeEncodeError:  # half a pair where a number or a tag should be
        raise msgspec.ValidationError("a lone surrogate where no text is expected") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
