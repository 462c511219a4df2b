"""Reference values: exact fractions, scipy.stats.betabinom, and chances by counting all paths of sessions."""

from fractions import Fraction
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import betabinom, binom

from fairtrial.sessions.evalues import e_bh, interval, log_e, rates


def _by_fractions(failures: int, sessions: int, p0: Fraction, twentieths: range) -> float:
    total = sum(
        (Fraction(q, 20) / p0) ** failures * ((1 - Fraction(q, 20)) / (1 - p0)) ** (sessions - failures)
        for q in twentieths
    )
    mean = total / len(twentieths)
    return log(mean.numerator) - log(mean.denominator)


@pytest.mark.parametrize(
    ("failures", "sessions"), [(0, 0), (3, 3), (4, 5), (0, 7), (2, 20), (300, 1000), (5000, 5000)]
)
@pytest.mark.parametrize(("p0", "p1"), [("1/10", 10), ("1/5", 10), ("1/10", 7)])
def test_evidence_is_that_of_exact_fractions(failures: int, sessions: int, p0: str, p1: int) -> None:
    exact = _by_fractions(failures, sessions, Fraction(p0), range(p1, 20))
    got = log_e(failures, sessions, p0=float(Fraction(p0)), p1=p1 / 20)
    assert float(got) == pytest.approx(exact, rel=1e-10, abs=1e-12)


def test_three_straight_failures_by_hand() -> None:
    """10³ + … + 19³ = 190² - 45² = 34,075, so the mean of q³ is 0.4259375; against 0.1³ that is 425.9375."""
    assert exp(log_e(3, 3, p0=0.1, p1=0.5)) == pytest.approx(425.9375)


@pytest.mark.parametrize("sessions", [1, 8, 60])
def test_evidence_is_one_on_average_where_the_rate_is_acceptable(sessions: int) -> None:
    failures = np.arange(sessions + 1)
    e = np.exp(log_e(failures, np.full_like(failures, sessions), p0=0.1, p1=0.5))
    assert binom.pmf(failures, sessions, 0.1) @ e == pytest.approx(1)
    assert binom.pmf(failures, sessions, 0.05) @ e < 1


def test_evidence_seldom_rises_to_twenty_however_one_stops() -> None:
    assert _ever(0.1, 300, lambda f, s: log_e(f, s, p0=0.1, p1=0.5) >= log(20)) < 0.05


@pytest.mark.parametrize(("first", "number"), [(0.5, 10), (0.95, 1), (0.35, 13), (0.3, 14)])
def test_rates_go_up_to_the_last(first: float, number: int) -> None:
    assert rates(first) == pytest.approx(np.linspace(first, 0.95, number))


@given(st.lists(st.floats(-20, 60), min_size=1, max_size=40), st.sampled_from([0.01, 0.05, 0.2]))
def test_e_bh_is_as_defined(logs: list[float], alpha: float) -> None:
    m, down = len(logs), sorted(logs, reverse=True)
    k = max((k for k in range(1, m + 1) if down[k - 1] >= log(m / alpha) - log(k)), default=0)
    expected = [bool(k) and value >= down[k - 1] for value in logs]
    assert e_bh(np.array(logs), alpha=alpha).tolist() == expected


@given(
    st.lists(st.floats(-20, 60), min_size=1, max_size=40),
    st.lists(st.floats(-20, 60), min_size=40, max_size=40),
)
def test_what_fell_stays_fallen_whatever_the_others_do(logs: list[float], later: list[float]) -> None:
    before = np.array(logs)
    fell = e_bh(before, alpha=0.05)
    after = np.where(fell, before, later[: before.size])
    assert e_bh(after, alpha=0.05)[fell].all()


def test_e_bh_of_nothing_finds_nothing() -> None:
    assert e_bh(np.array([]), alpha=0.05).size == 0


@pytest.mark.parametrize(("failures", "sessions"), [(0, 7), (1, 7), (3, 5), (20, 20), (37, 100), (2, 2000)])
@pytest.mark.parametrize("level", [0.05, 0.05 * 20 / 864])
def test_the_ends_are_where_scipys_betabinom_is_so_many_times_likelier(
    failures: int, sessions: int, level: float
) -> None:
    """The beta mixture's chance of the counts is that of the beta-binomial law with ½ and ½."""
    mixed = betabinom(sessions, 0.5, 0.5).logpmf(failures)

    def beyond(p: float) -> float:
        return float(mixed - binom.logpmf(failures, sessions, p) - log(1 / level))

    low, high = (float(end) for end in interval(failures, sessions, level=level))
    middle = failures / sessions
    assert low == pytest.approx(brentq(beyond, 1e-12, middle, xtol=1e-13) if failures else 0, abs=1e-9)
    assert high == pytest.approx(brentq(beyond, middle, 1 - 1e-12) if failures < sessions else 1, abs=1e-9)


def test_seven_straight_passes_clear_a_cell_of_one_half_and_six_do_not() -> None:
    _, high = interval([0, 0], [6, 7])
    assert high[0] > 0.5 > high[1]


def test_nothing_is_known_of_what_never_ran() -> None:
    assert [float(end) for end in interval(0, 0)] == [0, 1]


@pytest.mark.parametrize("p", [0.02, 0.1, 0.35, 0.5, 0.9])
def test_the_interval_holds_the_rate_at_all_times(p: float) -> None:
    def misses(f: np.ndarray, s: np.ndarray) -> np.ndarray:
        low, high = interval(f, s)
        return (p < low) | (p > high)

    assert _ever(p, 300, misses) < 0.05


@given(st.integers(0, 200), st.integers(0, 200))
def test_the_interval_holds_what_was_seen_and_turns_around_with_it(failures: int, passes: int) -> None:
    sessions = failures + passes
    low, high = interval(failures, sessions)
    assert 0 <= low <= (failures / sessions if sessions else 0.5) <= high <= 1
    turned = interval(passes, sessions)
    assert (1 - float(turned[1]), 1 - float(turned[0])) == pytest.approx((float(low), float(high)), abs=1e-9)
    wider = interval(failures, sessions, level=0.001)
    assert wider[0] <= low
    assert wider[1] >= high


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: log_e(3, 2, p0=0.1, p1=0.5),
        lambda: log_e(-1, 2, p0=0.1, p1=0.5),
        lambda: log_e(1, 2, p0=0.5, p1=0.5),
        lambda: log_e(1, 2, p0=0.1, p1=0.96),
        lambda: log_e(float("nan"), 2, p0=0.1, p1=0.5),
        lambda: log_e([1], [2, 3], p0=0.1, p1=0.5),
        lambda: e_bh(np.array([0.0, np.nan]), alpha=0.05),
        lambda: interval(1, 2, level=0),
        lambda: interval(1, float("inf")),
    ],
)
def test_what_is_no_count_is_refused(wrong) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=r"^(each|the rate|a rate|an e-value|a level)"):
        wrong()


def _ever(p: float, most: int, happens) -> float:  # type: ignore[no-untyped-def]
    """Exact chance that `happens(failures, sessions)` some time in `most` sessions failing with chance p."""
    still, ever = np.ones(1), 0.0
    for s in range(1, most + 1):
        still = np.append(still * (1 - p), 0) + np.append(0, still * p)
        f = np.arange(s + 1)
        stop = happens(f, np.full_like(f, s))
        ever += float(still[stop].sum())
        still[stop] = 0
    return ever
