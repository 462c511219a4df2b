"""The metrics of logs made by hand: means, intervals, buckets and the sessions behind them."""

from collections.abc import Iterable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fairtrial.evidence.columns import Columns
from fairtrial.evidence.estimate import estimate_mean
from fairtrial.evidence.metrics import Measuring, open_mean
from fairtrial.evidence.spent import Spent
from fairtrial.schema.metrics import Against, Measured, Metric, NotJudged, Verdict
from fairtrial.schema.record import Call, Record, Status, Turn, Usage
from fairtrial.schema.score import About, Row, Score, Unscored

NONE = Unscored(why="not scored")
GOOD, EMPTY = Call(name="find", result={"city": "杭州"}), Call(name="find", result=[])


def session(
    case: str, trial: int, value: float, *calls: Call, seconds: float | None = None, **about: Any
) -> Row:
    usage = None if seconds is None else Usage(input_tokens=100, cost=0.25)
    turn = Turn(user="到哪了？", reply="杭州", steps=calls, seconds=seconds, usage=usage)
    record = Record(case=case, trial=trial, status=Status.completed, turns=(turn,))
    return Row(record=record, score=Score(value=value, useful=NONE), about=About(**about))


def measured(rows: Iterable[Row], verdicts: dict[str, Verdict] | None = None) -> dict[Metric, Measured]:
    measuring = Measuring(pass_at=1.0)
    for row in rows:
        measuring.add(row, (verdicts or {}).get(row.record.case))
    return {metric.name: metric for metric in measuring.close().metrics}


ROWS = [
    session("a", 0, 1.0, GOOD, tags=("zh",), weight=3.0, least_calls=1, task_type="退款"),
    session("a", 1, 0.5, GOOD, EMPTY, tags=("zh",), weight=3.0, least_calls=1, task_type="退款"),
    session("b", 0, 1.0, GOOD, GOOD, EMPTY, least_calls=2, seconds=2.0),
    session("b", 1, 1.0, GOOD, least_calls=2, seconds=4.0),
    session("c", 0, 0.0, seconds=6.0),
    session("c", 1, 1.0),
]


def test_completion_is_the_mean_of_cases_by_weight() -> None:
    found = measured(ROWS)[Metric.task_completion]
    # a: 1 of 2, weight 3; b: 2 of 2; c: 1 of 2
    assert found.estimate.mean == pytest.approx((3 * 0.5 + 1 + 0.5) / 5)
    assert found.estimate == estimate_mean([0.5, 1.0, 0.5], [3.0, 1.0, 1.0], [0, 1, 2])
    assert (found.counted, found.estimate.n, found.unit) == (6, 3, "share")
    assert [(one.case, one.trial) for one in found.against] == [("a", 1), ("c", 0)]


def test_calls_are_counted_over_all() -> None:
    found = measured(ROWS)[Metric.tool_effectiveness]
    # a: 2 of 3; b: 2 of 4, one repeated and one empty; c made none
    assert found.estimate.mean == pytest.approx(4 / 7)
    assert found.counted == 7
    assert found.details == {"failed": 0, "empty": 2, "repeated": 1}
    assert found.not_judged == {NotJudged.no_call: 2}
    assert found.against == (
        Against(case="a", trial=1, why="find brought nothing"),
        Against(case="b", trial=0, why="find was repeated; find brought nothing"),
    )


def test_pass_hat_k_of_all_cases() -> None:
    found = measured(ROWS)[Metric.pass_hat_k]
    assert found.details == {"k": 2}
    assert found.estimate.mean == pytest.approx(1 / 3)  # unweighted: b alone passed twice
    at = {share.name: share.estimate.mean for share in found.buckets if share.kind == "k"}
    assert at == {"1": pytest.approx(2 / 3), "2": pytest.approx(1 / 3)}


def test_steps_of_the_sessions_that_reached_the_goal() -> None:
    found = measured(ROWS)[Metric.steps]
    # a/0: 1 of 1; b/0: 3 of 2, b/1: 1 of 2 → a 1, b 1; by weight
    assert found.estimate.mean == pytest.approx((3 * 1 + 1 * 1) / 4)
    assert found.not_judged == {NotJudged.goal_not_reached: 2, NotJudged.no_least: 1}
    assert found.against == (Against(case="b", trial=0, why="3 calls, 2 needed"),)
    assert found.unit == "ratio"


