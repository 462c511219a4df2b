"""Facts of a text that can be compared: numbers, dates, times, codes and names, each in one form.

A fact has one or more keys; two facts are the same where they share a key. `7:30 PM`, `19:30` and
`晚上7点半` share `t19:30`; `¥1,234.50` and `１２３４．５元` share `1234.5`.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import msgspec

from fairtrial.text.normalise import fold_width
from fairtrial.text.numerals import numerals
from fairtrial.text.patterns import searchable
from fairtrial.text.words import PLAIN_CAPITALS, UNITS, simplified

Kind = Literal["number", "date", "time", "code", "caps", "name"]

_MONTHS = dict(
    zip(
        ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
        range(1, 13),
        strict=True,
    )
)
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)

# Tokens are found by a pattern with a plain first letter (which the engine can search for quickly); only
# where one may be a fact is it read closely. A token takes in all that it looks at, so the time is linear.
# Plain words (`order`, `Order`) but months are passed over at once: they are most of a text, and no facts.
_TOKEN = re.compile(
    rf"(?<![A-Za-z0-9])(?:(?![A-Z]?[a-z]*+(?![A-Za-z0-9@_.,:/+-]))|(?={'|'.join(_MONTHS)}))"
    r"[A-Za-z0-9](?:[A-Za-z0-9@_.,:/+-]*[A-Za-z0-9])?"
)
_PIECE = re.compile(r"[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*")
_MAIL = re.compile(r"[A-Za-z0-9_.+-]+@[A-Za-z0-9.-]+$")
_MONTH_DAY = re.compile(
    rf"(?P<month>{_MONTH})\s?(?P<day>\d{{1,2}})(?!\d)(?:st|nd|rd|th)?(?:,?\s(?P<year>\d{{4}})(?!\d))?"
)
# What begins with a digit, read at a digit.
_DIGIT_LED = re.compile(
    rf"""
    (?P<ymd>(?P<y>\d{{4}})(?:[-/.]|\s?年\s?)(?P<m>\d{{1,2}})(?:[-/.]|\s?月\s?)(?P<d>\d{{1,2}})(?!\d)(?:T(?=\d\d:))?)
  | (?P<zhmd>(?P<zm>\d{{1,2}})\s?月\s?(?P<zd>\d{{1,2}})(?!\d))
  | (?P<endm>(?P<fd>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<fm>{_MONTH})(?:,?\s(?P<fy>\d{{4}})(?!\d))?)
  | (?P<slash>(?P<sa>\d{{1,2}})/(?P<sb>\d{{1,2}})(?:/(?P<sy>\d{{4}}|\d\d))?(?![\d/]))
  | (?P<clock>(?P<th>\d{{1,2}}):(?P<tm>\d\d)(?::\d\d)?(?!\d)(?:\s?(?P<tp>[AaPp])\.?[Mm]\b\.?)?)
  | (?P<hour>(?P<hh>\d{{1,2}})\s?(?P<hp>[AaPp])\.?[Mm]\b\.?)
  | (?P<zhhour>(?P<zh>\d{{1,2}})\s?(?:点钟?|时)
      (?:(?P<half>半)|(?P<zmin>\d{{1,2}})分?|(?=[，。,;；、到至前后之以的可就]|$)))
  | (?P<version>\d{{1,6}}(?:\.\d{{1,6}}){{2,5}}(?![\d.]))
  | (?P<phone>\d{{2,4}}(?:\)\s?|-)\d{{3,8}}(?:-\d{{3,8}}){{0,2}}(?![\d.])|1\d\d[\s-]\d{{4}}[\s-]\d{{4}}(?!\d))
  | (?P<code>\d{{1,60}}[A-Za-z][A-Za-z0-9]{{0,60}}(?:[_-][A-Za-z0-9]{{1,60}}){{0,8}})
  | (?P<number>(?:\d{{1,3}}(?:,\d{{3}}){{1,6}}(?!\d)|\d+)(?:\.\d+)?
      (?:\s?(?P<scale>[千万亿]|[Kk]\b|million\b|billion\b|%))?)
    """,
    re.VERBOSE | re.ASCII,
)
_EVENING = ("下午", "晚上", "傍晚", "今晚", "当晚", "夜里")
_MORNING = ("上午", "早上", "凌晨", "清晨", "明早", "今早")
_UNITED = re.compile(r"(\d+)([A-Za-z]+)$")
_SCALES = {
    "千": 1_000,
    "万": 10_000,
    "亿": 100_000_000,
    "K": 1_000,
    "k": 1_000,
    "million": 10**6,
    "billion": 10**9,
}
# No number above ten is written in words without one of these.
_ABOVE_TEN_EN = ("ty", "teen", "leven", "welve", "undred", "ousand", "illion")
_ABOVE_TEN = (*"十百千万亿", *_ABOVE_TEN_EN)
_NO_CODE = re.compile(r"[\W_]+")
_ASCII_DIGIT = re.compile("[0-9]")
SHORT = 2_000
"""Letters of a text that is worth keeping the reading of."""


NEUTRAL = 10
"""Whole numbers up to this one count things in passing (`2 options`, 第一): as facts they prove nothing."""


class Fact(msgspec.Struct, frozen=True, gc=False):
    """A fact at [start, end) of the text it was found in; the same as another that shares one of `keys`."""

    kind: Kind
    keys: tuple[str, ...]
    start: int
    end: int

    @property
    def yearless(self) -> tuple[str, ...]:
        """The keys, a date's without its year, which is often left out."""
        if self.kind != "date":
            return self.keys
        return tuple(dict.fromkeys(key.partition("@")[0] for key in self.keys))

    @property
    def possible(self) -> bool:
        """False for a date or time that no calendar or clock has (May 79, 15:80)."""
        if self.kind not in ("date", "time"):
            return True
        high, low = (int(part) for part in self.keys[0][1:].split("@")[0].replace(":", "-").split("-"))
        return 1 <= high <= 12 and 1 <= low <= 31 if self.kind == "date" else high <= 24 and low <= 59


