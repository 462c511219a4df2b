import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.evidence.columns import Columns
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.schema.score import About, Hit, Row, Score, Unscored

MakeRow = Callable[..., Row]
NONE = Unscored(why="-")


def asked(case: str, *turns: str, trial: int = 0, model: str | None = None) -> Row:
    record = Record(
        case=case,
        trial=trial,
        status=Status.completed,
        turns=tuple(Turn(user=user, reply="", model=model) for user in turns),
    )
    return Row(record=record, score=Score(value=1.0, useful=NONE))


def test_what_counts_is_a_completed_session_with_a_score(row: MakeRow) -> None:
    rows = [
        row("退款", 1.0),
        row("退款", 0.5, trial=1),
        row("退款", trial=2, status=Status.timeout),
        row("b", None),
        row("c", None, hits=False),
        row("d", status=Status.agent_error, scorable=False),
        row("e", float("nan")),
        row("f", 1.5),
    ]
    found = Columns.of(rows, pass_at=1.0)
    assert found.ids == ("退款", "b", "c", "d", "e", "f")
    assert found.held.tolist() == [3, 1, 1, 1, 1, 1]
    assert found.scored.tolist() == [2, 0, 0, 0, 0, 0]
    assert found.passes.tolist() == [1, 0, 0, 0, 0, 0]
    assert found.mean.tolist() == [0.75, 0, 0, 0, 0, 0]
    assert found.squares.tolist() == [0.125, 0, 0, 0, 0, 0]
    assert found.variance.tolist() == [0.125, 0, 0, 0, 0, 0]
    assert found.asked.tolist() == [True, True, False, False, True, True]
    assert found.statuses == {"completed": 6, "timeout": 1, "agent_error": 1}


def test_sessions_that_came_already(row: MakeRow) -> None:
    rows = [row("甲"), row("乙"), row("甲", trial=1), row("甲", 0.0), row("甲"), row("乙", trial=10**30)]
    assert Columns.of(rows, pass_at=1.0).repeated == 2
    assert Columns.of(rows[:3], pass_at=1.0).repeated == 0
    assert Columns.of((), pass_at=1.0).repeated == 0


def test_what_a_case_is_comes_from_its_first_row(row: MakeRow) -> None:
    rows = [
        row("a", weight=3.0, cluster="模板", tags=("退款", "zh"), task_type="lookup", bucket="硬"),
        row("b"),
        row("c", cluster="模板", tags=("退款", "zh"), task_type="refund"),
        row("d"),
    ]
    found = Columns.of(rows, pass_at=1.0)
    assert found.weight.tolist() == [3, 1, 1, 1]
    assert found.cluster.tolist() == [0, 1, 0, 2]
    assert (found.tags.tolist(), found.tag_sets) == ([0, -1, 0, -1], (("退款", "zh"),))
    assert (found.task_type.tolist(), found.task_types) == ([0, -1, 1, -1], ("lookup", "refund"))
    assert (found.bucket.tolist(), found.buckets) == ([0, -1, -1, -1], ("硬",))


def test_turns_length_question_and_models() -> None:
    rows = [
        asked("a", "你好", model="m-1"),
        asked("a", "你好", "再见吧", trial=1, model="m-2"),
        asked("b", "你好"),
        asked("c", "hello"),
        asked("d"),
        asked("e", "x"),
        asked("e", "y", trial=1),
    ]
    found = Columns.of(rows, pass_at=1.0)
    assert found.turns.tolist() == [2, 1, 1, 0, 1]
    assert found.length.tolist() == [5, 2, 5, 0, 1]
    assert found.question[0] == found.question[1] != found.question[2]
    assert found.question[3] == 0
    assert found.varies.tolist() == [False, False, False, False, True]
    assert found.models == {"m-1": 1, "m-2": 2}


def test_no_row_is_no_case() -> None:
    found = Columns.of([], pass_at=1.0)
    assert found.ids == ()
    assert found.mean.size == found.asked.size == found.cluster.size == 0


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([0.0, 0.1, 1 / 3, 0.7, 1.0])), min_size=1),
    st.randoms(use_true_random=False),
)
def test_mean_and_spread_are_those_of_the_scores_in_any_order(
    trials: list[tuple[str, float]], order: random.Random
) -> None:
    rows = [
        Row(
            record=Record(case=case, trial=n, status=Status.completed),
            score=Score(value=value, hits=(Hit(rule="r", met=True, share=1.0),), useful=NONE),
            about=About(),
        )
        for n, (case, value) in enumerate(trials)
    ]
    found = Columns.of(rows, pass_at=0.5)
    for i, case in enumerate(found.ids):
        values = [value for name, value in trials if name == case]
        assert found.mean[i] == pytest.approx(np.mean(values))
        assert found.squares[i] == pytest.approx(np.var(values) * len(values), abs=1e-9)
        assert found.passes[i] == sum(value >= 0.5 for value in values)
        if len(set(values)) == 1:
            assert found.squares[i] == 0.0
    order.shuffle(rows)
    again = Columns.of(rows, pass_at=0.5)
    for i, case in enumerate(again.ids):
        assert again.mean[i] == found.mean[found.ids.index(case)]
        assert again.squares[i] == found.squares[found.ids.index(case)]
