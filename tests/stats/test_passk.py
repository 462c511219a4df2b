import random
from collections.abc import Callable
from statistics import mean

import pytest

from fairtrial.stats.passk import pass_at_k, pass_hat_k


def test_six_of_eight() -> None:
    assert pass_hat_k(8, 6, 3) == pytest.approx(0.35714, abs=5e-6)  # C(6,3)/C(8,3) = 20/56
    plug_in = (6 / 8) ** 3
    assert plug_in == pytest.approx(0.4219, abs=5e-5)  # too high


def test_unbiased_where_the_power_of_the_share_is_not() -> None:
    draw = random.Random(1)
    drawn = [sum(draw.random() < 0.75 for _ in range(8)) for _ in range(20_000)]
    assert mean(pass_hat_k(8, c, 3) for c in drawn) == pytest.approx(0.75**3, abs=0.006)
    assert mean((c / 8) ** 3 for c in drawn) > 0.75**3 + 0.04


def test_at_least_one_of_three() -> None:
    assert pass_at_k(8, 2, 3) == pytest.approx(0.64286, abs=5e-6)  # 1 − C(6,3)/C(8,3) = 36/56
    assert pass_at_k(3, 0, 3) == 0
    assert pass_at_k(3, 1, 3) == 1


@pytest.mark.parametrize("estimate", [pass_hat_k, pass_at_k])
@pytest.mark.parametrize(("trials", "passes", "k"), [(3, 2, 4), (3, 4, 2), (3, 2, 0), (3, -1, 1)])
def test_not_known(estimate: Callable[[int, int, int], float], trials: int, passes: int, k: int) -> None:
    with pytest.raises(ValueError, match="not known"):
        estimate(trials, passes, k)


def test_never_moves_the_wrong_way_with_k() -> None:
    for n in range(1, 9):
        for c in range(n + 1):
            values = [pass_hat_k(n, c, k) for k in range(1, n + 1)]
            assert values == sorted(values, reverse=True)
            some = [pass_at_k(n, c, k) for k in range(1, n + 1)]
            assert some == sorted(some)
