"""Near-duplicates among texts: a question again, word for word, edited, reordered or with other numbers.

Letters alone cannot tell an edited copy from a sibling of its template: "how do I return the red shoes" and
"… the blue shoes" differ in less than a copy with typing errors. What tells them is which words differ:
where each text names something that the other does not, they ask for different things.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import permutations
from typing import Literal, NamedTuple

import numpy as np
import rjieba
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from fairtrial.cases.sketch import candidates, signatures
from fairtrial.text.characters import without_invisible
from fairtrial.text.normalise import fold
from fairtrial.text.words import FUNCTION_EN, FUNCTION_ZH, GENERIC_EN, GENERIC_ZH, simplified, stem

Kind = Literal["exact", "numbers", "reordered", "edited"]

LIKE = 0.70
"""Similarity from which a pair may be a copy."""
RIVALS = 0.04
"""Share of what is named that may be named by one text in place of the other's."""
ADDED = 0.2
"""Share of what the longer names that may be missing from the other."""
_SLIP = 0.33
"""Levenshtein similarity from which a stretch of Chinese words is another with slips of the keyboard."""
_TYPO = 0.5
"""The same for Latin words, which share more letters by chance."""
_MOVED = 15
"""Points by which sorted words are more alike than words in their order, where clauses were moved."""
_COMMON = 3
"""Texts of a set in which a word is used, from which it is no misspelling."""
_LETTER = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\d+|[a-z]+(?:'[a-z]+)?|[^\W\d_a-z]+")
_CLAUSES = re.compile(r"[,.;!?、。…]+")
_ASKING = frozenset(
    ["怎么", "何时", "多久", "为什么", "哪里", "多少", "谁", "how", "when", "where", "why", "who", "which"]
)
_EMPTY = (FUNCTION_EN | FUNCTION_ZH | GENERIC_EN | GENERIC_ZH) - _ASKING
_NOT = re.compile(
    r"[不没未]|无法?$|^[别无]|^(?:not?|never|without|cannot|(?:[wc]a|do|does|did|is|are|was|were|wo|ca"
    r"|could|would|should|have|has|had)n'?t)$"
)
_EITHER = re.compile(r"不好意思|(.)[不没]\1")
"""能不能 is a question, and no denial."""
_WHETHER = re.compile(r"(?!有没|是不)(.)[不没]\1")
"""So it is 能; the two have words of their own in the table."""
_SIGN = re.compile(r"[a-z']+|[^\W\d_a-z]")
_TURNS = ("un", "im", "in", "ir", "dis", "de", "non")
"""With what an English word becomes its opposite."""
_LEAST_FRAMED = 8
"""Chinese letters (twice as many Latin ones) from which a text within another is no chance."""
_TORN = 0.2
"""Share of the letters that may be slips."""
_MANY = 3
"""Places in which two texts differ, from which they are no two slots of a template."""
_BETWEEN = 5
"""Letters from one such place to the next, where they are slips."""
_NUMBER, _COURTESY = "0", "-"


class Pair(NamedTuple):
    """Two texts by their places, the first before the second; `similarity` in (0, 1]."""

    first: int
    second: int
    similarity: float
    kind: Kind


@dataclass(frozen=True)
class Reading:
    """A text as it is compared: folded in width, case, space, signs and to simplified Chinese.

    `common` are words of its set that are known to be no misspelling.
    """

    text: str
    common: Set[str] = frozenset()

    @cached_property
    def letters(self) -> str:
        """Its letters and digits alone; what has none (an emoji) stands for itself."""
        return "".join(_LETTER.findall(self.folded)) or "".join(self.text.split())

    @cached_property
    def folded(self) -> str:
        """Signs and spaces still in it."""
        return simplified(fold(without_invisible(self.text)))

    @cached_property
    def unnumbered(self) -> str:
        """Its letters, every number as 0."""
        return _DIGITS.sub("0", self.letters)

    @cached_property
    def spelt(self) -> tuple[str, ...]:
        """Its words as they are written, without courtesies."""
        return tuple(word for word in _cut(self.folded) if _plain(word) != _COURTESY)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The same, synonyms as one, numbers as 0."""
        return tuple(map(_plain, self.spelt))

    @cached_property
    def ordered(self) -> str:
        """Its words sorted, so that clauses in another order are the same."""
        return " ".join(sorted(self.words))

    @cached_property
    def clauses(self) -> Counter[str]:
        """Its parts between signs."""
        return Counter("".join(_LETTER.findall(part)) for part in _CLAUSES.split(self.folded))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The words that name something or tell what is asked."""
        return tuple(word for word in self.words if word not in _EMPTY and word != _NUMBER)

    @cached_property
    def named(self) -> frozenset[str]:
        """The same, each once."""
        return frozenset(self.names)

    @cached_property
    def loose(self) -> frozenset[str]:
        """Words that may be a slip of the keyboard."""
        return frozenset(_plain(word) for word in self.spelt if not _known((word,), self.common))

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """Of each of its letters (`unnumbered`), the length of the word that it stands in."""
        runs = (run for run in _WORD.findall(self.folded) if self.letters)
        words = (w for run in runs for w in ([run] if run.isascii() else rjieba.cut(run, False)))
        return tuple(
            length
            for length in (1 if word.isdecimal() else len(word) for word in words)
            for _ in range(length)
        )

    @cached_property
    def weight(self) -> int:
        """How much it names."""
        return _weight(self.words)

    @cached_property
    def denials(self) -> tuple[int, int]:
        """How often it says no, at least and at most: 有没有 may be a question or, with a slip, 没有."""
        least = sum(len(_NOT.findall(_EITHER.sub(r"\1", word))) for word in self.spelt)
        return least, least + len(_EITHER.findall(self.folded))

    @cached_property
    def signs(self) -> Counter[str]:
        """Its English words and Chinese letters."""
        return Counter(_SIGN.findall(self.folded))


def _similarity(a: Reading, b: Reading) -> float:
    """How alike two texts are, 0 to 1: the larger of two Indel ratios (2 · common / both lengths; rapidfuzz).

    Of the letters as they stand, and of the words sorted, synonyms taken as one.
    """
    words = fuzz.ratio(a.ordered, b.ordered) if a.words and b.words else 0.0
    return max(fuzz.ratio(a.letters, b.letters), words) / 100


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
    if not framed and (not _alike(a, b) or (rivals(a, b) > RIVALS and not _mistyped(a, b))):
        return None
    if _opposed(a, b) or _swapped(a, b):
        return None
    if framed:
        return "edited", _similarity(a, b)
    moved = fuzz.ratio(a.ordered, b.ordered) - fuzz.ratio(" ".join(a.words), " ".join(b.words))
    return "reordered" if moved >= _MOVED else "edited", _similarity(a, b)


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
        and all(other.keys().isdisjoint(_opposites().get(word, ())) for word in one)
    ):
        return False
    places = len(list(_gaps(a.unnumbered, b.unnumbered)))
    return places < _MANY or min(len(a.letters), len(b.letters)) < _BETWEEN * places


