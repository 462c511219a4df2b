"""The shape in which Python callables and commands give a full answer, and its way into a Reply."""

from collections.abc import Iterable
from typing import Any

import msgspec

from fairtrial.agents.protocol import Reply, SessionFailed
from fairtrial.agents.wire import plain, shown
from fairtrial.schema.record import Call, Status, Usage
from fairtrial.text.language import say


class _Function(msgspec.Struct):
    name: str
    arguments: dict[str, Any] | str | None = None


class LooseCall(msgspec.Struct, kw_only=True):
    """A tool call as agents write it: with `name` and `arguments`, or OpenAI's `function` that has them."""

    name: str | None = None
    arguments: dict[str, Any] | str | None = None
    function: _Function | None = None
    result: Any = None
    error: str | None = None
    id: str | None = None
    seconds: float | None = None


class Answer(Reply, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A reply as an agent writes it; all but `text` may be left out.

    `steps` are `{"step": "call", "name", "arguments", "result", "error", "id", "seconds"}` and
    `{"step": "say", "text"}` in their order; `calls` is for agents that have only calls, without `step`.
    """

    calls: tuple[LooseCall, ...] = ()


def reply_of(answer: Answer) -> Reply:
    """The reply an answer stands for. Raises SessionFailed for a call without a name or usage below 0."""
    given = {name: getattr(answer, name) for name in Reply.__struct_fields__}
    given["steps"] += calls_of(answer.calls)
    return Reply(**given | {"usage": _sound(answer.usage)})


def reply_of_value(value: object) -> Reply:
    """The reply that a callable's return value stands for. Raises SessionFailed naming a wrong type."""
    if isinstance(value, str):
        return Reply(text=str.__str__(value))
    data = plain(value)
    if not isinstance(data, dict):
        name = _named(value)
        raise malformed(
            f"returned {name}; expected text, or a mapping with `text`",
            f"返回了 {name}；应为文本，或带 `text` 的映射",
        )
    try:
        return reply_of(msgspec.convert(data, Answer))
    except msgspec.ValidationError as error:
        name = _named(value)
        raise malformed(
            f"returned {name} that is no answer: {error}", f"返回的 {name} 不是回复：{error}"
        ) from None


def calls_of(loose: Iterable[LooseCall]) -> tuple[Call, ...]:
    """The calls in the form of a record. Raises SessionFailed where one has no name."""
    return tuple(_call_of(call) for call in loose)


def arguments_of(arguments: dict[str, Any] | str | None) -> dict[str, Any] | str:
    """Arguments as an object; the raw text where it is not a JSON object; none are an empty object."""
    if not isinstance(arguments, str):
        return arguments or {}
    if not arguments.strip():
        return {}
    try:
        return msgspec.json.decode(arguments, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        return arguments


def malformed(en: str, zh: str, seen: bytes = b"") -> SessionFailed:
    """The failure of an agent that answered in another shape than the agreed one; `seen` is what came."""
    return SessionFailed(Status.agent_error, "malformed", say(en, zh) + shown(seen))


def _sound(usage: Usage | None) -> Usage | None:
    """Usage as it was told. One below zero would pay for other sessions' answers."""
    if usage and any(number is not None and number < 0 for number in msgspec.structs.astuple(usage)):
        raise malformed("`usage` has a number below 0", "`usage` 中有小于 0 的数")
    return usage


def _call_of(call: LooseCall) -> Call:
    name = call.function.name if call.function else call.name
    if name is None:
        raise malformed("a call has no `name`", "有一次调用没有 `name`")
    return Call(
        name=name,
        arguments=arguments_of(call.function.arguments if call.function else call.arguments),
        result=call.result,
        error=call.error,
        id=call.id,
        seconds=call.seconds,
    )


def _named(value: object) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
