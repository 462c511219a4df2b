"""Near-duplicates among texts: a question again, word for word, edited, reordered or with other numbers.

Letters alone cannot tell an edited copy from a sibling of its template: "how do I return the red shoes" and
"… the blue shoes" differ in less than a copy with typing errors. What tells them is which words differ:
where each text names something that the other does not, they ask for different things.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from rapidfuzz import fuzz

from fairtrial.cases.reading import Reading, common_words, opposites, weight_of
from fairtrial.cases.sketch import candidates, signatures
from fairtrial.cases.slips import MANY, gaps, mistyped, replaced, slips

Kind = Literal["exact", "numbers", "reordered", "edited"]
LIKE = 0.70
"""Similarity from which a pair may be a copy."""
RIVALS = 0.04
"""Share of what is named that may be named by one text in place of the other's."""
ADDED = 0.2
"""Share of what the longer names that may be missing from the other."""
_MOVED = 15
"""Points by which sorted words are more alike than words in their order, where clauses were moved."""
_TURNS = ("un", "im", "in", "ir", "dis", "de", "non")
"""With what an English word becomes its opposite."""
_LEAST_FRAMED = 8
"""Chinese letters (twice as many Latin ones) from which a text within another is no chance."""
_BETWEEN = 5
"""Letters from one place in which two texts differ to the next, where these are slips."""


class Pair(NamedTuple):
    """Two texts by their places, the first before the second; `similarity` in (0, 1]."""

    first: int
    second: int
    similarity: float
    kind: Kind


def pairs(texts: Sequence[str], sides: Sequence[int] | None = None) -> list[Pair]:
    """The near-duplicates among the texts, by place. Blank texts are no copies of one another.

    Of texts that are equal but for signs or numbers, each is paired with the first alone, so that a large
    group gives as many pairs as it has members. With `sides` (a number each, as the set that it belongs to)
    this holds within a side, and equal texts of different sides are paired too.
    """
    found: list[Pair] = []
    firsts: dict[tuple[str, int], int] = {}
    alone: list[int] = []
    readings = [Reading(text) for text in texts]
    for at, reading in enumerate(readings):
        if not reading.letters:
            continue
        for key in (reading.letters, reading.unnumbered):
            first = firsts.setdefault((key, sides[at] if sides is not None else 0), at)
            if first != at:
                if copy := kind_of(readings[first], reading):
                    found.append(Pair(first, at, copy[1], copy[0]))
                break
        else:
            alone.append(at)
    common = common_words(readings[at] for at in alone)
    kept = [Reading(texts[at], common) for at in alone]
    near = candidates(signatures([reading.unnumbered for reading in kept]))
    places = np.array(alone, np.int64)
    for (one, other), (first, second) in zip(near.tolist(), places[near].tolist(), strict=True):
        if copy := kind_of(kept[one], kept[other]):
            found.append(Pair(min(first, second), max(first, second), copy[1], copy[0]))
    return sorted(found)


def between(one: Sequence[str], other: Sequence[str]) -> list[Pair]:
    """The near-duplicates between two lists: `first` is a place in one, `second` in the other."""
    n = len(one)
    both = pairs([*one, *other], [0] * n + [1] * len(other))
    return [pair._replace(second=pair.second - n) for pair in both if pair.first < n <= pair.second]


def kind_of(a: Reading, b: Reading) -> tuple[Kind, float] | None:
    """How one is a copy of the other, and their similarity; None where they ask for different things."""
    if a.letters == b.letters:
        return "exact", 1.0
    if a.letters.isdecimal() and b.letters.isdecimal():
        return None  # numbers and nothing else: they ask nothing
    if a.unnumbered == b.unnumbered:
        return "numbers", fuzz.ratio(a.letters, b.letters) / 100
    if not (a.words and b.words):
        return None
    framed = _framed(a, b) or _framed(b, a)
    if not framed and (not _alike(a, b) or (_rivals(a, b) > RIVALS and not mistyped(a, b))):
        return None
    if _opposed(a, b) or _swapped(a, b):
        return None
    if framed:
        return "edited", _similarity(a, b)
    moved = fuzz.ratio(a.ordered, b.ordered) - fuzz.ratio(" ".join(a.words), " ".join(b.words))
    return "reordered" if moved >= _MOVED else "edited", _similarity(a, b)


def _similarity(a: Reading, b: Reading) -> float:
    """How alike two texts are, 0 to 1: the larger of two Indel ratios (2 · common / both lengths; rapidfuzz).

    Of the letters as they stand, and of the words sorted, synonyms taken as one.
    """
    words = fuzz.ratio(a.ordered, b.ordered) if a.words and b.words else 0.0
    return max(fuzz.ratio(a.letters, b.letters), words) / 100


def _alike(a: Reading, b: Reading) -> bool:
    """In letters, in words in whatever order, or in all that is named."""
    if max(fuzz.ratio(a.unnumbered, b.unnumbered), fuzz.ratio(a.ordered, b.ordered)) >= LIKE * 100:
        return True
    return len(a.names) > 1 and sorted(a.names) == sorted(b.names)


def _framed(whole: Reading, part: Reading) -> bool:
    """Whether one is the other, letter for letter, with as much again around it at most: a greeting."""
    if len(part.letters) < _LEAST_FRAMED * (1 + part.letters.isascii()):
        return False
    return part.unnumbered in whole.unnumbered and len(whole.unnumbered) <= 2 * len(part.unnumbered)


def _opposed(a: Reading, b: Reading) -> bool:
    """Whether one says no more often, or has a word where the other has its opposite.

    Not where slips all over a long text may have hit a `not` as well.
    """
    one, other = a.signs - b.signs, b.signs - a.signs
    either = {*one, *other}
    turned = {f"{turn}{word}" for word in either if word.isascii() for turn in _TURNS}
    if (
        max(a.denials[0], b.denials[0]) <= min(a.denials[1], b.denials[1])
        and turned.isdisjoint(either)
        and all(other.keys().isdisjoint(opposites().get(word, ())) for word in one)
    ):
        return False
    places = len(list(gaps(a.unnumbered, b.unnumbered)))
    return places < MANY or min(len(a.letters), len(b.letters)) < _BETWEEN * places


def _swapped(a: Reading, b: Reading) -> bool:
    """Whether two words have changed places around others that stayed: from A to B, from B to A.

    Where whole clauses have, it is the same question.
    """
    if a.ordered != b.ordered or a.clauses == b.clauses:
        return False
    changed = [(a.words[one], b.words[other]) for one, other in replaced(a.words, b.words)]
    return any((other, one) in changed for one, other in changed)


def _rivals(a: Reading, b: Reading) -> float:
    """The share of what is named that one text has in place of the other's, 0 to 1.

    Slips of the keyboard are none.
    """
    one, other = a.named - b.named, b.named - a.named
    mine, yours = weight_of(one), weight_of(other)
    if mine and yours and (one | other) & (a.loose | b.loose):
        left, right = Counter(a.words), Counter(b.words)
        for first, second in replaced(a.words, b.words):
            for x, y in slips(a, b, first, second):
                left -= Counter(a.words[x])
                right -= Counter(b.words[y])
        mine, yours = weight_of((left - right).elements()), weight_of((right - left).elements())
    least, most = sorted((a.weight, b.weight))
    if max(mine, yours) > ADDED * most:
        return 1.0
    return min(1.0, min(mine, yours) / least) if least else 0.0
