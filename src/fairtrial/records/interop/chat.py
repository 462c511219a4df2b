"""Chat messages in OpenAI's shape as turns: the user's words, tool calls with results, the reply."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from fairtrial.schema.record import Call, Say, Step, Turn
from fairtrial.text.json import encode


def text_of(content: Any) -> str | None:
    """The text of a message's content: a text, or a list of parts of which those with a text count.

    A part without one (a picture) is named in brackets by its type; a thought is none of what was said.
    None where there is nothing.
    """
    if content is None or isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, list):
        return plain(content)
    texts = [_part(part) for part in content]
    return "\n".join(text for text in texts if text) if texts else None


_THOUGHTS = ("reasoning", "thinking", "redacted_thinking")


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return plain(part)
    if part.get("type") in _THOUGHTS:
        return ""
    for key in ("text", "content"):
        if isinstance(part.get(key), str):
            return str(part[key])
    return f"[{part.get('type', 'part')}]"


def _thoughts(message: Mapping[str, Any]) -> Iterator[Say]:
    """What the agent thought before it spoke: parts of the content, or a field beside it."""
    content = message.get("content")
    parts = [p for p in content if isinstance(p, Mapping)] if isinstance(content, list) else []
    found = [p.get(str(p["type"])) for p in parts if p.get("type") in _THOUGHTS]
    for text in [*found, message.get("reasoning_content")]:
        if isinstance(text, str) and text:
            yield Say(text=text)


def plain(value: Any) -> str:
    """Any plain value as text: a text as it is, else JSON."""
    return value if isinstance(value, str) else encode(value).decode()


def system_of(messages: Iterable[Any]) -> str | None:
    """The first system (or developer) message."""
    for message in messages:
        if isinstance(message, Mapping) and message.get("role") in ("system", "developer"):
            return text_of(message.get("content"))
    return None


def turns(messages: Iterable[Any]) -> tuple[Turn, ...]:
    """One turn for each user message; what the agent says beside a tool call is a step, not the reply.

    Messages that are no object or of an unknown role are passed over. Words of the agent before the first
    user message are a turn with an empty user.
    """
    return tuple(_turns(message for message in messages if isinstance(message, Mapping)))


def _turns(messages: Iterator[Mapping[str, Any]]) -> Iterator[Turn]:
    user: str | None = None
    steps: list[Step] = []
    reply: str | None = None
    for message in messages:
        role, content = message.get("role"), text_of(message.get("content"))
        if role == "user":
            if user is not None:
                yield Turn(user=user, reply=reply, steps=tuple(steps))
            user, steps, reply = content or "", [], None
        elif role == "assistant":
            user = user or ""
            given = message.get("tool_calls")
            called = [_call(call) for call in given] if isinstance(given, list) else []
            if reply is not None:  # it spoke twice: what came first was not yet the reply
                steps.append(Say(text=reply))
            steps += _thoughts(message)
            reply = None if called else content
            if called and content:
                steps.append(Say(text=content))
            steps += called
        elif role == "tool":
            _answer(steps, message.get("tool_call_id"), content, message.get("error"))
    if user is not None:
        yield Turn(user=user, reply=reply, steps=tuple(steps))


def _call(call: Any) -> Call:
    """A tool call: `{function: {name, arguments}}` as OpenAI has it, or `{function: name, arguments}`."""
    if not isinstance(call, Mapping):
        return Call(name="", arguments=plain(call))
    made = call.get("function")
    if not isinstance(made, Mapping):
        made = {"name": made or call.get("name"), "arguments": call.get("arguments")}
    called = call.get("id")
    return Call(
        name=str(made.get("name") or ""),
        arguments=arguments(made.get("arguments")),
        id=None if called is None else str(called),
    )


def arguments(given: Any) -> dict[str, Any] | str:
    """Arguments as an object; the raw text where they are none."""
    if given is None:
        return {}
    if isinstance(given, dict):
        return given
    text = plain(given)
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return text


def _answer(steps: list[Step], called: Any, content: str | None, error: Any) -> None:
    """Give a tool's message to the first call of its id without a result: ids do recur within a run."""
    for index, step in enumerate(steps):
        if isinstance(step, Call) and step.result is None and step.error is None and step.id == called:
            said = text_of(error.get("message")) if isinstance(error, Mapping) else text_of(error)
            steps[index] = msgspec.structs.replace(step, result=content or "", error=said)
            return
