import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit
from scipy.stats import ttest_1samp

from fairtrial.stats.student import one_sample_t, t95


@given(st.floats(1, 1e7))
def test_quantile_as_scipy_gives_it(df: float) -> None:
    assert t95(df) == pytest.approx(float(stdtrit(df, 0.975)), abs=1e-9)


@pytest.mark.parametrize("df", [0.5, 0, -1, float("nan")])
def test_no_quantile(df: float) -> None:
    with pytest.raises(ValueError, match="no t quantile"):
        t95(df)


def test_p_as_scipy_gives_it() -> None:
    values = [0.4, 0.2, 0.1, 0.3, -0.1, 0.2]
    assert one_sample_t(values) == pytest.approx(float(ttest_1samp(values, 0).pvalue))


@pytest.mark.parametrize("values", [[], [0.5], [0.2] * 5, [0.0] * 5])
def test_undetermined_where_scipy_gives_certainty_or_nan(values: list[float]) -> None:
    assert one_sample_t(values) is None  # SciPy 1.17: NaN, NaN, 0 and NaN


def test_tiny_values_are_as_any() -> None:
    assert one_sample_t([0.0, 6e-163]) == pytest.approx(one_sample_t([0.0, 0.5]))
    assert one_sample_t([0.0, 5e-324]) == pytest.approx(0.5)


@given(st.lists(st.floats(-1, 1), max_size=20))
def test_p_is_a_chance_or_none(values: list[float]) -> None:
    p = one_sample_t(values)
    assert p is None or 0 <= p <= 1
    assert p is None or not np.isnan(p)
