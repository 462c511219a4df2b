"""What texts can bear out: their facts, words and letters, read when they are first asked for."""

import re
from collections.abc import Callable, Sequence, Set
from functools import lru_cache
from typing import Any, Generic, TypeVar

from fairtrial.text.facts import SHORT, Fact, find, number_key, prepare
from fairtrial.text.words import stem, stems

_GROUPS = re.compile(r"\d\d*")
_GAPS = re.compile(r"(?<=\d)[\s()-]{1,2}(?=\d)")
_TAIL = 4  # digits that are enough to tell a longer run by its end
_LETTERS = re.compile(r"[A-Za-z](?:[a-z]+|(?<=[A-Z])[A-Z]+)?")

_T = TypeVar("_T")


class _once(Generic[_T]):  # noqa: N801  (as `property`)
    """`functools.cached_property` without its lock, which takes longer than the reading of a short text."""

    def __init__(self, make: Callable[[Any], _T]) -> None:
        self._make, self._name = make, make.__name__

    def __get__(self, source: Any, _: type) -> _T:
        made: _T = self._make(source)
        source.__dict__[self._name] = made
        return made


class Source:
    """What a text can bear out, ready to be asked. Its parts are read when they are first asked for.

    `keys` are those of its facts, `numbers` those of its numbers alone, without the ones in dates, times
    and codes. `words` are stems of its Latin words in lower case (also of the parts of identifiers). Of a
    text with Chinese, `letters` are its letters. `digits` are its runs of digits, the gaps of phone numbers
    closed, a space behind each.
    """

    def __init__(self, text: str) -> None:
        self._plain = prepare(text)
        self._chinese = "" if self._plain.isascii() else self._plain
        self.is_short = len(self._chinese) <= SHORT

    @_once
    def _facts(self) -> list[Fact]:
        return find(self._plain)

    @_once
    def keys(self) -> Set[str]:  # noqa: D102
        keys: set[str] = set()
        for fact in self._facts:
            keys.update(fact.keys)
            if fact.kind == "date":
                for key in fact.keys:
                    keys.update(_date_keys(*key.partition("@")[::2]))
            elif fact.kind == "code":
                written = self._plain[fact.start : fact.end]
                keys.update([number_key(group) for group in _GROUPS.findall(written) if len(group) > 2])
        return keys

    @_once
    def numbers(self) -> Set[str]:  # noqa: D102
        return {fact.keys[0] for fact in self._facts if fact.kind == "number"}

    @_once
    def words(self) -> Set[str]:  # noqa: D102
        return stems(" ".join(_LETTERS.findall(self._plain)).lower().split())

    @_once
    def letters(self) -> Set[str]:  # noqa: D102
        return set(self._chinese)

    @_once
    def _pairs(self) -> Set[str]:
        text = self._chinese
        return {text[i : i + 2] for i in range(len(text) - 1)}

    @_once
    def digits(self) -> str:  # noqa: D102
        return " ".join(_GROUPS.findall(_GAPS.sub("", self._plain))) + " "

    def has(self, fact: Fact) -> bool:
        """Whether the fact is in the text, in whatever form it was written there."""
        keys, first = self.keys, fact.keys[0]
        if not keys.isdisjoint(fact.keys):
            return True
        if fact.kind == "caps":
            return stem(first) in self.words
        if not keys:
            return False
        if fact.kind == "date":
            return any(self._has_day(*key.split("@")) for key in fact.keys if "@" in key)
        if fact.kind in ("code", "number") and (bare := first.lstrip("#")).isdigit():
            return len(bare) >= _TAIL and self._ends(bare)
        return False

    def _has_day(self, day: str, year: str) -> bool:
        """Whether the text has the day without a year, and nothing that speaks for another year."""
        if f"{day}@" not in self.keys or f"{day}=" in self.keys:
            return False
        return year in self.keys or "year" not in self.keys

    def _ends(self, digits: str) -> bool:
        """Whether a longer run ends in these digits: a phone without its area code, a card's last four."""
        return f"{digits} " in self.digits

    def bears(self, word: str) -> bool:
        """Whether a Chinese word is in the text: at least half of its pairs of letters are."""
        size = len(word) - 1
        if size == 1:
            return self.has_pair(word)
        return 0 < size <= 2 * len([i for i in range(size) if self.has_pair(word[i : i + 2])])

    def has_pair(self, pair: str) -> bool:
        """Whether two letters stand beside each other in the text, if that is one with Chinese."""
        # A short text is searched sooner than taken apart.
        return pair in (self._chinese if self.is_short else self._pairs)


class Sources(Source):
    """Several sources as one; what one of them has read is not read again."""

    def __init__(self, each: Sequence[Source]) -> None:
        self._each = each
        self.is_short = False

    @_once
    def keys(self) -> Set[str]:  # noqa: D102
        return frozenset().union(*(one.keys for one in self._each))

    @_once
    def numbers(self) -> Set[str]:  # noqa: D102
        return frozenset().union(*(one.numbers for one in self._each))

    @_once
    def words(self) -> Set[str]:  # noqa: D102
        return frozenset().union(*(one.words for one in self._each))

    @_once
    def letters(self) -> Set[str]:  # noqa: D102
        return frozenset().union(*(one.letters for one in self._each))

    @_once
    def digits(self) -> str:  # noqa: D102
        return "".join(one.digits for one in self._each)

    def has_pair(self, pair: str) -> bool:  # noqa: D102
        if pair in self._short:
            return True
        for one in self._long:  # noqa: SIM110  (asked for each word)
            if one.has_pair(pair):
                return True
        return False

    @_once
    def _short(self) -> str:
        return "\n".join([one._chinese for one in self._each if one.is_short])

    @_once
    def _long(self) -> list[Source]:
        return [one for one in self._each if not one.is_short]


def _date_keys(day: str, year: str) -> tuple[str, ...]:
    """More keys of a source's date: its day, its day of the month, its year or that it is open."""
    month_day = f"day{day.partition('-')[2]}"
    return (day, month_day, f"{day}=", year, "year") if year else (day, month_day, f"{day}@")


@lru_cache(maxsize=128)
def source(text: str) -> Source:
    """A text as a source, kept for a while: trials of a case and turns of a session share theirs."""
    return Source(text)


@lru_cache(maxsize=64)
def sources(texts: tuple[str, ...]) -> Source:
    """Several texts as one source. Short ones are read at one go, long ones each by itself and once."""
    if sum(map(len, texts)) <= SHORT:
        return Source("\n".join(texts))
    return Sources([source(text) for text in texts])
