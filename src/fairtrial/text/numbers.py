"""Numbers of a text as the values they mean, and nothing that only has digits in it.

Read: `1,234.50`, `12,34,567.89`, `1'234.50`, `１２３４．５０元`, `-3`, `¥12.5`, `50%` (as 50), `12kg`,
`1.2万`, 三百五十, `three hundred`. Not read: ill-formed grouping (`1,23.4`), identifiers (JD20241108),
dates, times, versions, ordinals (第3), telephone numbers with separators, fractions (`1/2`), enclosed
digits (`①`), leading zeros (`007`), `12k` without a currency.
"""

import re
from decimal import Decimal
from typing import Literal

from fairtrial.text.kinds import without_digits_of_others
from fairtrial.text.normalise import fold_width
from fairtrial.text.numerals import numerals, spans_of_digits
from fairtrial.text.patterns import searchable

_SPACE = "\u00a0\u2009\u202f"
_IN_RUN = rf"A-Za-z0-9_.,'’:/\-−–+~#@&=%‰$¥€£₩₹?{_SPACE}"
_RUN = re.compile(rf"(?<![{_IN_RUN}])(?=[{_IN_RUN.replace('0-9', '')}]*+[0-9])[{_IN_RUN}]++")
_ANY_DIGIT = re.compile("[0-9]")
# A run falls apart where these signs do not stand between digits.
_APART = re.compile(
    r"[=&;?~]|(?<![0-9])[:,/](?=.)|[:,/](?![0-9])|\.(?![0-9])|(?<=[A-Za-z])\.|–(?![0-9])|(?<![0-9])–"
    rf"|(?<![0-9])[{_SPACE}]|[{_SPACE}](?![0-9]{{3}}(?![0-9]))|(?<=[0-9%])\+(?=[0-9$¥])"
)
_UNITS = (
    r"(?:kg|g|mg|km|m|cm|mm|l|ml|hours?|hrs?|h|minutes?|mins?|min|seconds?|secs?|s|ms|days?|d|weeks?|months?|years?|yrs?"
    r"|px|pcs|x|tb|gb|mb|kb|w|kw|kwh|wh|v|a|mah|hz|khz|mhz|ghz|lbs?|oz|ft|in|mi|c|f|k|b|usd|rmb|cny|eur|gbp|hkd|jpy|yuan"
    r"|dollars?|euros?|pts?|stars?|people|items?|pieces?|nights?|%|‰)"
)
_CURRENCY = r"(?:(?:US|HK|NT|A|C|S)?[$¥€£₩₹]|USD|RMB|CNY|EUR|GBP|HKD|JPY|Rs\.?)"
_SCALE = {"k": 10**3, "m": 10**6, "bn": 10**9, "thousand": 10**3, "million": 10**6, "billion": 10**9}
# What follows scales a number, or makes it none: "about", a label, "and a half", an exponent.
_AFTER = re.compile(
    r" ?(thousand|million|billion)\b|[多余号⁰¹²³⁴⁵⁶⁷⁸⁹]| ?[¼½¾⅓⅔]|来[个元件天人]|(?:年|个月|小时|天)半",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r"^[ \t#*]*\(?(\d{1,2})[.、)](?!\d)", re.MULTILINE)
_MINUS = re.compile(r"(?:(?<!正)负|零下 ?)(?=[0-9.])|\b(?:minus|negative) (?=[0-9.])", re.IGNORECASE)
# Which wide signs have to do with numbers; the others can stay as they are.
_WIDE = re.compile("[０-９Ａ-Ｚａ-ｚ．％－＋／＄￥～＃＠＆＝：＇＿]")
# Where a date, time, ordinal, version or telephone number may be: signs that these have and others seldom.
_MAYBE_OTHER = re.compile(
    r"[0-9] ?[年月点时]|[0-9][/.-][0-9]{1,2}[/.-]|[0-9][-/]|[第双本)(+]|[0-9] [0-9AaPpOoJjFfMmSsNnDd]"
    r"|[0-9][AaPpSsNnRrTt]|[YyHhLlEeTtRrNnBbGgPpVvCc]\.?[ :][0-9]"
)
_FULL_COMMA = re.compile("，(?![０-９])|(?<![０-９])，")