def _swapped(a: Reading, b: Reading) -> bool:
    """Whether two words have changed places around others that stayed: from A to B, from B to A.

    Where whole clauses have, it is the same question.
    """
    if a.ordered != b.ordered or a.clauses == b.clauses:
        return False
    changed = [(a.words[one], b.words[other]) for one, other in _replaced(a.words, b.words)]
    return any((other, one) in changed for one, other in changed)


def _framed(whole: Reading, part: Reading) -> bool:
    """Whether one is the other, letter for letter, with as much again around it at most: a greeting."""
    if len(part.letters) < _LEAST_FRAMED * (1 + part.letters.isascii()):
        return False
    return part.unnumbered in whole.unnumbered and len(whole.unnumbered) <= 2 * len(part.unnumbered)


def _alike(a: Reading, b: Reading) -> bool:
    """In letters, in words in whatever order, or in all that is named."""
    if max(fuzz.ratio(a.unnumbered, b.unnumbered), fuzz.ratio(a.ordered, b.ordered)) >= LIKE * 100:
        return True
    return len(a.names) > 1 and sorted(a.names) == sorted(b.names)


def rivals(a: Reading, b: Reading) -> float:
    """The share of what is named that one text has in place of the other's, 0 to 1.

    Slips of the keyboard are none.
    """
    one, other = a.named - b.named, b.named - a.named
    mine, yours = _weight(one), _weight(other)
    if mine and yours and (one | other) & (a.loose | b.loose):
        left, right = Counter(a.words), Counter(b.words)
        for first, second in _replaced(a.words, b.words):
            for x, y in _slips(a, b, first, second):
                left -= Counter(a.words[x])
                right -= Counter(b.words[y])
        mine, yours = _weight((left - right).elements()), _weight((right - left).elements())
    least, most = sorted((a.weight, b.weight))
    if max(mine, yours) > ADDED * most:
        return 1.0
    return min(1.0, min(mine, yours) / least) if least else 0.0


