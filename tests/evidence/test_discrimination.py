"""What a case tells, as far as its history shows."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.evidence.discrimination import by_case, saturation
from fairtrial.schema.health import CaseHealth
from fairtrial.schema.record import Record, Status
from fairtrial.schema.score import Hit, Row, Score, Unscored


def row(case: str, *met: bool | None, trial: int = 0, value: float | None = None) -> Row:
    hits = tuple(Hit(rule="contains", met=one, share=1.0) for one in met)
    share = sum(map(bool, met)) / len(met) if value is None and met else value
    return Row(
        record=Record(case=case, trial=trial, status=Status.completed),
        score=Score(
            value=Unscored(why="no") if share is None else share, hits=hits, useful=Unscored(why="no")
        ),
    )


def one(*rounds: Sequence[tuple[bool, ...]]) -> CaseHealth:
    (found,) = by_case(
        ["退款"],
        [[row("退款", *met, trial=trial) for trial, met in enumerate(trials)] for trials in rounds],
        pass_at=1.0,
    )
    return found


YES, NO = (True, True), (True, False)


@pytest.mark.parametrize(
    ("rounds", "passed"),
    [
        ([[YES, YES]] * 3, "always"),
        ([[NO]] * 3, "never"),
        ([[YES]] * 2, "not known"),
        ([[YES, NO]], "sometimes"),
        ([], "not known"),
    ],
)
def test_how_often_it_passed(rounds: list[list[tuple[bool, ...]]], passed: str) -> None:
    found = one(*rounds)
    assert (found.passed, found.rounds) == (passed, len(rounds))
    assert found.trials == sum(map(len, rounds))


def test_trials_of_one_round_that_disagree() -> None:
    found = one([YES, NO], [YES, YES], [NO])
    assert (found.flips, found.repeated) == (1, 2)


def test_one_rule_that_moves_decides() -> None:
    assert one([YES], [NO], [YES]).decided_by == "1 (contains)"
    assert one([(True, True)], [(False, False)]).decided_by is None
    assert one([(True,)], [(False,)]).decided_by is None
    assert one([YES], [YES], [YES]).decided_by is None


def test_a_case_that_never_passes_may_still_move() -> None:
    found = one([(False, False)], [(False, True)], [(False, False)])
    assert (found.passed, found.moves, found.low, found.high) == ("never", True, 0.0, 0.5)
    assert not one([(False, True)]).moves


def test_what_has_no_score_is_no_trial() -> None:
    (found,) = by_case(["a"], [[row("a"), row("b", True)]], pass_at=1.0)
    assert found == CaseHealth(case="a", passed="not known", rounds=0, trials=0, passes=0)
    assert not found.moves


def test_the_order_of_a_log_does_not_matter() -> None:
    rounds = [[row(c, t % 2 == 0, trial=t) for t in range(3) for c in "ab"] for _ in range(3)]
    orders = [
        by_case("ab", [random.Random(n).sample(rows, 6) for rows in rounds], pass_at=1.0) for n in (1, 2)
    ]
    assert orders[0] == orders[1]
    assert [case.rounds for case in orders[0]] == [3, 3]


class TestSaturation:
    @staticmethod
    def of(cases: dict[str, Sequence[float]], weights: dict[str, float] | None = None) -> tuple[object, ...]:
        rows = [row(c, value=v, trial=t) for c, values in cases.items() for t, v in enumerate(values)]
        healths = by_case(cases, [rows] * 3, pass_at=1.0)
        found = saturation(healths, weights or dict.fromkeys(cases, 1.0), rows, run="r", pass_at=1.0)
        return found.known, found.left, found.share, found.trials, found.detectable, found.of_whole

    def test_a_set_that_everybody_passes_tells_nothing(self) -> None:
        assert self.of({"a": [1.0] * 3, "b": [1.0] * 3}) == (2, 0, 1.0, None, None, None)

    def test_nothing_known(self) -> None:
        found = saturation([], {}, [], run="", pass_at=1.0)
        assert (found.known, found.share, found.detectable) == (0, None, None)

    def test_what_is_left_shows_less_of_the_whole(self) -> None:
        moving = {f"m{i}": [float(i % 2), float(i % 3 == 0), 1.0] for i in range(20)}
        known, left, share, trials, detectable, of_whole = self.of(moving | {"q": [1.0] * 3, "z": [0.0] * 3})
        moved = sum(len(set(values)) > 1 for values in moving.values())
        assert (known, left, trials) == (22, moved, 3)
        assert share == pytest.approx(1 - moved / 22)
        assert isinstance(detectable, float)
        assert of_whole == pytest.approx(detectable * moved / 22)


@given(
    st.lists(st.lists(st.lists(st.booleans(), min_size=1, max_size=3), min_size=1, max_size=3), max_size=5)
)
def test_counts_add_up(rounds: list[list[list[bool]]]) -> None:
    found = one(*[[tuple(trial) for trial in trials] for trials in rounds])
    assert 0 <= found.passes <= found.trials
    assert 0 <= found.flips <= found.repeated <= found.rounds == len(rounds)
    assert found.passed != "sometimes" or found.moves
