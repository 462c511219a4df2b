"""How old the cases of a set are against its window."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.evidence.mix import mix, too_old
from fairtrial.schema.case import Case, Kind

TODAY = date(2026, 11, 30)


def case(
    name: str, observed: date | None = None, created: date | None = None, kind: Kind | None = None
) -> Case:
    days = {"observed": observed, "created": created}
    return Case(
        id=name,
        input=("退款多久到账？",),
        rules=(),
        set=kind,
        **{field: day.isoformat() for field, day in days.items() if day is not None},
    )


@pytest.mark.parametrize(("days", "old"), [(90, False), (91, True), (0, False)])
def test_the_first_day_of_the_window_is_within(days: int, old: bool) -> None:
    found = too_old([case("近期", TODAY - timedelta(days=days))], 90, TODAY)
    assert (found.old == ("近期",)) is old
    assert found.within is not old


def test_the_day_of_the_user_goes_before_that_of_the_author() -> None:
    asked_long_ago = case("a", date(2020, 1, 1), TODAY)
    written_long_ago = case("b", TODAY, date(2020, 1, 1))
    found = too_old([asked_long_ago, written_long_ago, case("c", None, TODAY)], 90, TODAY)
    assert (found.old, found.oldest, found.newest) == (("a",), "2020-01-01", "2026-11-30")


def test_no_day_and_a_day_to_come_are_not_known_to_be_within() -> None:
    found = too_old([case("无日期"), case("明天", TODAY + timedelta(days=1))], 90, TODAY)
    assert (found.undated, found.ahead, found.old, found.within) == (("无日期",), ("明天",), (), None)


def test_without_a_window_nothing_is_old() -> None:
    assert too_old([case("a", date(1, 1, 1))], None, TODAY).old == ()
    assert too_old([case("a", date(1, 1, 1))], 10**12, TODAY).old == ()
    assert too_old([], 90, TODAY).within is True


def test_the_mix_is_by_set() -> None:
    cases = [case("a", kind="natural"), case("b", kind="natural"), case("c", kind="incident"), case("d")]
    found = mix(cases, {"natural": 90}, TODAY)
    assert {name: (age.cases, age.window_days) for name, age in found.items()} == {
        "": (1, None),
        "incident": (1, None),
        "natural": (2, 90),
    }


@given(st.lists(st.none() | st.dates(date(2020, 1, 1), date(2030, 1, 1)), max_size=20), st.integers(1, 4000))
def test_every_case_has_one_place(days: list[date | None], window: int) -> None:
    found = too_old([case(str(n), day) for n, day in enumerate(days)], window, TODAY)
    places = [*found.old, *found.ahead, *found.undated]
    assert len(places) == len(set(places)) <= found.cases == len(days)
    within = [day for day in days if day and TODAY - timedelta(days=window) <= day <= TODAY]
    assert len(within) == found.cases - len(places)