def _mistyped(a: Reading, b: Reading) -> bool:
    """Whether two Chinese texts differ in single letters here and there, as no two slots of a template do.

    In words that fall apart by it; or in three places at least, for each three at most one of two letters,
    and nowhere in words that are words.
    """
    if a.letters.isascii():
        return False
    if _torn(a, b) or _sounds_alike(a.unnumbered, b.unnumbered):
        return True
    gaps = [
        max(one.stop - one.start, other.stop - other.start)
        for one, other in _gaps(a.unnumbered, b.unnumbered)
    ]
    single, double = gaps.count(1), gaps.count(2)
    if single < 3 or single + double < len(gaps) or double > single // 3:
        return False
    return not any(
        _weight(a.words[one]) > 1
        and _weight(b.words[other]) > 1
        and _known(a.spelt[one] + b.spelt[other], a.common)
        for one, other in _replaced(a.words, b.words)
    )


def _sounds_alike(one: str, other: str) -> bool:
    """Whether all letters that differ sound the same, tone and all: what a keyboard for sounds gives."""
    if len(one) != len(other):
        return False
    different = [(x, y) for x, y in zip(one, other, strict=True) if x != y]
    return len(different) <= _TORN * len(one) + 1 and all(
        min(pair) >= "\u3400" and _sound(pair[0]) == _sound(pair[1]) for pair in different
    )


@lru_cache(maxsize=8192)
def _sound(letter: str) -> str:
    from pypinyin import Style, lazy_pinyin  # 50 ms: only where Chinese is compared

    return str(lazy_pinyin(letter, style=Style.TONE3)[0])


def _torn(a: Reading, b: Reading) -> bool:
    """Whether all that differs are letters, each alone on one side where the other's stands in a word.

    地址 and 地了: one is a word, the other falls into letters. Two slots of a template are both words. Where
    they differ in many places, one in three may be another slip of two letters at most.
    """
    gaps = list(_gaps(a.unnumbered, b.unnumbered))
    least = min(len(a.lengths), len(b.lengths))
    if len(a.lengths) != len(a.unnumbered) or len(b.lengths) != len(b.unnumbered):
        return False
    if len(gaps) > _TORN * least + 1:
        return False
    others = [
        (one, other)
        for one, other in gaps
        if not (_fragment(a, one, b, other) or _fragment(b, other, a, one))
    ]
    if not others:
        return True
    slots = any(
        one.stop - one.start > 2
        or other.stop - other.start > 2
        or (min((*a.lengths[one], *b.lengths[other])) > 1 and one.stop - one.start > 1)
        for one, other in others
    )
    return len(gaps) >= _MANY and 3 * len(others) <= len(gaps) and not slots


def _fragment(a: Reading, one: slice, b: Reading, other: slice) -> bool:
    """Whether a's letter of a gap is what a slip left of a word of b's, or was put in by one."""
    first, second = a.lengths[one], b.lengths[other]
    return first == (1,) and len(second) < 2 and 1 not in second


def _gaps(one: Sequence[object], other: Sequence[object]) -> Iterator[tuple[slice, slice]]:
    """Where they differ between two items that both have; one of the two may be empty."""
    a = b = 0
    for block in Levenshtein.opcodes(one, other).as_matching_blocks():
        if a < block.a or b < block.b:
            yield slice(a, block.a), slice(b, block.b)
        a, b = block.a + block.size, block.b + block.size


def _replaced(one: Sequence[object], other: Sequence[object]) -> Iterator[tuple[slice, slice]]:
    """Where each has items of its own between two that both have."""
    return (gap for gap in _gaps(one, other) if all(side.start < side.stop for side in gap))


def _weight(words: Iterable[str]) -> int:
    """A word that names counts twice as much as a lone Chinese letter, which may be a slip."""
    return sum(min(len(word), 2) for word in words if word not in _EMPTY and word != _NUMBER)


