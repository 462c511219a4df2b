"""A trend stands on cases that were asked and judged alike in all of its rounds, and on no others."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from fairtrial.schema.score import Row

SHARED = 0.5
"""A round takes part where at least this share of the set's cases is left; that of the line `changed_set`."""


@dataclass(frozen=True, kw_only=True)
class Alike:
    """The `cases` that all rounds `on` the trend asked alike; of those left out, how many they share."""

    cases: frozenset[str]
    on: tuple[str, ...]
    left_out: Mapping[str, int]


def alike(cases: Collection[str], rounds: Iterable[tuple[str, frozenset[str]]]) -> Alike:
    """Choose rounds (latest first, by name) that share enough of a set's `cases`, and what they all share.

    Each round comes with the cases that it asked as they are now. One that would leave less than half of the
    set's cases to the trend is left out; one before it may take part all the same.
    """
    shared, on, out = frozenset(cases), list[str](), dict[str, int]()
    for name, same in rounds:
        if cases and len(shared & same) >= SHARED * len(cases):
            shared &= same
            on.append(name)
        else:
            out[name] = len(same)
    return Alike(cases=shared if on else frozenset(), on=tuple(on), left_out=out)


def asked_alike(rows: Iterable[Row], now: Mapping[str, str], *, same_set: bool) -> frozenset[str]:
    """The cases that a round asked as they are now, of which `now` has the digests (`cases.digest.asked`).

    A log of an earlier version does not tell: its cases are alike only in a round of the `same_set`.
    """
    told = ((row.record.case, row.about.asked) for row in rows)
    return frozenset(
        case for case, asked in told if case in now and (asked == now[case] or (asked is None and same_set))
    )


def of_cases(rows: Iterable[Row], cases: Iterable[str]) -> Iterator[Row]:
    """The rows of those cases."""
    wanted = frozenset(cases)
    return (row for row in rows if row.record.case in wanted)
