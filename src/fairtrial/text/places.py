"""Places in a text: well-known names, and words that end as the names of places do."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import re2

_ZH = (
    # road and house number; province or city with what lies in it; a name and what kind of place it is
    r"\p{Han}{1,8}(?:路|街|大道|大街|胡同|巷|弄|里)\s?\d+\s?[号弄]?",
    r"\p{Han}{2,4}[省市]\p{Han}{2,5}?[市区县]",
    r"\p{Han}{2,5}?(?:自治区|自治州|[省市区县镇乡村路街巷]|大道|胡同|广场|机场|火车站|高铁站|地铁站|车站)",
)
_NAME = r"(?:\d+[A-Za-z]{0,2} )?(?:[A-Z][a-zA-Z'.-]+ ){1,3}"
_WAY = r"(?:Street|St\b\.?|Avenue|Ave\b\.?|Road|Rd\b\.?|Boulevard|Blvd\b\.?|Square|Plaza|Highway)"
_STATE = (
    r"(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT"
    r"|V[AT]|W[AIVY])"
)
_EN = (
    rf"\b{_NAME}{_WAY}|\b\d+(?:st|nd|rd|th) {_WAY}",
    r"\b\d+[A-Za-z]? (?:[A-Z][a-zA-Z'.-]+ ){1,3}(?:Drive|Lane|Way|Court)\b",
    rf"\b{_NAME}(?:City|County|District|Province|State|Airport|Station)\b",
    rf"\b[A-Z][a-z]+, {_STATE}\b",
)


# What stands before a name and is no part of it. Two letters that are left, as in 顺路, are no name.
_BEFORE = re.compile(
    "的|了|是|在|可以|[您我你他她这那哪么能到往去就也很没请从离附近最各个条座某两]|地址|位于"
)
# What stands before a comma and two capitals without being a town: Sure, OK.
_NO_TOWN = re.compile("Sure|Sorry|Yes|No|Hello|Hi|Great|Okay|Well|Oh|Thanks|Perfect|Right|Good|Fine")


@cache
def _tables() -> tuple[Any, Any, dict[str, frozenset[str]]]:
    tables: dict[str, list[str]] = {}
    for line in files("fairtrial.text").joinpath("places.txt").read_text("utf-8").splitlines():
        if line.startswith("= "):
            words = tables.setdefault(line[2:], [])
        elif not line.startswith("#"):
            words.extend(line.split("|") if "|" in line else line.split())
    chinese = re2.compile("|".join([*tables["chinese"], *_ZH]))
    english = re2.compile("|".join([*_EN, rf"\b(?:{'|'.join(tables['english'])})\b"]))
    return chinese, english, {name: frozenset(words) for name, words in tables.items()}


def find_places(text: str) -> Iterator[str]:
    """The places of a width-folded text as written, those of Chinese first.

    English names are known by their capitals. `超市`, `小区` and the like end as places do and are none.
    """
    chinese, english, tables = _tables()
    known, no_places, kinds_alone = tables["chinese"], tables["not chinese"], tables["kind alone"]
    data = text.encode()
    for match in chinese.finditer(data):
        place = match.group().decode()
        if place not in known:
            place = _BEFORE.split(place)[-1]
        if len(place) < 2 or place in kinds_alone or any(place[-n:] in no_places for n in (2, 3, 4)):
            continue
        yield place
    for match in english.finditer(data):
        place = match.group().decode()
        if not _NO_TOWN.fullmatch(place.partition(",")[0]):
            yield place
