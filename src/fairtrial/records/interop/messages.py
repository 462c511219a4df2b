"""Messages of any maker in OpenAI's chat shape: of OpenTelemetry, Anthropic, Gemini, LangChain, koog."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fairtrial.records.interop import chat
from fairtrial.records.interop.content import parsed
from fairtrial.records.interop.shapes import as_dict, as_list

Message = dict[str, Any]

_ROLES = {
    **{role: role for role in ("system", "user", "assistant", "tool")},
    "developer": "system",
    "human": "user",
    "ai": "assistant",
    "model": "assistant",
    "function": "tool",
}
_WRAPPED = ("messages", "choices", "candidates", "message", "contents", "output")
"""Keys under which requests and replies of models hold their messages."""

_CALLS = ("tool_call", "tool_use", "function_call", "functionCall")
_ANSWERS = (
    "tool_call_response",
    "tool_result",
    "function_response",
    "functionResponse",
    "function_call_output",
)
_THOUGHTS = ("reasoning", "thinking")


def opened(value: Any) -> Any:
    """A text that is a JSON object or list, as that; anything else as it is."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return parsed(value.encode())
    except (ValueError, UnicodeEncodeError):
        return value


def messages(value: Any) -> list[Message] | None:
    """The messages that a value holds, or None where it is none: each says by itself who speaks.

    Of several alternatives (`choices`) it is the first. Tool results without an id get that of the call
    which they answer: the first one open, of the same name where they have one.
    """
    found = _found(opened(value))
    return None if found is None else _paired(found)


def _found(value: Any) -> list[Message] | None:
    if isinstance(value, list):
        each = [_found(opened(item)) for item in value]
        return None if not each or None in each else [m for some in each for m in some or ()]
    if not isinstance(value, dict):
        return None
    if (made := _message(value)) is not None:
        return made
    for key in _WRAPPED:
        inner = opened(value.get(key))
        if key in ("choices", "candidates") and isinstance(inner, list):
            inner = inner[0] if inner else None
        if key == "contents" and isinstance(inner, str):
            return [{"role": "user", "content": inner}]
        if isinstance(inner, dict | list) and (found := _found(inner)) is not None:
            return found
    content = value.get("content")  # Gemini's candidate: {content: {role, parts}}
    return _found(content) if isinstance(content, dict) else None


def _message(given: Mapping[str, Any]) -> list[Message] | None:
    """One message, with the tool results that it carries as messages of their own; None where it is none."""
    kind = given.get("type")
    if kind in _CALLS and "role" not in given:
        return [{"role": "assistant", "content": None, "tool_calls": [_call(given)]}]
    if kind in _ANSWERS and "role" not in given:
        return [_answer(given)]
    role = _ROLES.get(str(given.get("role") or kind))
    content = next((given[key] for key in ("content", "parts", "text") if given.get(key) is not None), None)
    if role is None or (content is None and "content" not in given and not given.get("tool_calls")):
        return None
    said, thought, calls, answers = _split(content)
    more = given.get("tool_calls") or as_dict(given.get("additional_kwargs")).get("tool_calls")
    calls += [_call(call) for call in as_list(more) if isinstance(call, Mapping)]
    if role == "tool":
        if calls and not answers:  # a transcript that files the agent's request under the tool
            return [{"role": "assistant", "content": None, "tool_calls": calls}]
        return answers or [_result(given, said)]
    spoken: Message = {"role": role, "content": said}
    if thought := thought or given.get("reasoning_content"):
        spoken["reasoning_content"] = thought
    if calls:
        spoken["tool_calls"] = calls
    return [spoken, *answers] if said or calls or not answers else answers


def _result(given: Mapping[str, Any], said: str | None) -> Message:
    answer = {
        "role": "tool",
        "tool_call_id": _id(given, "tool_call_id"),
        "name": given.get("name"),
        "content": said,
    }
    return answer | ({"error": said} if given.get("status") == "error" else {})


def _split(content: Any) -> tuple[str | None, str | None, list[Message], list[Message]]:
    """The words of a message, what was thought before, its tool calls and its tool results."""
    if isinstance(content, str):
        calls = _written_calls(content)
        return (None, None, calls, []) if calls else (content, None, [], [])
    if not isinstance(content, list):
        return chat.text_of(content), None, [], []
    words, thoughts, calls, answers = [], [], [], []
    for part in content:
        kind = _kind(part)
        if kind in _CALLS:
            calls.append(_call(part.get(kind) if isinstance(part.get(kind), Mapping) else part))
        elif kind in _ANSWERS:
            answers.append(_answer(part.get(kind) if isinstance(part.get(kind), Mapping) else part))
        elif any(sign in kind.lower() for sign in _THOUGHTS):
            thoughts += [
                part[key] for key in ("content", "text", "thinking") if isinstance(part.get(key), str)
            ]
        else:
            words.append(part)
    return chat.text_of(words), "\n".join(thoughts) or None, calls, answers