def prepare(text: str) -> str:
    """The form in which facts and words are looked for: width folded, Chinese simplified."""
    if text.isascii():
        return text
    return _prepared(text) if len(text) <= SHORT else _prepared.__wrapped__(text)


@lru_cache(maxsize=128)
def _prepared(text: str) -> str:
    return simplified(fold_width(searchable(text)))


def find(text: str) -> list[Fact]:
    """All facts but names of a prepared text, in order, none overlapping. Linear in the text's length."""
    facts: list[Fact] = []
    done = 0
    for token in _TOKEN.finditer(text):
        word = token[0]
        if word.isalnum() and not word[0].isdigit() and word[:3] not in _MONTHS:
            if (fact := _named(word, token)) and fact.start >= done:
                facts.append(fact)
            continue
        start, end = token.span()
        if start >= done:
            done = _read_token(text, word, start, end, facts)
    if _may_have_words(text) and (words := _in_words(text)):
        return sorted(facts + words, key=_start)
    return facts


def _named(word: str, token: re.Match[str]) -> Fact | None:
    """The fact that a token of letters and digits is, which begins with a letter and is no date."""
    if not word.isalpha():
        return Fact("code", ("#" + word.lower(),), *token.span())
    if 2 < len(word) <= 12 and word.isupper() and word not in PLAIN_CAPITALS:
        return Fact("caps", (word.lower(),), *token.span())
    return None


def _may_have_words(text: str) -> bool:
    for part in _ABOVE_TEN_EN if text.isascii() else _ABOVE_TEN:  # noqa: SIM110  (asked for each text)
        if part in text:
            return True
    return False


def _in_words(text: str) -> list[Fact]:
    return [
        Fact("number", (number_key(str(numeral.value)),), numeral.start, numeral.end)
        for numeral in numerals(text)
        # What has digits too (1.2万) was read with them.
        if numeral.value > NEUTRAL and not _ASCII_DIGIT.search(text, numeral.start, numeral.end)
    ]


def _start(fact: Fact) -> int:
    return fact.start


def _read_token(text: str, token: str, start: int, end: int, facts: list[Fact]) -> int:
    """Read the facts of a token (and what they take in behind it); where to go on."""
    if not token.isalnum() and _is_address(token):
        facts.append(Fact("code", (_code_key(token),), start, end))
        return end
    at = start
    while at < end:
        letter = text[at]
        if not (letter.isascii() and letter.isalnum()):
            at += 1
            continue
        kind, keys, stop = _digit_led(text, at) if letter.isdigit() else _letter_led(text, at)
        if keys:
            facts.append(Fact(kind, keys, at, stop))
        at = stop
    return at


def _is_address(token: str) -> bool:
    if "@" in token and _MAIL.match(token):
        return True
    return "://" in token or token.startswith("www.")


def _digit_led(text: str, at: int) -> tuple[Kind, tuple[str, ...], int]:
    match = _DIGIT_LED.match(text, at)
    if match is None:  # cannot be: a digit is a number
        return "number", (), at + 1
    kind, keys = _READERS[match.lastgroup or ""](match)
    return kind, keys, match.end()


def _letter_led(text: str, at: int) -> tuple[Kind, tuple[str, ...], int]:
    month = _MONTH_DAY.match(text, at) if text[at : at + 3] in _MONTHS else None
    if month:
        return *_date(month["year"], _MONTHS[month["month"][:3]], int(month["day"])), month.end()
    piece = _PIECE.match(text, at)
    word = piece[0] if piece else text[at]
    stop = at + len(word)
    if _ASCII_DIGIT.search(word):
        return "code", (_code_key(word),), stop
    if word.isupper() and 3 <= len(word) <= 12 and word.isalpha():
        return "caps", () if word in PLAIN_CAPITALS else (word.lower(),), stop
    return "code", (), stop