def _styles(point: str, comma: str) -> re.Pattern[str]:
    point, comma = re.escape(point), re.escape(comma)
    groups = [rf"[1-9]\d{{0,2}}(?:{g}\d{{3}})+" for g in (comma, "['’]", f"[{_SPACE}]")]
    indian = rf"[1-9]\d?(?:{comma}\d{{2}})+{comma}\d{{3}}"
    digits = rf"(?:{'|'.join(groups)}|{indian}|0|[1-9]\d*)(?:{point}\d+)?|{point}\d+"
    return re.compile(
        rf"(?P<sign>[-−+]?)(?P<money>{_CURRENCY})?(?P<inner>[-−]?)(?P<digits>{digits})"
        rf"(?:(?P<scale>k|m|bn)|{_UNITS}|-[a-z]{{2,}}(?:-[a-z]+)*)?[%$¥€£₩₹]?\+?",
        re.IGNORECASE,
    )


_MONEY = re.compile("[$¥€£₩₹]")
_PLAIN = re.compile(r"(?:0|[1-9][0-9]*)\.[0-9]+")
_STYLES = {".": _styles(".", ","), ",": _styles(",", ".")}
_GROUPING = {mark: str.maketrans({mark: ".", other: "", "'": "", "’": "", **dict.fromkeys(_SPACE, "")})
             for mark, other in ((".", ","), (",", "."))}  # fmt: skip


# A dash between two measures (12元-15元), or behind a word that says no value (设施-24小时).
_PARTING_DASH = (
    r"(?:(?<=[0-9][元块万亿千百十%天日周月年个件度分秒点米斤克℃°])|(?<=小时)|(?<=分钟)|(?<=作日)"
    r"|(?<=[\u4e00-\u9fff])(?<![是为约到至差额度温长降幅润率])(?![-−–][0-9.]+ ?[%℃°]))[-−–](?=[0-9$¥￥])"
)
_IN_PIECES = re.compile("[块角毛]|[-−–—~～至到][0-9$¥￥]")
_HAN = "一二两三四五六七八九"
_ENDS_PRICE = r"(?=[的吧呢吗啊左起每/，。,.;；!！?？、)）\s]|$)"
# Ways to write a number in several pieces, and the one that it is read in.
_REWRITES = tuple(
    (re.compile(pattern), whole)
    for pattern, whole in (
        (r"([0-9])[块元]([0-9])[角毛](?:([0-9])分)?", r"\1.\2\3块"),
        (rf"([{_HAN}十百])[块元]([{_HAN}])[角毛](?:([{_HAN}])分)?", r"\1点\2\3块"),
        (rf"([0-9])块([0-9]){_ENDS_PRICE}", r"\1.\2块"),
        (rf"([{_HAN}十百])块([{_HAN}]){_ENDS_PRICE}", r"\1点\2块"),
        (r"(?<![0-9.,-])([0-9.]+)[-–—~～至到]([0-9.]+)([百千万亿]+)(?![克米瓦卡])", r"\1\3 \2\3"),
        (_PARTING_DASH, " "),
    )
)


def numbers(text: str, *, decimal: Literal[".", ","] = ".") -> tuple[Decimal, ...]:
    """All numbers of `text`, exact, in no order that means anything.

    `decimal` is the sign before the fraction; the other of the two groups. Where `1.234` could be
    either, this alone decides. Chinese characters are looked for in their simplified form.
    """
    folded = searchable(text)
    if _WIDE.search(text):
        folded = fold_width(_FULL_COMMA.sub("；", folded))
    if not folded.isascii() and _IN_PIECES.search(folded):
        folded = _in_one_piece(folded)
    words = numerals(folded)
    found = [numeral.value for numeral in words]
    if _ANY_DIGIT.search(folded):
        rest = _without(folded, spans_of_digits(folded))
        if "负" in rest or "零下" in rest or "inus " in rest or "egative " in rest:
            rest = _MINUS.sub(" -", rest)
        rest = _without_marks(rest)
        if _MAYBE_OTHER.search(rest):
            rest = without_digits_of_others(rest)
        found += _digits(rest, decimal)
    return tuple(found)


