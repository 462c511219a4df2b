"""OpenTelemetry GenAI spans as OTLP JSON: one export (`resourceSpans`), a list or lines of them.

Names of attributes: OpenTelemetry semantic conventions for generative AI, 1.28 to 1.40. Older ones are read
where the newer are missing.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from fairtrial.errors import BadInput
from fairtrial.records.interop.content import Content
from fairtrial.records.interop.conversation import Conversation, ModelCall, ToolRun, parts_of
from fairtrial.records.interop.failures import failed
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.marks import named_score
from fairtrial.records.interop.messages import Message, messages, of_attributes, opened, words_of
from fairtrial.records.interop.otlp import Span, spans_of
from fairtrial.records.interop.shapes import as_number
from fairtrial.schema.audit import Fault
from fairtrial.schema.record import Failure, Record, Status, Usage
from fairtrial.schema.score import Row
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


def matches(content: Content) -> bool:
    """Whether its first object is an OTLP export of spans."""
    return isinstance(content.first.get("resourceSpans", content.first.get("resource_spans")), list)


def read(content: Content) -> Foreign:
    """One session a conversation (`gen_ai.conversation.id`), else a trace; other traces are passed over.

    A case that the spans name has its n-th session as n-th trial.

    The score is what an evaluation event (`gen_ai.evaluation.result`) names an outcome; all are kept in
    `extra["evaluations"]`. Raises BadInput where an export is none, or nothing of it is a model's work.
    """
    spans = sorted(spans_of(content), key=lambda span: span.started or 0.0)
    held: Counter[str] = Counter()
    faults: list[Fault] = []
    rows: list[Row] = []
    calls: list[ModelCall] = []
    for session, members in _sessions(spans).items():
        told = _conversation(members)
        if not told.calls and not told.messages:
            continue
        evaluations = list(_evaluations(members))
        record = _record(session, members, told, evaluations)
        record = msgspec.structs.replace(record, trial=held[record.case])
        held[record.case] += 1
        named = {str(one["name"]): one.get("score.value", one.get("score.label")) for one in evaluations}
        score = named_score(named, case=record.case, where=members[0].where, faults=faults)
        rows.append(Row(record=record, score=score))
        calls += told.calls
    if not rows:
        raise BadInput(
            say("no span of a model or an agent (gen_ai.…)", "没有模型或智能体的 span（gen_ai.…）"),
            where=str(content.path),
        )
    resources = [span.resource for span in spans if span.resource]
    return Foreign(
        format="otel",
        rows=tuple(rows),
        faults=tuple(faults),
        parts=parts_of(calls, (row.record.system for row in rows)),
        told={"service": resources[0].get("service.name")} if resources else {},
        raw_output=any(turn.reply for row in rows for turn in row.record.turns),
    )


def _sessions(spans: Sequence[Span]) -> dict[str, list[Span]]:
    """Spans by conversation; a trace belongs to the conversation that any of its spans names."""
    named = {
        span.trace: str(span.attributes[key])
        for key in reversed(_CONVERSATION)
        for span in spans
        if span.attributes.get(key)
    }
    sessions: dict[str, list[Span]] = {}
    for span in spans:
        sessions.setdefault(named.get(span.trace, span.trace), []).append(span)
    return sessions


def _conversation(spans: Sequence[Span]) -> Conversation:
    by_id = {span.id: span for span in spans}
    told = Conversation()
    trace = spans[0].trace
    for span in spans:
        above = [outer.operation for outer in _ancestors(span, by_id)]
        if span.operation in _ASKS:
            if any(operation in _ASKS for operation in above):  # one instrumentation within another
                continue
            call = _model_call(span, within_tool="execute_tool" in above)
            if span.trace != trace and told.begins_anew(call):
                told.forget()
            trace = span.trace
            told.call(call)
        elif span.operation == "execute_tool":
            told.run(_tool_run(span))
    _whole(told, spans)
    return told


def _ancestors(span: Span, by_id: Mapping[str, Span]) -> Iterator[Span]:
    seen = {span.id}
    while (outer := by_id.get(span.parent)) is not None and outer.id not in seen:
        seen.add(outer.id)
        span = outer
        yield span


def _whole(told: Conversation, spans: Sequence[Span]) -> None:
    """Where no model call shows a message, the agent's own span may."""
    if any(message["content"] for message in told.messages):
        return
    for span in spans:
        asked, said = of_attributes(span.attributes)
        if asked or said:
            told.add([*asked, *said])
            return


