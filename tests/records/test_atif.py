"""Import of ATIF: the runs that were converted from tau-bench must be the runs of tau-bench."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairtrial.errors import BadInput
from fairtrial.records.interop.detect import recognise
from fairtrial.records.interop.foreign import Foreign
from fairtrial.schema.record import Call, Record, Say, Usage
from fairtrial.schema.score import Unscored


def _read(path: Path) -> Foreign:
    found = recognise(path)
    assert found is not None
    assert found.format == "atif"
    return found


def test_the_converted_runs_are_those_of_their_source(shared_data: Path) -> None:
    converted = _read(shared_data / "atif_converted" / "tau_airline_gpt4o_80runs.atif.jsonl.gz")
    source = recognise(shared_data / "tau_bench_airline_gpt4o" / "gpt-4o-airline.json.gz")
    assert source is not None
    runs = {(row.record.case, row.record.trial): row for row in source.rows}
    assert len(converted.rows) == 80
    assert converted.told["version"] == "ATIF-v1.8"
    assert converted.parts["model"].says == "gpt-4o"

    def plain(record: Record) -> tuple[Any, ...]:
        return tuple(msgspec.structs.replace(turn, model=None) for turn in record.turns)

    for row in converted.rows:
        run = runs[row.record.case, row.record.trial]
        assert plain(row.record) == plain(run.record)
        assert row.record.system == run.record.system
        assert row.score.value == run.score.value


def _trajectory(**more: Any) -> dict[str, Any]:
    steps = [
        {"step_id": 1, "source": "system", "message": "帮助用户"},
        {"step_id": 2, "source": "user", "message": [{"type": "text", "text": "查天气"}]},
        {
            "step_id": 3,
            "timestamp": "2026-01-02T03:04:05Z",
            "source": "agent",
            "message": "我来查",
            "reasoning_content": "先查",
            "tool_calls": [{"tool_call_id": "c1", "function_name": "天气", "arguments": {"城": "京"}}],
            "observation": {"results": [{"content": "晴"}]},
            "metrics": {"prompt_tokens": 10, "completion_tokens": 2, "cost_usd": 0.5, "logprobs": [1]},
            "llm_call_count": 1,
        },
        {"step_id": 4, "source": "agent", "message": "晴。", "metrics": {"prompt_tokens": 20}},
    ]
    agent = {"name": "a", "version": "1", "model_name": "m"}
    return {"schema_version": "ATIF-v1.8", "session_id": "s", "agent": agent, "steps": steps, **more}


def _write(folder: Path, content: Any) -> Path:
    path = folder / "run.json"
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def test_a_single_trajectory_keeps_everything(tmp_path: Path) -> None:
    given = _trajectory(final_metrics={"total_steps": 4, "extra": {"reward": 0.5}}, notes="x")
    (row,) = _read(_write(tmp_path, given)).rows
    record = row.record
    (turn,) = record.turns
    assert (record.case, record.session, record.system) == ("s", "s", "帮助用户")
    assert turn.user == "查天气"
    assert turn.steps == (
        Say(text="先查"),
        Say(text="我来查"),
        Call(name="天气", arguments={"城": "京"}, result="晴", id="c1"),
    )
    assert (turn.reply, turn.model, turn.started) == ("晴。", "m", 1767323045.0)
    assert turn.usage == Usage(input_tokens=30, output_tokens=2, cost=0.5)
    assert row.score.value == 0.5
    assert record.extra["notes"] == "x"
    assert record.extra["steps"] == {"3": {"llm_call_count": 1}}


def test_a_list_counts_the_trials_of_a_session(tmp_path: Path) -> None:
    found = _read(
        _write(tmp_path, [_trajectory(), _trajectory(), _trajectory(extra={"task_id": 7, "trial": 3})])
    )
    assert [(row.record.case, row.record.trial) for row in found.rows] == [("s", 0), ("s", 1), ("7", 3)]


def test_without_a_reward_nothing_is_scored(tmp_path: Path) -> None:
    (row,) = _read(_write(tmp_path, _trajectory(extra={"toxicity": 0.1}))).rows
    assert isinstance(row.score.value, Unscored)
    assert row.score.hits == ()


@pytest.mark.parametrize(
    ("reward", "kind"),
    [(float("nan"), "non_finite"), (7, "out_of_range"), ("?", "no_score"), (None, "no_score")],
)
def test_a_reward_that_is_none_is_a_fault(tmp_path: Path, reward: Any, kind: str) -> None:
    found = _read(_write(tmp_path, [_trajectory(extra={"reward": 1}), _trajectory(extra={"reward": reward})]))
    assert isinstance(found.rows[1].score.value, Unscored)
    assert [(fault.kind, fault.where.endswith("run.json[1]")) for fault in found.faults] == [(kind, True)]


@pytest.mark.parametrize("broken", [{}, {"steps": 1}, {"steps": [{"source": "cat", "message": ""}]}, []])
def test_what_is_no_trajectory_is_named(tmp_path: Path, broken: Any) -> None:
    path = _write(
        tmp_path, [_trajectory(), {"schema_version": "ATIF-v1.8", **broken} if broken != [] else broken]
    )
    with pytest.raises(BadInput, match=r"run\.json\[1\]"):
        recognise(path)
