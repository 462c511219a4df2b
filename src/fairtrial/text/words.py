"""Sentences and words of Chinese and English text: where they end, what they are, which carry no content."""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

Tongue = Literal["en", "zh"]

# Ends of sentences. A full stop only before white space, so that 12.50, a.com and "3.2.1" stay whole.
# (A pattern that begins with one class of letters is searched for some times faster, here and below.)
_ENDS = re.compile(
    r"[。！？；…!?.\n](?:(?<=[。！？；…!?])[。！？；…!?]*[”’」』）)\"']*|(?<=\.)\.*[\"')”]?(?=\s|$)|(?<=\n)\n*)"
)
_LAST_WORD = re.compile(r"[A-Za-z.]{1,12}$")
_ENGLISH = re.compile(r"[a-z][a-z]*(?:'[a-z]{1,2})?")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_CHINESE_RUN = re.compile(r"[\u3400-\u9fff][\u3400-\u9fff]*")
_LATIN = re.compile(r"[A-Za-z][A-Za-z]+")
# Kana, Hangul, Cyrillic, Greek, Arabic, Hebrew, Thai, Devanagari, Vietnamese letters: neither of our tongues.
_OTHER_SCRIPT = re.compile(
    r"[\u3040-\u30ff\uac00-\ud7af\u0370-\u052f\u0590-\u06ff\u0900-\u0e7f\u1ea0-\u1ef9]"
)


def _tables() -> dict[str, frozenset[str]]:
    """The tables of words.txt by name."""
    tables: dict[str, list[str]] = {}
    name = ""
    for line in files("fairtrial.text").joinpath("words.txt").read_text("utf-8").splitlines():
        if line.startswith("= "):
            name = line[2:]
        elif line and not line.startswith("#"):
            tables.setdefault(name, []).extend(line.split())
    return {name: frozenset(words) for name, words in tables.items()}


_TABLES = _tables()
FUNCTION_EN, FUNCTION_ZH = _TABLES["function english"], _TABLES["function chinese"]
"""Words that bind others and name nothing."""
GENERIC_EN, GENERIC_ZH = _TABLES["generic english"], _TABLES["generic chinese"]
"""Words of which courtesy and evasion are made."""
KNOWN_EN, KNOWN_ZH = _TABLES["known english"], _TABLES["known chinese"]
"""Names that everybody knows (months, payment services …)."""
UNITS, PLAIN_CAPITALS = _TABLES["unit"], _TABLES["plain capitals"]
"""What may follow a number without making it an identifier; capitals that identify nothing."""
PLACE_ENDS = _TABLES["place end"]
"""With what Chinese names of places, houses and officers end."""
_LONG = 24  # letters: what is longer is hardly a word, and not kept
_ABBREVIATIONS, _FOREIGN = _TABLES["abbreviation"], _TABLES["foreign"]


Word = tuple[str, str]
"""A Chinese word as cut, with jieba's part of speech (`n` noun, `nr` person, `ns` place, `v` verb …)."""


def sentences(text: str) -> list[str]:
    """The sentences of a text in either language, their end signs kept, blank ones left out.

    Ends: 。！？；… and their ASCII twins, line ends, and a full stop before white space that does not
    close an abbreviation (Dr., e.g., a.m.).
    """
    pieces, start = [], 0
    for end in _ENDS.finditer(text):
        if end[0][0] == "." and _abbreviates(text, end.start()):
            continue
        if piece := text[start : end.end()].strip():
            pieces.append(piece)
        start = end.end()
    if piece := text[start:].strip():
        pieces.append(piece)
    return pieces


def _abbreviates(text: str, at: int) -> bool:
    word = _LAST_WORD.search(text[max(0, at - 12) : at])
    return word is not None and word[0].lower() in _ABBREVIATIONS and text[at:].strip(". \n") != ""


def english(text: str) -> list[str]:
    """The English words of a text that is already lower case, in order; digits and signs are no words."""
    return _ENGLISH.findall(text)


def chinese(text: str) -> list[Word]:
    """The words of a text with mostly Chinese letters, signs included (part of speech `x`)."""
    return _tagger()(text)


@cache
def _tagger() -> Callable[[str], list[Word]]:
    import rjieba  # 0.1 s and 30 MB: only where Chinese is read

    tag: Callable[[str], list[Word]] = rjieba.tag
    return tag


@cache
def _converter() -> Callable[[str], str]:
    import opencc

    convert: Callable[[str], str] = opencc.OpenCC("t2s").convert
    return convert


def simplified(text: str) -> str:
    """Traditional Chinese letters as simplified ones; text without Chinese letters as it is."""
    return _converter()(text) if _CHINESE.search(text) else text


def stem(word: str) -> str:
    """An English word without its commonest endings, so that `refunds`, `refunded`, `refund` are one.

    Crude on purpose: both sides of a comparison are cut alike, so the stem need be no word.
    """
    return _stem(word) if len(word) <= _LONG else _stem.__wrapped__(word)


def stems(words: Iterable[str]) -> set[str]:
    """The stems of several words."""
    return {_stem(word) if len(word) <= _LONG else _stem.__wrapped__(word) for word in words}


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    if word.endswith("'s"):
        word = word[:-2]
    size = len(word)
    if size > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if size > 5 and word.endswith("ing"):
        return word[:-3].rstrip("e")
    if size > 4 and word.endswith("ed"):
        return word[:-2]
    if size > 4 and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if size > 3 and word[-1] == "s" and word[-2] not in "su":
        return word[:-1].rstrip("e") if size > 4 else word[:-1]
    return word.rstrip("e") if size > 4 else word


def tongue(text: str) -> Tongue | None:
    """`zh` or `en`, None where the text is in another language or has no words.

    A text is Chinese from one Chinese letter per Latin word up. Latin text is another language where
    the commonest words of others outnumber the English function words.
    """
    if text.isascii():
        if not _LATIN.search(text):
            return None
        return None if _is_foreign(text) else "en"
    chinese_letters = sum(map(len, _CHINESE_RUN.findall(text)))
    if len(_OTHER_SCRIPT.findall(text)) * 4 > chinese_letters + len(text) // 8:
        return None
    latin = len(_LATIN.findall(text))
    if chinese_letters > latin:
        return "zh"
    if not latin:
        return "zh" if chinese_letters else None
    return None if _is_foreign(text) else "en"


def _is_foreign(text: str) -> bool:
    """Whether the commonest words of other tongues outnumber the English; one alone (LAS) is no proof."""
    found = text[:4000].lower().split()
    if len(_FOREIGN.intersection(found)) < 2:
        return False
    foreign = [word for word in found if word in _FOREIGN]
    if 8 * len(foreign) < len(found):
        return False
    return len(foreign) > sum(word in FUNCTION_EN for word in found)
