"""Addresses that lead to a door: what has a number, a building or a village in it. A town alone is none."""

import re
from collections.abc import Iterator

from fairtrial.text.personal_words import words

_HAN = r"[\u3400-\u9fff]"
_AREA = rf"(?:{_HAN}{{2,7}}?(?:特别行政区|自治区|自治州|省|市|区|县|镇|乡|街道|开发区) ?)"
_TOWN = f"(?:{'|'.join(words('towns'))})"
WAYS = "大道|大街|胡同|路|街|巷|弄|道|里"
_BUILDING = "大厦|广场|公寓|花园|小区|基地"
YARDS = (
    f"{_BUILDING}|大楼|大院|家园|社区|商城|市场|酒店|宾馆|中心|学校|大学|医院|苑|城|府|庭|湾|园|楼|村|屯|寨"
)
_WAY = rf"{_HAN}{{1,8}}?(?:{WAYS})(?:[东西南北中]段)?"
_YARD = rf"{_HAN}{{2,8}}?(?:{YARDS})"
_NUMBER = r" ?[A-Za-z]?(?:\d{1,5}|[一二三四五六七八九十百]{1,4}) ?[A-Za-z]?(?:-\d{1,4})*"
_DOOR = rf"(?:{_NUMBER} ?(?:号楼|号院|号|弄|栋|幢|座|单元|室|层|楼|组|队|门|户|街坊)|[A-Za-z] ?[座栋幢])"
_TAIL = (
    rf"(?: ?(?:{_DOOR}|{_YARD}(?={_NUMBER}|[A-Za-z] ?座)|[^\W的了在是有]{{2,6}}?(?:{_BUILDING})"
    r"|[A-Z]?\d{3,4}(?!\d)))*"
)
_NEAR = rf"(?={_HAN}.{{1,60}}?[\dA-Za-z一二三四五六七八九十百])"
"""A door has a number or a letter: looking for one where there is none in reach is dear."""
_ZH = re.compile(
    rf"{_NEAR}(?:{_TOWN}? ?{_AREA}{{0,4}}(?:{_WAY}(?:{_DOOR})|{_YARD}(?:{_DOOR})"
    rf"|(?<=[省市区县镇乡道 ]){_YARD}{_DOOR}){_TAIL})"
)
_BEFORE = re.compile(
    "寄到|送到|寄回|发到|寄往|住在|放在|改成|改为|地址[是为]?|位于|能把|我家?住?在?|我住|[是在到的把从]"
)
_ZIP_ZH = re.compile(r"(?:邮编|邮政编码)(?:是|为)?[ :]*(?P<v>\d{6})(?!\d)")

_SURE_WAY = "street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|court|terrace|crescent|parkway|highway"
_WAY_EN = (
    "Dr|Ct|Way|Place|Pl|Square|Sq|Ter|Pkwy|Hwy|Circle|Cir|Close|Grove|Mews|Hill|Walk|Alley|Row|Trail|Trl"
)
_PLAIN = r"(?!(?i:the|an?|of|o[nf]f?|in|at|my|for|to|and|is|from|down)(?![A-Za-z]))"
_STREET = (
    rf"(?:(?i:[nsew])\.? )?(?:(?:[A-Z0-9][A-Za-z0-9'.-]* ){{1,3}}?(?:(?i:{_SURE_WAY})|{_WAY_EN})"
    rf"|(?:{_PLAIN}[A-Za-z0-9'.-]{{2,20}} ){{1,2}}?(?i:{_SURE_WAY}))(?![A-Za-z])\.?"
)
_UNIT = (
    r"(?:,? ?(?:(?i:apt|apartment|suite|ste|unit|flat|room|rm|floor|fl)\.? ?|# ?)"
    r"\d*[A-Za-z]?\d*[A-Za-z]?(?![a-z]))"
)
_ZIP = r"(?:[A-Z]{2} )?\d{5}(?:-\d{4})?(?!\d)|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?![A-Z])|[A-Z]{2}(?![A-Za-z])"
_CITY = rf"(?:,? (?:[A-Z][a-zA-Z.'-]+ ?){{1,3}},? (?:{_ZIP})(?: \d{{5}}(?:-\d{{4}})?)?)"
_EN = re.compile(
    rf"(?<![A-Za-z0-9.])(?:(?i:flat|apt|unit|suite) ?\w{{1,4}}, )?\d{{1,5}}[A-Za-z]?(?:/\d+)? "
    rf"{_STREET}{_UNIT}?{_CITY}?"
    rf"|(?i:p\.? ?o\.? box) \d+{_CITY}?"
)


def find_addresses(folded: str) -> Iterator[tuple[int, int]]:
    """Start and end of each address of a text of folded signs."""
    for match in _ZH.finditer(folded):
        start = match.start()
        if before := [m.end() for m in _BEFORE.finditer(folded, start, match.end())]:
            start = before[-1]
        yield start, match.end()
    for match in _ZIP_ZH.finditer(folded):
        yield match.span("v")
    for match in _EN.finditer(folded):
        yield match.span()
