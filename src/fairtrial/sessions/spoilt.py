"""What each fault makes of a tool's result: JSON in, JSON out.

A text that is itself a JSON object or list is opened, changed, and written again.

| fault | object | list | text | number, true, false, null |
| --- | --- | --- | --- | --- |
| empty | `{}` | `[]` | `""` | null |
| malformed | the first half of its JSON text | the same | the same | the same of `{"result": …}` |
| wrong_type | the list of its keys | its length | its length | `[]` |
| partial | the first half of its fields | the first half of its items | its first half | unchanged |
| injection | the text in `note` | the text as last item | the text as last line | `{"result": …, "note"…}` |

A half is rounded up; `partial` of a single field or item is that of its object or list.
"""

import json
import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

from fairtrial.schema.disturbance import FaultKind

_OLDER = timedelta(days=7)
_DATE = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_STATUS = ("status", "state", "stage", "状态")
_VERSION = ("version", "revision", "版本")
_BEFORE = {
    "processing": "created",
    "shipped": "processing",
    "delivered": "shipped",
    "returned": "delivered",
    "refunded": "delivered",
    "cancelled": "processing",
    "paid": "unpaid",
    "completed": "pending",
    "done": "pending",
    "closed": "open",
    "已发货": "待发货",
    "已签收": "已发货",
    "已送达": "已发货",
    "已退款": "已签收",
    "已取消": "待发货",
    "已支付": "待支付",
    "已完成": "处理中",
    "已关闭": "处理中",
}
"""A status, and one that commonly comes before it."""


def spoil(fault: FaultKind, result: Any, text: str = "") -> Any:
    """`result` as the table above has it; unchanged by faults that are not in it. `text` is injected."""
    if (make := _MAKERS.get(fault)) is None:
        return result
    if isinstance(result, str) and (inside := _opened(result)) is not None:
        made = make(inside, text)
        return made if fault is FaultKind.malformed else json.dumps(made, ensure_ascii=False)
    return make(result, text)


def older(result: Any) -> Any:
    """`result` as it might have been a week before.

    ISO dates are seven days earlier, whole numbers in fields named version or revision one less, and a
    common word for a status is the one that comes before it. What else was different is not known: the rest
    stays.
    """
    if isinstance(result, str) and (inside := _opened(result)) is not None:
        return json.dumps(older(inside), ensure_ascii=False)
    match result:
        case dict():
            return {key: _older_field(str(key).lower(), value) for key, value in result.items()}
        case list() | tuple():
            return [older(item) for item in result]
        case str():
            return _DATE.sub(_earlier, result)
    return result


def _older_field(key: str, value: Any) -> Any:
    if key.endswith(_STATUS) and isinstance(value, str):
        return _BEFORE.get(value.lower(), value)
    if key.endswith(_VERSION) and isinstance(value, int) and value > 1:
        return value - 1
    return older(value)


def _earlier(found: re.Match[str]) -> str:
    try:
        return (date.fromisoformat(found[0]) - _OLDER).isoformat()
    except (ValueError, OverflowError):
        return found[0]


def _opened(text: str) -> Any:
    """The object or list that a text is written as, None where it is none."""
    try:
        return json.loads(text) if text.lstrip().startswith(("{", "[")) else None
    except (ValueError, RecursionError):
        return None


def _empty(result: Any, _: str) -> Any:
    match result:
        case dict():
            return {}
        case list() | tuple():
            return []
        case str():
            return ""
    return None


def _malformed(result: Any, _: str) -> str:
    holder = result if isinstance(result, dict | list | tuple | str) else {"result": result}
    whole = json.dumps(holder, ensure_ascii=False, default=str)
    return str(_half(whole))


def _wrong_type(result: Any, _: str) -> Any:
    match result:
        case dict():
            return [str(key) for key in result]
        case list() | tuple() | str():
            return len(result)
    return []


def _partial(result: Any, _: str) -> Any:
    match result:
        case dict() if len(result) > 1:
            return dict(_half(list(result.items())))
        case dict():
            return {key: _within(value) for key, value in result.items()}
        case list() | tuple() if len(result) > 1:
            return list(_half(result))
        case list() | tuple():
            return [_within(value) for value in result]
        case str():
            return _half(result)
    return result


def _within(value: Any) -> Any:
    return _partial(value, "") if isinstance(value, dict | list | tuple) else value


def _half(value: Any) -> Any:
    return value[: (len(value) + 1) // 2]


def _injection(result: Any, text: str) -> Any:
    match result:
        case dict():
            note = result.get("note")
            return result | {"note": f"{note}\n{text}" if isinstance(note, str) and note else text}
        case list() | tuple():
            return [*result, text]
        case str():
            return f"{result}\n{text}" if result else text
    return {"result": result, "note": text}


_MAKERS: Mapping[FaultKind, Callable[[Any, str], Any]] = {
    FaultKind.empty: _empty,
    FaultKind.malformed: _malformed,
    FaultKind.wrong_type: _wrong_type,
    FaultKind.partial: _partial,
    FaultKind.injection: _injection,
}
