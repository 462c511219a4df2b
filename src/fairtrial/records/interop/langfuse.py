"""Langfuse trace exports: a trace with its observations, one object, a list or lines of them."""

from collections.abc import Mapping
from typing import Any

from fairtrial.records.interop.content import Content, broken
from fairtrial.records.interop.conversation import Span, session_of
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.messages import Message, messages, of_attributes, system_of, words_of
from fairtrial.records.interop.sessions import Sessions
from fairtrial.records.interop.shapes import (
    as_dict,
    as_list,
    as_text,
    as_time,
    first_of,
    opened,
    plain,
    usage_of,
)
from fairtrial.schema.score import About
from fairtrial.text.language import say

_CASE = ("case_id", "task_id", "dataset_item_id", "datasetItemId", "example_id")

_USAGE = {
    "input_tokens": "input",
    "output_tokens": "output",
    "reasoning_tokens": "output_reasoning_tokens completion_details.reasoning",
    "cached_tokens": "input_cached_tokens prompt_details.cache_read cache_read_input_tokens",
    "cost": "cost",
}


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
    sessions = Sessions()
    for index, item in enumerate(content.items):
        where = content.where(index)
        trace, observations = _parts(item, where)
        named = {**as_dict(opened(trace.get("metadata"))), "": trace.get("id")}
        record, told = session_of(
            [*map(_span, observations), _span(trace)],
            case=str(first_of(named, *_CASE, "")),
            session=str(trace.get("sessionId") or trace.get("id") or ""),
            extra={k: v for k, v in trace.items() if k not in ("observations", "input", "output")},
        )
        about = About(tags=tuple(map(str, as_list(trace.get("tags")))))
        sessions.add(record, told, scores=_scores(trace), where=where, about=about)
    return sessions.foreign("langfuse", told={}, parts={})


def _parts(item: Any, where: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The trace and its observations in the order of time."""
    observations = as_dict(item).get("observations")
    trace = as_dict(item).get("trace", item)
    sound = isinstance(observations, list) and all(isinstance(one, dict) for one in observations)
    if not isinstance(trace, dict) or not sound:
        why = say("not a Langfuse trace with observations", "不是含 observations 的 Langfuse trace")
        raise broken(why, where)
    return trace, sorted(as_list(observations), key=lambda one: str(one.get("startTime")))


def _span(one: Mapping[str, Any]) -> Span:
    """An observation, or the trace itself, with the attributes of the span that it was made from."""
    attributes = as_dict(as_dict(opened(one.get("metadata"))).get("attributes"))
    asked, said = of_attributes(attributes)
    if shown := messages(one.get("input")):  # the instructions may stand in the attributes only
        instructions = [message for message in asked if message["role"] == "system"]
        asked = shown if system_of(shown) is not None else instructions + shown
    said = messages(one.get("output")) or said
    reasons = as_list(opened(attributes.get("gen_ai.response.finish_reasons")))
    tool = _is_tool(one, attributes)
    # The zeros of an observation that tells no details are no figures.
    cost = {"cost": one.get("totalCost")} if one.get("costDetails") else {}
    return Span(
        kind="model" if one.get("type") == "GENERATION" else "tool" if tool else "",
        id=str(one.get("id")),
        parent=str(one.get("parentObservationId") or ""),
        name=str(first_of(attributes, "gen_ai.tool.name", "tool.name") or one.get("name") or ""),
        started=as_time(one.get("startTime")),
        ended=as_time(one.get("endTime")),
        error=str(one.get("statusMessage") or "error") if one.get("level") == "ERROR" else None,
        asked=asked,
        said=said,
        words=(asked or _words(one.get("input"), "user"), said or _words(one.get("output"), "assistant")),
        model=as_text(one.get("model")),
        reported=as_text(attributes.get("gen_ai.response.model")),
        finish_reason=str(reasons[0]) if reasons else None,
        usage=usage_of(as_dict(one.get("usageDetails")) | cost, _USAGE),
        sampling=as_dict(one.get("modelParameters")),
        tools=opened(one.get("toolDefinitions") or attributes.get("gen_ai.tool.definitions")),
        call=as_text(attributes.get("gen_ai.tool.call.id")),
        arguments=one.get("input"),
        result=words_of(one.get("output")),
    )


def _is_tool(one: Mapping[str, Any], attributes: Mapping[str, Any]) -> bool:
    return (
        one.get("type") == "TOOL"
        or attributes.get("gen_ai.operation.name") == "execute_tool"
        or "gen_ai.tool.call.id" in attributes
        or (attributes.get("openinference.span.kind") == "TOOL" and "tool.name" in attributes)
    )


def _words(value: Any, speaker: str) -> list[Message]:
    """The messages of a value, or it whole as the words of the speaker."""
    if isinstance(value, str) and value[:1] == '"':  # the export writes a trace's own texts as JSON
        value = (as_list(opened(f"[{value}]")) or [value])[0]
    value = opened(value)
    if value in (None, "", {}, []):
        return []
    return messages(value) or [{"role": speaker, "content": plain(value)}]


def _scores(trace: Mapping[str, Any]) -> dict[str, Any]:
    """The trace's own scores, the latest of a name; those of single observations are not the session's."""
    return {
        str(score.get("name")): first_of(score, "stringValue", "value")
        for score in reversed(as_list(trace.get("scores")))
        if isinstance(score, dict) and not score.get("observationId")
    }
