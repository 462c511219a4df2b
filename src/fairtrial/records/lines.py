"""Frozen types as lines of JSON and back. Any text survives, half a surrogate pair too."""

import json
import math
from functools import cache
from typing import Any, TypeVar

import msgspec

from fairtrial.schema.record import Frozen

_T = TypeVar("_T")
_encoder = msgspec.json.Encoder()


def encode(value: Frozen) -> bytes:
    """`value` as one line of JSON, without the line's end. Not-a-number becomes null: it is unknown.

    A lone surrogate, which UTF-8 cannot hold, is written as JSON's own escape (`\\ud83d`); such a line is
    ASCII throughout, and two halves side by side are read back as the one sign they make. Raises
    TypeError or RecursionError for a value that JSON cannot hold.
    """
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError:
        plain = _finite(msgspec.to_builtins(value))
        return json.dumps(plain, separators=(",", ":")).encode("ascii")


def decode(line: bytes, kind: type[_T]) -> _T:
    """One line as `kind`; unknown fields are passed over. Raises ValueError if it is none."""
    hashable: Any = kind  # a class is, but mypy doubts it of type[T]
    try:
        decoded: _T = _decoder(hashable).decode(line)
        return decoded
    except msgspec.DecodeError:
        # msgspec refuses the escape of a lone surrogate, the standard library reads it.
        if b"\\ud" not in line.lower():
            raise
        return msgspec.convert(json.loads(line), kind)


@cache
def _decoder(kind: Any) -> "msgspec.json.Decoder[Any]":
    return msgspec.json.Decoder(kind)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
