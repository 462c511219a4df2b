"""Messages as turns: the user's words, tool calls with results, the reply."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from fairtrial.records.interop.messages import Message
from fairtrial.records.interop.shapes import plain
from fairtrial.schema.record import Call, Say, Step, Turn


def turns(found: Iterable[Message]) -> tuple[Turn, ...]:
    """One turn for each user message; what the agent says beside a tool call is a step, not the reply.

    Words of the agent before the first user message are a turn with an empty user.
    """
    return tuple(_turns(found))


def _turns(found: Iterable[Message]) -> Iterator[Turn]:
    user: str | None = None
    steps: list[Step] = []
    reply: str | None = None
    for message in found:
        role, content = message["role"], message["content"]
        if role == "user":
            if user is not None:
                yield Turn(user=user, reply=reply, steps=tuple(steps))
            user, steps, reply = content or "", [], None
        elif role == "assistant":
            user = user or ""
            if reply is not None:  # it spoke twice: what came first was not yet the reply
                steps.append(Say(text=reply))
            steps += [Say(text=thought) for thought in message.get("thoughts", ())]
            called = [_call(call) for call in message.get("tool_calls", ())]
            reply = None if called else content
            if called and content:
                steps.append(Say(text=content))
            steps += called
        elif role == "tool":
            _answer(steps, message)
    if user is not None:
        yield Turn(user=user, reply=reply, steps=tuple(steps))


def _call(call: Message) -> Call:
    made = call["function"]
    return Call(name=made["name"], arguments=arguments(made["arguments"]), id=call["id"])


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


def _answer(steps: list[Step], answer: Message) -> None:
    """Give a tool's message to the first call of its id without a result: ids do recur within a run."""
    called = answer.get("tool_call_id")
    for index, step in enumerate(steps):
        if isinstance(step, Call) and step.result is None and step.error is None and step.id == called:
            steps[index] = msgspec.structs.replace(
                step, result=answer["content"] or "", error=answer.get("error")
            )
            return
