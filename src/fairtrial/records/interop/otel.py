"""OpenTelemetry GenAI spans as OTLP JSON: one export (`resourceSpans`), a list or lines of them.

Names of attributes: OpenTelemetry semantic conventions for generative AI, 1.28 to 1.40. Older ones are read
where the newer are missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from fairtrial.records.interop.content import Content, broken
from fairtrial.records.interop.conversation import Span, session_of
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.messages import Message, messages, of_attributes, words_of
from fairtrial.records.interop.sessions import Sessions
from fairtrial.records.interop.shapes import as_dict, as_list, first_of, opened, usage_of
from fairtrial.text.language import say

_CONVERSATION = ("gen_ai.conversation.id", "session.id")
_CASE = ("test.case.name", "case_id", "task_id", "dataset_item_id")
_ASKS = ("chat", "generate_content", "text_completion", "completion")
_SAID = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
"""Events of conventions before 1.37, one a message of the input."""

_USAGE = {
    "input_tokens": "gen_ai.usage.input_tokens gen_ai.usage.prompt_tokens",
    "output_tokens": "gen_ai.usage.output_tokens gen_ai.usage.completion_tokens",
    "cached_tokens": "gen_ai.usage.cache_read.input_tokens",
    "reasoning_tokens": "gen_ai.usage.reasoning.output_tokens",
    "cost": "gen_ai.usage.cost",
}
"""The second names are those before 1.27; a cost is no convention."""
_ERROR = (2, "2", "STATUS_CODE_ERROR")
_DETAILS = "gen_ai.client.inference.operation.details"
"""An event that carries what else are attributes of its span."""


class _Attribute(msgspec.Struct):
    key: str
    value: Any = None


class _Event(msgspec.Struct):
    name: str = ""
    attributes: list[_Attribute] | None = None


class _Span(msgspec.Struct, rename="camel"):
    trace_id: str = ""
    span_id: str = ""
    parent_span_id: str | None = None
    name: str = ""
    start_time_unix_nano: int | None = None
    end_time_unix_nano: int | None = None
    attributes: list[_Attribute] | None = None
    events: list[_Event] | None = None
    status: dict[str, Any] | None = None


class _Scope(msgspec.Struct):
    spans: list[_Span] | None = None


class _Group(msgspec.Struct, rename="camel"):
    scope_spans: list[_Scope] | None = None
    resource: _Event | None = None
    """Its attributes only."""


class _Export(msgspec.Struct, rename="camel"):
    resource_spans: list[_Group]


class _Told(NamedTuple):
    span: Span
    attributes: Mapping[str, Any]
    """Of the span, as plain values."""
    events: Sequence[tuple[str, Mapping[str, Any]]]
    resource: Mapping[str, Any]
    where: str


def matches(content: Content) -> bool:
    """Whether its first object is an OTLP export of spans."""
    return isinstance(content.first.get("resourceSpans"), list)


def read(content: Content) -> Foreign:
    """One session a conversation (`gen_ai.conversation.id`), else a trace; other traces are passed over.

    A case that the spans name has its n-th session as n-th trial. The score is what an evaluation event
    (`gen_ai.evaluation.result`) names an outcome; all are kept in `extra["evaluations"]`. Raises BadInput
    where an export is none, or nothing of it is a model's work.
    """
    found = sorted(_all(content), key=lambda told: told.span.started or 0.0)
    sessions = Sessions()
    for session, members in _by_session(found).items():
        evaluations = list(_evaluations(members))
        everywhere = [{**told.resource, **told.attributes} for told in members]
        case = next((of[key] for key in _CASE for of in everywhere if of.get(key)), session)
        record, told = session_of(
            [one.span for one in members],
            case=str(case),
            session=session,
            extra={
                "traces": list(dict.fromkeys(one.span.trace for one in members)),
                "attributes": next((one.attributes for one in members if not one.span.parent), {}),
                "resource": members[0].resource,
                **({"evaluations": evaluations} if evaluations else {}),
            },
        )
        if told.calls or told.messages:
            scores = {str(one["name"]): first_of(one, "score.value", "score.label") for one in evaluations}
            sessions.add(record, told, scores=scores, where=members[0].where)
    if not sessions.rows:
        why = say("no span of a model or an agent (gen_ai.…)", "没有模型或智能体的 span（gen_ai.…）")
        raise broken(why, str(content.path))
    service = next((told.resource.get("service.name") for told in found if told.resource), None)
    return sessions.foreign("otel", told={"service": service} if service else {}, parts={})


def _all(content: Content) -> Iterator[_Told]:
    """All spans of all exports. Raises BadInput, with the line, for what is no export."""
    for index, item in enumerate(content.items):
        where = content.where(index)
        try:  # not strict: whole numbers are written as text
            export = msgspec.convert(item, _Export, strict=False)
            for group in export.resource_spans:
                resource = _plain(group.resource.attributes if group.resource else None)
                for scope in group.scope_spans or ():
                    yield from (_told(span, resource, where) for span in scope.spans or ())
        except (AttributeError, TypeError, ValueError, OverflowError) as error:
            why = say(f"not an OTLP export of spans: {error}", f"不是 OTLP span 导出：{error}")
            raise broken(why, where) from error


def _plain(attributes: Sequence[_Attribute] | None) -> dict[str, Any]:
    return {one.key: _value(one.value) for one in attributes or ()}


def _value(given: Any) -> Any:
    """An AnyValue (`{stringValue: …}`) as a plain one: whole numbers are text, lists and objects nested."""
    value: Any
    kind, value = next(iter(given.items())) if given else ("", given)
    if kind == "intValue":
        return int(value)
    if kind == "arrayValue":
        return [_value(item) for item in value.get("values", ())]
    if kind == "kvlistValue":
        return {str(one["key"]): _value(one.get("value")) for one in value.get("values", ())}
    return value


def _by_session(found: Sequence[_Told]) -> dict[str, list[_Told]]:
    """Spans by conversation; a trace belongs to the conversation that any of its spans names."""
    named = {
        told.span.trace: str(told.attributes[key])
        for key in reversed(_CONVERSATION)
        for told in found
        if told.attributes.get(key)
    }
    sessions: dict[str, list[_Told]] = {}
    for told in found:
        sessions.setdefault(named.get(told.span.trace, told.span.trace), []).append(told)
    return sessions


def _told(given: _Span, resource: Mapping[str, Any], where: str) -> _Told:
    of = _plain(given.attributes)
    events = [(event.name, _plain(event.attributes)) for event in given.events or ()]
    for name, more in events:
        of = {**more, **of} if name == _DETAILS else of
    asked, said = _shown(of, events)
    reasons = as_list(of.get("gen_ai.response.finish_reasons"))
    operation = _operation(of)
    span = Span(
        kind="model" if operation in _ASKS else "tool" if operation == "execute_tool" else "",
        id=given.span_id,
        parent=given.parent_span_id or "",
        trace=given.trace_id,
        name=str(of.get("gen_ai.tool.name") or given.name.removeprefix("execute_tool ")),
        started=given.start_time_unix_nano / 1e9 if given.start_time_unix_nano else None,
        ended=given.end_time_unix_nano / 1e9 if given.end_time_unix_nano else None,
        error=_error(given.status or {}, of, events),
        asked=asked,
        said=said,
        words=(asked, said),
        model=_text(of.get("gen_ai.request.model")),
        reported=_text(of.get("gen_ai.response.model")),
        finish_reason=str(reasons[0]) if reasons else None,
        usage=usage_of(of, _USAGE),
        sampling={
            name.removeprefix("gen_ai.request."): value
            for name, value in of.items()
            if name.startswith("gen_ai.request.") and name != "gen_ai.request.model"
        },
        tools=opened(of.get("gen_ai.tool.definitions")),
        call=_text(of.get("gen_ai.tool.call.id")),
        arguments=first_of(of, "gen_ai.tool.call.arguments", "input.value"),
        result=words_of(first_of(of, "gen_ai.tool.call.result", "output.value")),
    )
    return _Told(span, of, events, resource, where)


def _operation(of: Mapping[str, Any]) -> str:
    """`gen_ai.operation.name`; of older conventions, what the attributes show it to be."""
    if told := of.get("gen_ai.operation.name") or of.get("llm.request.type"):
        return str(told)
    if "gen_ai.tool.name" in of or "gen_ai.tool.call.id" in of:
        return "execute_tool"
    return "chat" if "gen_ai.request.model" in of else ""


def _error(
    status: Mapping[str, Any], of: Mapping[str, Any], events: Sequence[tuple[str, Mapping[str, Any]]]
) -> str | None:
    """Kind and message of the error that the span ended with, None where it did not."""
    if status.get("code") not in _ERROR:
        return None
    raised = next((more.get("exception.message") for name, more in events if name == "exception"), None)
    told = (of.get("error.type"), status.get("message") or raised)
    return ": ".join(dict.fromkeys(str(one) for one in told if one)) or "error"


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _shown(
    of: Mapping[str, Any], events: Sequence[tuple[str, Mapping[str, Any]]]
) -> tuple[list[Message], list[Message]]:
    """Messages by the span's attributes, else by its events."""
    asked, said = of_attributes(of)
    if not asked and not said:
        for name, more in events:
            if name in _SAID:
                asked += messages({"role": _SAID[name], **_event(more)}) or []
            elif name == "gen_ai.choice":
                said += messages({"role": "assistant", **_event(more)}) or []
    return asked, said


def _event(more: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a message event: its attributes, or what its `message` holds as JSON."""
    body = {**more, "tool_calls": opened(more.get("tool_calls"))}
    body |= as_dict(opened(more.get("message")))
    return {"tool_call_id": body["id"], **body} if body.get("id") else body


def _evaluations(found: Sequence[_Told]) -> Iterator[dict[str, Any]]:
    """Results of evaluations: an event on the span that was judged, or a span of its own."""
    for told in found:
        for more in [told.attributes, *(more for _, more in told.events)]:
            if "gen_ai.evaluation.name" in more:
                yield {
                    name.removeprefix("gen_ai.evaluation."): value
                    for name, value in more.items()
                    if name.startswith("gen_ai.evaluation.")
                }
