import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.evidence.quick import compare_quick
from fairtrial.schema.evidence import QuickOutcome, QuickVerdict
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.schema.score import Row, Score, Unscored

MakeRow = Callable[..., Row]


def rows(scores: Sequence[Sequence[float]], words: str = "ask") -> list[Row]:
    return [
        Row(
            record=Record(
                case=f"c{i}", trial=t, status=Status.completed, turns=(Turn(user=f"{words} {i}", reply="r"),)
            ),
            score=Score(value=value, useful=Unscored(why="-")),
        )
        for i, trials in enumerate(scores)
        for t, value in enumerate(trials)
    ]


def compare(quick: Sequence[Sequence[float]], base: Sequence[Sequence[float]]) -> QuickVerdict:
    return compare_quick(rows(quick), rows(base), pass_at=1.0, base_run="base")


def test_an_evident_regression() -> None:
    found = compare([[0.0]] * 3 + [[1.0]] * 3, [[1.0] * 3] * 6)
    assert found.outcome is QuickOutcome.worse
    assert found.p == pytest.approx(0.25**3)
    assert (found.shared, found.base, found.fell) == (6, "base", ("c0", "c1", "c2"))
    assert "Clearly worse" in found.meaning


def test_of_many_that_fell_the_first_are_named_to_people() -> None:
    found = compare([[0.0]] * 40, [[1.0] * 3] * 40)
    assert len(found.fell) == 40
    assert "Fell: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 …." in found.meaning


def test_one_fall_is_named_but_no_alarm() -> None:
    found = compare([[0.0]] + [[1.0]] * 5, [[1.0] * 3] * 6)
    assert found.outcome is QuickOutcome.no_alarm
    assert found.fell == ("c0",)
    assert "shows no improvement" in found.meaning
    assert "c0" in found.meaning


def test_partial_scores_are_compared_where_nothing_passes() -> None:
    base = [[0.5, 0.6, 0.7]] * 6
    assert compare([[0.2]] * 4 + [[0.6]] * 2, base).outcome is QuickOutcome.worse
    assert compare([[0.55]] * 6, base).outcome is QuickOutcome.no_alarm
    assert compare([[0.2]] * 3 + [[0.6]] * 3, base).outcome is QuickOutcome.no_alarm


def test_one_core_case_that_is_all_wrong_now_alarms_where_it_was_tried_often_enough() -> None:
    others = [[1.0] * 3] * 5
    found = compare([[0.0] * 3, *others], [[1.0] * 3, *others])
    assert found.p == pytest.approx(1 / 20)
    assert found.outcome is QuickOutcome.worse
    assert compare([[0.0]], [[1.0] * 17]).outcome is QuickOutcome.no_alarm  # p = 1/18


def test_a_tie_between_the_rounds_weighs_nothing() -> None:
    ties = compare([[0.5], [0.2]], [[0.5] * 3, [0.5] * 5])
    assert (ties.p, ties.fell) == (pytest.approx(1 / 6), ("c1",))


def test_better_is_no_alarm_and_no_praise() -> None:
    found = compare([[1.0]] * 6, [[0.0] * 3] * 6)
    assert (found.outcome, found.p, found.fell) == (QuickOutcome.no_alarm, 1.0, ())


@pytest.mark.parametrize("base", [None, [], rows([[1.0]], words="other words")])
def test_nothing_to_compare_with(base: list[Row] | None) -> None:
    found = compare_quick(rows([[0.0]]), base, pass_at=1.0)
    assert (found.outcome, found.p, found.shared) == (QuickOutcome.nothing, None, 0)
    assert "--mode full" in found.meaning


def test_errors_are_no_failures(row: MakeRow) -> None:
    quick = [row(f"c{i}", status=Status.timeout) for i in range(6)]
    base = [row(f"c{i}", 1.0, trial=t) for i in range(6) for t in range(3)]
    assert compare_quick(quick, base, pass_at=1.0).outcome is QuickOutcome.nothing


def test_only_shared_cases_are_compared() -> None:
    found = compare([[0.0]] * 3, [[1.0] * 3] * 60)
    assert (found.shared, found.outcome) == (3, QuickOutcome.worse)


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=2),
            st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=4),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_p_is_a_chance(cases: list[tuple[list[float], list[float]]]) -> None:
    found = compare([c[0] for c in cases], [c[1] for c in cases])
    assert found.p is not None
    assert 0 < found.p <= 1


@pytest.mark.parametrize("failing", [0.05, 0.5, 0.9, None])
@pytest.mark.parametrize("graded", [False, True])
def test_false_alarms_stay_below_five_in_a_hundred(failing: float | None, graded: bool) -> None:
    """No change between the rounds; also where most cases fail, and with partial scores."""
    draw, alarms, rounds = random.Random(8), 0, 400
    for _ in range(rounds):
        rates = [draw.random() if failing is None else failing for _ in range(20)]

        def trial(rate: float) -> float:
            if draw.random() >= rate:
                return 1.0
            return round(draw.random(), 1) * 0.9 if graded else 0.0

        quick = [[trial(rate)] for rate in rates]
        base = [[trial(rate) for _ in range(3)] for rate in rates]
        alarms += compare(quick, base).outcome is QuickOutcome.worse
    assert alarms / rounds < 0.05 + 3 * (0.05 * 0.95 / rounds) ** 0.5
