"""ATIF (Agent Trajectory Interchange Format, Harbor RFC 0001): a trajectory, a list or lines of them.

Read up to version 1.8; a later one is read as that.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from fairtrial.records.fingerprint import part
from fairtrial.records.interop.content import Content, broken
from fairtrial.records.interop.conversation import Conversation, Span
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.marks import OUTCOMES
from fairtrial.records.interop.messages import Message, text_of
from fairtrial.records.interop.sessions import Sessions
from fairtrial.records.interop.shapes import as_dict, as_time, usage_of
from fairtrial.schema.fingerprint import PartName
from fairtrial.schema.record import Record, Status
from fairtrial.text.language import say


class _Call(msgspec.Struct):
    function_name: str
    tool_call_id: str | None = None
    arguments: Any = None


class _Result(msgspec.Struct):
    source_call_id: str | None = None
    content: Any = None


class _Observation(msgspec.Struct):
    results: list[_Result] = []


class _Step(msgspec.Struct):
    source: Literal["system", "user", "agent"]
    message: Any = ""
    timestamp: str | None = None
    model_name: str | None = None
    reasoning_content: str | None = None
    tool_calls: list[_Call] | None = None
    observation: _Observation | None = None
    metrics: dict[str, Any] | None = None


class _Agent(msgspec.Struct):
    name: str | None = None
    version: str | None = None
    model_name: str | None = None
    tool_definitions: Any = None


class _Trajectory(msgspec.Struct):
    schema_version: str
    steps: list[_Step]
    session_id: str | None = None
    trajectory_id: str | None = None
    agent: _Agent = msgspec.field(default_factory=_Agent)
    final_metrics: dict[str, Any] | None = None
    extra: dict[str, Any] | None = None


_USAGE = {
    "input_tokens": "prompt_tokens",
    "output_tokens": "completion_tokens",
    "cached_tokens": "cached_tokens",
    "cost": "cost_usd",
}
_CASE = ("task_id", "task_name", "instance_id", "case_id")
_STEP = frozenset(_Step.__struct_fields__) | {"step_id"}


def matches(content: Content) -> bool:
    """Whether its first object says that it is ATIF."""
    return str(content.first.get("schema_version", "")).startswith("ATIF")


def read(content: Content) -> Foreign:
    """The trajectories as sessions. Raises BadInput for one that is none.

    Case and trial are those of `extra`, else the session, whose n-th trajectory is its n-th trial. The score
    is what `extra` or `final_metrics` names an outcome (`reward`); without one the session is not scored.
    """
    sessions = Sessions()
    versions: set[str] = set()
    agents: dict[tuple[str | None, str | None], None] = {}
    for index, item in enumerate(content.items):
        where = content.where(index)
        run = _trajectory(item, where)
        extra = run.extra or {}
        told = _conversation(run)
        record = Record(
            case=str(
                next(
                    (extra[key] for key in _CASE if key in extra),
                    run.session_id or run.trajectory_id or index,
                )
            ),
            trial=0,
            status=Status.completed,
            session=run.session_id or "",
            turns=told.turns(),
            system=told.system,
            extra=_rest(item),
        )
        sessions.add(record, told, scores=_outcomes(run), where=where, trial=extra.get("trial"))
        versions.add(run.schema_version)
        agents[run.agent.name, run.agent.version] = None
    named = [{"name": name, "version": version} for name, version in agents]
    agent = part(named, ", ".join(f"{name} {version}" for name, version in agents))
    return sessions.foreign(
        "atif", told={"version": ", ".join(sorted(versions))}, parts={PartName.agent: agent}
    )


def _trajectory(item: Any, where: str) -> _Trajectory:
    try:
        return msgspec.convert(item, _Trajectory)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # its message cannot hold half a sign
        why = say(f"not an ATIF trajectory: {error}", f"不是 ATIF 轨迹：{error}")
        raise broken(why, where) from error


def _conversation(run: _Trajectory) -> Conversation:
    conversation = Conversation()
    for step in run.steps:
        conversation.add(_messages(step))
        if step.source == "agent":
            conversation.note(_model_call(run.agent, step))
    return conversation


def _messages(step: _Step) -> Iterator[Message]:
    """A step as messages: what was said, the calls, and what came back."""
    calls = [
        {"id": call.tool_call_id, "function": {"name": call.function_name, "arguments": call.arguments}}
        for call in step.tool_calls or ()
    ]
    said: Message = {
        "role": "assistant" if step.source == "agent" else step.source,
        "content": text_of(step.message),
        "thoughts": [step.reasoning_content] if step.reasoning_content else [],
    }
    yield said | ({"tool_calls": calls} if calls else {})
    alone = calls[0]["id"] if len(calls) == 1 else None
    for result in step.observation.results if step.observation else ():
        yield {
            "role": "tool",
            "tool_call_id": result.source_call_id or alone,
            "content": text_of(result.content),
        }


def _model_call(agent: _Agent, step: _Step) -> Span:
    at = as_time(step.timestamp)
    return Span(
        model=step.model_name or agent.model_name,
        usage=usage_of(step.metrics or {}, _USAGE),
        started=at,
        ended=at,
        tools=agent.tool_definitions,
    )


def _outcomes(run: _Trajectory) -> dict[str, Any]:
    final = run.final_metrics or {}
    told = {**as_dict(final.get("extra")), **final, **(run.extra or {})}
    return {name: told[name] for name in OUTCOMES if name in told}


def _rest(item: Mapping[str, Any]) -> dict[str, Any]:
    """What the trajectory has besides its steps, and of each step what a record has no place for."""
    kept = {key: value for key, value in item.items() if key != "steps"}
    steps = {
        str(step.get("step_id", number)): more
        for number, step in enumerate(item["steps"], 1)
        if (more := {key: value for key, value in step.items() if key not in _STEP})
    }
    return kept | ({"steps": steps} if steps else {})
