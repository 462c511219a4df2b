"""Messages of any maker in OpenAI's chat shape: of OpenTelemetry, Anthropic, Gemini, LangChain, koog.

A `Message` here has a `role` (system, user, assistant, tool) and a `content` that is text or None; an
assistant's may have `tool_calls` (`{id, function: {name, arguments}}`) and `thoughts` (texts), a tool's has
`tool_call_id` and `name`, and may have an `error`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairtrial.records.interop.shapes import as_dict, as_list, as_text, first_of, opened, plain

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
    *("tool_call_response", "tool_result", "function_response"),
    *("functionResponse", "function_call_output"),
)
_THOUGHTS = ("reasoning", "thinking")


def messages(value: Any) -> list[Message] | None:
    """The messages that a value holds, or None where it is none: each says by itself who speaks.

    Of several alternatives (`choices`) it is the first. Tool results without an id get that of the call
    which they answer: the first one open, of the same name where they have one.
    """
    found = _found(opened(value))
    return None if found is None else _paired([_with_written_calls(message) for message in found])


def of_list(given: Any) -> list[Message]:
    """Those of a list that are messages; what is none is passed over."""
    return [message for one in as_list(given) if isinstance(one, dict) for message in _message(one) or ()]


def system_of(found: Iterable[Message]) -> str | None:
    """The first system (or developer) message."""
    return next((message["content"] for message in found if message["role"] == "system"), None)


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
    content = first_of(given, "content", "parts", "text")
    if role is None or (content is None and "content" not in given and not given.get("tool_calls")):
        return None
    said, thoughts, calls, answers = _split(content)
    more = given.get("tool_calls") or as_dict(given.get("additional_kwargs")).get("tool_calls")
    calls += map(_call, as_list(more))
    if role == "tool":
        return answers or [_answered(given, said, "tool_call_id")]
    thoughts += [text for text in [as_text(given.get("reasoning_content"))] if text]
    spoken: Message = {"role": role, "content": said}
    spoken |= {"thoughts": thoughts} if thoughts else {}
    spoken |= {"tool_calls": calls} if calls else {}
    return [spoken, *answers] if said or calls or not answers else answers


def _split(content: Any) -> tuple[str | None, list[str], list[Message], list[Message]]:
    """The words of a message, what was thought before, its tool calls and its tool results."""
    if not isinstance(content, list):
        return text_of(content), [], [], []
    words: list[Any] = []
    thoughts, calls, answers = [], [], []
    for part in content:
        kind = _kind(part)
        if kind in _CALLS:
            calls.append(_call(as_dict(part.get(kind)) or part))
        elif kind in _ANSWERS:
            answers.append(_answer(as_dict(part.get(kind)) or part))
        elif any(sign in kind.lower() for sign in _THOUGHTS):
            told = (as_text(part.get(key)) for key in ("content", "text", *_THOUGHTS))
            thoughts += [text for text in told if text]
        else:
            words.append(part)
    return text_of(words), thoughts, calls, answers


def _kind(part: Any) -> str:
    """What a part is, by its type or, as Gemini has it, by its key."""
    if not isinstance(part, Mapping):
        return "text"
    return next((key for key in (*_CALLS, *_ANSWERS) if key in part), str(part.get("type", "text")))


def text_of(content: Any) -> str | None:
    """The text of a message's content: a text, or a list of parts of which those with a text count.

    A part without one (a picture) is named in brackets by its type. None where there is nothing.
    """
    if content is None or isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, list):
        return plain(content)
    texts = [_part(part) for part in content]
    return "\n".join(text for text in texts if text) if texts else None


def _part(part: Any) -> str:
    if not isinstance(part, Mapping):
        return plain(part)
    texts = (as_text(part.get(key)) for key in ("text", "content"))
    return next((text for text in texts if text is not None), f"[{part.get('type', 'part')}]")


def words_of(content: Any) -> str | None:
    """A result as text: parts of text as their text, any other value as JSON."""
    parts = isinstance(content, list) and all(isinstance(p, Mapping) and "type" in p for p in content)
    return text_of(content) if parts or content is None else plain(content)


def _with_written_calls(message: Message) -> Message:
    """Calls that a tracer wrote as text: `[{"function": {"name", "arguments"}, "type": "function"}]`."""
    text = message["content"] or ""
    if message["role"] != "assistant" or not text.startswith('[{"') or '"function"' not in text:
        return message
    found = as_list(opened(text))
    if not found or not all(as_dict(call).get("type") == "function" for call in found):
        return message
    return message | {"content": None, "tool_calls": [_call(call) for call in found]}


def _call(given: Any) -> Message:
    """`{id, function: {name, arguments}}`, of that, `{function: name, arguments}` or `{name, args}`."""
    if not isinstance(given, Mapping):
        return {"id": None, "function": {"name": "", "arguments": plain(given)}}
    inner = given.get("function")
    made: Mapping[str, Any] = inner if isinstance(inner, Mapping) else {"name": inner, **given}
    return {
        "id": _id(given, "call_id", "id"),
        "function": {
            "name": str(made.get("name") or ""),
            "arguments": first_of(made, "arguments", "args", "input"),
        },
    }


def _id(given: Mapping[str, Any], *names: str) -> str | None:
    return None if (found := first_of(given, *names)) is None else str(found)


def _answer(given: Mapping[str, Any]) -> Message:
    content = first_of(given, "response", "result", "content", "output")
    return _answered(given, words_of(content), "tool_use_id", "tool_call_id", "call_id", "id")


def _answered(given: Mapping[str, Any], content: str | None, *ids: str) -> Message:
    error = given.get("error")
    error = text_of(error.get("message") if isinstance(error, Mapping) else error)
    if given.get("status") == "error" or given.get("is_error"):
        error = error or content
    made = {"role": "tool", "tool_call_id": _id(given, *ids), "name": given.get("name"), "content": content}
    return made | ({"error": error} if error else {})


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


_ATTRIBUTES = (
    ("gen_ai.input.messages", "gen_ai.output.messages"),
    ("gen_ai.prompt", "gen_ai.completion"),
    ("llm.input_messages", "llm.output_messages"),
)


def of_attributes(attributes: Mapping[str, Any]) -> tuple[list[Message], list[Message]]:
    """What a model was asked and what it said, by the attributes of its span.

    OpenTelemetry's `gen_ai.input.messages`, `gen_ai.output.messages` and `gen_ai.system_instructions`, the
    older `gen_ai.prompt.N.…` and `gen_ai.completion.N.…`, or OpenInference's `llm.input_messages.N.…`.
    """
    asked: list[Message] = []
    said: list[Message] = []
    for names in _ATTRIBUTES:
        asked, said = (
            messages(attributes.get(name)) or messages(_indexed(attributes, name)) or [] for name in names
        )
        if asked or said:
            break
    instructions = opened(attributes.get("gen_ai.system_instructions"))
    if instructions and system_of(asked) is None:
        asked.insert(0, {"role": "system", "content": text_of(instructions)})
    return asked, said


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
