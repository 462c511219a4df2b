"""Reference values: statsmodels 0.15 (multipletests) and SciPy 1.17, unless another is named."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from fairtrial.stats.multiple import benjamini_hochberg, holm

Adjust = Callable[[Sequence[float]], list[float]]
chances = st.lists(st.floats(0, 1), max_size=30)
PS = [0.001, 0.012, 0.013, 0.04, 0.2]


def test_reference_values() -> None:
    assert holm(PS) == pytest.approx([0.005, 0.048, 0.048, 0.08, 0.2])
    assert benjamini_hochberg(PS) == pytest.approx([0.005, 0.0217, 0.0217, 0.05, 0.2], abs=5e-5)


def test_they_come_back_in_the_order_given() -> None:
    assert holm([0.04, 0.2, 0.001, 0.013, 0.012]) == pytest.approx([0.08, 0.2, 0.005, 0.048, 0.048])


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_nothing_gives_nothing(adjust: Adjust) -> None:
    assert adjust([]) == []


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
@pytest.mark.parametrize("wrong", [float("nan"), -0.1, 1.1, float("inf")])
def test_what_is_no_chance_is_refused(adjust: Adjust, wrong: float) -> None:
    with pytest.raises(ValueError, match="p-values"):
        adjust([0.1, wrong])


@given(chances)
def test_benjamini_hochberg_is_that_of_scipy(ps: list[float]) -> None:
    if ps:
        assert benjamini_hochberg(ps) == pytest.approx(false_discovery_control(ps).tolist())


@given(chances, st.floats(0.001, 0.999))
def test_holm_rejects_what_stepping_down_rejects(ps: list[float], alpha: float) -> None:
    """Holm 1979 in his words: the least p against α/m, the next against α/(m−1), until one fails."""
    rejected = 0
    for step, p in enumerate(sorted(ps)):
        if p * (len(ps) - step) > alpha:
            break
        rejected += 1
    assert sum(p <= alpha for p in holm(ps)) == rejected


@given(chances, st.integers(0, 99))
def test_adjusted_is_never_less_and_knows_no_order(ps: list[float], seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(ps))
    for adjust in (holm, benjamini_hochberg):
        found = adjust(ps)
        assert all(p <= q <= 1 for p, q in zip(ps, found, strict=True))
        assert adjust([ps[i] for i in order]) == pytest.approx([found[i] for i in order])
