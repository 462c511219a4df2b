import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom

from fairtrial.stats.stratified import hypergeometric, upper_tail


def test_as_scipy_gives_it() -> None:
    assert hypergeometric(9, 4, 3) == pytest.approx([hypergeom.pmf(x, 9, 4, 3) for x in range(4)])
    assert upper_tail([(0.7, 0.3)] * 10, 5) == pytest.approx(binom.sf(4, 10, 0.3))


@pytest.mark.parametrize(("total", "marked", "drawn"), [(3, 4, 1), (3, 1, 4), (3, -1, 1)])
def test_impossible_draws(total: int, marked: int, drawn: int) -> None:
    with pytest.raises(ValueError, match="cannot draw"):
        hypergeometric(total, marked, drawn)


@given(st.lists(st.floats(0, 1), max_size=25), st.integers(-1, 27))
def test_tail_is_a_chance_that_falls_with_what_was_seen(chances: list[float], seen: int) -> None:
    laws = [(1 - p, p) for p in chances]
    assert 0 <= upper_tail(laws, seen + 1) <= upper_tail(laws, seen) <= 1
    assert upper_tail(laws, 0) == pytest.approx(1)
    assert upper_tail(laws, len(chances) + 1) == 0


def test_poisson_binomial_by_drawing() -> None:
    chances, draw = [0.1, 0.25, 0.5, 0.75, 0.25], random.Random(2)
    drawn = [sum(draw.random() < p for p in chances) >= 3 for _ in range(20_000)]
    assert upper_tail([(1 - p, p) for p in chances], 3) == pytest.approx(sum(drawn) / 20_000, abs=0.012)
