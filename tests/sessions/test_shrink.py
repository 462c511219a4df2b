"""Shrinking against made-up agents that fail with a known chance when certain steps are there."""

from collections.abc import Collection
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.sessions.shrink import Shrinker, ShrinkResult, Why


def _shrink(
    steps: int, needed: Collection[int], *, rate: float, other: float = 0.03, seed: int
) -> ShrinkResult:
    """Run to the end an agent that fails at `rate` where all needed steps are kept, else at `other`."""
    shrinker, draw = Shrinker(steps, seed=seed), Random(f"agent {seed}")
    while (kept := shrinker.ask()) is not None:
        shrinker.tell(draw.random() < (rate if set(needed) <= set(kept) else other))
    return shrinker.result


@given(
    st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1), min_size=1)))
)
def test_an_agent_that_always_fails_is_shrunk_to_what_it_takes(world: tuple[int, set[int]]) -> None:
    steps, needed = world
    result = _shrink(steps, needed, rate=1, other=0, seed=1)
    assert result.why is Why.shrunk
    assert result.kept == tuple(sorted(needed))
    assert (result.failures, result.sessions) == (20, 20)


@pytest.mark.parametrize("steps", [0, 1, 5])
def test_an_agent_that_fails_without_any_step_is_said_to(steps: int) -> None:
    result = _shrink(steps, (), rate=0.9, seed=2)
    assert (result.kept, result.why, result.sessions) == ((), Why.bare, 20)
    assert result.failures >= 8


def test_one_step_is_kept_once_it_is_shown_to_matter() -> None:
    result = _shrink(1, {0}, rate=1, other=0, seed=3)
    assert (result.kept, result.why) == ((0,), Why.shrunk)
    # Three failures confirm it, seven passes clear the bare case, twenty verify.
    assert result.spent == 3 + 7 + 20


def test_an_agent_that_does_not_fail_is_not_shrunk() -> None:
    """Seven passes do: 7 · log(0.5/0.9) = -4.11 is below log(0.02/0.99), 6 · log(0.5/0.9) not."""
    result = _shrink(6, (), rate=0, other=0, seed=4)
    assert (result.kept, result.why, result.spent, result.sessions) == (None, Why.not_confirmed, 7, 0)


def test_what_lies_between_stays_undecided_and_unconfirmed() -> None:
    """Two failures in each seven sessions is where neither 0.5 nor 0.1 is much likelier."""
    shrinker, told = Shrinker(3, seed=1), 0
    while shrinker.ask() is not None:
        told += 1
        shrinker.tell(told % 7 in (3, 6))
    assert (shrinker.result.why, told) == (Why.not_confirmed, 30)


def test_an_agent_that_mends_itself_is_said_not_to_be_shrunk() -> None:
    """Whatever is verified passes: after three attempts no shrunk case is claimed."""
    shrinker, streak, last = Shrinker(4, seed=6), 0, None
    while (kept := shrinker.ask()) is not None:
        streak = streak + 1 if kept == last else 1
        last = kept
        shrinker.tell(bool(kept) and streak <= 3)
    assert (shrinker.result.why, shrinker.result.kept) == (Why.not_shrunk, None)
    assert shrinker.result.spent < 3 * (4 * 10 + 20) + 10


def test_a_question_is_the_same_until_it_is_told() -> None:
    """A session that was set aside is run again by asking again."""
    shrinker = Shrinker(4, seed=1)
    assert shrinker.ask() == shrinker.ask() == (0, 1, 2, 3)
    assert shrinker.result == ShrinkResult(kept=None, failures=0, sessions=0, spent=0, why=Why.unfinished)


def test_the_same_seed_and_answers_ask_the_same() -> None:
    def asked(seed: int) -> list[tuple[int, ...]]:
        shrinker, draw, seen = Shrinker(9, seed=seed), Random(8), []
        while (kept := shrinker.ask()) is not None:
            seen.append(kept)
            shrinker.tell(draw.random() < (0.8 if {2, 7} <= set(kept) else 0.05))
        return seen

    assert asked(5) == asked(5)


def test_misuse_is_refused() -> None:
    with pytest.raises(ValueError, match="number of steps"):
        Shrinker(-1, seed=1)
    shrinker = Shrinker(0, seed=1)
    while shrinker.ask() is not None:
        shrinker.tell(failed=False)
    with pytest.raises(ValueError, match="no session"):
        shrinker.tell(failed=True)


@pytest.mark.slow
@pytest.mark.parametrize("needed", [{4}, {1, 8}, {0, 5, 11}])
def test_shrinking_is_exact_in_nineteen_of_twenty(needed: set[int]) -> None:
    """At a rate of 0.6 over 12 steps; 1000 runs, so that the standard error is below 0.007."""
    results = [_shrink(12, needed, rate=0.6, seed=seed) for seed in range(1000)]
    assert sum(result.kept == tuple(sorted(needed)) for result in results) >= 950
    assert sum(result.spent for result in results) <= 130 * 1000
