"""Import of tau-bench result files, on the real file where it lies and on small faulty ones."""

import gzip
import json
from pathlib import Path

import pytest

from fairtrial.errors import BadInput
from fairtrial.records.interop import tau_bench
from fairtrial.schema.record import Call, Say


def test_every_message_and_call_of_the_real_file_is_kept(shared_data: Path) -> None:
    path = shared_data / "tau_bench_airline_gpt4o" / "gpt-4o-airline.json.gz"
    runs = json.loads(gzip.decompress(path.read_bytes()))
    rows = list(tau_bench.read(path))
    assert len(rows) == len(runs) == 200
    for run, row in zip(runs, rows, strict=True):
        messages = run["traj"]
        said = [m["content"] for m in messages if m["role"] == "assistant" and m["content"]]
        told = [m["content"] for m in messages if m["role"] == "user"]
        calls = [c["function"]["name"] for m in messages for c in m.get("tool_calls") or []]
        results = [m["content"] for m in messages if m["role"] == "tool"]
        turns = row.record.turns
        kept = [
            text
            for t in turns
            for text in [*(s.text for s in t.steps if isinstance(s, Say)), t.reply]
            if text
        ]
        assert kept == said
        assert [t.user for t in turns] == told
        assert [c.name for c in row.record.calls] == calls
        assert [c.result for c in row.record.calls] == results
        assert row.score.value == run["reward"]
        assert row.record.system == messages[0]["content"]


def _file(folder: Path, runs: object) -> Path:
    path = folder / "runs.json"
    path.write_text(json.dumps(runs), encoding="utf-8")
    return path


def test_chinese_turns_and_broken_arguments_are_kept_as_they_are(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "查询", "arguments": "{坏"}}
    messages = [
        {"role": "user", "content": "查一下订单"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "无"},
        {"role": "assistant", "content": "没有找到。"},
        {"role": "user", "content": "好吧"},
    ]
    (row,) = tau_bench.read(_file(tmp_path, [{"task_id": 1, "trial": 0, "reward": 0.0, "traj": messages}]))
    assert row.record.turns[0].steps == (Call(name="查询", arguments="{坏", result="无", id="c1"),)
    assert row.record.turns[0].reply == "没有找到。"
    assert row.record.turns[1].reply is None


@pytest.mark.parametrize(
    "runs", [{}, [{"task_id": 1}], [{"task_id": 1, "trial": 0, "reward": 7.0, "traj": []}], "text"]
)
def test_what_is_no_result_file_is_refused_by_name(tmp_path: Path, runs: object) -> None:
    path = _file(tmp_path, runs)
    with pytest.raises(BadInput, match=r"runs\.json"):
        list(tau_bench.read(path))
