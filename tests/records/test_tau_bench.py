"""Import of tau-bench result files, on the real file where it lies and on small faulty ones."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from fairtrial.errors import BadInput
from fairtrial.records.interop.detect import recognise
from fairtrial.records.interop.foreign import Foreign
from fairtrial.schema.record import Call, Say
from fairtrial.schema.score import Unscored


def read(path: Path) -> Foreign:
    foreign = recognise(path, "tau-bench")
    assert foreign is not None
    return foreign


def test_every_message_and_call_of_the_real_file_is_kept(shared_data: Path) -> None:
    path = shared_data / "tau_bench_airline_gpt4o" / "gpt-4o-airline.json.gz"
    runs = json.loads(gzip.decompress(path.read_bytes()))
    rows = read(path).rows
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
    (row,) = read(_file(tmp_path, [{"task_id": 1, "trial": 0, "reward": 0.0, "traj": messages}])).rows
    assert row.record.turns[0].steps == (Call(name="查询", arguments="{坏", result="无", id="c1"),)
    assert row.record.turns[0].reply == "没有找到。"
    assert row.record.turns[1].reply is None


def test_nineteen_tasks_of_the_real_file_are_passed_by_doing_nothing(shared_data: Path) -> None:
    # Source: README.md beside the file: 20 of 50 tasks need no write action, 19 of those no output either.
    foreign = read(shared_data / "tau_bench_airline_gpt4o" / "gpt-4o-airline.json.gz")
    assert len(foreign.nothing_passes) == 19
    assert len({row.record.case for row in foreign.rows}) == 50
    assert foreign.raw_output
    assert foreign.faults == ()
    assert foreign.parts["model"].digest is None


def _task(actions: object, outputs: list[str] | None = None) -> dict[str, object]:
    task = {"actions": actions, "outputs": outputs or [], "instruction": "退票"}
    return {"task_id": 1, "trial": 0, "reward": 1.0, "traj": [], "info": {"task": task}, "new": [1]}


@pytest.mark.parametrize(
    ("run", "idle"),
    [
        (_task([]), True),
        (_task([{"name": "get_user_details", "kwargs": {}}, {"name": "think"}]), True),
        (_task([{"name": "get_user_details"}], outputs=["327"]), False),
        (_task([{"name": "cancel_reservation", "kwargs": {}}]), False),
        (_task([{"name": "something_unheard_of"}]), False),
        (_task([{}]), False),
        (_task(None), False),
    ],
)
def test_a_task_needs_nothing_where_its_right_actions_only_read(
    tmp_path: Path, run: dict[str, object], idle: bool
) -> None:
    foreign = read(_file(tmp_path, [run]))
    assert foreign.nothing_passes == (("1",) if idle else ())
    assert foreign.rows[0].record.extra == {"info": run["info"], "new": [1]}


def test_what_made_a_reward_is_told(shared_data: Path, tmp_path: Path) -> None:
    checked = {"reward_info": {"info": {"r_outputs": 0.0, "outputs": {"327": False, "1000": True}}}}
    run = {"task_id": 1, "trial": 0, "reward": 0.0, "traj": [], "info": checked}
    (hit,) = read(_file(tmp_path, [run])).rows[0].score.hits
    assert (hit.rule, hit.met, hit.why) == ("outputs", False, "not said: 327")
    foreign = read(shared_data / "tau_bench_airline_gpt4o" / "gpt-4o-airline.json.gz")
    assert foreign.rules
    rules = Counter(hit.rule for row in foreign.rows for hit in row.score.hits)
    # The five runs that were cut off after 30 steps have no `reward_info`.
    assert rules == {"database": 182, "outputs": 13, "given": 5}


@pytest.mark.parametrize(
    ("reward", "kind"), [("NaN", "non_finite"), ("7.0", "out_of_range"), ("null", "no_score")]
)
def test_a_reward_that_is_no_score_is_a_fault_and_no_zero(tmp_path: Path, reward: str, kind: str) -> None:
    path = tmp_path / "runs.json"
    path.write_text(f'[{{"task_id": 3, "trial": 1, "reward": {reward}, "traj": []}}]', encoding="utf-8")
    foreign = read(path)
    assert isinstance(foreign.rows[0].score.value, Unscored)
    (fault,) = foreign.faults
    assert (fault.kind, fault.case) == (kind, "3")
    assert fault.where.endswith("runs.json[0]")


@pytest.mark.parametrize(
    "runs",
    [
        {},
        [{"task_id": 1}],
        "text",
        [{"task_id": 1, "trial": -1, "reward": 1, "traj": []}],
        [{"task_id": 1, "trial": 0, "reward": 1, "traj": []}, 5],
        [{"task_id": None, "trial": 0, "reward": 1, "traj": []}],
    ],
)
def test_what_is_no_result_file_is_refused_by_name(tmp_path: Path, runs: object) -> None:
    path = _file(tmp_path, runs)
    with pytest.raises(BadInput, match=r"runs\.json"):
        read(path)
