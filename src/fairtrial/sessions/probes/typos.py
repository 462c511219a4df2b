"""Mistyped words and what people say for short, as customers write them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import ceil
from random import Random

from fairtrial.schema.case import Case
from fairtrial.sessions.probes.phrases import pairs, words
from fairtrial.sessions.probes.probe import Disturbed, Probe, Unfit
from fairtrial.sessions.probes.sites import Site, sites
from fairtrial.text.language import say
from fairtrial.text.words import FUNCTION_EN, GENERIC_EN, KNOWN_EN, Tongue

_FILE = "typos.txt"
_NOTHING = "-"
_SHARE = {1: 0.05, 2: 0.12, 3: 0.25}
"""Words mistyped of those of the input; at least as many as the intensity."""
_TABLES: Mapping[Tongue, tuple[str, ...]] = {
    "zh": ("homophone zh", "shape zh", "dropped zh", "colloquial zh"),
    "en": ("misspelt en", "colloquial en"),
}
_COMMON: Mapping[Tongue, str] = {"zh": "common zh", "en": "common en"}
# What a homophone must not become: a number, a denial, an insult.
_NEVER = frozenset("零〇一二两俩三仨四五六七八九十百千万亿半双几不没未无否非别莫勿毋贱屎尸奸淫妓屁尿")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_VOWELS = frozenset("aeiou")


class Typos(Probe):
    """Homophones, near shapes, words left out and colloquial forms; in English the keyboard's neighbours,
    letters swapped, left out and doubled, common misspellings and short forms.

    Only words of typos.txt are touched, and a person still reads what was meant: none of them negates, and
    none is turned into a number or another wish.
    """

    name = "typos"

    @property
    def intent(self) -> str:
        """What it examines."""
        return say("whether it reads mistyped and colloquial words", "错别字和口语能不能看懂")

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """One step a typo, over the whole input."""
        found = sites(case, _vocabulary())
        if not found:
            raise Unfit(say("no word that it could mistype", "没有可以写错的词"))
        length = sum(_length(turn) for turn in case.input)
        chosen = draw.sample(found, min(len(found), max(intensity, ceil(length * _SHARE[intensity]))))
        chosen.sort(key=lambda site: (site.turn, site.start))
        return Disturbed(steps=tuple(site.edit(_mistyped(site, draw)) for site in chosen))


def _length(text: str) -> int:
    """About how many words a text has."""
    return len(text.split()) if text.isascii() else ceil(len(text) / 2)


@cache
def _vocabulary() -> dict[Tongue, frozenset[str]]:
    return {
        tongue: frozenset(words(_FILE, _COMMON[tongue])).union(*(pairs(_FILE, name) for name in names))
        for tongue, names in _TABLES.items()
    }


def _mistyped(site: Site, draw: Random) -> str:
    """One of the ways to get the word wrong, each kind of mistake as likely as the others."""
    kinds = [pairs(_FILE, name).get(site.word) for name in _TABLES[site.tongue]]
    if site.word in words(_FILE, _COMMON[site.tongue]):
        kinds.append(_homophones(site.word) if site.tongue == "zh" else _slips(site.word))
    return draw.choice(draw.choice([forms for forms in kinds if forms])).replace(_NOTHING, "")


@cache
def _homophones(word: str) -> tuple[str, ...]:
    """The word with one letter as it sounds."""
    return tuple(
        word[:at] + twin + word[at + 1 :] for at, letter in enumerate(word) for twin in _twins(letter)
    )


@cache
def _sounds() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The commoner 3755 letters (GB 2312, level 1) by their sound with its tone, and without it."""
    from pypinyin import Style, lazy_pinyin  # 50 ms: only where Chinese is mistyped

    letters = [bytes((high, low)) for high in range(0xB0, 0xD8) for low in range(0xA1, 0xFF)]
    common = [letter.decode("gb2312") for letter in letters if letter < b"\xd7\xfa"]
    toned: dict[str, list[str]] = {}
    bare: dict[str, list[str]] = {}
    for letter, sound in zip(common, lazy_pinyin(common, style=Style.TONE3), strict=True):
        if letter not in _NEVER:
            toned.setdefault(sound, []).append(letter)
            bare.setdefault(sound.rstrip("01234"), []).append(letter)
    return toned, bare


def _twins(letter: str) -> list[str]:
    """The letters that sound as one does, with its tone where there are such."""
    from pypinyin import Style, lazy_pinyin

    toned, bare = _sounds()
    sound = lazy_pinyin(letter, style=Style.TONE3)[0]
    same = [twin for twin in toned.get(sound, ()) if twin != letter]
    return same or [twin for twin in bare.get(sound.rstrip("01234"), ()) if twin != letter]


@cache
def _slips(word: str) -> tuple[str, ...]:
    """The word as a hurried hand writes it, its first letter aside; never another word.

    A vowel is not mistaken for the vowel beside it: that makes other words (shipping, shopping).
    """
    return tuple(sorted({*_slipped(word)} - _real_words() - {word}))


def _slipped(word: str) -> Iterator[str]:
    for at in range(1, len(word)):
        head, letter, tail = word[:at], word[at], word[at + 1 :]
        yield head + tail
        yield head + letter + letter + tail
        if tail:
            yield head + tail[0] + letter + tail[1:]
        for row in _ROWS:
            place = row.find(letter)
            if place >= 0:
                near = row[max(0, place - 1) : place + 2]
                yield from (head + key + tail for key in near if not {key, letter} <= _VOWELS)


@cache
def _real_words() -> frozenset[str]:
    return FUNCTION_EN | GENERIC_EN | KNOWN_EN | _vocabulary()["en"] | frozenset(words(_FILE, "never en"))


PROBES: tuple[Probe, ...] = (Typos(),)
