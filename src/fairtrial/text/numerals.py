"""Numbers written in words: 三百五十, 1.2万, `three hundred and fifty`. Read where they mean just that."""

import re
from decimal import Decimal
from typing import NamedTuple

import re2

_DIGIT = dict(zip("零〇一二两三四五六七八九", (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
_SMALL = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "亿": 10**8}

# What follows a numeral that counts or measures. A lone 一 or 三 is a number only before one of these.
_MEASURE = (
    "个(?!性|人信|别)|元|块|件|次|天|日|周|星期|年|小时|分钟|秒|人|名|位|份|张|台|套|盒|包|瓶|箱|双|条|只|支|袋|斤|公斤|千克|克|吨"
    "|米|公里|厘米|升|毫升|折|倍|岁|层|楼|间|晚|站|页|章|节|项|款|种|家|杯|本|颗|万|工作日|美元|欧元|英镑|公分|摄氏度|分(?!之|别|享|开)"
)
_CHINESE = re.compile(
    r"(?P<no>百分之百|十分(?!钟)|万一|千万(?=别|不|要|记)|[第初周期拜双]|[一二三四五六七八九十百千万]+分之"
    r"(?=[一二三四五六七八九十百千万])(?<!百分之)|分之)?"
    r"(?P<minus>负|零下)?"
    r"(?P<number>[零〇一二两三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?)"
    rf"(?P<after>[月号多余几来十百千点]|(?:{_MEASURE})半"
    rf"|(?P<measure>{_MEASURE}|(?=[到至-][一二两三四五六七八九十百千万]+(?:{_MEASURE}))))?"
)
_MIXED = re.compile(
    r"(?<![A-Za-z0-9_.,-])(?P<minus>[-−负]|零下)?(?P<number>\d[\d,]*(?:\.\d+)?[十百千万亿]+(?:\d+[十百千万亿]+)*(?:\d+)?)"
    r"(?![克米瓦卡帕赫伏焦]|分[点之])(?P<after>[多余几])?"
)
_TOKEN = re.compile(r"\d[\d,]*(?:\.\d+)?|[零〇一二两三四五六七八九十百千万亿]")

_BELOW_TWENTY = (
    "zero one two three four five six seven eight nine ten"
    " eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
_TIES = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = {word: value for value, word in enumerate(_BELOW_TWENTY.split())}
_TENS = {word: 10 * tens for tens, word in enumerate(_TIES.split(), start=2)}
_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}
_WORD = "|".join([*_ONES, *_TENS, *_SCALES])
_ENGLISH = re.compile(
    rf"\b(?P<minus>minus |negative )?(?P<number>(?:an? )?(?:{_WORD})(?:[ -](?:and )?(?:{_WORD}))*)\b"
    rf"(?:(?P<fraction>(?: point(?: (?:{'|'.join([*_ONES][:10])}))+))\b)?"
    r"(?P<after> and a (?:half|quarter)"
    r"|[ -](?:first|third|fourth|fifth|sixth|seventh|eighth|ninth|half|quarter|dozen)s?\b"
    r"|-(?:fold|ish|odd|second)\b| (?:[ap]\.?m\b|o'clock)| point |s\b)?",
    re.IGNORECASE,
)
# The forms of digits that cannot be altered, as in 叁佰元整; alone some of them are common letters.
_FORMAL = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千")
_ANY_FORMAL = re.compile("[壹贰叁肆伍陆柒捌玖拾佰仟零]{2,}")
# What stands behind 一 where it means "a" or "some": 一个, but 一个月 counts.
_SOME = re.compile("个(?!月|小时|工作日|星期|礼拜|半)|[家种位款项名]")
_ANY_CHINESE = re.compile("[零一二两三四五六七八九十]")
_ANY_MIXED = re.compile("[0-9][十百千万亿]")
_ANY_LETTERS = re.compile("[A-Za-z]{3}")
_BEFORE_ENGLISH = len("negative an ")
_ANY_ENGLISH = re2.compile(rf"(?i)\b(?:{_WORD})\b")


class Numeral(NamedTuple):
    """A number in words, and where in the text it stands."""

    value: Decimal
    start: int
    end: int


def numerals(text: str) -> list[Numeral]:
    """The numbers in words of a width-folded text.

    Not read: a numeral that is part of a word or an ordinal (一起, 十分, 第一, 周三), a month, a time,
    a fraction (三分之一), "about" (三百多, a few hundred), `one` alone, 一个. 百分之五十 is 50, as `50%` is.
    """
    found: list[Numeral] = []
    if not text.isascii() and _ANY_FORMAL.search(text):
        text = _ANY_FORMAL.sub(lambda match: match[0].translate(_FORMAL), text)
    if _ANY_MIXED.search(text):
        found += [n for m in _MIXED.finditer(text) if not m["after"] and (n := _numeral(m))]
    if _ANY_CHINESE.search(text):
        found += [n for m in _CHINESE.finditer(text) if _is_number(m, text) and (n := _numeral(m))]
    if _ANY_LETTERS.search(text) and (first := _ANY_ENGLISH.search(text.encode())):
        # Letters of ASCII have one byte each. Before a word may stand a sign and an article.
        begin = max(0, first.start() - _BEFORE_ENGLISH) if text.isascii() else 0
        found += [n for m in _ENGLISH.finditer(text, begin) if not m["after"] and (n := _english(m))]
    return found


def spans_of_digits(text: str) -> list[tuple[int, int]]:
    """Where digits and Chinese units stand together (1.2万): the digits alone are not the number."""
    return [m.span() for m in _MIXED.finditer(text)] if _ANY_MIXED.search(text) else []


def _is_number(match: re.Match[str], text: str) -> bool:
    number, start = match["number"], match.start("number")
    percent = text[max(0, start - 3) : start] == "百分之"
    if (match["no"] and not percent) or (match["after"] and match["measure"] is None):
        return False
    if text[start - 1 : start].isdigit() or (number[0] in "百千万亿零〇" and number != "零"):
        return False
    if match["measure"] == "日" and text[start - 1 : start] == "月":
        return False  # 十一月八日
    if number == "一" and _SOME.match(text, match.end("number")):
        return False
    has_unit = any(c in _SMALL or c in _LARGE for c in number)
    if len(number) > 1 and not has_unit and "点" not in number:
        return False  # 三三两两, 一九九八
    if match["measure"] == "分" and ("点" in number or number == "十"):
        return False  # 八点五分 is a time, 十分 is "very"
    return percent or (has_unit and number != "十") or "点" in number or match["measure"] is not None


def _numeral(match: re.Match[str]) -> Numeral | None:
    whole, _, fraction = match["number"].partition("点")
    value = _chinese(whole)
    if value is None:
        return None
    if fraction:
        value += Decimal("0." + "".join(str(_DIGIT[c]) for c in fraction))
    return Numeral(-value if match["minus"] else value, match.start(), match.end("number"))


def _chinese(text: str) -> Decimal | None:
    """The value of a well-formed numeral of Chinese or mixed digits and units, else None."""
    total, section = Decimal(0), Decimal(0)  # what stands before the last 万 or 亿, and after it
    digit: Decimal | None = None
    zero = False
    unit = large = 10**12
    for token in _TOKEN.findall(text):
        if token in _SMALL:
            if (size := _SMALL[token]) >= unit or (digit is None and (size != 10 or section)):
                return None
            section, digit, unit, zero = section + (1 if digit is None else digit) * size, None, size, False
        elif token in _LARGE:
            size, section = _LARGE[token], section + (digit or 0)
            if not (section or total) or (size >= large and size != 10**8):
                return None
            total = (total + section) * size if size >= large else total + section * size
            section, digit, unit, large, zero = Decimal(0), None, size, size, False
        elif token in "零〇":
            zero = True
        elif digit is not None:
            return None
        else:
            digit = Decimal(_DIGIT[token]) if token in _DIGIT else Decimal(token.replace(",", ""))
    if digit is not None:
        if digit >= unit:
            return None
        # 三百五 is 350, 三百零五 is 305; 一万2000 says its digits in full.
        section += digit * unit / 10 if 100 <= unit <= 10**8 and digit < 10 and not zero else digit
    return total + section


def _english(match: re.Match[str]) -> Numeral | None:
    words = [w for w in re.split(r"[ -]", match["number"].lower()) if w not in ("and", "a", "an")]
    if words == ["one"] or (words[0] in _SCALES and not match["number"].lower().startswith("a")):
        return None
    total, section = 0, 0
    for word in words:
        if word in _SCALES and word != "hundred":
            total, section = total + (section or 1) * _SCALES[word], 0
        elif word == "hundred":
            section = (section or 1) * 100
        else:
            value = _ONES.get(word, _TENS.get(word, 0))
            if (section % 100 and not (value < 10 and section % 10 == 0)) or (value == 0 and len(words) > 1):
                return None  # "one two three", "twenty thirty"
            section += value
    result = Decimal(total + section)
    if match["fraction"]:
        result += Decimal("0." + "".join(str(_ONES[w]) for w in match["fraction"].lower().split()[1:]))
    end = match.end("fraction") if match["fraction"] else match.end("number")
    return Numeral(-result if match["minus"] else result, match.start(), end)
