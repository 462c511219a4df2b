from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.agents.retry_after import seconds_to_wait

# The three forms of RFC 9110, section 5.6.7, of the same moment.
FORMS = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
MOMENT = datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC).timestamp()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/New_York", "UTC"])
def test_a_date_is_read_in_all_its_forms_anywhere(
    form: str, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import time

    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert seconds_to_wait(form, now=MOMENT - 90) == 90
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("1e400", None),
        ("Sun, 99 Nov 1994 08:49:37 GMT", None),
        ("0", 0),
        ("120", 120),
        (" 2 ", 2),
        ("0.5", 0.5),
        ("-3", 0),
    ],
)
def test_seconds_and_nonsense(header: str | None, seconds: float | None) -> None:
    assert seconds_to_wait(header, now=0) == seconds


def test_a_date_that_has_passed_is_no_wait() -> None:
    assert seconds_to_wait(FORMS[0], now=MOMENT + 5) == 0


def test_the_clock_is_asked_where_no_time_is_given() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    seconds = seconds_to_wait(later)
    assert seconds is not None
    assert 3500 < seconds <= 3600


@given(st.text())
def test_whatever_a_server_sends_is_seconds_or_nothing(header: str) -> None:
    seconds = seconds_to_wait(header, now=0)
    assert seconds is None or seconds >= 0
