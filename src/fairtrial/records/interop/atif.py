"""ATIF (Agent Trajectory Interchange Format, Harbor RFC 0001): a trajectory, a list or lines of them.

Read up to version 1.8; a later one is read as that.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec

from fairtrial.errors import BadInput
from fairtrial.records.fingerprint import part
from fairtrial.records.interop import chat
from fairtrial.records.interop.content import Content
from fairtrial.records.interop.conversation import Conversation, ModelCall, parts_of
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.marks import OUTCOMES, named_score
from fairtrial.records.interop.messages import Message
from fairtrial.schema.audit import Fault
from fairtrial.schema.fingerprint import PartName
from fairtrial.schema.record import Record, Status, Usage
from fairtrial.schema.score import Row
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


class _Metrics(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None


class _Step(msgspec.Struct):
    source: Literal["system", "user", "agent"]
    message: Any = ""
    timestamp: str | None = None
    model_name: str | None = None
    reasoning_content: str | None = None
    tool_calls: list[_Call] | None = None
    observation: _Observation | None = None
    metrics: _Metrics | None = None


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
    held: Counter[str] = Counter()
    faults: list[Fault] = []
    rows: list[Row] = []
    calls: list[ModelCall] = []
    versions: set[str] = set()
    agents: list[dict[str, Any]] = []
    for index, item in enumerate(content.items):
        where = content.where(index)
        run = _trajectory(item, where)
        extra = run.extra or {}
        case = str(
            next((extra[key] for key in _CASE if key in extra), run.session_id or run.trajectory_id or index)
        )
        trial = extra.get("trial")
        conversation = _conversation(run)
        record = Record(
            case=case,
            trial=trial if isinstance(trial, int) and trial >= 0 else held[case],
            status=Status.completed,
            session=run.session_id or "",
            turns=conversation.turns(),
            system=conversation.system,
            extra=_rest(item),
        )
        held[case] += 1
        score = named_score(_outcome(run), case=case, where=where, faults=faults)
        rows.append(Row(record=record, score=score))
        calls += conversation.calls
        versions.add(run.schema_version)
        agents.append({"name": run.agent.name, "version": run.agent.version})
    distinct = list({chat.plain(agent): agent for agent in agents}.values())
    says = ", ".join(f"{agent['name']} {agent['version']}" for agent in distinct)
    return Foreign(
        format="atif",
        rows=tuple(rows),
        faults=tuple(faults),
        parts={
            **parts_of(calls, (row.record.system for row in rows)),
            PartName.agent: part(distinct, says),
        },
        told={"version": ", ".join(sorted(versions))},
        raw_output=True,
    )


def _trajectory(item: Any, where: str) -> _Trajectory:
    try:
        return msgspec.convert(item, _Trajectory)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # its message cannot hold half a sign
        raise BadInput(
            say(f"not an ATIF trajectory: {error}", f"不是 ATIF 轨迹：{error}"), where=where
        ) from error


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
    role = "assistant" if step.source == "agent" else step.source
    said: Message = {"role": role, "content": chat.text_of(step.message)}
    if step.reasoning_content:
        said["reasoning_content"] = step.reasoning_content
    yield said | ({"tool_calls": calls} if calls else {})
    for result in step.observation.results if step.observation else ():
        alone = calls[0]["id"] if len(calls) == 1 else None
        called = result.source_call_id or alone
        yield {"role": "tool", "tool_call_id": called, "content": chat.text_of(result.content)}


def _model_call(agent: _Agent, step: _Step) -> ModelCall:
    at = _epoch(step.timestamp)
    return ModelCall(
        model=step.model_name or agent.model_name,
        usage=_usage(step.metrics) if step.metrics else None,
        started=at,
        ended=at,
        tools=agent.tool_definitions,
    )


def _usage(metrics: _Metrics) -> Usage:
    return Usage(
        input_tokens=metrics.prompt_tokens,
        output_tokens=metrics.completion_tokens,
        cached_tokens=metrics.cached_tokens,
        cost=metrics.cost_usd,
    )


def _epoch(timestamp: str | None) -> float | None:
    try:
        return datetime.fromisoformat(timestamp).timestamp() if timestamp else None
    except ValueError:
        return None


def _outcome(run: _Trajectory) -> dict[str, Any]:
    final = run.final_metrics or {}
    inner = final.get("extra")
    told = {**(inner if isinstance(inner, dict) else {}), **final, **(run.extra or {})}
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
