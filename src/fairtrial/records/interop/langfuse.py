"""Langfuse trace exports: a trace with its observations, one object, a list or lines of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from fairtrial.errors import BadInput
from fairtrial.records.interop import chat
from fairtrial.records.interop.content import Content
from fairtrial.records.interop.conversation import Conversation, ModelCall, ToolRun, parts_of
from fairtrial.records.interop.failures import failed
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.marks import named_score
from fairtrial.records.interop.messages import Message, messages, of_attributes, opened, words_of
from fairtrial.records.interop.shapes import as_count, as_dict, as_list, as_number, as_text
from fairtrial.schema.audit import Fault
from fairtrial.schema.record import Failure, Record, Status, Usage
from fairtrial.schema.score import About, Row
from fairtrial.text.language import say

_CASE = ("case_id", "task_id", "dataset_item_id", "datasetItemId", "example_id")
Observation = Mapping[str, Any]


def matches(content: Content) -> bool:
    """Whether its first object is a trace with observations, as exported from the page or by the API."""
    first = content.first
    trace = first.get("trace", first)
    return isinstance(first.get("observations"), list) and isinstance(trace, dict) and "id" in trace


def read(content: Content) -> Foreign:
    """One session a trace. Raises BadInput for one that is none.

    The case is that which the trace's metadata names, and its n-th trace the n-th trial; else the trace. The
    score is what the trace's scores name an outcome; all of them are kept in `extra["scores"]`.
    """
    held: Counter[str] = Counter()
    faults: list[Fault] = []
    rows: list[Row] = []
    calls: list[ModelCall] = []
    for index, item in enumerate(content.items):
        where = content.where(index)
        trace, observations = _parts(item, where)
        conversation = _conversation(trace, observations)
        record = _record(trace, observations, conversation)
        record = msgspec.structs.replace(record, trial=held[record.case])
        held[record.case] += 1
        rows.append(
            Row(
                record=record,
                score=named_score(_named(trace.get("scores")), case=record.case, where=where, faults=faults),
                about=About(tags=tuple(map(str, as_list(trace.get("tags"))))),
            )
        )
        calls += conversation.calls
    return Foreign(
        format="langfuse",
        rows=tuple(rows),
        faults=tuple(faults),
        parts=parts_of(calls, (row.record.system for row in rows)),
        raw_output=any(turn.reply for row in rows for turn in row.record.turns),
    )


def _parts(item: Any, where: str) -> tuple[Mapping[str, Any], Sequence[Observation]]:
    observations = as_dict(item).get("observations")
    trace = as_dict(item).get("trace", item)
    if (
        not isinstance(trace, dict)
        or not isinstance(observations, list)
        or not all(isinstance(one, dict) for one in observations)
    ):
        raise BadInput(
            say("not a Langfuse trace with observations", "不是含 observations 的 Langfuse trace"),
            where=where,
        )
    plain = [
        {**one, "id": str(one.get("id")), "parentObservationId": _parent(one), "attributes": _attributes(one)}
        for one in observations
    ]
    return trace, sorted(plain, key=lambda one: str(one.get("startTime")))


def _parent(one: Observation) -> str | None:
    return str(parent) if (parent := one.get("parentObservationId")) else None


def _record(trace: Mapping[str, Any], observations: Sequence[Observation], told: Conversation) -> Record:
    metadata = as_dict(opened(trace.get("metadata")))
    turns = told.turns()
    status, failure = _ending(observations, answered=bool(turns and turns[-1].reply))
    times = [_epoch(one.get(key)) for one in observations for key in ("startTime", "endTime")]
    known = [at for at in times if at is not None]
    return Record(
        case=str(next((metadata[key] for key in _CASE if key in metadata), trace.get("id"))),
        trial=0,
        status=status,
        session=str(trace.get("sessionId") or trace.get("id") or ""),
        started=min(known, default=None),
        ended=max(known, default=None),
        turns=turns,
        system=told.system,
        failure=failure,
        extra={key: value for key, value in trace.items() if key not in ("observations", "input", "output")},
    )


def _ending(observations: Sequence[Observation], *, answered: bool) -> tuple[Status, Failure | None]:
    """An error of the whole, or one after which no answer came. A tool's error alone is none of the agent."""
    errors = [one for one in observations if one.get("level") == "ERROR"]
    fatal = [one for one in errors if not one.get("parentObservationId")] or ([] if answered else errors[-1:])
    return failed(str(fatal[0].get("statusMessage") or "")) if fatal else (Status.completed, None)


def _conversation(trace: Mapping[str, Any], observations: Sequence[Observation]) -> Conversation:
    by_id = {one["id"]: one for one in observations}
    above = {one["id"]: list(_ancestors(one, by_id)) for one in observations}
    outer = {over["id"] for one in observations if _is_model(one) for over in above[one["id"]]}
    told = Conversation()
    for one in observations:
        over = above[one["id"]]
        if _is_model(one):
            # Of two instrumentations of one call, one within the other, the outer that shows messages tells.
            within = any(_is_model(other) and _shown(other) for other in over)
            if not within and (_shown(one) or one["id"] not in outer):
                told.call(_model_call(one, within_tool=any(map(_is_tool, over))))
        elif _is_tool(one):
            told.run(_tool_run(one))
    _whole(told, trace, observations)
    return told


def _ancestors(one: Observation, by_id: Mapping[Any, Observation]) -> Iterator[Observation]:
    seen = set()
    while (one := by_id.get(one.get("parentObservationId"), {})) and one.get("id") not in seen:
        seen.add(one.get("id"))
        yield one


