"""Numbers and codes of one person or one purchase: by their label, their shape or their check digit."""

import ipaddress
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_END = r"(?![A-Za-z0-9])"
_BEGIN = r"(?<![A-Za-z0-9])"
_IS = r"(?: ?(?:是|为|叫|改成|改为|开头|is|was|are|:|#|=|\(|「|“|\"|'|`|\*))* ?"
_CODE = r"[A-Za-z]{0,5}[-_/]?\d[\dA-Za-z]*(?:[-_/][\dA-Za-z]+)*(?: \d{3,}(?!\d))*"
_ZH_LABEL = (
    "(?:订单|运单|快递|物流|包裹|工单|流水|受理|交易|退款|退货|换货|售后|预订|预约|投诉|服务|报修|保单|合同|会员|取件|案件|(?=[编票单]号)"
    "|(?:序列|机身|设备|客户|用户|员工|档案|病历|工|学)(?=编?号|ID|id))"
    "(?:编号|单号|票号|号码|编码|号|码|ID|id)*"
)
_EN_LABEL = (
    r"(?i:order|tracking|reference|ref|confirmation|booking|reservation|invoice|ticket|case|transaction|receipt|rma|return|shipment"
    r"|parcel|package|claim|complaint|incident|account|membership|policy|contract|serial|pnr|imei|customer"
    r"|client|patient|employee|student|s/?n(?=[ :]))"
    r"(?i:\.?,? (?:number|no\.?|id|code|num\.?|reference)|(?<=[a-z])#| #)?"
)
_UNITS = (
    "元|块|万|千|百|美元|美金|%|个|件|次|天|日|周|年|月|小时|分钟|分|积分|秒|斤|公斤|克|升|米|厘米|寸|人|名|台|套|只|双|张|岁|码|度|层|倍"
    "|步|瓦|(?:[kK]?[mM]?[gGlLmMwW]|[kmcKM]m|[mM][aA]h|[GMTK]B|[kK]?[wW]h|Hz|points?|dollars?|yuan|USD|RMB|CNY|EUR|days?|hours?|times"
    "|pieces|pcs|items?|miles|steps|bucks|euros?|pounds?)(?![A-Za-z])"
)


class Rule(NamedTuple):
    """What is looked for: the group `v`, or all. Of kind "" is what is not personal, though it looks so."""

    kind: str
    pattern: re.Pattern[str]
    holds: Callable[[str], bool] = bool
    sure: bool = True


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def luhn_check(head: str) -> str:
    """The check digit of a card's other digits (ISO/IEC 7812-1, annex B)."""
    doubled = [int(c) * (2 - at % 2) for at, c in enumerate(reversed(head))]
    return str(-sum(n - 9 * (n > 9) for n in doubled) % 10)


