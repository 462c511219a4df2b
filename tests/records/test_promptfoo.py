"""promptfoo results: the real ones as JSON and JSON Lines, tables of each version, errors, odd ones."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.errors import BadInput
from fairtrial.records.interop.detect import recognise
from fairtrial.records.interop.foreign import Foreign
from fairtrial.schema.record import Status, Usage
from fairtrial.schema.score import Row, Unscored


def read(path: Path) -> Foreign:
    foreign = recognise(path, "promptfoo")
    assert foreign is not None
    return foreign


def _values(foreign: Foreign) -> list[float | None]:
    return [None if isinstance(row.score.value, Unscored) else row.score.value for row in foreign.rows]


class TestRealFiles:
    """Made by the real tool; figures: README.md and promptfooconfig.yaml beside them."""

    def test_the_stated_figures_come_out(self, shared_data: Path) -> None:
        foreign = read(shared_data / "promptfoo_results" / "results.json")
        assert foreign.claims == {"successes": 4, "failures": 8, "errors": 0}
        values = _values(foreign)
        assert (len(values), sum(v == 1.0 for v in values), sum(v == 0.75 for v in values)) == (12, 4, 4)
        assert foreign.planned == 12
        assert foreign.rules
        assert foreign.told["repeat"] == 2

    def test_repeats_are_trials_and_two_prompts_are_two_cases_of_one_cluster(self, shared_data: Path) -> None:
        foreign = read(shared_data / "promptfoo_results" / "results.json")
        keys = {(row.record.case, row.record.trial) for row in foreign.rows}
        assert len(keys) == 12
        assert len({case for case, _ in keys}) == 6
        assert {row.about.cluster for row in foreign.rows} == {
            "我想退货 订单 #W123", "What is 2+2?", "status of order",
        }  # fmt: skip
        assert {row.about.bucket for row in foreign.rows} == {
            "客服：{{q}} / echo",
            "Answer briefly: {{q}} / echo",
        }

    def test_assertions_are_hits_with_their_weights(self, shared_data: Path) -> None:
        foreign = read(shared_data / "promptfoo_results" / "results.json")
        row = next(row for row in foreign.rows if row.about.cluster == "status of order")
        assert [(hit.rule, hit.met, hit.share) for hit in row.score.hits] == [
            ("regex: order", True, 2.0),
            ("not-contains: cancel", True, 1.0),
            ("contains: shipped", False, 1.0),
        ]
        assert row.record.turns[0].user == row.record.reply == "客服：status of order"
        assert "raw" not in row.record.extra["prompt"]
        assert "output" not in row.record.extra["response"]

    def test_lines_are_the_same_results(self, shared_data: Path) -> None:
        folder = shared_data / "promptfoo_results"
        one, other = read(folder / "results.json"), read(folder / "results.jsonl")
        assert one.rows == other.rows
        assert one.parts["cases"] == other.parts["cases"]
        assert (other.claims, other.planned) == ({}, None)


def _result(**fields: Any) -> dict[str, Any]:
    return {
        "prompt": {"raw": "问：开门？", "label": "问：{{q}}"},
        "provider": {"id": "openai:m", "label": ""},
        "testCase": {"vars": {"q": "开门？"}},
        "testIdx": 0,
        "promptIdx": 0,
        "success": True,
        "score": 1,
        "failureReason": 0,
        "response": {"output": "九点"},
    } | fields


def _read(folder: Path, *results: Any, **fields: Any) -> Foreign:
    path = folder / "results.json"
    path.write_text(json.dumps({"results": {"results": list(results)}} | fields), encoding="utf-8")
    return read(path)


def test_one_prompt_and_provider_need_no_name(tmp_path: Path) -> None:
    foreign = _read(tmp_path, _result(), _result(testIdx=1))
    assert [(row.record.case, row.record.trial) for row in foreign.rows] == [("开门？", 0), ("开门？", 1)]
    assert foreign.rows[0].about.cluster is None


def test_prompts_that_begin_alike_are_two(tmp_path: Path) -> None:
    prompts = [{"raw": "x", "label": "长" * 200 + end} for end in "一二"]
    foreign = _read(tmp_path, *(_result(prompt=prompt) for prompt in prompts))
    assert len({row.record.case for row in foreign.rows}) == 2


def test_a_result_that_is_there_twice_is_no_repeat(tmp_path: Path) -> None:
    foreign = _read(tmp_path, _result(id="a"), _result(id="b"), _result(id="a", score=0, success=False))
    assert [row.record.trial for row in foreign.rows] == [0, 1, 0]


def test_tests_that_ask_the_same_are_two_where_nothing_was_repeated(tmp_path: Path) -> None:
    foreign = _read(tmp_path, _result(), _result(testIdx=1), runtimeOptions={"maxConcurrency": 4})
    assert [row.record.case for row in foreign.rows] == ["开门？", "开门？ #2"]
    assert foreign.parts["concurrency"].says == "4"


def test_a_description_names_the_test_and_a_long_text_is_cut(tmp_path: Path) -> None:
    tests = [
        {"description": "时间", "vars": {"q": "1"}},
        {"description": "时间", "vars": {"q": "2"}},
        {"vars": {"q": "长" * 500}},
        {"vars": {"q": "长" * 501}},
        {"vars": {"a": 1, "b": ["x"]}},
        {},
    ]
    results = [_result(testCase=test, testIdx=i) for i, test in enumerate(tests)]
    names = [row.record.case for row in _read(tmp_path, *results).rows]
    assert names[:2] == ["时间", "时间 #2"]
    assert names[2] != names[3]
    assert max(map(len, names)) <= 80
    assert names[4:] == ['1 · ["x"]', "test"]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"failureReason": 2, "success": False, "score": 0, "error": "API error: 429"}, Status.rate_limited),
        ({"failureReason": 2, "success": False, "score": 0, "error": "Request timed out"}, Status.timeout),
        ({"failureReason": None, "score": 0, "error": "boom", "response": None}, Status.agent_error),
        ({"failureReason": None, "score": 0, "response": {"error": "boom"}}, Status.agent_error),
        ({"failureReason": 1, "success": False, "score": 0, "error": "Expected x"}, Status.completed),
        (
            {"failureReason": None, "score": 0, "error": "Expected x", "gradingResult": {"pass": False}},
            Status.completed,
        ),
    ],
)
def test_an_error_is_no_wrong_answer(tmp_path: Path, fields: dict[str, Any], status: Status) -> None:
    foreign = _read(tmp_path, _result(**fields))
    assert foreign.rows[0].record.status is status
    assert _values(foreign) == [0.0 if status is Status.completed else None]
    assert foreign.faults == ()


@pytest.mark.parametrize(
    ("score", "kind"), [(float("nan"), "non_finite"), (3, "out_of_range"), (None, "no_score")]
)
def test_what_is_no_score_is_a_fault(tmp_path: Path, score: object, kind: str) -> None:
    foreign = _read(tmp_path, _result(score=score))
    assert _values(foreign) == [None]
    assert [(fault.kind, fault.case) for fault in foreign.faults] == [(kind, "开门？")]
    assert foreign.faults[0].where.endswith("results.json results[0]")


def test_a_test_with_a_threshold_makes_no_claim_about_scores(tmp_path: Path) -> None:
    stats = {"successes": 1, "failures": 0, "errors": 0}
    results = {"results": {"results": [_result(score=0.6)], "stats": stats}}
    path = tmp_path / "results.json"
    path.write_text(json.dumps(results))
    foreign = read(path)
    assert foreign.claims == {"errors": 0}
    assert foreign.told["stats"] == stats


def test_chat_prompts_usage_and_partial_assertions(tmp_path: Path) -> None:
    chat = json.dumps([{"role": "system", "content": "简短"}, {"role": "user", "content": "开门？"}])
    component = {
        "pass": True,
        "score": 0.8,
        "reason": "好",
        "assertion": {"type": "llm-rubric", "metric": "语气"},
    }
    row = _read(
        tmp_path,
        _result(
            prompt={"raw": chat, "label": "c"},
            response={"output": {"answer": "九点"}, "finishReason": "stop"},
            tokenUsage={"prompt": 7, "completion": 2, "cached": 1},
            cost=0.01,
            latencyMs=250,
            gradingResult={"componentResults": [component, {"pass": False, "assertion": None}]},
        ),
    ).rows[0]
    turn = row.record.turns[0]
    assert (row.record.system, turn.user, turn.reply) == ("简短", "开门？", '{"answer":"九点"}')
    assert (turn.seconds, turn.finish_reason, turn.model) == (0.25, "stop", "openai:m")
    assert turn.usage == Usage(input_tokens=7, output_tokens=2, cached_tokens=1, cost=0.01)
    assert [(hit.rule, hit.met, hit.why) for hit in row.score.hits] == [
        ("语气", True, "score 0.8; 好"), ("assertion", False, ""),
    ]  # fmt: skip


def test_what_is_no_result_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"results\.json results\[1\]"):
        _read(tmp_path, _result(), 5)


BESIDE, GROUNDS = ["Status", "Score", "Named Scores"], ["Grader Reason", "Comment"]
FIRST = ["Description", "q", "[echo] 问：{{q}}", "Reasoning", *BESIDE, "Metric: 语气", *GROUNDS]
TABLES: dict[str, list[list[str]]] = {
    "now": [
        [*FIRST, "[echo] 二", *BESIDE, *GROUNDS],
        [
            "",
            "开门？",
            "九点",
            "想",
            "PASS",
            "1.00",
            "{}",
            "1.00",
            "",
            "",
            "10",
            "FAIL",
            "0.50",
            "{}",
            "不对",
            "",
        ],
        ["", "关门？", "", "", "ERROR", "0.00", "{}", "", "429", "", "", "", "", "", "", ""],
    ],
    "earlier": [
        ["q", "[echo] 问：{{q}}", "Grader Reason", "Comment", "[echo] 二", "Grader Reason", "Comment"],
        ["开门？", "[PASS] 九点", "", "", "[FAIL] (0.50) 10", "不对", ""],
        ["关门？", "[ERROR] 429", "", "", "", "", ""],
    ],
    "first": [
        ["[echo] 问：{{q}}", "[echo] 二", "q"],
        ["[PASS] (1.00)\n\n九点", "[FAIL] (0.50, 语气: 0.50)\n\n10\n\nFail Reason: 不对", "开门？"],
        ["[ERROR] (0.00)\n\n429", "", "关门？"],
    ],
}


@pytest.mark.parametrize("version", TABLES)
def test_tables_of_every_version_give_the_same(tmp_path: Path, version: str) -> None:
    path = tmp_path / "results.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(TABLES[version])
    foreign = read(path)

    def told(row: Row) -> tuple[object, ...]:
        value = None if isinstance(row.score.value, Unscored) else row.score.value
        return row.record.status, row.record.turns[0].user, row.record.reply, value

    assert [told(row) for row in foreign.rows] == [
        (Status.completed, "开门？", "九点", 1.0),
        (Status.completed, "开门？", "10", 0.5),
        (Status.rate_limited, "关门？", "", None),
    ]
    assert foreign.rows[1].score.hits[0].why == "不对"
    assert foreign.parts["model"].says == "echo"
