"""A text as it is compared with others: folded, cut into words, synonyms as one, numbers as 0."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import permutations

import rjieba

from fairtrial.text.characters import without_invisible
from fairtrial.text.normalise import fold
from fairtrial.text.words import FUNCTION_EN, FUNCTION_ZH, GENERIC_EN, GENERIC_ZH, simplified, stem

_COMMON = 3
"""Texts of a set in which a word is used, from which it is no misspelling."""
_LETTER = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\d+|[a-z]+(?:'[a-z]+)?|[^\W\d_a-z]+")
_CLAUSES = re.compile(r"[,.;!?、。…]+")
_ASKING = frozenset(
    ["怎么", "何时", "多久", "为什么", "哪里", "多少", "谁", "how", "when", "where", "why", "who", "which"]
)
EMPTY = (FUNCTION_EN | FUNCTION_ZH | GENERIC_EN | GENERIC_ZH) - _ASKING
_NOT = re.compile(
    r"[不没未]|无法?$|^[别无]|^(?:not?|never|without|cannot|(?:[wc]a|do|does|did|is|are|was|were|wo|ca"
    r"|could|would|should|have|has|had)n'?t)$"
)
_EITHER = re.compile(r"不好意思|(.)[不没]\1")
"""能不能 is a question, and no denial."""
_WHETHER = re.compile(r"(?!有没|是不)(.)[不没]\1")
"""So it is 能; the two have words of their own in the table."""
_SIGN = re.compile(r"[a-z']+|[^\W\d_a-z]")
NUMBER, _COURTESY = "0", "-"


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
        return tuple(word for word in self.words if word not in EMPTY and word != NUMBER)

    @cached_property
    def named(self) -> frozenset[str]:
        """The same, each once."""
        return frozenset(self.names)

    @cached_property
    def loose(self) -> frozenset[str]:
        """Words that may be a slip of the keyboard."""
        return frozenset(_plain(word) for word in self.spelt if not are_known((word,), self.common))

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
        return weight_of(self.words)

    @cached_property
    def denials(self) -> tuple[int, int]:
        """How often it says no, at least and at most: 有没有 may be a question or, with a slip, 没有."""
        least = sum(len(_NOT.findall(_EITHER.sub(r"\1", word))) for word in self.spelt)
        return least, least + len(_EITHER.findall(self.folded))

    @cached_property
    def signs(self) -> Counter[str]:
        """Its English words and Chinese letters."""
        return Counter(_SIGN.findall(self.folded))


def weight_of(words: Iterable[str]) -> int:
    """A word that names counts twice as much as a lone Chinese letter, which may be a slip."""
    return sum(min(len(word), 2) for word in words if word not in EMPTY and word != NUMBER)


def common_words(readings: Iterable[Reading]) -> Set[str]:
    """The words of more than one letter that several texts use."""
    used = Counter(word for reading in readings for word in {*map(_plain, _cut(reading.folded))})
    return {word for word, texts in used.items() if texts >= _COMMON and len(word) > 1}


def are_known(words: Iterable[str], common: Set[str]) -> bool:
    """Whether all are words, none of them misspelt.

    A misspelt Chinese word falls into single letters when it is cut: those of several letters are words.
    """
    return all(
        word in EMPTY
        or word in _synonyms()
        or _plain(word) in common
        or (len(word) > 1 and not word.isascii())
        for word in words
    )


def _plain(word: str) -> str:
    """A word as it is compared."""
    if word.isdecimal():
        return NUMBER
    word = stem(word) if word.isascii() and word not in EMPTY else word
    return _synonyms().get(word, word)


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
def opposites() -> dict[str, set[str]]:
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
        [stem(word) if word.isascii() and word not in EMPTY else word for word in line.split()]
        for line in _table()[0].splitlines()
        if line and not line.startswith("#")
    ]
    return {word: group[0] for group in groups for word in group}


@cache
def _phrases() -> re.Pattern[str]:
    """Those that may be cut in several words."""
    long = (word for word in _synonyms() if len(word) > 1 and not word.isascii())
    return re.compile("|".join(sorted(long, key=len, reverse=True)))