def id_card_check(head: str) -> str:
    """The check character of the first 17 digits of a Chinese identity card (GB 11643-1999)."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return "10X98765432"[sum(int(c) * w for c, w in zip(head, weights, strict=True)) % 11]


def _is_card(text: str) -> bool:
    digits = _digits(text)
    return len(digits) >= 12 and luhn_check(digits[:-1]) == digits[-1]


def _is_id_card(text: str) -> bool:
    plain = re.sub(r"[ -]", "", text).upper()
    return re.fullmatch(r"\d{17}[\dX]", plain) is not None and id_card_check(plain[:17]) == plain[17]


def _is_iban(text: str) -> bool:
    """ISO 13616: its characters as numbers, the first four last, are 1 modulo 97."""
    plain = text.replace(" ", "")
    return int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1


def _enough(text: str) -> bool:
    """A code behind a label: no year, count, or public number."""
    return len(_digits(text)) >= 4 and not re.fullmatch(r"(?:19|20)\d\d|(?:955|100|123)\d\d", text)


def _rises(text: str) -> bool:
    """A range: 100-150."""
    low, high = re.split("[-~]", text)
    return low < high


def _address(text: str) -> bool:
    try:
        return not ipaddress.ip_address(text).is_loopback
    except ValueError:
        return False


def _of_someone(url: str) -> bool:
    """A link whose path or query tells of one person, order or session."""
    rest = url.partition("://")[2].partition("/")[2]
    return bool(
        re.search(r"@|=|\d{5}|(?:^|/)(?:u|users?|profiles?|people|members?|accounts?|orders?|home|my)/", rest)
    )


def _rule(kind: str, pattern: str, holds: Callable[[str], bool] = bool, *, sure: bool = True) -> Rule:
    return Rule(kind, re.compile(pattern), holds, sure)


def _behind(label: str, kind: str, value: str, holds: Callable[[str], bool] = bool) -> Rule:
    return _rule(kind, rf"(?:{label}){_IS}@?(?P<v>{value}){_END}", holds)


def _at_least(digits: int) -> Callable[[str], bool]:
    return lambda text: len(_digits(text)) >= digits


LINKS = (
    _rule("url", r"https?://[^\s<>\"'，。；、！？）】]*[^\s<>\"'，。；、！？）】,.;:!?)]", _of_someone),
    _rule("", r"https?://[^\s<>\"'，。；、！？）】]+"),
    _rule("email", r"(?<![A-Za-z0-9._%+'-])[A-Za-z0-9._%+'-]{1,64} ?@ ?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"),
)
_NO = r"(?:号码|号|(?i: number| no\.?))?"
LABELLED = (
    _behind(f"(?:身份证|证件){_NO}", "id_card", r"\d{6}[ -]?\d{8}[ -]?\d{3}[\dXx]"),
    _behind(f"(?i:ssn|social security){_NO}", "id_card", r"\d{3}-?\d\d-?\d{4}"),
    _behind(
        rf"(?:护照|通行证|驾照|驾驶证|(?i:passport|driver'?s? licen[cs]e)){_NO}",
        "passport",
        r"[A-Za-z]{1,2}\d{7,8}",
    ),
    _behind(f"(?:卡|账(?=号)|(?i:card|account)){_NO}", "card", r"\d(?:[ -]?\d){11,18}"),
    _behind("尾号|末四位|后四位|(?i:ending|ends)(?i: in| with)?|last four(?: digits)?", "tail", r"\d{4}"),
    _behind("验证码|取件码|校验码|(?i:verification code|passcode|otp)", "code", r"\d{4,8}"),
    _behind(
        f"(?i:(?:licen[cs]e )?plate|registration){_NO}",
        "plate",
        "[A-Z0-9]{2,4}[- ]?[A-Z0-9]{2,5}",
        _at_least(1),
    ),
    _behind("(?:微信|(?i:wechat|vx|wx))(?:号|(?i: id))?", "wechat", "[A-Za-z][-_A-Za-z0-9]{5,19}"),
    _behind(f"(?i:qq){_NO}", "qq", r"[1-9]\d{4,10}"),
    _behind(
        "用户名|会员名|昵称|账户名|账户|账号|帐号|登录名|(?i:user ?name|user id|login|account|handle|nickname"
        "|telegram|instagram|twitter|discord)",
        "username",
        r"[A-Za-z0-9][A-Za-z0-9_.-]{1,28}[A-Za-z0-9_]",
        lambda text: bool(re.search(r"[\d_.-]|[a-z][A-Z]", text)),
    ),
    _behind(_ZH_LABEL, "order", _CODE, _enough),
    _behind(f"{_BEGIN}{_EN_LABEL}", "order", _CODE, _enough),
    _behind(
        r"(?i:确认码|预订号|(?:confirmation|booking|reservation|reference|pnr)(?: code| number| no\.?)?)",
        "order",
        r"(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{5,8}",
    ),
)
_MODEL = r"型号|货号|款号|款式|商品编[号码]|版本号?|(?i:sku|model|item|part|version|v)(?i: number| no\.?)?"
PUBLIC = (
    _rule("", r"(?<![A-Za-z0-9).-])(?<!\d )(?:\d{3}[-~]\d{3}|\d{4}[-~]\d{4})(?![-A-Za-z0-9]|[ .]\d)", _rises),
    _rule("", rf"{_BEGIN}[48]00[- ]?(?:\d{{3}}[- ]?\d{{4}}|\d{{4}}[- ]?\d{{3}}){_END}"),
    _rule("", rf"{_BEGIN}(?:\+?1[- .]?)?\(?8(?:00|33|44|55|66|77|88)\)?[- .]\d{{3}}[- .]\d{{4}}{_END}"),
    _rule("", rf"(?<![A-Za-z0-9.-])(?:955\d\d|100\d\d|123\d\d|1[12]\d){_END}(?![-. ]\d)"),
    _rule("", r"(?:[¥$€£]|(?i:rmb|usd|cny|eur|gbp) ?)\s?\d[\d,]*(?:\.\d+)?"),
    _rule("", rf"{_BEGIN}\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?![\d,])"),
    _rule("", rf"{_BEGIN}(?<!\d[- .])\d{{1,9}}(?:\.\d+)? ?(?:{_UNITS})"),
    _rule("", rf"(?:积分|余额|金额|价格?|(?i:price|balance|points|total)){_IS}\d[\d,]*(?:\.\d+)?"),
    _rule("", rf"(?:{_MODEL}){_IS}[A-Za-z]*[-.]?\d[A-Za-z0-9_.-]*"),
)
_GROUPS = r"(?:\d{3,}(?:[- ]\d{3,})+|\d{6,})[A-Za-z]{0,2}"
_PROVINCE = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
_HEX = "[0-9A-Fa-f]{0,4}"
CHECKED = (
    _rule("id_card", rf"{_BEGIN}\d{{6}}[ -]?\d{{8}}[ -]?\d{{3}}[\dXx]{_END}", _is_id_card),
    _rule(
        "order", rf"{_BEGIN}[A-Z]{{2}}\d\d(?: ?[A-Z0-9]{{4}}){{2,7}}(?: ?[A-Z0-9]{{1,3}})?{_END}", _is_iban
    ),
    _rule("card", rf"{_BEGIN}\d(?:[ -]?\d){{14,18}}{_END}", _is_card),
    _rule("plate", rf"[{_PROVINCE}][A-Z][·-]?[A-Z0-9]{{4,5}}[A-Z0-9挂学警]{_END}"),
    _rule("order", rf"{_BEGIN}[A-Za-z]{{1,5}}-?{_GROUPS}{_END}", _at_least(8)),
    _rule("order", rf"{_BEGIN}(?=[A-Z0-9]*[A-Z])[A-Z0-9]{{9,24}}{_END}", _at_least(6)),
)
SHAPED = (
    _rule(
        "ip",
        r"(?<![A-Za-z0-9.])(?:\d{1,3}\.){3}\d{1,3}(?![A-Za-z0-9]|\.\d)"
        rf"|(?<![A-Za-z0-9:]){_HEX}(?::{_HEX}){{2,7}}(?![A-Za-z0-9:])",
        _address,
    ),
    _rule("order", rf"{_BEGIN}(?:[A-Za-z]{{1,5}}-?)?{_GROUPS}{_END}", _at_least(9)),
    _rule("number", rf"{_BEGIN}(?:[A-Za-z]{{1,5}}-?)?{_GROUPS}{_END}", sure=False),
    _rule("username", r"(?<![A-Za-z0-9_@])@(?P<v>[A-Za-z0-9_.-]{2,24}|[\w]{2,12})", sure=False),
)

_MOBILE = re.compile(rf"(?<![\d])(?:\(?(?:\+|00)?86\)?[- ]?)?1[3-9]\d(?:[- ,.、]?\d){{8}}{_END}")
_LANDLINE = re.compile(
    r"(?<!\d)(?<!\d{4}[- ])(?:\(?(?:\+|00)86\)?[- ]?)?"
    r"\(?0\d{2,3}\)?[- ]?[2-8]\d{6,7}(?:(?:-| ?转 ?)\d{1,5})?(?!\d)"
)
_ABROAD = re.compile(rf"(?<![A-Za-z0-9+])\+\d{{1,3}}[ -]?(?:\(\d{{1,4}}\)[ -]?)?\d[\d -]{{6,13}}\d{_END}")
_CUED = re.compile(
    r"(?:电话|手机|号码|座机|联系方式|(?i:phone|call|mobile|cell|tel|reach me (?:at|on)|text)"
    r"(?i: number| me| us)?(?i: on| at)?)"
    rf"{_IS}(?P<v>\+?\(?\d[\d ()-]{{6,16}}\d){_END}"
)
_MANY_DIGITS = re.compile(r"(?:\d[^\d\n]{0,3}){7}")


def find_phones(folded: str) -> Iterator[tuple[int, int, bool]]:
    """Start and end of each telephone number of a text of folded signs; public hot lines are left out."""
    if not _MANY_DIGITS.search(folded):
        return
    for pattern in (_MOBILE, _LANDLINE, _ABROAD):
        for match in pattern.finditer(folded):
            yield (*match.span(), True)
    import phonenumbers

    region = "US" if folded.isascii() else "CN"
    for found in phonenumbers.PhoneNumberMatcher(folded, region):
        public = phonenumbers.number_type(found.number) in (
            phonenumbers.PhoneNumberType.TOLL_FREE,
            phonenumbers.PhoneNumberType.SHARED_COST,
        )
        inside = re.search(r"\d{4}[ -]$", folded[max(0, found.start - 5) : found.start])
        if not public and not inside:
            yield found.start, found.end, True
    for match in _CUED.finditer(folded):
        yield (*match.span("v"), True)
