"""Dates and precise times of the day as they are written, and dates some days away written alike."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from fairtrial.text.normalise import fold_signs
from fairtrial.text.personal_words import words

_NAMES = words("months")
_NAME = rf"(?P<name>(?i:{'|'.join(f'{name}|{name[:3]}' for name in _NAMES)}|Sept)(?![A-Za-z]))\.?"
_Y, _M, _D = r"(?P<y>(?:19|20)\d\d)", r"(?P<m>1[0-2]|0?[1-9])", r"(?P<d>[12]\d|3[01]|0?[1-9])"
_ZH = "一二三四五六七八九十"
_DAYS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<!\d){_Y}(?P<sep>[-/.]){_M}(?P=sep){_D}(?!\d|[-/.]\d)",
        rf"(?<!\d){_Y} ?年 ?{_M} ?月(?: ?{_D}(?!\d) ?[日号]?)?",
        rf"(?<![\d.]){_M} ?月 ?{_D}(?: ?[日号]|(?![\d.个件元天条次]))",
        rf"(?:(?:(?P<zy>[二一][零〇九][零〇一二三四五六七八九]{{2}})|{_Y})年)?(?<![{_ZH}])(?P<zm>[{_ZH}]{{1,2}})月(?P<zd>[{_ZH}廿]{{1,3}})[日号]",
        rf"(?<![A-Za-z]){_NAME} ?{_D}(?P<th>st|nd|rd|th)?(?![A-Za-z\d])(?:,? {_Y}(?!\d))?",
        rf"(?<![\d.])(?:the )?{_D}(?P<th>st|nd|rd|th)?[ -](?:of )?{_NAME}(?:[, -]{{1,2}}{_Y}(?!\d))?",
        r"(?<![\d/.-])(?P<a>\d{1,2})(?P<sep>[/.-])(?P<b>\d{1,2})(?P=sep)(?P<y>(?:19|20)\d\d|(?<=/)\d\d)(?![\d/]|[.-]\d)",
        rf"(?<![A-Za-z])(?:[Oo]n|[Bb]y|[Ss]ince|[Uu]ntil|[Bb]efore|[Aa]fter|[Dd]ated) {_M}/{_D}(?![\d/])",
        rf"(?<![A-Za-z\d/.-]){_M}/{_D}(?= ?[买下收发签付拍购到])",
        rf"(?<![A-Za-z\d.-]){_Y}(?P<m>1[0-2]|0[1-9])(?P<d>[12]\d|3[01]|0[1-9])(?![A-Za-z\d]|[-.]\d)",
    )
)
_CLOCKS = (
    re.compile(
        r"(?<![\d:.])(?:2[0-3]|[01]?\d):(?P<n>[0-5]\d)(?P<s>:[0-5]\d(?:\.\d+)?)?(?![\d:])"
        r"(?: ?[AaPp]\.?[Mm](?![A-Za-z])\.?)?(?:Z|[+-]\d\d:?\d\d(?!\d))?"
    ),
    re.compile(
        r"(?:(?:上午|早上|凌晨|中午|下午|晚上|傍晚) ?|(?<!\d))"
        r"(?:2[0-3]|[01]?\d) ?[点时] ?(?P<n>[0-5]?\d)(?!\d) ?分?"
        r"(?P<s> ?[0-5]?\d ?秒)?"
    ),
)
DAY_ALONE = re.compile(
    r"(?<![0-9A-Za-z月./路街道巷弄里村镇区院甲乙丙第-])(?P<d>[12]\d|3[01]|0?[1-9]) ?[号日]"
    r"(?![楼线店门院柜铺馆厅机站码桌窗房内无游均元球仓车])"
    r"|(?<![A-Za-z])[Tt]he (?P<e>[12]\d|3[01]|[1-9])(?P<th>st|nd|rd|th)"
    r"(?= ?(?:[.,!?;]|$|and |but |it |I |still |now |already |at |when ))"
)
_JOINT = re.compile(r"T|,? ?(?:at )?")


class Dated(NamedTuple):
    """Where a date stands, with the time behind it; where `day` is None, a time alone."""

    start: int
    end: int
    day: re.Match[str] | None


def find_dates(folded: str) -> Iterator[Dated]:
    """The dates and precise times of a text of folded signs, those of one way of writing after the other.

    A time alone is precise where it has seconds or its minutes are no multiple of five: what is left are
    opening hours and appointments.
    """
    for pattern in _DAYS:
        for day in pattern.finditer(folded):
            after = _JOINT.match(folded, day.end())
            begin = after.end() if after else day.end()
            clock = next((m for one in _CLOCKS if (m := one.match(folded, begin))), None)
            yield Dated(day.start(), clock.end() if clock else len(day[0].rstrip()) + day.start(), day)
    for one in _CLOCKS:
        for clock in one.finditer(folded):
            if clock["s"] or int(clock["n"]) % 5:
                yield Dated(clock.start(), clock.end(), None)


def year_of(written: str) -> int | None:
    """The year that a date tells, None where it leaves it out."""
    day = _first(written)
    return None if day is None else _parts(day)[0]


def shifted_days(text: str, days: int, near: date) -> str:
    """A text with each day that names no month (15号, the 15th), next on or after `near`, moved by `days`."""

    def moved(match: re.Match[str]) -> str:
        told = int(match["d"] or match["e"])
        try:
            month = near.replace(day=1) + timedelta(days=31) if told < near.day else near
            then = month.replace(day=told) + timedelta(days=days)
        except (ValueError, OverflowError):
            return match[0]
        if match["e"]:
            return f"{match[0][:4]}{then.day}{_rendered('th', '', then, match)}"
        return _rendered("d", match["d"], then, match) + match[0][len(match["d"]) :]

    return DAY_ALONE.sub(moved, text)


def day_of(written: str, year: int) -> date | None:
    """The day that a date means; of one without a year it is `year`. None for a month, or no date at all."""
    day = _first(written)
    if day is None:
        return None
    y, m, d = _parts(day)
    try:
        return None if d is None else date(y or year, m, d)
    except ValueError:
        return None


def shifted(written: str, days: int, year: int) -> str:
    """The date `days` days later, written alike, its time as it is; `year` is that of a date without one.

    A text that is no date, and a day that no calendar has, come back as they are.
    """
    day = _first(written)
    if day is None:
        return written
    y, m, d = _parts(day)
    try:
        then = date(y or year, m, d or 1) + timedelta(days=days)
    except (ValueError, OverflowError):
        return written
    pieces, at = [], 0
    for name, (start, end) in sorted(
        ((name, day.span(name)) for name, text in day.groupdict().items() if text and name != "sep"),
        key=lambda item: item[1],
    ):
        pieces += [written[at:start], _rendered(name, written[start:end], then, day)]
        at = end
    return "".join([*pieces, written[at:]])


def _first(written: str) -> re.Match[str] | None:
    folded = fold_signs(written)
    return next((found.day for found in find_dates(folded) if found.start == 0), None)


def _parts(day: re.Match[str]) -> tuple[int | None, int, int | None]:
    """Year, month and day, the first and last of which may be left out."""
    told = day.groupdict()
    written = told.get("zy") or told.get("y")
    year = int(written.translate(_FIGURES)) if written else None
    if year is not None and year < 100:
        year += 2000
    if told.get("zm"):
        return year, _COUNTED.get(told["zm"], 0), _COUNTED.get(told["zd"], 0)
    if told.get("a"):
        first, second = int(told["a"]), int(told["b"])
        return (year, second, first) if _day_first(day) else (year, first, second)
    if told.get("name"):
        return year, [name[:3].lower() for name in _NAMES].index(told["name"][:3].lower()) + 1, int(told["d"])
    return year, int(told["m"]), int(told["d"]) if told.get("d") else None


def _day_first(day: re.Match[str]) -> bool:
    """12.3.2024 begins with the day, as does 13/3/2024; 12/3/2024 with the month."""
    return day["sep"] == "." or int(day["a"]) > 12


def _rendered(name: str, old: str, then: date, day: re.Match[str]) -> str:
    """A part of a date as the part that it replaces was written."""
    if name == "name":
        word = _NAMES[then.month - 1]
        word = word if len(old) > 3 or (old.lower() == "may" and not day[0].endswith(".")) else word[:3]
        return word.upper() if old.isupper() else word.lower() if old.islower() else word
    if name == "th":
        return "th" if then.day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(then.day % 10, "th")
    if name == "zy":
        return "".join("零一二三四五六七八九"[int(c)] for c in str(then.year))
    if name in ("zm", "zd"):
        return _count(then.month if name == "zm" else then.day)
    month = name == "m" or (name in ("a", "b") and (name == "a") != _day_first(day))
    value = then.year if name == "y" else then.month if month else then.day
    new = f"{value:02}"[-max(len(old), 2) :] if name == "y" or _padded(day, old) else str(value)
    return new if old.isascii() else "".join(chr(ord(c) + 0xFEE0) for c in new)


def _padded(day: re.Match[str], old: str) -> bool:
    parts = [text for name, text in day.groupdict().items() if text and name in ("m", "d", "a", "b")]
    return any(part[0] == "0" for part in parts) or fold_signs(day[0]).isdigit()


def _count(number: int) -> str:
    tens, ones = divmod(number, 10)
    return ("" if not tens else "十" if tens == 1 else _ZH[tens - 1] + "十") + (_ZH[ones - 1] if ones else "")


_COUNTED = {_count(n): n for n in range(1, 32)}
_COUNTED |= {form.replace("二十", "廿"): n for form, n in _COUNTED.items() if n >= 20}
_COUNTED |= {form.replace("十", ""): n for form, n in _COUNTED.items() if n > 20 and len(form) == 3}
_FIGURES = str.maketrans("零〇一二三四五六七八九", "00123456789")
