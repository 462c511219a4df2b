"""What an agent sent, made fit for a log and for a message."""

from typing import Any

import msgspec

from fairtrial.text.json import decode, encode


def plain(value: object) -> Any:
    """Any Python value as JSON data: structures as objects, what has no JSON form as its `repr`.

    Cyclic or endlessly deep data is given as its `repr` whole.
    """
    try:
        try:
            data = _ANYTHING.encode(value)
        except UnicodeEncodeError:
            data = encode(msgspec.to_builtins(value, str_keys=True, enc_hook=_foreign))
        return decode(data, object)
    except (RecursionError, TypeError, ValueError):
        return repr(value)


def shown(data: bytes | str, limit: int = 200) -> str:
    """The beginning of what came, on one line, for a message; what UTF-8 cannot hold as its escape."""
    data = data if isinstance(data, bytes) else data.encode("utf-8", "backslashreplace")
    text = " ".join(data.decode("utf-8", "backslashreplace").split())
    return text if len(text) <= limit else text[:limit] + "…"


def _foreign(value: Any) -> Any:
    """What msgspec does not know: subclasses of plain types, pydantic models, NumPy scalars; else `repr`."""
    for base in (str, int, float):
        if isinstance(value, base):
            return base(value)
    for method in ("model_dump", "item"):
        if callable(getattr(value, method, None)):
            return getattr(value, method)()
    return repr(value)


_ANYTHING = msgspec.json.Encoder(enc_hook=_foreign)
