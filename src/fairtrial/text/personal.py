"""Personal and dynamic details of a text, in Chinese and English: where, of which kind, how surely."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from fairtrial.text.normalise import fold_signs
from fairtrial.text.personal_dates import find_dates
from fairtrial.text.personal_names import find_names
from fairtrial.text.personal_numbers import CHECKED, LABELLED, LINKS, PUBLIC, SHAPED, Rule, find_phones
from fairtrial.text.personal_places import find_addresses


class Span(NamedTuple):
    """A detail: characters `start` to `end`; not `sure` is what a person has to look at.

    Kinds: address, card, code (sent to a phone), date, email, id_card, ip, name, number (of unknown kind),
    order (of any transaction: parcel, ticket …), passport, phone, plate, qq, tail (last digits), time, url,
    username, wechat.
    """

    start: int
    end: int
    kind: str
    sure: bool


_ANY = "[零〇一二三四五六七八九幺0-9]"
_ZH_DIGITS = re.compile(rf"{_ANY}{{2,}}(?:[ ,、-]?{_ANY}{{2,}})+|{_ANY}{{6,}}|(?:{_ANY}[ ,、-]){{6,}}{_ANY}")
_AS_DIGITS = str.maketrans("零〇一二三四五六七八九幺", "001234567891")


@lru_cache(maxsize=64)
def find_personal(text: str) -> tuple[Span, ...]:
    """The personal details of a text, in its order, none over another.

    Kept as no details: amounts, counts and measures, numbers of models, public hot lines, towns without an
    address, days of the week and times of opening.
    """
    folded = as_digits(text)
    claimed = bytearray(len(folded))
    spans = []
    for found in _in_order(folded):
        if found.start < found.end and not any(claimed[found.start : found.end]):
            claimed[found.start : found.end] = b"\1" * (found.end - found.start)
            spans.append(found)
    return tuple(sorted(span for span in spans if span.kind))


def as_digits(text: str) -> str:
    """The text with folded signs and numbers spoken digit by digit (一三八…) as digits; as long as it was."""
    folded = fold_signs(text)
    return folded if folded.isascii() else _ZH_DIGITS.sub(lambda m: m[0].translate(_AS_DIGITS), folded)


def _in_order(folded: str) -> Iterator[Span]:
    """All that is found, the surer before the less sure."""
    yield from _by_rules(folded, LINKS)
    dates = list(find_dates(folded))
    yield from (Span(one.start, one.end, "date", True) for one in dates if one.day and not _compact(one.day))
    yield from _by_rules(folded, LABELLED)
    yield from (Span(one.start, one.end, "date" if one.day else "time", True) for one in dates)
    yield from _by_rules(folded, CHECKED)
    yield from (Span(start, end, "address", True) for start, end in find_addresses(folded))
    yield from _by_rules(folded, PUBLIC)
    yield from _by_rules(folded, SHAPED[:1])
    yield from (Span(start, end, "phone", sure) for start, end, sure in find_phones(folded))
    names = list(find_names(folded))
    yield from (Span(start, end, "name", sure) for start, end, sure in names if sure)
    yield from _by_rules(folded, SHAPED[1:])
    yield from (Span(start, end, "name", sure) for start, end, sure in names)


def _compact(day: re.Match[str]) -> bool:
    return day[0].isdigit()


def _by_rules(folded: str, rules: tuple[Rule, ...]) -> Iterator[Span]:
    for rule in rules:
        group = "v" if "v" in rule.pattern.groupindex else 0
        for match in rule.pattern.finditer(folded):
            if rule.holds(match[group]):
                yield Span(*match.span(group), rule.kind, rule.sure)
