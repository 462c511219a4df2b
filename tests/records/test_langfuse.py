"""Import of Langfuse exports, held against a second party's normal form of the same traces."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fairtrial.errors import BadInput
from fairtrial.records.interop.detect import recognise
from fairtrial.records.interop.foreign import Foreign
from fairtrial.schema.record import Call, Record, Say, Status, Usage
from fairtrial.schema.score import Unscored

UNCLEAR = {
    "agno": "its messages are Python's own notation: the normal form has none of a call's input",
    "crewai": "the answer is plain text, which the normal form refuses",
    "csharp": "the last answer is a tool's argument: what the trace gives as its output is taken besides",
    "koog": "the tracer wrote calls as text, and filed them under the tool: the normal form leaves them so",
}
"""Where the normal form does not say all, and why."""

TRACES = (
    "agno-2025-06-11",
    "beeai-2025-08-01",
    "crewai-2025-07-11",
    "csharp-agent-with-gemini-2026-03-09",
    "google-gemini-2025-08-01",
    "koog-2025-08-26",
    "langgraph-python-2025-08-22",
    "pydantic-ai-2025-06-06",
    "pydantic-ai-tools-2025-06-06",
    "pydantic-ai-with-gemini-2025-12-24",
)


def _read(path: Path) -> Foreign:
    found = recognise(path)
    assert found is not None
    assert found.format == "langfuse"
    return found


def _there(folder: Path, name: str) -> Path:
    return next(path for path in (folder / name, folder / f"{name}.gz") if path.exists())


def _real(shared_data: Path, name: str) -> tuple[Record, Any]:
    folder = shared_data / "langfuse_framework_traces"
    (row,) = _read(_there(folder, f"{name}.trace.json")).rows
    raw = _there(folder, f"{name}.chatml.json").read_bytes()
    return row.record, json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)


@dataclass(kw_only=True)
class Said:
    """What was said and done, without its order."""

    users: set[str] = field(default_factory=set)
    agent: set[str] = field(default_factory=set)
    calls: set[tuple[str, str]] = field(default_factory=set)
    results: set[str] = field(default_factory=set)


def _words(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if isinstance(part, dict) and "text" in part)
    return content or ""


def _messages(normal: Any) -> Iterator[dict[str, Any]]:
    for observation in normal.values():
        for side in observation.values():
            if side["success"]:
                yield from (message for message in side["data"] if message.get("role"))


def _normal(normal: Any) -> Said:
    said = Said()
    for message in _messages(normal):
        words = _words(message.get("content"))
        kind = {"user": said.users, "assistant": said.agent, "model": said.agent, "tool": said.results}
        if words and message["role"] in kind:
            kind[message["role"]].add(words)
        for call in message.get("tool_calls") or ():
            said.calls.add((call["name"], json.dumps(json.loads(call["arguments"]), sort_keys=True)))
    return said


def _ours(record: Record) -> Said:
    steps = [step for turn in record.turns for step in turn.steps]
    return Said(
        users={turn.user for turn in record.turns},
        agent={turn.reply for turn in record.turns if turn.reply}
        | {step.text for step in steps if isinstance(step, Say)},
        calls={(call.name, json.dumps(call.arguments, sort_keys=True)) for call in record.calls},
        results={call.result for call in record.calls if call.result},
    )


@pytest.mark.parametrize("name", TRACES)
def test_roles_texts_and_tool_calls_are_those_of_the_normal_form(shared_data: Path, name: str) -> None:
    record, normal = _real(shared_data, name)
    ours, theirs = _ours(record), _normal(normal)
    unclear = name.split("-")[0]
    if unclear not in UNCLEAR:
        assert ours == theirs
    elif unclear == "agno":
        assert (ours.agent, ours.calls) == (theirs.agent, theirs.calls)
        assert ours.users == {"What is currently trending on Twitter?"}
    elif unclear == "crewai":
        assert (ours.users, ours.calls) == (theirs.users, set())
        assert record.reply.startswith("I now can give a great answer")
    elif unclear == "csharp":
        assert (ours.users, ours.calls) == (theirs.users, theirs.calls)
        assert ours.results == theirs.results | {"null"}  # of the last tool, by its own span
        assert ours.agent - theirs.agent == {record.reply}
        assert json.loads(record.reply)["response"]
    else:
        assert (ours.users, ours.agent) == (theirs.users, {record.reply})
        assert record.reply in theirs.agent
        assert [call.name for call in record.calls] == ["HelloTool", "ByeTool"]
        assert {call.result for call in record.calls} <= theirs.results


def test_a_history_told_again_by_each_call_is_taken_once(shared_data: Path) -> None:
    record, _ = _real(shared_data, "csharp-agent-with-gemini-2026-03-09")
    (turn,) = record.turns
    assert [type(step) for step in turn.steps] == [Call, Say, Call]
    assert turn.usage == Usage(input_tokens=8047, output_tokens=414, cost=pytest.approx(0.0034491))
    assert turn.steps[0].seconds == pytest.approx(2.359, abs=1e-3)  # type: ignore[union-attr]
    assert record.system is not None
    assert record.system.startswith("You are an expert on statistical analysis")
    assert record.session == "9714061f-20c0-4d98-9220-1dc7df15c3c2"


def test_what_is_known_of_the_environment_is_told(shared_data: Path) -> None:
    folder = shared_data / "langfuse_framework_traces"
    parts = _read(folder / "pydantic-ai-2025-06-06.trace.json").parts
    assert (parts["model"].says, parts["reported"].says) == ("gpt-4o", "gpt-4o-2024-08-06")


def test_scores_that_name_no_outcome_score_nothing_and_are_kept(shared_data: Path) -> None:
    (row,) = _read(shared_data / "langfuse_framework_traces" / "crewai-2025-07-11.trace.json").rows
    assert isinstance(row.score.value, Unscored)
    assert "hallucination, toxicity" in row.score.value.why
    assert {score["name"] for score in row.record.extra["scores"]} == {"hallucination", "toxicity"}


def _trace(scores: Any = (), observations: Any = (), **more: Any) -> dict[str, Any]:
    return {"trace": {"id": "t1", "scores": list(scores), **more}, "observations": list(observations)}


def _generation(number: int, **more: Any) -> dict[str, Any]:
    at = f"2026-01-01T00:00:0{number}.000Z"
    return {"id": f"o{number}", "type": "GENERATION", "startTime": at, "endTime": at, **more}


def _write(folder: Path, content: Any) -> Path:
    path = folder / "trace.json"
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("score", "value"),
    [
        ({"name": "Reward", "value": 0.5}, 0.5),
        ({"name": "correct", "value": 1, "dataType": "BOOLEAN"}, 1.0),
        ({"name": "success", "value": 0, "stringValue": "pass", "dataType": "CATEGORICAL"}, 1.0),
    ],
)
def test_a_score_named_an_outcome_is_the_score(tmp_path: Path, score: Any, value: float) -> None:
    (row,) = _read(_write(tmp_path, _trace([{"name": "toxicity", "value": 0.9}, score]))).rows
    assert row.score.value == value


def test_an_outcome_that_is_no_score_is_a_fault(tmp_path: Path) -> None:
    found = _read(_write(tmp_path, [_trace(), _trace([{"name": "reward", "value": 9}])]))
    assert [(fault.kind, fault.case, fault.where[-3:]) for fault in found.faults] == [
        ("out_of_range", "t1", "[1]")
    ]


def test_plain_texts_are_the_user_and_the_agent(tmp_path: Path) -> None:
    told = _generation(1, input="退款要几天？", output='{"天": 3}', model="m")
    trace = _trace(observations=[told], metadata={"task_id": "退款"})
    row, again = _read(_write(tmp_path, [trace, trace])).rows
    assert (row.record.trial, again.record.trial) == (0, 1)
    (turn,) = row.record.turns
    assert (turn.user, turn.reply, turn.model) == ("退款要几天？", '{"天":3}', "m")
    assert row.record.case == "退款"


def test_a_user_who_says_the_same_twice_says_it_twice(tmp_path: Path) -> None:
    first = [{"role": "user", "content": "是"}]
    second = [*first, {"role": "assistant", "content": "好"}, {"role": "user", "content": "是"}]
    told = [
        _generation(1, input=first, output={"role": "assistant", "content": "好"}),
        _generation(2, input=second, output={"role": "assistant", "content": "好"}),
    ]
    (row,) = _read(_write(tmp_path, _trace(observations=told))).rows
    assert [(turn.user, turn.reply) for turn in row.record.turns] == [("是", "好"), ("是", "好")]


def test_a_failed_tool_is_the_calls_error_and_a_failed_model_the_sessions(tmp_path: Path) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    asked = _generation(
        1,
        input=[{"role": "user", "content": "x"}],
        output={"role": "assistant", "content": None, "tool_calls": [call]},
    )
    tool = _generation(
        2,
        type="TOOL",
        name="f",
        input={},
        level="ERROR",
        statusMessage="no such order",
        parentObservationId="o1",
    )
    last = _generation(3, level="ERROR", statusMessage="429 Too Many Requests", parentObservationId="o1")
    answered = _generation(3, input=[], output={"role": "assistant", "content": "sorry"})
    rows = _read(_write(tmp_path, [_trace(observations=[asked, tool, one]) for one in (last, answered)])).rows
    assert [row.record.status for row in rows] == [Status.rate_limited, Status.completed]
    assert all(row.record.calls[0].error == "no such order" for row in rows)


@pytest.mark.parametrize("broken", [7, {"observations": [1]}, {"trace": 1, "observations": []}])
def test_what_is_no_trace_is_named(tmp_path: Path, broken: Any) -> None:
    with pytest.raises(BadInput, match=r"trace\.json\[1\]"):
        recognise(_write(tmp_path, [_trace(), broken]))
