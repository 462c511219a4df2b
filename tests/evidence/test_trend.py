"""Which rounds stand on one trend, and on which cases."""

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.evidence.trend import Alike, alike, asked_alike
from fairtrial.schema.record import Record, Status
from fairtrial.schema.score import About, Row, Score, Unscored


def test_a_round_that_leaves_less_than_half_is_left_out_and_one_before_it_is_not() -> None:
    rounds = [("r4", "甲乙丙丁"), ("r3", "甲"), ("r2", "甲乙丙"), ("r1", "甲乙")]
    found = alike("甲乙丙丁", [(name, frozenset(same)) for name, same in rounds])
    assert found == Alike(cases=frozenset("甲乙"), on=("r4", "r2", "r1"), left_out={"r3": 1})


def test_no_rounds_and_no_cases() -> None:
    assert alike("a", []) == Alike(cases=frozenset(), on=(), left_out={})
    assert alike("", [("r", frozenset())]).left_out == {"r": 0}


def test_a_log_that_does_not_tell_is_known_by_its_set_alone() -> None:
    score = Score(value=Unscored(why="no"), useful=Unscored(why="no"))
    rows = [
        Row(record=Record(case=case, trial=0, status=Status.completed), score=score, about=About(asked=told))
        for case, told in (("a", None), ("b", "2"), ("c", None), ("d", "1"))
    ]
    now = {"a": "1", "b": "1", "d": "1"}
    assert asked_alike(rows, now, same_set=True) == {"a", "d"}
    assert asked_alike(rows, now, same_set=False) == {"d"}


some = st.frozensets(st.sampled_from("abcdefgh"))


@given(some, st.lists(some, max_size=6))
def test_every_round_of_a_trend_asked_its_cases_as_they_are(
    cases: frozenset[str], rounds: list[frozenset[str]]
) -> None:
    named = {str(n): same & cases for n, same in enumerate(rounds)}
    found = alike(cases, named.items())
    assert set(found.on) | set(found.left_out) == set(named)
    assert all(found.cases <= named[name] for name in found.on)
    assert not found.on or 2 * len(found.cases) >= len(cases)
