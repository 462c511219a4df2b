"""Import of OpenTelemetry GenAI spans, on exports made by the semantic conventions (1.28 to 1.40).

The shapes are those of the conventions' own examples: gen-ai-spans.md, gen-ai-events.md and
non-normative/examples-llm-calls.md of open-telemetry/semantic-conventions.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.errors import BadInput
from fairtrial.records.interop.detect import recognise
from fairtrial.records.interop.foreign import Foreign
from fairtrial.schema.record import Call, Say, Status, Usage
from fairtrial.schema.score import Unscored


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}  # OTLP JSON writes 64-bit numbers as text
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_value(item) for item in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": _attributes(value)}}
    return {"stringValue": value}


def _attributes(values: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in values.items()]


def _span(
    number: int,
    attributes: dict[str, Any],
    *,
    trace: str = "t1",
    parent: int | None = None,
    events: dict[str, dict[str, Any]] | list[tuple[str, dict[str, Any]]] = (),  # type: ignore[assignment]
    **more: Any,
) -> dict[str, Any]:
    pairs = events.items() if isinstance(events, dict) else events
    return {
        "traceId": trace,
        "spanId": f"s{number}",
        "parentSpanId": "" if parent is None else f"s{parent}",
        "name": "span",
        "startTimeUnixNano": str(number * 10**9),
        "endTimeUnixNano": str(number * 10**9 + 5 * 10**8),
        "attributes": _attributes(attributes),
        "events": [{"name": name, "attributes": _attributes(body)} for name, body in pairs],
        **more,
    }


def _export(*spans: dict[str, Any]) -> dict[str, Any]:
    resource = {"attributes": _attributes({"service.name": "客服"})}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


def _read(folder: Path, *exports: Any) -> Foreign:
    path = folder / "traces.jsonl"
    path.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in exports), encoding="utf-8")
    found = recognise(path)
    assert found is not None
    assert found.format == "otel"
    return found


def _text(role: str, words: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": words}]}


ASKED = _text("user", "巴黎天气？")
WANTS = {
    "role": "assistant",
    "parts": [
        {"type": "reasoning", "content": "要查"},
        {"type": "tool_call", "id": "c1", "name": "get_weather", "arguments": {"city": "巴黎"}},
    ],
}
GOT = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "雨，14 度"}]}
SAID = {**_text("assistant", "巴黎有雨。"), "finish_reason": "stop"}


def _chat(asked: list[Any], said: list[Any], **more: Any) -> dict[str, Any]:
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "gpt-4",
        "gen_ai.request.temperature": 0.5,
        "gen_ai.response.model": "gpt-4-0613",
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.usage.input_tokens": 50,
        "gen_ai.usage.output_tokens": 7,
        "gen_ai.input.messages": json.dumps(asked, ensure_ascii=False),
        "gen_ai.output.messages": json.dumps(said, ensure_ascii=False),
        **more,
    }


def _weather() -> list[dict[str, Any]]:
    system = json.dumps([{"type": "text", "content": "你是助手"}], ensure_ascii=False)
    tool = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "get_weather",
        "gen_ai.tool.call.id": "c1",
    }
    return [
        _span(1, {"gen_ai.operation.name": "invoke_agent", "test.case.name": "天气-1"}),
        _span(2, _chat([ASKED], [WANTS], **{"gen_ai.system_instructions": system}), parent=1),
        _span(3, tool, parent=1),
        _span(4, _chat([ASKED, WANTS, GOT], [SAID]), parent=1),
    ]


def test_an_agent_with_a_tool_is_one_session(tmp_path: Path) -> None:
    found = _read(tmp_path, _export(*_weather()))
    (row,) = found.rows
    record = row.record
    (turn,) = record.turns
    assert (record.case, record.session, record.system) == ("天气-1", "t1", "你是助手")
    assert (turn.user, turn.reply) == ("巴黎天气？", "巴黎有雨。")
    call = Call(name="get_weather", arguments={"city": "巴黎"}, result="雨，14 度", id="c1", seconds=0.5)
    assert turn.steps == (Say(text="要查"), call)
    assert turn.usage == Usage(input_tokens=100, output_tokens=14)
    assert (turn.model, turn.finish_reason, turn.started, turn.seconds) == ("gpt-4-0613", "stop", 2.0, 2.5)
    assert (record.started, record.ended, record.status) == (1.0, 4.5, Status.completed)
    assert isinstance(row.score.value, Unscored)
    assert (found.parts["model"].says, found.parts["reported"].says) == ("gpt-4", "gpt-4-0613")
    assert found.parts["sampling"].says == '{"temperature":0.5}'
    assert found.told == {"service": "客服"}


def test_spans_in_any_order_and_exports_in_any_number_are_the_same_session(tmp_path: Path) -> None:
    spans = _weather()
    together = _read(tmp_path, _export(*spans))
    apart = _read(tmp_path, *(_export(span) for span in reversed(spans)))
    assert apart.rows[0].record.turns == together.rows[0].record.turns


def test_traces_of_one_conversation_are_its_turns(tmp_path: Path) -> None:
    named = {"gen_ai.conversation.id": "conv_5j66"}
    spans = [
        _span(1, _chat([_text("user", "是")], [_text("assistant", "好")], **named), trace="a"),
        _span(2, _chat([_text("user", "是")], [_text("assistant", "好")], **named), trace="b"),
        _span(3, _chat([_text("user", "再见")], [_text("assistant", "再见")]), trace="c"),
    ]
    rows = _read(tmp_path, _export(*spans)).rows
    assert [(row.record.case, [turn.user for turn in row.record.turns]) for row in rows] == [
        ("conv_5j66", ["是", "是"]),
        ("c", ["再见"]),
    ]


@pytest.mark.parametrize(
    "span",
    [
        _span(
            1,
            {
                "llm.request.type": "chat",
                "gen_ai.system": "openai",
                "gen_ai.request.model": "gpt-4",
                "gen_ai.usage.prompt_tokens": 50,
                "gen_ai.usage.completion_tokens": 7,
                "gen_ai.prompt.0.role": "system",
                "gen_ai.prompt.0.content": "你是助手",
                "gen_ai.prompt.1.role": "user",
                "gen_ai.prompt.1.content": "巴黎天气？",
                "gen_ai.completion.0.role": "assistant",
                "gen_ai.completion.0.tool_calls.0.id": "c1",
                "gen_ai.completion.0.tool_calls.0.name": "get_weather",
                "gen_ai.completion.0.tool_calls.0.arguments": '{"city": "巴黎"}',
            },
        ),
        _span(
            1,
            {
                "gen_ai.request.model": "gpt-4",
                "gen_ai.usage.input_tokens": 50,
                "gen_ai.usage.output_tokens": 7,
            },
            events=[
                ("gen_ai.system.message", {"content": "你是助手"}),
                ("gen_ai.user.message", {"content": "巴黎天气？"}),
                (
                    "gen_ai.choice",
                    {
                        "index": 0,
                        "finish_reason": "tool_calls",
                        "message": '{"tool_calls": [{"id": "c1", "type": "function", "function": '
                        '{"name": "get_weather", "arguments": "{\\"city\\": \\"巴黎\\"}"}}]}',
                    },
                ),
            ],
        ),
        _span(
            1,
            {
                "gen_ai.request.model": "gpt-4",
                "gen_ai.usage.input_tokens": 50,
                "gen_ai.usage.output_tokens": 7,
            },
            events={
                "gen_ai.client.inference.operation.details": {
                    "gen_ai.input.messages": [_text("system", "你是助手"), ASKED],
                    "gen_ai.output.messages": [WANTS | {"parts": WANTS["parts"][1:]}],
                }
            },
        ),
    ],
    ids=["numbered attributes", "message events", "details event"],
)
def test_older_and_other_ways_to_write_messages_mean_the_same(tmp_path: Path, span: dict[str, Any]) -> None:
    (row,) = _read(tmp_path, _export(span)).rows
    (turn,) = row.record.turns
    assert row.record.system == "你是助手"
    assert (turn.user, turn.reply, turn.model) == ("巴黎天气？", None, "gpt-4")
    assert turn.steps == (Call(name="get_weather", arguments={"city": "巴黎"}, id="c1"),)
    assert turn.usage == Usage(input_tokens=50, output_tokens=7)


def test_without_messages_calls_tools_and_tokens_are_told(tmp_path: Path) -> None:
    chat = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.usage.output_tokens": 3}
    tool = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "查询",
        "gen_ai.tool.call.arguments": '{"单号": 7}',
        "gen_ai.tool.call.result": "无",
    }
    spans = [_span(1, chat), _span(2, tool), _span(3, tool)]
    found = _read(tmp_path, _export(*spans), _export(_span(3, chat, trace="t2")))
    first, second = (row.record for row in found.rows)
    assert first.calls == (Call(name="查询", arguments={"单号": 7}, result="无", seconds=0.5),) * 2
    assert second.turns[0].usage == Usage(output_tokens=3)
    assert second.turns[0].reply is None
    assert not found.raw_output


def test_a_model_within_a_tool_or_within_another_is_no_second_speaker(tmp_path: Path) -> None:
    spans = _weather()
    inner = _chat([_text("user", "inner")], [_text("assistant", "inner")])
    spans.insert(3, _span(3, inner, parent=3) | {"spanId": "s31"})
    spans.append(_span(4, inner, parent=4) | {"spanId": "s41"})
    (row,) = _read(tmp_path, _export(*spans)).rows
    assert [turn.user for turn in row.record.turns] == ["巴黎天气？"]
    assert row.record.turns[0].usage == Usage(input_tokens=150, output_tokens=21)


def test_the_answer_is_the_agents_and_never_that_of_a_model_within_its_tool(tmp_path: Path) -> None:
    asks = _span(2, _chat([ASKED], [WANTS]), parent=1)
    tool = _span(3, {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get_weather"}, parent=1)
    inner = _span(4, _chat([_text("user", "inner")], [_text("assistant", "inner")]), parent=3)
    for shown, reply in (({}, None), ({"gen_ai.output.messages": [SAID]}, "巴黎有雨。")):
        agent = _span(1, {"gen_ai.operation.name": "invoke_agent", **shown})
        (row,) = _read(tmp_path, _export(agent, asks, tool, inner)).rows
        assert row.record.turns[-1].reply == reply
        assert len(row.record.calls) == 1


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ({"attributes": {"error.type": "timeout"}, "message": "no answer"}, Status.timeout),
        ({"attributes": {"error.type": "429"}, "message": ""}, Status.rate_limited),
        ({"attributes": {}, "message": "boom"}, Status.agent_error),
    ],
)
def test_errors_end_a_session_that_has_no_answer(
    tmp_path: Path, error: dict[str, Any], status: Status
) -> None:
    failed = _chat([ASKED], [], **error["attributes"])
    span = _span(2, failed, parent=1, status={"code": 2, "message": error["message"]})
    (row,) = _read(tmp_path, _export(_span(1, {"gen_ai.operation.name": "invoke_agent"}), span)).rows
    assert row.record.status is status
    assert row.record.failure is not None


def test_a_failed_tool_is_the_calls_error_alone(tmp_path: Path) -> None:
    spans = _weather()
    spans[2] |= {
        "status": {"code": "STATUS_CODE_ERROR"},
        "events": [{"name": "exception", "attributes": _attributes({"exception.message": "no network"})}],
    }
    (row,) = _read(tmp_path, _export(*spans)).rows
    assert row.record.status is Status.completed
    assert row.record.calls[0].error == "no network"


def _evaluated(name: str, **result: Any) -> dict[str, Any]:
    values = {f"gen_ai.evaluation.{key.replace('_', '.')}": value for key, value in result.items()}
    event = ("gen_ai.evaluation.result", {"gen_ai.evaluation.name": name, **values})
    return _export(
        _span(
            1,
            _chat([ASKED], [SAID]),
            events=[("gen_ai.evaluation.result", {"gen_ai.evaluation.name": "Relevance"}), event],
        )
    )


def test_an_evaluation_named_an_outcome_is_the_score(tmp_path: Path) -> None:
    (row,) = _read(tmp_path, _evaluated("Correctness", score_value=0.5, explanation="半对")).rows
    assert row.score.value == 0.5
    assert row.record.extra["evaluations"][1]["explanation"] == "半对"
    (row,) = _read(tmp_path, _evaluated("correctness", score_label="pass")).rows
    assert row.score.value == 1.0


def test_an_evaluation_on_another_scale_is_a_fault(tmp_path: Path) -> None:
    found = _read(tmp_path, _evaluated("correctness", score_value=4.0))
    assert isinstance(found.rows[0].score.value, Unscored)
    assert [(fault.kind, fault.case) for fault in found.faults] == [("out_of_range", "t1")]


@pytest.mark.parametrize(
    "broken",
    [{"resourceSpans": [7]}, {"resourceSpans": [{"scopeSpans": 7}]}, 7, _export({"attributes": [1]})],
)
def test_what_is_no_export_is_named_with_its_line(tmp_path: Path, broken: Any) -> None:
    with pytest.raises(BadInput, match=r"traces\.jsonl:2"):
        _read(tmp_path, _export(*_weather()), broken)


def test_spans_of_no_model_are_no_sessions(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no span of a model"):
        _read(tmp_path, _export(_span(1, {"http.request.method": "GET"})))
