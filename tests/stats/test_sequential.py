"""Reference values: Reboussin et al. 2000 (the program of Lan and DeMets) and the R package ldbounds 2.0."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from fairtrial.stats.sequential import boundaries


def test_five_equal_looks() -> None:
    found = boundaries([0.2, 0.4, 0.6, 0.8, 1])
    assert [look.z for look in found] == pytest.approx([4.8769, 3.3569, 2.6803, 2.2898, 2.0310], abs=2e-4)


def test_second_look_by_adaptive_quadrature() -> None:
    """3.35701, where the programs' coarser grids print 3.3569; its cost by SciPy's quad."""
    first, second, *_ = boundaries([0.2, 0.4, 0.6, 0.8, 1])
    step, edge = 0.2**0.5, second.z * 0.4**0.5

    def crossing(at: float) -> float:
        return norm.pdf(at / step) / step * (norm.sf((edge - at) / step) + norm.sf((edge + at) / step))

    inside, _ = quad(crossing, -first.z * step, first.z * step, epsabs=1e-14)
    assert inside == pytest.approx(second.spent, rel=1e-6)


def test_two_looks_at_almost_the_same_are_nearly_one() -> None:
    """The second costs next to nothing, and the last is as it is without it."""
    close, alone = boundaries([0.5, 0.5001, 1.0]), boundaries([0.5, 1.0])
    assert close[0] == alone[0]
    assert close[2].z == pytest.approx(alone[1].z, abs=1e-4)


def test_one_look_is_the_plain_test() -> None:
    ((z, spent),) = boundaries([1.0])
    assert (z, spent) == pytest.approx((1.959964, 0.05))


@given(
    st.lists(st.integers(1, 999), max_size=8, unique=True).map(sorted),
    st.sampled_from([0.001, 0.01, 0.05, 0.2]),
)
def test_the_error_is_spent_and_no_more(looks: list[int], alpha: float) -> None:
    fractions = [look / 1000 for look in looks] + [1.0]
    found = boundaries(fractions, alpha=alpha)
    assert sum(look.spent for look in found) == pytest.approx(alpha)
    assert all(look.spent >= 0 for look in found)
    # A look costs at least as much as it would alone, and the last at most what the plain test does.
    assert all(2 * norm.sf(look.z) >= look.spent * (1 - 1e-6) for look in found)
    assert found[-1].z >= norm.isf(alpha / 2) - 1e-6
    # As Lan and DeMets 1983 spend it, up to each look.
    so_far = 0.0
    for t, look in zip(fractions, found, strict=True):
        so_far += look.spent
        assert so_far == pytest.approx(4 * norm.sf(norm.isf(alpha / 4) / t**0.5), abs=1e-12)


def test_equal_looks_ask_less_and_less() -> None:
    found = boundaries([look / 30 for look in range(1, 30)] + [1.0])
    assert all(before.z > after.z for before, after in pairwise(found))


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        [0.5],
        [0.0, 1.0],
        [0.5, 0.5, 1.0],
        [0.6, 0.4, 1.0],
        [0.5, 1.1],
        [0.5, 0.50001, 1.0],
        [float("nan"), 1.0],
    ],
)
def test_fractions_that_do_not_rise_to_one_are_refused(wrong: list[float]) -> None:
    with pytest.raises(ValueError, match="fractions"):
        boundaries(wrong)


@pytest.mark.parametrize("alpha", [0, 1, -0.1, float("nan")])
def test_an_error_outside_the_unit_interval_is_refused(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha"):
        boundaries([0.5, 1], alpha=alpha)
