"""OpenTelemetry GenAI spans as OTLP JSON: one export (`resourceSpans`), a list or lines of them.

Names of attributes: OpenTelemetry semantic conventions for generative AI, 1.28 to 1.40. Older ones are read
where the newer are missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairtrial.records.interop.content import Content, broken
from fairtrial.records.interop.conversation import Span
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.messages import Message, messages, of_attributes, words_of
from fairtrial.records.interop.otlp import OtlpSpan, spans_of
from fairtrial.records.interop.sessions import Sessions
from fairtrial.records.interop.shapes import as_dict, as_list, first_of, opened, usage_of
from fairtrial.records.interop.spans import session_of
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


def matches(content: Content) -> bool:
    """Whether its first object is an OTLP export of spans."""
    return isinstance(content.first.get("resourceSpans"), list)


def read(content: Content) -> Foreign:
    """One session a conversation (`gen_ai.conversation.id`), else a trace; other traces are passed over.

    A case that the spans name has its n-th session as n-th trial. The score is what an evaluation event
    (`gen_ai.evaluation.result`) names an outcome; all are kept in `extra["evaluations"]`. Raises BadInput
    where an export is none, or nothing of it is a model's work.
    """
    spans = sorted(spans_of(content), key=lambda span: span.started or 0.0)
    sessions = Sessions()
    for session, members in _by_session(spans).items():
        evaluations = list(_evaluations(members))
        everywhere = [{**span.resource, **span.attributes} for span in members]
        case = next((of[key] for key in _CASE for of in everywhere if of.get(key)), session)
        record, told = session_of(
            [*map(_span, members)], case=str(case), session=session, extra=_extra(members, evaluations)
        )
        if told.calls or told.messages:
            scores = {str(one["name"]): first_of(one, "score.value", "score.label") for one in evaluations}
            sessions.add(record, told, scores=scores, where=members[0].where)
    if not sessions.rows:
        why = say("no span of a model or an agent (gen_ai.…)", "没有模型或智能体的 span（gen_ai.…）")
        raise broken(why, str(content.path))
    service = next((span.resource.get("service.name") for span in spans if span.resource), None)
    return sessions.foreign("otel", told={"service": service} if service else {}, parts={})


def _by_session(spans: Sequence[OtlpSpan]) -> dict[str, list[OtlpSpan]]:
    """Spans by conversation; a trace belongs to the conversation that any of its spans names."""
    named = {
        span.trace: str(span.attributes[key])
        for key in reversed(_CONVERSATION)
        for span in spans
        if span.attributes.get(key)
    }
    sessions: dict[str, list[OtlpSpan]] = {}
    for span in spans:
        sessions.setdefault(named.get(span.trace, span.trace), []).append(span)
    return sessions


def _extra(spans: Sequence[OtlpSpan], evaluations: list[Any]) -> dict[str, Any]:
    root = next((span.attributes for span in spans if not span.parent), {})
    return {
        "traces": list(dict.fromkeys(span.trace for span in spans)),
        "attributes": dict(root),
        "resource": dict(spans[0].resource),
        **({"evaluations": evaluations} if evaluations else {}),
    }


def _span(span: OtlpSpan) -> Span:
    of = span.attributes
    asked, said = _shown(span)
    reasons = as_list(of.get("gen_ai.response.finish_reasons"))
    tool = span.operation == "execute_tool"
    return Span(
        kind="model" if span.operation in _ASKS else "tool" if tool else "",
        id=span.id,
        parent=span.parent,
        trace=span.trace,
        name=str(of.get("gen_ai.tool.name") or span.name.removeprefix("execute_tool ")),
        started=span.started,
        ended=span.ended,
        error=span.error,
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


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _shown(span: OtlpSpan) -> tuple[list[Message], list[Message]]:
    """Messages by the span's attributes, else by its events."""
    asked, said = of_attributes(span.attributes)
    if asked or said:
        return asked, said
    for name, more in span.events:
        if name in _SAID:
            asked += messages({"role": _SAID[name], **_event(more)}) or []
        elif name == "gen_ai.choice":
            said += messages({"role": "assistant", **_event(more)}) or []
    return asked, said


def _event(more: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a message event: its attributes, or what its `message` holds as JSON."""
    body = {**more, "tool_calls": opened(more.get("tool_calls"))}
    body |= as_dict(opened(more.get("message")))
    if body.get("id"):
        body.setdefault("tool_call_id", body["id"])
    return body


def _evaluations(spans: Sequence[OtlpSpan]) -> Iterator[dict[str, Any]]:
    """Results of evaluations: an event on the span that was judged, or a span of its own."""
    for span in spans:
        for more in [span.attributes, *(more for _, more in span.events)]:
            if "gen_ai.evaluation.name" in more:
                yield {
                    name.removeprefix("gen_ai.evaluation."): value
                    for name, value in more.items()
                    if name.startswith("gen_ai.evaluation.")
                }