def _kind(part: Any) -> str:
    """What a part is, by its type or, as Gemini has it, by its key."""
    if not isinstance(part, Mapping):
        return "text"
    return next((key for key in (*_CALLS, *_ANSWERS) if key in part), str(part.get("type", "text")))


def _written_calls(text: str) -> list[Message]:
    """Calls that a tracer wrote as text: `[{"function": {"name", "arguments"}, "type": "function"}]`."""
    if not text.startswith('[{"') or '"function"' not in text:
        return []
    found = opened(text)
    good = isinstance(found, list) and all(
        isinstance(call, dict) and call.get("type") == "function" and isinstance(call.get("function"), dict)
        for call in found
    )
    return found if good else []


def _call(given: Mapping[str, Any]) -> Message:
    inner = given.get("function")
    made: Mapping[str, Any] = inner if isinstance(inner, Mapping) else given
    arguments = next((made[key] for key in ("arguments", "args", "input") if key in made), None)
    called = _id(given, "call_id", "id")
    return {"id": called, "function": {"name": str(made.get("name") or ""), "arguments": arguments}}


def _id(given: Mapping[str, Any], *names: str) -> str | None:
    return next((str(given[name]) for name in names if given.get(name) is not None), None)


def _answer(given: Mapping[str, Any]) -> Message:
    called = _id(given, "tool_use_id", "tool_call_id", "call_id", "id")
    content = next((given[key] for key in ("response", "result", "content", "output") if key in given), None)
    made = {"role": "tool", "tool_call_id": called, "name": given.get("name"), "content": words_of(content)}
    return made | ({"error": made["content"]} if given.get("is_error") else {})


def words_of(content: Any) -> str | None:
    """A result as text: parts of text as their text, any other value as JSON."""
    parts = isinstance(content, list) and all(isinstance(p, Mapping) and "type" in p for p in content)
    return chat.text_of(content) if parts or content is None else chat.plain(content)


def _paired(found: Sequence[Message]) -> list[Message]:
    waiting: list[tuple[Any, Any]] = []
    paired = []
    for message in found:
        waiting += [(call["id"], call["function"]["name"]) for call in message.get("tool_calls", ())]
        if message["role"] == "tool":
            called, name = message.get("tool_call_id"), message.get("name")
            fits = [w for w in waiting if (w[0] == called if called is not None else name in (None, w[1]))]
            if fits:
                waiting.remove(fits[0])
                message = message | {"tool_call_id": fits[0][0]}
        paired.append(message)
    return paired


def of_attributes(attributes: Mapping[str, Any]) -> tuple[list[Message], list[Message]]:
    """What a model was asked and what it said, by the attributes of its span.

    OpenTelemetry's `gen_ai.input.messages`, `gen_ai.output.messages` and `gen_ai.system_instructions`, the
    older `gen_ai.prompt.N.…` and `gen_ai.completion.N.…`, or OpenInference's `llm.input_messages.N.…`.
    """
    asked: list[Message] = []
    said: list[Message] = []
    for one, other in _ATTRIBUTES:
        asked = messages(attributes.get(one)) or messages(_indexed(attributes, one)) or []
        said = messages(attributes.get(other)) or messages(_indexed(attributes, other)) or []
        if asked or said:
            break
    instructions = opened(attributes.get("gen_ai.system_instructions"))
    if instructions and not any(message["role"] == "system" for message in asked):
        asked.insert(0, {"role": "system", "content": chat.text_of(instructions)})
    return asked, said


_ATTRIBUTES = (
    ("gen_ai.input.messages", "gen_ai.output.messages"),
    ("gen_ai.prompt", "gen_ai.completion"),
    ("llm.input_messages", "llm.output_messages"),
)


def _indexed(attributes: Mapping[str, Any], prefix: str) -> list[Any]:
    """`{prefix.0.role: …, prefix.0.tool_calls.0.name: …}` as a list of objects.

    A list without its first item was cut by the tracer's limit of attributes, and is none.
    """
    tree: dict[str, Any] = {}
    for name, value in attributes.items():
        if not re.match(rf"{re.escape(prefix)}\.\d+\.", name):
            continue
        *path, last = name.removeprefix(prefix + ".").split(".")
        branch = tree
        for step in path:
            branch = inner if isinstance(inner := branch.setdefault(step, {}), dict) else {}
        branch[last] = value
    return _listed(tree) if "0" in tree else []


def _listed(branch: Any) -> Any:
    """Branches whose keys are numbers become lists; `{message: …}` and `{tool_call: …}` what they hold."""
    if not isinstance(branch, dict):
        return branch
    if branch and all(key.isdigit() for key in branch):
        return [_listed(branch[key]) for key in sorted(branch, key=int)]
    if len(branch) == 1 and (inner := branch.get("message") or branch.get("tool_call")):
        return _listed(inner)
    grown = {key: _listed(value) for key, value in branch.items()}
    return grown if "content" in grown or "role" not in grown else grown | {"content": None}
