"""What kind of wording a message of a user is, in Chinese and English: told by tables and rules, no model.

How often each is told wrongly is measured in docs/representing.md; both sides of a comparison are told alike.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import re2

from fairtrial.text import kinds
from fairtrial.text.normalise import fold, fold_width
from fairtrial.text.patterns import searchable
from fairtrial.text.words import (
    FUNCTION_EN,
    GENERIC_EN,
    KNOWN_EN,
    sentences,
    simplified,
    stem,
    stems,
    tongue,
)

_UNITS = re.compile(r"[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]+(?:['’-][^\W\d_]+)*|\d+(?:[.,:/-]\d+)*")
_CHINESE_RUN = re.compile(r"[\u3400-\u9fff]{2,}")
_LATIN_WORD = re.compile(r"(?<![A-Za-z0-9_./@-])[A-Za-z]{2,}(?![A-Za-z0-9_./@-])")
_LOWER = re.compile(r"(?<![a-z0-9'@./_-])[a-z]{5,14}(?![a-z0-9'@/_-])")
_WIDE = re.compile(r"[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_EMOJI = re.compile(
    r"[\U0001f300-\U0001faff\u2600-\u26ff\u2702-\u27b0\u2b50\u2764]|\[[\u3400-\u9fff]{1,3}\]"
    r"|[:;]-?[)(DPp](?![A-Za-z0-9])|\^_?\^|[TQ][_.]T\b|\bOTL\b|orz\b"
)
_SHOUTED = re.compile(r"[!！?？]{2,}|(?:\b[A-Z]{3,}\b[ ,!]+){2,}\b[A-Z]{2,}\b|[~～]{3,}|。{4,}")
_TOLD = 8
"""Words or Chinese letters from which a sentence that neither asks nor wants anything tells something."""
_SLIP = 5
"""Letters from which an English word one slip away from a known one is a mistyped one."""


class Traits(NamedTuple):
    """What is to be found in a message. `length` counts words and Chinese letters, `asks` its questions."""

    length: int
    typo: bool
    colloquial: bool
    emotion: bool
    question: bool
    request: bool
    narrative: bool
    several: bool
    order_number: bool
    mixed: bool
    emoji: bool
    full_width: bool
    chinese: bool


def traits(text: str) -> Traits:
    """The kinds of wording of one message."""
    text = searchable(text)
    plain = simplified(fold(text))
    parts = sentences(plain)
    asking = [_finds("question", part) for part in parts]
    wanting = [_finds("request", part) for part in parts]
    told = (
        n >= _TOLD for n in (length(p) for p, a, w in zip(parts, asking, wanting, strict=True) if not a | w)
    )
    return Traits(
        length=length(text),
        typo=next(typos(plain), None) is not None,
        colloquial=_finds("colloquial", plain),
        emotion=bool(_SHOUTED.search(text)) or _finds("emotion", plain),
        question=any(asking),
        request=any(wanting),
        narrative=any(told),
        several=sum(asking) > 1 or ((any(asking) or any(wanting)) and _finds("besides", plain)),
        order_number=bool(kinds.find("order_number", fold_width(text), at_most=1)),
        mixed=_mixed(text),
        emoji=bool(_EMOJI.search(text)),
        full_width=bool(_WIDE.search(text)),
        chinese=tongue(text) == "zh",
    )


def length(text: str) -> int:
    """Words and Chinese letters of a text; a number is one."""
    return len(_UNITS.findall(text))


def typos(plain: str) -> Iterator[str]:
    """What looks mistyped in a folded, simplified text.

    Chinese: letters that sound as a word of service (tones aside), stand where words part, and are no word.
    English: a word that is unknown and one slip (Damerau 1964) from a known one of five letters or more.
    """
    table = _table("mistyped zh")
    for run in _CHINESE_RUN.findall(plain):
        yield from (word for word in table if word in run)
        yield from _sounding(run)
    for word in re.findall(r"[a-z']+", plain):
        if word in _table("mistyped en"):
            yield word
    for word in _LOWER.findall(plain):
        if _slipped(word):
            yield word


def _sounding(run: str) -> Iterator[str]:
    known, meant = _sounds(), _table("meant zh")
    sounds = [_sound(letter) for letter in run]
    hits = [
        (at, at + size)
        for size in (2, 3)
        for at in range(len(run) - size + 1)
        if (words := known.get(tuple(sounds[at : at + size]))) and run[at : at + size] not in words
    ]
    if not hits:
        return
    from rjieba import cut  # 0.1 s, as above

    ends, at = {0: 0}, 0
    for number, word in enumerate(cut(run, False), 1):  # with its guesses at new words a slip would be one
        at += len(word)
        ends[at] = number
    for start, end in hits:
        # In several pieces: what a dictionary has as one word is meant as it stands.
        if ends.keys() >= {start, end} and ends[end] - ends[start] > 1 and run[start:end] not in meant:
            yield run[start:end]


@cache
def _sounds() -> dict[tuple[str, ...], frozenset[str]]:
    found: dict[tuple[str, ...], set[str]] = {}
    for word in _table("service zh"):
        found.setdefault(tuple(map(_sound, word)), set()).add(word)
    return {sound: frozenset(words) for sound, words in found.items()}


@lru_cache(maxsize=8192)
def _sound(letter: str) -> str:
    from pypinyin import lazy_pinyin  # 50 ms: only where Chinese is read

    found: list[str] = lazy_pinyin(letter)
    return found[0]


@lru_cache(maxsize=65536)
def _slipped(word: str) -> bool:
    known = _table("service en")
    if {word, stem(word)} & _real():
        return False
    from rapidfuzz.distance import OSA

    return any(
        len(other) >= _SLIP and other[0] == word[0] and OSA.distance(word, other, score_cutoff=1) == 1
        for other in known
    )


@cache
def _real() -> frozenset[str]:
    """Real words, with their stems."""
    words = FUNCTION_EN | GENERIC_EN | KNOWN_EN | _table("service en") | _table("other words en")
    return words | stems(words)


def _mixed(text: str) -> bool:
    """Whether words of the other language stand in it; codes, capitals and borrowed words do not count."""
    language = tongue(text)
    if language == "zh":
        words = [word for word in _LATIN_WORD.findall(text) if not word.isupper()]
        return any(word.lower() not in _table("borrowed") for word in words)
    return language == "en" and bool(_CHINESE_RUN.search(text))


def _finds(name: str, plain: str) -> bool:
    if not plain.isascii() and _pattern(f"{name} zh", words=False).search(plain):
        return True
    return bool(_pattern(f"{name} en", words=name in ("colloquial", "emotion")).search(plain))


@cache
def _pattern(name: str, *, words: bool) -> Any:
    joined = "|".join(_listed(name)).replace("_", " ")
    return re2.compile(rf"(?:^|[^a-z0-9'])(?:{joined})(?:[^a-z0-9']|$)" if words else joined)


@cache
def _table(name: str) -> frozenset[str]:
    return frozenset(_listed(name))


@cache
def _listed(name: str) -> tuple[str, ...]:
    text = files("fairtrial.text").joinpath("traits.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    at = lines.index(f"= {name}") + 1
    end = next((n for n, line in enumerate(lines[at:], at) if line.startswith("= ")), len(lines))
    return tuple(word for line in lines[at:end] for word in line.split())