def _slips(a: Reading, b: Reading, one: slice, other: slice) -> Iterator[tuple[slice, slice]]:
    """Of two stretches those parts that are the same but for slips: Latin words one by one, others whole."""
    if "".join((*a.spelt[one], *b.spelt[other])).isascii():
        free = list(range(other.start, other.stop))
        for at in range(one.start, one.stop):
            for place in free:
                mine, yours = slice(at, at + 1), slice(place, place + 1)
                if _misspelt(a.spelt[mine], b.spelt[yours], a.common):
                    free.remove(place)
                    yield mine, yours
                    break
    elif _misspelt(a.spelt[one], b.spelt[other], a.common):
        yield one, other


def _misspelt(one: Sequence[str], other: Sequence[str], common: Set[str]) -> bool:
    """Whether two stretches are the same but for slips; never where all their words are words."""
    if _known((*one, *other), common):
        return False
    a, b = "".join(one), "".join(other)
    alike = Levenshtein.normalized_similarity(a, b)
    if (a + b).isascii():
        return alike >= _TYPO
    replaced = [max(x.stop - x.start, y.stop - y.start) for x, y in _replaced(a, b)]
    return alike >= _SLIP and max(replaced, default=0) <= 1


def _cut(folded: str) -> Iterator[str]:
    for run in _WORD.findall(folded):
        if run.isascii():
            yield run
            continue
        run = _WHETHER.sub(r"\1", run)
        for word in rjieba.cut(_phrases().sub(lambda found: f" {_synonyms()[found[0]]} ", run), False):
            if word == " ":
                continue
            if word[0] == "不" and len(word) == 3:  # 不知情 is 不 and 知情, as 不知道 is
                yield "不"
                word = word[1:]
            yield word


@cache
def _table() -> list[str]:
    """The synonyms and the opposites."""
    return files("fairtrial.cases").joinpath("synonyms.txt").read_text("utf-8").split("# Opposites")


@cache
def _opposites() -> dict[str, set[str]]:
    """The words and letters that say the opposite of one."""
    found: dict[str, set[str]] = {}
    for line in _table()[1].splitlines()[1:]:
        for one, other in permutations(line.split(), 2):
            found.setdefault(one, set()).add(other)
    return found


@cache
def _synonyms() -> dict[str, str]:
    """Words by the first of their line in synonyms.txt."""
    groups = [
        [stem(word) if word.isascii() and word not in _EMPTY else word for word in line.split()]
        for line in _table()[0].splitlines()
        if line and not line.startswith("#")
    ]
    return {word: group[0] for group in groups for word in group}


@cache
def _phrases() -> re.Pattern[str]:
    """Those that may be cut in several words."""
    long = (word for word in _synonyms() if len(word) > 1 and not word.isascii())
    return re.compile("|".join(sorted(long, key=len, reverse=True)))


def _known(words: Iterable[str], common: Set[str]) -> bool:
    """Whether all are words, none of them misspelt.

    A misspelt Chinese word falls into single letters when it is cut: those of several letters are words.
    """
    return all(
        word in _EMPTY
        or word in _synonyms()
        or _plain(word) in common
        or (len(word) > 1 and not word.isascii())
        for word in words
    )


def _plain(word: str) -> str:
    """A word as it is compared."""
    if word.isdecimal():
        return _NUMBER
    word = stem(word) if word.isascii() and word not in _EMPTY else word
    return _synonyms().get(word, word)


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
    common = _common(readings[at] for at in alone)
    kept = [Reading(texts[at], common) for at in alone]
    near = candidates(signatures([reading.unnumbered for reading in kept]))
    places = np.array(alone, np.int64)
    for (one, other), (first, second) in zip(near.tolist(), places[near].tolist(), strict=True):
        if copy := kind_of(kept[one], kept[other]):
            found.append(Pair(min(first, second), max(first, second), copy[1], copy[0]))
    return sorted(found)


def _common(readings: Iterable[Reading]) -> Set[str]:
    """The words of more than one letter that several texts use."""
    used = Counter(word for reading in readings for word in {*map(_plain, _cut(reading.folded))})
    return {word for word, texts in used.items() if texts >= _COMMON and len(word) > 1}


def between(one: Sequence[str], other: Sequence[str]) -> list[Pair]:
    """The near-duplicates between two lists: `first` is a place in one, `second` in the other."""
    n = len(one)
    both = pairs([*one, *other], [0] * n + [1] * len(other))
    return [pair._replace(second=pair.second - n) for pair in both if pair.first < n <= pair.second]
