import random
from statistics import mean

import pytest

from fairtrial.stats.passk import pass_hat_k


def test_six_of_eight() -> None:
    assert pass_hat_k(8, 6, 3) == pytest.approx(0.35714, abs=5e-6)  # C(6,3)/C(8,3) = 20/56


def test_unbiased_where_the_power_of_the_share_is_not() -> None:
    draw = random.Random(1)
    drawn = [sum(draw.random() < 0.75 for _ in range(8)) for _ in range(20_000)]
    assert mean(pass_hat_k(8, c, 3) for c in drawn) == pytest.approx(0.75**3, abs=0.006)
    assert mean((c / 8) ** 3 for c in drawn) > 0.75**3 + 0.04


@pytest.mark.parametrize(("trials", "passes", "k"), [(3, 2, 4), (3, 4, 2), (3, 2, 0), (3, -1, 1)])
def test_not_known(trials: int, passes: int, k: int) -> None:
    with pytest.raises(ValueError, match="not known"):
        pass_hat_k(trials, passes, k)


def test_never_rises_with_k() -> None:
    for n in range(1, 9):
        for c in range(n + 1):
            values = [pass_hat_k(n, c, k) for k in range(1, n + 1)]
            assert values == sorted(values, reverse=True)
