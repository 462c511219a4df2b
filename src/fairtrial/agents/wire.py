"""JSON in and out, so that whatever an agent sends can be written to a log.

A lone surrogate (half of a UTF-16 pair), which UTF-8 cannot hold, is kept, and written as JSON's own escape.
"""

import json
import math
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def _foreign(value: Any) -> Any:
    """What msgspec does not know: subclasses of plain types, pydantic models, NumPy scalars; else `repr`."""
    for base in (str, int, float):
        if isinstance(value, base):
            return base(value)
    for method in ("model_dump", "item"):
        if callable(getattr(value, method, None)):
            return getattr(value, method)()
    return repr(value)


_ENCODER = msgspec.json.Encoder()
_ANYTHING = msgspec.json.Encoder(enc_hook=_foreign)
_PLAIN: msgspec.json.Decoder[Any] = msgspec.json.Decoder()


def encode(value: Any) -> bytes:
    """JSON bytes of plain data; with a lone surrogate in it they are ASCII. What is not finite is null."""
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return json.dumps(_finite(value), separators=(",", ":")).encode()


def decode(decoder: msgspec.json.Decoder[T], data: bytes, kind: Any) -> T:
    """The document as `kind` (the decoder's own).

    Raises msgspec.DecodeError for what is not JSON, its subclass ValidationError for another shape.
    """
    try:
        return decoder.decode(data)
    except msgspec.ValidationError:
        raise
    except RecursionError:
        raise msgspec.DecodeError("nested too deeply") from None
    except msgspec.DecodeError:
        if rb"\u" not in data:
            raise
        made: T = _converted(_lenient(data), kind)
        return made


def plain(value: object) -> Any:
    """Any Python value as JSON data: structures as objects, what has no JSON form as its `repr`.

    Cyclic or endlessly deep data is given as its `repr` whole.
    """
    try:
        try:
            data = _ANYTHING.encode(value)
        except UnicodeEncodeError:
            data = encode(msgspec.to_builtins(value, str_keys=True, enc_hook=_foreign))
        return decode(_PLAIN, data, object)
    except (RecursionError, TypeError, ValueError):
        return repr(value)


def shown(data: bytes | str, limit: int = 200) -> str:
    """The beginning of what came, on one line, for a message; what UTF-8 cannot hold as its escape."""
    data = data if isinstance(data, bytes) else data.encode("utf-8", "backslashreplace")
    text = data.decode("utf-8", "backslashreplace")
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit] + "…"


def _lenient(data: bytes) -> Any:
    try:
        return json.loads(data, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise msgspec.DecodeError(str(error)) from None


def _converted(value: Any, kind: Any) -> Any:
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