def _in_one_piece(text: str) -> str:
    """The text with `12块5` as 12.5块, `5-8万` as 5万 8万, and without the dash of a range behind a unit."""
    for pattern, whole in _REWRITES:
        text = pattern.sub(whole, text)
    return text


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in reversed(spans):
        text = f"{text[:start]} {text[end:]}"
    return text


def _without_marks(text: str) -> str:
    """The marks 1. 2. 3. of a list are no numbers; one mark alone may be the answer."""
    if "\n" not in text:
        return text
    marks = [int(m[1]) for m in _LIST_MARK.finditer(text)]
    if len(marks) > 1 and all(n in (1, before + 1) for before, n in zip([0, *marks], marks, strict=False)):
        return _LIST_MARK.sub(" ", text)
    return text


def _digits(text: str, decimal: Literal[".", ","]) -> list[Decimal]:
    found: list[Decimal] = []
    for match in _RUN.finditer(text):
        run, times = match[0], 1
        if run[-1].isdigit() and (after := _AFTER.match(text, match.end())):
            if not after[1]:
                run = run.rstrip("0123456789.,'’")
            else:
                times = _SCALE[after[1].lower()]
        run = run.rstrip(".,:/-+'’–_").lstrip("'’_")
        values = _values(run.lstrip(".") if run.startswith("..") else run, decimal)
        found += [*values[:-1], values[-1] * times] if times > 1 and values else values
    return found


def _values(run: str, decimal: Literal[".", ","]) -> list[Decimal]:
    """The numbers of a run of digits, letters and signs without space between them."""
    if run.isdecimal():
        return [Decimal(run)] if run[0] != "0" or run == "0" else []
    if decimal == "." and _PLAIN.fullmatch(run):
        return [Decimal(run)]
    if run[:1] == run[-1:] == "$":  # a formula
        run = run.strip("$")
    if (value := _number(run, decimal)) is not None:
        return [value]
    if run.isalnum() or not run or "://" in run or "@" in run:
        return []
    for several in (_range, _list, _rating):
        if (values := several(run, decimal)) is not None:
            return values
    pieces = _APART.split(run)
    return [v for p in pieces if p != run and _ANY_DIGIT.search(p) for v in _values(p, decimal)]


def _number(piece: str, decimal: Literal[".", ","]) -> Decimal | None:
    if not (match := _STYLES[decimal].fullmatch(piece)):
        return None
    value = Decimal(match["digits"].translate(_GROUPING[decimal]))
    if scale := (match["scale"] or "").lower():
        if match["money"]:
            value *= _SCALE[scale]
        elif scale != "m":
            return None
    return value.copy_negate() if match["sign"] in ("-", "−") or match["inner"] else value


def _range(piece: str, decimal: Literal[".", ","]) -> list[Decimal] | None:
    """`1-3`, `$10–20`: two numbers that rise, or two prices. `010-62165588`, `400-123-4567` are none."""
    if "-" not in piece[1:] and "–" not in piece[1:]:
        return None
    ends = piece.replace("–", "-").split("-")
    if len(ends) != 2:
        return None
    low, high = (_number(end, decimal) for end in ends)
    if low is None or high is None:
        return None
    return [low, high] if low < high or all(_MONEY.search(end) for end in ends) else None


def _list(piece: str, decimal: Literal[".", ","]) -> list[Decimal] | None:
    """`36,37,38` without spaces: a list if nothing in it could be grouping or a fraction."""
    parts = piece.split(",") if "," in piece else []
    if decimal == "," or len(parts) < 3 or any(len(p) > 2 for p in parts):
        return None
    values = [_number(p, decimal) for p in parts]
    return [v for v in values if v is not None] if None not in values else None


def _rating(piece: str, decimal: Literal[".", ","]) -> list[Decimal] | None:
    """`4.5/5`, `92/100`: two numbers, where it can be neither a date nor a fraction of small numbers."""
    values = [_number(p, decimal) for p in piece.split("/")] if "/" in piece else []
    if len(values) != 2 or values[0] is None or values[1] is None:
        return None
    if all(v == int(v) and v <= 31 for v in values if v is not None):
        return None
    return [v for v in values if v is not None]