def _attributes(one: Observation) -> Mapping[str, Any]:
    """The attributes of the span that the observation was made from."""
    return as_dict(as_dict(opened(one.get("metadata"))).get("attributes"))


def _shown(one: Observation) -> tuple[list[Message], list[Message]] | None:
    """What a model was asked and said, None where neither the observation nor its attributes show it."""
    asked, said = of_attributes(one["attributes"])
    asked = _with_system(messages(one.get("input")), asked)
    said = messages(one.get("output")) or said
    return (asked, said) if asked or said else None


def _with_system(shown: list[Message] | None, attributes: list[Message]) -> list[Message]:
    """What the observation shows, with the instructions that only the attributes have."""
    if not shown or any(message["role"] == "system" for message in shown):
        return shown or attributes
    return [message for message in attributes if message["role"] == "system"] + shown


def _model_call(one: Observation, *, within_tool: bool) -> ModelCall:
    asked, said = _shown(one) or ([], [])
    attributes = one["attributes"]
    reasons = opened(attributes.get("gen_ai.response.finish_reasons"))
    return ModelCall(
        asked=asked or _told(one.get("input"), "user"),
        said=said or _told(one.get("output"), "assistant"),
        model=as_text(one.get("model")),
        reported=as_text(attributes.get("gen_ai.response.model")),
        finish_reason=str(reasons[0]) if isinstance(reasons, list) and reasons else None,
        usage=_usage(one),
        started=_epoch(one.get("startTime")),
        ended=_epoch(one.get("endTime")),
        sampling=as_dict(one.get("modelParameters")),
        tools=opened(one.get("toolDefinitions") or attributes.get("gen_ai.tool.definitions")),
        counted_only=within_tool,
    )


def _usage(one: Observation) -> Usage | None:
    """Tokens and money; the zeros of an observation that tells no details are no figures."""
    if not (details := as_dict(one.get("usageDetails"))):
        return None
    return Usage(
        input_tokens=as_count(details.get("input")),
        output_tokens=as_count(details.get("output")),
        reasoning_tokens=_first(details, "output_reasoning_tokens", "completion_details.reasoning"),
        cached_tokens=_first(
            details, "input_cached_tokens", "prompt_details.cache_read", "cache_read_input_tokens"
        ),
        cost=as_number(one.get("totalCost")) if one.get("costDetails") else None,
    )


def _first(details: Mapping[str, Any], *names: str) -> int | None:
    return next((as_count(details[name]) for name in names if name in details), None)


def _is_model(one: Observation) -> bool:
    return bool(one.get("type") == "GENERATION")


def _is_tool(one: Observation) -> bool:
    attributes = one["attributes"]
    return (
        one.get("type") == "TOOL"
        or attributes.get("gen_ai.operation.name") == "execute_tool"
        or "gen_ai.tool.call.id" in attributes
        or (attributes.get("openinference.span.kind") == "TOOL" and "tool.name" in attributes)
    )


def _tool_run(one: Observation) -> ToolRun:
    attributes = one["attributes"]
    return ToolRun(
        name=str(attributes.get("gen_ai.tool.name") or attributes.get("tool.name") or one.get("name") or ""),
        id=attributes.get("gen_ai.tool.call.id"),
        arguments=one.get("input"),
        result=words_of(one.get("output")),
        error=str(one.get("statusMessage") or "error") if one.get("level") == "ERROR" else None,
        started=_epoch(one.get("startTime")),
        ended=_epoch(one.get("endTime")),
    )


def _whole(told: Conversation, trace: Mapping[str, Any], observations: Sequence[Observation]) -> None:
    """Where the calls do not show the user or the answer, take them from the spans around them."""
    roots = [one for one in (*observations, trace) if not one.get("parentObservationId")]
    if not any(message["role"] == "user" for message in told.messages):
        asked = next((found for one in roots if (found := _told(one.get("input"), "user"))), [])
        told.messages[:0] = [message for message in asked if message["role"] != "system"]
    last = told.messages[-1] if told.messages else {"role": None}
    silent = bool(told.calls) and not told.calls[-1].said
    if silent or last["role"] != "assistant" or last.get("tool_calls"):
        there = {message["content"] for message in told.messages}
        spoken = [
            m for one in observations for m in messages(one.get("output")) or () if m["role"] == "assistant"
        ]
        said = [m for m in spoken if m["content"] and not m.get("tool_calls") and m["content"] not in there]
        told.add(
            said[-1:]
            or next((found for one in roots if (found := _told(one.get("output"), "assistant"))), [])
        )


def _told(value: Any, speaker: str) -> list[Message]:
    """The messages of a value, or it whole as the words of the speaker."""
    if isinstance(value, str) and value[:1] == '"':  # the export writes a trace's own texts as JSON
        value = opened(f"[{value}]")
        value = value[0] if isinstance(value, list) else value
    value = opened(value)
    if value in (None, "", {}, []):
        return []
    return messages(value) or [{"role": speaker, "content": chat.plain(value)}]


def _named(scores: Any) -> dict[str, Any]:
    """The trace's own scores, the latest of a name; those of single observations are not the session's."""
    return {
        str(score.get("name")): score.get("value")
        if score.get("stringValue") is None
        else score["stringValue"]
        for score in reversed(as_list(scores))
        if isinstance(score, dict) and not score.get("observationId")
    }


def _epoch(at: Any) -> float | None:
    try:
        return datetime.fromisoformat(at).timestamp() if isinstance(at, str) else None
    except ValueError:
        return None
