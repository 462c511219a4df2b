"""Canaries: what counts as drift, and how often chance looks like it."""

import random

import pytest

from fairtrial.evidence.drift import drift
from fairtrial.schema.fingerprint import Canary


def canaries(*answers: list[str | None]) -> list[Canary]:
    return [Canary(prompt=f"p{n}", answers=tuple(given)) for n, given in enumerate(answers)]


def test_the_same_answers_are_no_drift() -> None:
    same = canaries(["Seine, Loire, Rhône."] * 3, ["长江和黄河"] * 3)
    found = drift(then=same, now=canaries(["seine,  loire, rhône."] * 3, ["长江和黄河"] * 3))
    assert (found.share, found.prompts, found.judged) == (0.0, (), 2)


def test_other_answers_of_one_voice_are_drift() -> None:
    found = drift(then=canaries(["391"] * 3, ["好"] * 3), now=canaries(["381"] * 3, ["好"] * 3))
    assert (found.share, found.prompts) == (0.5, ("p0",))


def test_answers_that_always_vary_drift_only_where_old_and_new_part() -> None:
    then = canaries(["the river Seine runs", "Seine is a river", "a river is the Seine"])
    alike = canaries(["the Seine is a river", "it is the river Seine", "river Seine runs a lot"])
    apart = canaries(["巴黎位于法国北部", "法国的首都是巴黎", "巴黎是法国首都"])
    assert drift(then=then, now=alike).share == 0.0
    assert drift(then=then, now=apart).share == 1.0


def test_one_answer_heard_before_is_no_drift() -> None:
    found = drift(then=canaries(["a", "a", "b"]), now=canaries(["c", "c", "B"]))
    assert found.share == 0.0


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (["a", "a", None], ["b", "b", "b"]),
        (["a", "a", "a"], [None, None, None]),
        (["a"], ["b"]),
        ([], []),
    ],
)
def test_too_few_answers_judge_nothing(then: list[str | None], now: list[str | None]) -> None:
    assert drift(then=canaries(then), now=canaries(now)) == (None, (), 0)


def test_an_answer_that_did_not_come_is_no_drift() -> None:
    found = drift(then=canaries(["a"] * 3, ["b"] * 3), now=canaries([None] * 3, ["b"] * 3))
    assert (found.share, found.judged) == (0.0, 1)


def test_chance_drifts_a_prompt_at_most_once_in_ten() -> None:
    """Permutation tests hold their level: 1 parting in 10 with three answers of each time."""
    draw = random.Random(7)
    words = ["river", "long", "Seine", "north", "water", "Paris", "flows", "长", "江", "河"]
    said = lambda: " ".join(draw.sample(words, 5))  # noqa: E731
    pairs = 4000
    drifted = sum(
        len(
            drift(then=canaries([said() for _ in range(3)]), now=canaries([said() for _ in range(3)])).prompts
        )
        for _ in range(pairs)
    )
    assert drifted / pairs < 0.1 + 3 * (0.1 * 0.9 / pairs) ** 0.5
