"""Kinds of information that a text can give, in Chinese and English: what is found, as written.

Each kind is one RE2 alternation. What `_NOT_…` names is read over without being counted: RE2 has no
look-around, so what looks like the kind and is none is matched first and thrown away.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import re2

from fairtrial.text.patterns import searchable
from fairtrial.text.places import find_places

_Finder = Callable[[str], Iterator[str]]

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_M, _D, _Y = r"(?:1[0-2]|0?[1-9])", r"(?:[12]\d|3[01]|0?[1-9])", r"(?:19|20|21)\d\d"
_ZH = "[零〇一二两三四五六七八九十]"
_ORDINAL = rf"\b{_D}(?:st|nd|rd|th)?"

# Dates with digits: the digits in them are not numbers of their own (see numbers.py).
_WRITTEN_DATES = (
    rf"\b{_Y}[-/.]{_M}[-/.]{_D}(?:\b|T(?:\d\d:\d\d(?::\d\d)?)?)",
    rf"\b{_M}[-/.]{_D}[-/.]{_Y}\b|\b{_D}[-/.]{_M}[-/.]{_Y}\b|\b{_M}/{_D}/\d\d\b",
    rf"\b{_Y}\s?年(?:\s?{_M}\s?月(?:份|\s?{_D}\s?[日号])?)?",
    rf"\b{_M}\s?月\s?{_D}\s?[日号]?|\b{_M}\s?月(?:份|底|初|末|中旬|上旬|下旬)?",
    rf"\b{_MONTH}\s?{_ORDINAL}\b(?:,?\s?{_Y}\b)?|\b{_MONTH},?\s?{_Y}\b",
    rf"{_ORDINAL}\s?(?:of\s)?{_MONTH}(?:,?\s?{_Y}\b)?",
    rf"\b(?:on|by|until|before|after|from|since|due)\s{_M}/{_D}\b",
)
_CLOCK = r"(?:2[0-4]|1\d|0?\d)\s?[点时]"
_MINUTES = r"(?:钟|整|半|[0-5]?\d分?)"
# 9点 without more may be nine points: something must say that it is a time.
_TIMES = (
    rf"\b{_CLOCK}{_MINUTES}?\s?[到至~–-]+\s?{_CLOCK}{_MINUTES}?",
    rf"(?:[早晚]上|[上下中]午|凌晨|傍晚|夜里|[今明当][天早晚]|[日号在到至于从])\s?{_CLOCK}{_MINUTES}?",
    rf"\b{_CLOCK}(?:{_MINUTES}|[前后左起开送关结以之])",
    r"\b\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m\b\.?|o['’]clock)",
)
_SPACED_PHONES = (
    r"\b1[3-9]\d \d{4} \d{4}\b|\b0\d{2,3}[- ]\d{3,4} ?\d{4}\b|\(\d{3}\) ?\d{3}-\d{4}\b",
    r"\+\d{1,3}[- ]\d[\d -]{6,}\d\b|\b\d{4}(?: \d{4}){2,}\b",
)
_ORDINALS = (r"第\s?\d+|双1[12]", r"(?:\bver(?:sion|\.)?|版本号?)[\s:]*\d+(?:\.\d+)*")
_SPAN = r"(?:\d+|an?|one|two|three|four|five|six|seven|ten) (?:business |working )?(?:days?|weeks?|months?)"
_NOT_DATES = (
    r"\b(?:help|assist|do for|contacting|calling|reaching out|serve|with)(?: [a-z]+){0,3} today\b",
    r"[路街道巷弄里条园村镇区院甲乙丙]\s?\d{1,2}号",
    r"\bthis may [a-z]+",
    r"今[天日](?:还?有什么|我?们?(?:能|可以)|需要)[^,.，。?？!！]{0,6}(?:帮|为您|效劳)",
    rf"\b{_D}[号日](?:楼|线|店|门|院|柜|铺|馆|厅|机|站|码|桌|窗|房|内|无理由|游|均|元)",
)
_DATES = (
    *_WRITTEN_DATES,
    rf"\b{_D}[日号]",
    rf"{_ZH}{{1,3}}月{_ZH}{{1,3}}[日号]|{_ZH}{{4}}年|{_ZH}{{1,2}}月份",
    r"(?:大?后天|大?前天|[今明昨][天日晚早]|今晨|明晨|当天|次日|翌日|周末|月底|月初|年底|年初|年末)",
    r"(?:上上?|下下?|这|本|每)?个?(?:周|星期|礼拜)[一二三四五六日天末1-6]"
    r"|[上下这本]个?(?:周|星期|礼拜|月)",
    rf"(?:\d+|{_ZH}+|几)个?(?:工作日|天|日|周|星期|月)[之以]?[前后]",
    rf"\b(?:today|tonight|tomorrow|yesterday|{_WEEKDAY}s?|weekend)\b",
    r"\b(?:next|this|last|coming|following|end of the|end of) (?:week|month|year|quarter)\b",
    rf"\b(?:in|by|until|since|of|this|next|last|early|late|mid|during) {_MONTH}",
    rf"\bin {_SPAN}\b|\b{_SPAN} (?:ago|from now|from today|later)\b",
)

_DIGITS = r"\d[\d,]*(?:\.\d+)?"
_MANY = r"(?:\s?(?:[十百千万亿]+|k|m|bn|thousand|million|billion)\b)?"
_WORDS = (
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
    r"|sixty|seventy|eighty|ninety|hundred|thousand|million)(?:[ -](?:and )?(?:one|two|three|four|five|six"
    r"|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million))*"
)
_CODES = r"(?:rmb|cny|usd|eur|gbp|hkd|jpy|twd|aud|cad|sgd|us\$|hk\$|nt\$)"
_COINS = r"(?:dollars?|bucks?|yuan|euros?|pounds?|cents?|renminbi|yen)\b"
_ZH_COINS = r"(?:元|块钱|圆|人民币|美元|美金|欧元|英镑|日元|港币|港元|台币|分钱|毛钱|角钱)"
_ZH_NUMBER = r"[零〇一二两三四五六七八九十百千万亿半]+"
_NOT_AMOUNTS = (r"(?:[单公多二三一]|\d+)?元(?:桥|里|村|朗|一次|二次|格|素|化|旦|论|组|气|老|宝|方程)",)
_AMOUNTS = (
    rf"(?:[¥￥$€£₩₹]|\b{_CODES})\s?{_DIGITS}{_MANY}(?:\s?{_ZH_COINS}|\s?\b{_CODES})?",
    rf"{_DIGITS}[十百千万亿]*\s?(?:{_ZH_COINS}|{_CODES}\b|{_COINS})",
    rf"{_DIGITS}\s?(?:k|thousand|million|billion)\s(?:{_COINS}|{_CODES}\b)",
    rf"{_DIGITS}\s?[€£₩₹$]",
    rf"{_ZH_NUMBER}{_ZH_COINS}",
    rf"(?:{_DIGITS}|{_ZH_NUMBER})块(?:\d|[一二三四五六七八九]|左右|以[内上下]|起|每|一[个份斤盒包]|[^\pL]|$)",
    rf"\b{_WORDS}\s(?:us |u\.s\. )?{_COINS}",
)

_LABEL_ZH = r"(?:订单|运单|快递|物流|工单|流水|受理|交易|退款|退货|换货|售后|预订|预约|票)(?:编|单)?号码?"
_LABEL_EN = (
    r"\b(?:order|tracking|reference|confirmation|booking|reservation|invoice|ticket|case|transaction|receipt|rma|return"
    r"|shipment)"
)
_CODE = r"#?(?:[a-z]+-)*[a-z0-9]*\d[a-z0-9]*(?:-[a-z0-9]+)*"
_NOT_ORDERS = (
    rf"(?:订单|运单|\border)s?\s?{_Y}(?:\s?年|[-/.]{_M}[-/.]{_D}\b)",
    rf"\b{_Y}-{_M}-{_D}t[\d:]+",
    r"[\w.+-]+@[\w-]+\.[\w.-]+",
)
_ORDERS = (
    rf"{_LABEL_ZH}(?:是|为|：|:|\s|#|\(|「|“|\"|'|`|\*)*{_CODE}",
    rf"(?:订单|运单|单号)[\s:#(\[【「]*{_CODE}",
    rf"{_LABEL_EN}\s?(?:number|no\b\.?|id|code|reference|#)(?:\s|is|:|#|\"|'|`|\*)*{_CODE}",
    rf"{_LABEL_EN}s? {_CODE}",
    r"\b(?:[a-z]+[a-z_-]*\d|\d[\d_-]*[a-z])[a-z0-9_-]*\b",
)

_NOT_PHONES = (
    rf"{_LABEL_ZH}[^\d\n]{{0,4}}\d+",
    r"(?:订单|运单)[\s:#(]*\d+",
    r"\d{4,}\.\d+|\d{1,3}\.(?:\d\d?|\d{4,})\b",
    r"\b\d{4}-\d\d?-\d\d?\b",
    r"\b[a-z]+[-_]?\d[\w-]*",
)
_PHONES = (
    r"(?:\+|\b00)?86[- ]?1[3-9]\d[- ]?\d{4}[- ]?\d{4}\b|\b1[3-9]\d[- ]?\d{4}[- ]?\d{4}\b",
    r"(?:\+86[- ]?)?\(?\b0\d{2,3}(?:\)|\b)[- ]?\d{3,4} ?\d{4}(?:[-转]\d{1,5})?\b|\b0\d{9,11}\b",
    r"\b[48]00[- ]?(?:\d{3}[- ]?\d{4}|\d{4}[- ]?\d{3})\b",
    r"\+\d{1,3}[- .]?(?:\(\d{1,4}\)[- .]?)?\d{1,4}(?:[- .]?\d{2,4}){1,4}\b",
    r"(?:\b1[- .])?(?:\(\d{3}\)\s?|\b\d{3}[-. ])\d{3}[-. ]\d{4}\b",
    r"(?:拨打|致电|\b(?:call|dial))\s?(?:1[12]\d|911|999|000)\b",
    r"(?:电话|手机|热线|拨打|致电|座机|传真)(?:号码?)?[^\d\n]{0,8}\d{5,12}\b",
    r"\b(?:call|phone|telephone|tel|dial|hotline|fax|mobile)\b[^\d\n]{0,16}\d[\d -]{5,}\d\b",
)


def _compile(*alternatives: str) -> Any:
    options = re2.Options()
    options.case_sensitive = False
    return re2.compile("|".join(alternatives), options)


_digits_of_others = _compile(*_WRITTEN_DATES, *_TIMES, *_SPACED_PHONES, *_ORDINALS)


def without_digits_of_others(text: str) -> str:
    """A width-folded text with a space for each date, time, ordinal, version or telephone number in it."""
    data, pieces, start = text.encode(), [], 0
    for match in _digits_of_others.finditer(data):
        pieces.append(data[start : match.start()])
        start = match.end()
    return b" ".join([*pieces, data[start:]]).decode() if pieces else text


def _matches(pattern: Any, text: str) -> Iterator[str]:
    # On bytes the binding need not count characters, which costs more than the search.
    return (m.group().decode() for m in pattern.finditer(text.encode()))


def _finder(alternatives: tuple[str, ...], none: tuple[str, ...] = ()) -> _Finder:
    pattern = _compile(*none, *alternatives)
    if not none:
        return lambda text: _matches(pattern, text)
    no = _compile(*none)
    return lambda text: (
        found.decode()
        for match in pattern.finditer(text.encode())
        if no.fullmatch(found := match.group()) is None
    )


def _orders(text: str) -> Iterator[str]:
    return (found for found in _codes(text) if _is_order(found))


def _is_order(found: str) -> bool:
    code = found[_LAST_CODE.search(found).start() :]
    digits = sum(c.isdigit() for c in code)
    if len(code) < len(found):  # it had a label
        if _MOBILE.fullmatch(code) and not _NAMED.search(found):
            return False
        return digits >= 4 or (digits >= 1 and len(code) >= 6)
    return len(code) >= 8 and digits >= 4 and not _OTHER_CODE.fullmatch(code)


_codes = _finder(_ORDERS, _NOT_ORDERS)
_LAST_CODE = re2.compile(r"[A-Za-z0-9_-]+$")
_MOBILE = re2.compile(r"1[3-9]\d{9}")
_NAMED = _compile(r"号|number|\bno\b|\bid\b|code|reference|#")
# Measures, dates, a word with a year, and names of users and the like: 12345678kg, covid2019, mia_li_3668.
_OTHER_CODE = _compile(
    r"\d+(?:[a-z]{1,4}|-[a-z]+)|[a-z]+(?:19|20)\d\d|(?-i:[a-z]+(?:_[a-z]+)*_\d+)",
    rf"(?:{_MONTH})?-?\d{{1,2}}-?{_Y}",
    rf"\d{{1,2}}-?{_MONTH}-?\d+",
)


_FINDERS: dict[str, _Finder] = {
    "date": _finder(_DATES, _NOT_DATES),
    "amount": _finder(_AMOUNTS, _NOT_AMOUNTS),
    "order_number": _orders,
    "phone": _finder(_PHONES, _NOT_PHONES),
    "place": find_places,
}


def find(kind: str, text: str, *, at_most: int | None = None) -> list[str]:
    """The pieces of a width-folded `text` that give this kind of information, the first `at_most` of them.

    Kinds: date, amount, order_number, phone, place. Places of Chinese come before those of English.
    """
    return list(islice(_FINDERS[kind](searchable(text)), at_most))
