"""Words of a turn that may be written otherwise: found once, non-overlapping, outside all that is fixed."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit
from fairtrial.sessions.probes.spans import free_spans, tongue_of
from fairtrial.text.words import Tongue, chinese


@dataclass(frozen=True)
class Site:
    """A word of the vocabulary, at [`start`, `end`) of a turn; `written` is how it is written there."""

    turn: int
    start: int
    end: int
    word: str
    written: str
    tongue: Tongue

    def edit(self, text: str) -> Edit:
        """The step that writes `text` there, with a capital where the word has one."""
        if self.written[0].isupper() and self.written[0].isascii():
            text = text[:1].upper() + text[1:]
        return Edit(do="edit", turn=self.turn, start=self.start, end=self.end, text=text)


def sites(case: Case, vocabulary: Mapping[Tongue, Collection[str]]) -> tuple[Site, ...]:
    """Where a word of the vocabulary of a turn's own language stands, the longest first, in order.

    Only whole words count, and none that touches a key fact or what `case.disturb` changes.
    """
    return tuple(site for turn in range(len(case.input)) for site in _of_turn(case, turn, vocabulary))


def _of_turn(case: Case, turn: int, vocabulary: Mapping[Tongue, Collection[str]]) -> Iterator[Site]:
    text, tongue = case.input[turn], tongue_of(case, turn)
    bounds = _bounds(text) if tongue == "zh" else None
    words = {word.lower(): word for word in vocabulary[tongue]}
    pattern = _pattern(frozenset(words), tongue)
    for start, end in free_spans(case, turn):
        for match in pattern.finditer(text, start, end):
            if bounds is None or {match.start(), match.end()} <= bounds:
                yield Site(turn, *match.span(), words[match[0].lower()], match[0], tongue)


def _bounds(text: str) -> set[int]:
    """Where words of a Chinese text begin and end."""
    places, at = {0}, 0
    for word, _ in chinese(text):
        at += len(word)
        places.add(at)
    return places


@cache
def _pattern(words: frozenset[str], tongue: Tongue) -> re.Pattern[str]:
    longest = "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))
    if tongue == "zh":
        return re.compile(longest)
    return re.compile(rf"(?<![A-Za-z0-9'’_@./-])(?:{longest})(?![A-Za-z0-9'’_@/-])", re.IGNORECASE)
