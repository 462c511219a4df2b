"""A session from the spans of a trace, whoever wrote it: model calls and tool runs, one within another."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairtrial.records.interop.conversation import Conversation, Span
from fairtrial.records.interop.failures import failed
from fairtrial.records.interop.messages import Message
from fairtrial.schema.record import Failure, Record, Status


def session_of(
    spans: Sequence[Span], *, case: str, session: str, extra: dict[str, Any]
) -> tuple[Record, Conversation]:
    """The spans of one session, in the order of time, as a record."""
    told = _conversation(spans)
    turns = told.turns()
    status, failure = _ending(spans, answered=bool(turns and turns[-1].reply))
    times = [at for span in spans for at in (span.started, span.ended) if at is not None]
    return Record(
        case=case,
        trial=0,
        status=status,
        session=session,
        started=min(times, default=None),
        ended=max(times, default=None),
        turns=turns,
        system=told.system,
        failure=failure,
        extra=extra,
    ), told


def _ending(spans: Sequence[Span], *, answered: bool) -> tuple[Status, Failure | None]:
    """An error of the whole, or one after which no answer came. A tool's error alone is none of the agent."""
    errors = [span for span in spans if span.error]
    fatal = [span for span in errors if not span.parent] or ([] if answered else errors[-1:])
    return failed(fatal[0].error or "") if fatal else (Status.completed, None)


def _conversation(spans: Sequence[Span]) -> Conversation:
    by_id = {span.id: span for span in spans}
    above = [tuple(_ancestors(span, by_id)) for span in spans]
    pairs = list(zip(spans, above, strict=True))
    around = {outer.id for span, over in pairs for outer in over if span.kind == "model"}
    told, trace = Conversation(), ""
    for span, over in pairs:
        if span.kind == "tool":
            told.run(span)
        elif span.kind == "model" and _tells(span, over, around):
            if any(outer.kind == "tool" for outer in over):  # a tool that asks a model itself
                told.note(span)
                continue
            if span.trace != trace and told.begins_anew(span):
                told.forget()
            trace = span.trace
            told.call(span)
    _complete(told, spans)
    return told


def _ancestors(span: Span, by_id: Mapping[str, Span]) -> Iterator[Span]:
    seen = {span.id}
    while span.parent and (outer := by_id.get(span.parent)) is not None and outer.id not in seen:
        seen.add(outer.id)
        span = outer
        yield span


def _tells(span: Span, above: Sequence[Span], around: set[str]) -> bool:
    """Of two instrumentations of one call, one within the other, the outer that shows messages tells."""
    if any(outer.kind == "model" and (outer.asked or outer.said) for outer in above):
        return False
    return bool(span.asked or span.said) or span.id not in around


def _complete(told: Conversation, spans: Sequence[Span]) -> None:
    """Where the calls do not show the user or the answer, take them from the spans around them."""
    roots = [span for span in spans if not span.parent and not span.kind]
    if not any(message["role"] == "user" for message in told.messages):
        told.ask(next((found for span in (*roots, *spans) if (found := _asked(span))), ()))
    last = told.messages[-1] if told.messages else {"role": None}
    silent = bool(told.calls) and not told.calls[-1].words[1]
    if silent or last["role"] != "assistant" or last.get("tool_calls"):
        there = {message["content"] for message in told.messages}
        spoken = [m for span in spans for m in span.said if m["role"] == "assistant"]
        said = [m for m in spoken if m["content"] and not m.get("tool_calls") and m["content"] not in there]
        told.add(said[-1:] or next((span.words[1] for span in roots if span.words[1]), ()))


def _asked(span: Span) -> Sequence[Message]:
    return span.asked if span.parent else span.words[0]
