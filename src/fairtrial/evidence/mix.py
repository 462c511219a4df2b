"""What a set is made of: how many cases of which kind, and how old they are against their window."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from fairtrial.schema.case import Case
from fairtrial.schema.health import Age


def too_old(cases: Iterable[Case], window_days: int | None, today: date) -> Age:
    """The age of cases against a window of so many days (None: none) before `today`, that day included.

    A case without a day, or with one after today (a clock that was set back, a slip of the pen), is not
    known to lie within.
    """
    days = {case.id: case.observed or case.created for case in cases}
    known = {name: date.fromisoformat(day) for name, day in days.items() if day is not None}
    first = None if window_days is None else today - timedelta(days=min(window_days, today.toordinal() - 1))
    return Age(
        cases=len(days),
        window_days=window_days,
        oldest=min(known.values()).isoformat() if known else None,
        newest=max(known.values()).isoformat() if known else None,
        old=tuple(name for name, day in known.items() if first is not None and day < first),
        ahead=tuple(name for name, day in known.items() if day > today),
        undated=tuple(name for name, day in days.items() if day is None),
    )


def mix(cases: Iterable[Case], windows: Mapping[str, int | None], today: date) -> dict[str, Age]:
    """The age of the cases of each `set`, "" for those of none; `windows` in days by set."""
    by_set: dict[str, list[Case]] = {}
    for case in cases:
        by_set.setdefault(case.set or "", []).append(case)
    return {name: too_old(some, windows.get(name), today) for name, some in sorted(by_set.items())}
