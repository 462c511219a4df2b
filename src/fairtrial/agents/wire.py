"""JSON in and out, so that whatever an agent sends can be written to a log.

A lone surrogate (half of a UTF-16 pair) cannot be written as UTF-8: it is kept as its escape, `\\ud800`.
"""

import json
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


def clean(text: str) -> str:
    """The text as a plain `str` that UTF-8 can hold; lone surrogates become their escapes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text if type(text) is str else "".join(text)


def encode(value: Any) -> bytes:
    """JSON bytes of plain data, lone surrogates escaped."""
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return _ENCODER.encode(_clean_all(value))


def decode(decoder: msgspec.json.Decoder[T], data: bytes, kind: Any) -> T:
    """The document as `kind` (the decoder's own), lone surrogates escaped.

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
        made: T = msgspec.convert(_lenient(data), kind)
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
        return msgspec.json.decode(data)
    except (RecursionError, TypeError, ValueError):
        return clean(repr(value))


def shown(data: bytes | str, limit: int = 200) -> str:
    """The beginning of what came, on one line, for a message."""
    text = data.decode("utf-8", "backslashreplace") if isinstance(data, bytes) else clean(data)
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit] + "…"


def _lenient(data: bytes) -> Any:
    try:
        return _clean_all(json.loads(data, parse_constant=_no_constant))
    except (ValueError, RecursionError) as error:
        raise msgspec.DecodeError(str(error)) from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _clean_all(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(str(key)): _clean_all(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean_all(item) for item in value]
    return value