def _model_call(span: Span, *, within_tool: bool) -> ModelCall:
    of = span.attributes
    asked, said = _shown(span)
    reasons = of.get("gen_ai.response.finish_reasons")
    return ModelCall(
        asked=asked,
        said=said,
        model=_text(of.get("gen_ai.request.model")),
        reported=_text(of.get("gen_ai.response.model")),
        finish_reason=str(reasons[0]) if isinstance(reasons, list) and reasons else None,
        usage=_usage(of),
        started=span.started,
        ended=span.ended,
        sampling={
            name.removeprefix("gen_ai.request."): value
            for name, value in of.items()
            if name.startswith("gen_ai.request.") and name != "gen_ai.request.model"
        },
        tools=opened(of.get("gen_ai.tool.definitions")),
        counted_only=within_tool,
    )


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _shown(span: Span) -> tuple[list[Message], list[Message]]:
    """Messages by the span's attributes, else by its events."""
    asked, said = of_attributes(span.attributes)
    if asked or said:
        return asked, said
    for name, more in span.events:
        if name in _SAID:
            asked += messages({"role": _SAID[name], **_event(more)}) or []
        elif name == "gen_ai.choice":
            said += messages({"role": "assistant", **_event(more)}) or []
        elif name == "gen_ai.content.prompt":
            asked += messages(more.get("gen_ai.prompt")) or []
        elif name == "gen_ai.content.completion":
            said += messages(more.get("gen_ai.completion")) or []
    return asked, said


def _event(more: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a message event: its attributes, or what its `message` holds as JSON."""
    body = {**more, "tool_calls": opened(more.get("tool_calls"))}
    inner = opened(more.get("message"))
    body |= inner if isinstance(inner, dict) else {}
    if body.get("id"):
        body.setdefault("tool_call_id", body["id"])
    return body


def _usage(of: Mapping[str, Any]) -> Usage | None:
    """Tokens; `prompt_tokens` and `completion_tokens` are the names before 1.27. A cost is no convention."""
    found = {
        "input_tokens": of.get("gen_ai.usage.input_tokens", of.get("gen_ai.usage.prompt_tokens")),
        "output_tokens": of.get("gen_ai.usage.output_tokens", of.get("gen_ai.usage.completion_tokens")),
        "cached_tokens": of.get("gen_ai.usage.cache_read.input_tokens"),
        "reasoning_tokens": of.get("gen_ai.usage.reasoning.output_tokens"),
    }
    known = {name: int(count) for name, value in found.items() if (count := as_number(value)) is not None}
    cost = as_number(of.get("gen_ai.usage.cost"))
    return Usage(**known, cost=cost) if known or cost is not None else None


def _tool_run(span: Span) -> ToolRun:
    of = span.attributes
    return ToolRun(
        name=str(of.get("gen_ai.tool.name") or span.name.removeprefix("execute_tool ")),
        id=_text(of.get("gen_ai.tool.call.id")),
        arguments=of.get("gen_ai.tool.call.arguments", of.get("input.value")),
        result=words_of(of.get("gen_ai.tool.call.result", of.get("output.value"))),
        error=span.error,
        started=span.started,
        ended=span.ended,
    )


def _record(session: str, spans: Sequence[Span], told: Conversation, evaluations: list[Any]) -> Record:
    turns = told.turns()
    everywhere = [{**span.resource, **span.attributes} for span in spans]
    case = next((of[key] for key in _CASE for of in everywhere if of.get(key)), session)
    status, failure = _ending(spans, answered=bool(turns and turns[-1].reply))
    roots = [span for span in spans if not span.parent]
    return Record(
        case=str(case),
        trial=0,
        status=status,
        session=session,
        started=min((span.started for span in spans if span.started is not None), default=None),
        ended=max((span.ended for span in spans if span.ended is not None), default=None),
        turns=turns,
        system=told.system,
        failure=failure,
        extra={
            "traces": list(dict.fromkeys(span.trace for span in spans)),
            "attributes": dict(roots[0].attributes) if roots else {},
            "resource": dict(spans[0].resource),
            **({"evaluations": evaluations} if evaluations else {}),
        },
    )


def _ending(spans: Sequence[Span], *, answered: bool) -> tuple[Status, Failure | None]:
    """An error of the outermost span, or of a model call after which no answer came."""
    fatal = [span for span in spans if span.error and not span.parent]
    if not answered:
        fatal += [span for span in reversed(spans) if span.error and span.operation != "execute_tool"]
    return failed(fatal[0].error or "") if fatal else (Status.completed, None)


def _evaluations(spans: Sequence[Span]) -> Iterator[dict[str, Any]]:
    """Results of evaluations: an event on the span that was judged, or a span of its own."""
    for span in spans:
        for more in [span.attributes, *(more for _, more in span.events)]:
            if "gen_ai.evaluation.name" in more:
                yield {
                    name.removeprefix("gen_ai.evaluation."): value
                    for name, value in more.items()
                    if name.startswith("gen_ai.evaluation.")
                }