def test_unknown_time_and_cost_stay_unknown() -> None:
    found = measured(ROWS)
    latency = found[Metric.latency]
    assert latency.estimate.mean == pytest.approx(4.0)
    assert latency.not_judged == {NotJudged.untold: 3}
    assert latency.details == {"p50": pytest.approx(4.0), "p95": pytest.approx(5.8)}
    assert found[Metric.cost].details == {"total_known": pytest.approx(0.75)}
    assert found[Metric.cost].not_judged == {NotJudged.untold: 3}
    none = found[Metric.output_tokens]
    assert (none.estimate.mean, none.estimate.n, none.details) == (None, 0, {"total_known": None})
    assert found[Metric.first_token].details == {"p50": None, "p95": None}


def test_buckets() -> None:
    shares = {(s.kind, s.name): s.estimate for s in measured(ROWS)[Metric.task_completion].buckets}
    assert set(shares) == {("task type", "?"), ("task type", "退款"), ("tag", "zh")}
    assert shares["task type", "?"].mean == pytest.approx(0.75)
    assert (shares["tag", "zh"].mean, shares["tag", "zh"].n) == (0.5, 1)


def test_a_persons_verdict_and_how_often_the_rules_agree() -> None:
    verdicts = {"b": Verdict(fault="agent"), "c": Verdict(fault="case")}
    found = measured(ROWS, verdicts)[Metric.task_completion]
    assert found.estimate.mean == pytest.approx(3 * 0.5 / 4)
    assert found.details == {"marked": 4, "compared": 2, "agreed": 0}
    assert found.not_judged == {NotJudged.case_at_fault: 2}


def test_memory_by_distance() -> None:
    def talk(case: str, *replies: str) -> Row:
        users = ("订单 JD2024111138271", "然后呢", "还有呢")
        turns = tuple(Turn(user=u, reply=r) for u, r in zip(users, replies, strict=True))
        record = Record(case=case, trial=0, status=Status.completed, turns=turns)
        return Row(record=record, score=Score(value=1.0, useful=NONE), about=About())

    found = measured(
        [
            talk("a", "好", "请提供订单号", "JD2024111138271 已发货"),
            talk("b", "好", "JD2024111138271 已发货", "JD2024111138271 已签收"),
        ]
    )[Metric.memory_retention]
    assert found.estimate.mean == pytest.approx(3 / 4)
    by = {share.name: share.estimate.mean for share in found.buckets if share.kind == "distance"}
    assert by == {"1": 0.5, "2": 1.0}
    assert [one.case for one in found.against] == ["a"]


def test_a_turn_aside_is_neither_spent_nor_of_the_case() -> None:
    row = session("a", 0, 1.0, seconds=2.0)
    aside = Turn(user="您的订单号是？" * 9, reply="?", usage=Usage(input_tokens=7, cost=1.0), aside=True)
    asked = replace(row, record=replace(row.record, turns=(*row.record.turns, aside)))
    with_it, without = Spent(), Spent()
    with_it.add(asked.record)
    without.add(row.record)
    assert with_it.figures() == without.figures()
    columns = Columns.of([asked], pass_at=1.0)
    assert (columns.turns.tolist(), columns.length.tolist()) == ([1], [4])


def test_the_order_of_the_rows_does_not_matter() -> None:
    first = measured(ROWS)
    for rows in list(permutations(ROWS))[::97]:
        assert measured(rows) == first


def test_nothing_gives_no_number() -> None:
    for metric in measured([]).values():
        assert (metric.estimate.mean, metric.estimate.low, metric.counted) == (None, None, 0)


class TestOpenMean:
    def test_one_case_a_cluster_is_students_interval(self) -> None:
        # 4.303 = t(0.975, 2 df), from the tables; s = 2 of (2, 4, 6), n = 3
        found = open_mean([2.0, 4.0, 6.0], [1.0, 1.0, 1.0], [0, 1, 2])
        assert found.mean == pytest.approx(4.0)
        half = 4.302653 * 2 / 3**0.5
        assert found.high == pytest.approx(4 + half, rel=1e-6)
        assert found.low == 0.0

    def test_too_few_clusters_and_no_spread_have_none(self) -> None:
        assert open_mean([1.0, 2.0, 3.0], [1.0] * 3, [0, 0, 1]).low is None
        assert open_mean([2.0] * 5, [1.0] * 5, list(range(5))).low is None

    @given(st.lists(st.floats(0, 1e6), min_size=1, max_size=8))
    def test_the_mean_lies_in_its_interval(self, values: list[float]) -> None:
        found = open_mean(values, [1.0] * len(values), list(range(len(values))))
        if found.low is not None and found.high is not None and found.mean is not None:
            assert 0 <= found.low <= found.mean <= found.high