_Read = tuple[Kind, tuple[str, ...]]


def number_key(text: str) -> str:
    """`1,234.50` as `1234.5`, `007` as `7`."""
    digits = text.replace(",", "")
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return digits.lstrip("0") or "0" if not digits.startswith("0.") else digits


def _code_key(text: str) -> str:
    return "#" + _NO_CODE.sub("", text).lower()


def _code(match: re.Match[str]) -> _Read:
    text = match[0].rstrip(".")
    united = _UNITED.match(text)
    if united and united[2].lower() in ("st", "nd", "rd", "th"):
        return "number", (number_key(united[1]), f"day{int(united[1])}")
    if united and united[2].lower() in UNITS:
        scale = 1_000 if united[2] in "kK" else 1
        return "number", (number_key(str(int(united[1]) * scale)),)
    return "code", (_code_key(text),)


def _date(year: str | None, month: int, day: int) -> _Read:
    short = f"d{month}-{day}"
    return "date", (f"{short}@{year}",) if year else (short,)


def _ymd(match: re.Match[str]) -> _Read:
    return _date(match["y"], int(match["m"]), int(match["d"]))


def _zhmd(match: re.Match[str]) -> _Read:
    return _date(None, int(match["zm"]), int(match["zd"]))


def _endm(match: re.Match[str]) -> _Read:
    return _date(match["fy"], _MONTHS[match["fm"][:3]], int(match["fd"]))


def _slash(match: re.Match[str]) -> _Read:
    a, b, year = int(match["sa"]), int(match["sb"]), match["sy"]
    if year is not None and len(year) == 2:
        year = "20" + year
    pairs = [(m, d) for m, d in ((a, b), (b, a)) if 1 <= m <= 12 and 1 <= d <= 31]
    if not pairs:
        return "code", ("#" + match[0],)
    return "date", tuple(dict.fromkeys(key for m, d in pairs for key in _date(year, m, d)[1]))


def _clock(hours: int, minutes: int, half: str | None, part: str, padded: bool) -> _Read:
    """A time of day; both halves are meant where none is named, unless it is written `07:00` or `13:00`."""
    pm = half in ("p", "P") or part in _EVENING
    am = half in ("a", "A") or part in _MORNING
    if pm and hours < 12:
        return "time", (f"t{hours + 12}:{minutes:02}",)
    if am and hours == 12:
        return "time", (f"t0:{minutes:02}",)
    if am or pm or padded or not 0 < hours < 12:
        return "time", (f"t{hours}:{minutes:02}",)
    return "time", (f"t{hours}:{minutes:02}", f"t{hours + 12}:{minutes:02}")


def _part_of_day(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - 3) : match.start()].strip()[-2:]


def _hhmm(match: re.Match[str]) -> _Read:
    padded = match["th"][0] == "0"
    return _clock(int(match["th"]), int(match["tm"]), match["tp"], _part_of_day(match), padded)


def _hour(match: re.Match[str]) -> _Read:
    return _clock(int(match["hh"]), 0, match["hp"], "", False)


def _zhhour(match: re.Match[str]) -> _Read:
    minutes = 30 if match["half"] else int(match["zmin"] or 0)
    return _clock(int(match["zh"]), minutes, None, _part_of_day(match), False)


def _number(match: re.Match[str]) -> _Read:
    scale = match["scale"]
    digits = match[0][: len(match[0]) - len(scale)].strip() if scale else match[0]
    if not scale:
        key = number_key(digits)
        is_day = len(key) <= 2 and match.string[match.end() : match.end() + 1] in ("号", "日")
        return "number", (key, f"day{key}") if is_day else (key,)
    if scale == "%":
        return "number", (number_key(digits), _times(digits, -2))
    return "number", (_times(digits, len(str(_SCALES[scale])) - 1),)


def _times(digits: str, power: int) -> str:
    """A decimal numeral times 10**power, exactly."""
    whole, _, fraction = digits.replace(",", "").partition(".")
    if power < 0:
        whole = whole.rjust(1 - power, "0")
        return number_key(f"{whole[:power]}.{whole[power:]}{fraction}")
    fraction = fraction.ljust(power, "0")
    return number_key(f"{whole}{fraction[:power]}.{fraction[power:]}0")


def _plain_code(match: re.Match[str]) -> _Read:
    return "code", (_code_key(match[0]),)


_READERS: dict[str, Callable[[re.Match[str]], _Read]] = {
    "ymd": _ymd,
    "zhmd": _zhmd,
    "endm": _endm,
    "slash": _slash,
    "clock": _hhmm,
    "hour": _hour,
    "zhhour": _zhhour,
    "code": _code,
    "phone": _plain_code,
    "version": _plain_code,
    "number": _number,
}
