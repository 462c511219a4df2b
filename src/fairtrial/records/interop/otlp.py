"""OTLP JSON: spans as plain values, out of the nesting in which they are exported."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.records.interop.content import Content, broken
from fairtrial.text.language import say

_ERROR = (2, "2", "STATUS_CODE_ERROR")
_DETAILS = "gen_ai.client.inference.operation.details"
"""An event that carries what else are attributes of its span."""


@dataclass(frozen=True, kw_only=True)
class OtlpSpan:
    """A span with its attributes as plain values; times in epoch seconds."""

    trace: str
    id: str
    parent: str
    name: str
    attributes: Mapping[str, Any]
    events: Sequence[tuple[str, Mapping[str, Any]]]
    resource: Mapping[str, Any]
    started: float | None
    ended: float | None
    error: str | None
    where: str

    @property
    def operation(self) -> str:
        """`gen_ai.operation.name`; of older conventions, what its attributes show it to be."""
        told = self.attributes.get("gen_ai.operation.name") or self.attributes.get("llm.request.type")
        if told:
            return str(told)
        if "gen_ai.tool.name" in self.attributes or "gen_ai.tool.call.id" in self.attributes:
            return "execute_tool"
        return "chat" if "gen_ai.request.model" in self.attributes else ""


def spans_of(content: Content) -> Iterator[OtlpSpan]:
    """All spans of all exports. Raises BadInput, with the line, for what is no export."""
    for index, item in enumerate(content.items):
        where = content.where(index)
        try:
            for group in _listed(item, "resourceSpans"):
                resource = _plain(group.get("resource", {}).get("attributes"))
                for scope in _listed(group, "scopeSpans"):
                    yield from (_span(span, resource, where) for span in scope.get("spans", ()))
        except (AttributeError, TypeError, ValueError, KeyError, OverflowError) as error:
            why = say(f"not an OTLP export of spans: {error}", f"不是 OTLP span 导出：{error}")
            raise broken(why, where) from error


def _listed(holder: Mapping[str, Any], name: str) -> list[Any]:
    found = holder.get(name) or []
    if not isinstance(found, list):
        raise TypeError(f"{name} is no list")
    return found


def _span(given: Mapping[str, Any], resource: Mapping[str, Any], where: str) -> OtlpSpan:
    attributes = _plain(given.get("attributes"))
    events = [
        (str(event.get("name")), _plain(event.get("attributes"))) for event in given.get("events") or ()
    ]
    for name, more in events:
        if name == _DETAILS:
            attributes = {**more, **attributes}
    return OtlpSpan(
        trace=str(given.get("traceId", "")),
        id=str(given.get("spanId", "")),
        parent=str(given.get("parentSpanId") or ""),
        name=str(given.get("name", "")),
        attributes=attributes,
        events=events,
        resource=resource,
        started=_seconds(given.get("startTimeUnixNano")),
        ended=_seconds(given.get("endTimeUnixNano")),
        error=_error(given.get("status") or {}, attributes, events),
        where=where,
    )


def _error(
    status: Mapping[str, Any], attributes: Mapping[str, Any], events: Sequence[tuple[str, Mapping[str, Any]]]
) -> str | None:
    """Kind and message of the error that the span ended with, None where it did not."""
    if status.get("code") not in _ERROR:
        return None
    raised = next((more.get("exception.message") for name, more in events if name == "exception"), None)
    told = (attributes.get("error.type"), status.get("message") or raised)
    return ": ".join(dict.fromkeys(str(one) for one in told if one)) or "error"


def _seconds(nanoseconds: Any) -> float | None:
    return int(nanoseconds) / 1e9 if nanoseconds else None


def _plain(attributes: Any) -> dict[str, Any]:
    """`[{key, value: {stringValue: …}}]` as a plain object."""
    return {str(one["key"]): _value(one.get("value")) for one in attributes or ()}


def _value(given: Any) -> Any:
    """An AnyValue: whole numbers are written as text, lists and objects are nested."""
    if not isinstance(given, Mapping):
        return given
    for kind, value in given.items():
        if kind == "intValue":
            return int(value)
        if kind == "arrayValue":
            return [_value(item) for item in value.get("values", ())]
        if kind == "kvlistValue":
            return _plain(value.get("values"))
        return value
    return None
