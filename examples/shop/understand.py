"""What a customer's message means, by patterns: language, intent, order number and what else it names.

The patterns are the agent's whole understanding. What they do not know (colloquial 退了 / 整 / 咋, full-width
digits, negation, a second question) it does not understand: see README.md.
"""

import re
from collections import namedtuple

ATTENTION = 48
"""Words or characters of a message that are read; what stands behind them is lost."""

Understanding = namedtuple(
    "Understanding", "language intent topic order_id phone fault hurry answer variant address"
)

_TOKEN = re.compile(r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]+")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_ENGLISH = re.compile(r"[a-z]{2}", re.I)
_ORDER = re.compile(r"(?:JD|US)[0-9]{13}", re.I)
_PHONE = re.compile(r"(?<![0-9])(?:1[0-9]{10}|[0-9]{3}-[0-9]{3}-[0-9]{4})(?![0-9])")
_FAULT = re.compile(
    r"质量|坏了|损坏|破损|破了|裂|开不了机|不工作|漏|变质|"
    r"broken|damaged|defective|faulty|cracked|spoil|leak|doesn't work|not working|stopped working",
    re.I,
)
_HURRY = re.compile(
    r"不用确认|无需确认|不要再问|直接退|"
    r"without (?:asking|confirm)|no need to confirm|don't ask|skip the confirm",
    re.I,
)
_NO = re.compile(r"^(?:不|别|算了|取消|no\b|nope|cancel|don't|do not|never mind|wait|stop)", re.I)
_YES = re.compile(
    r"^(?:是|对|好|可以|确认|确定|行|嗯|没错|同意|yes|yeah|yep|sure|ok|okay|confirm|go ahead|please do)", re.I
)
_VARIANT = re.compile(
    r"((?:[黑白红蓝银紫灰绿]色)?\s?(?:[0-9]{2} ?码|\b(?:XXL|XL|L|M|S)\b|[0-9]+ ?毫升)|"
    r"[黑白红蓝银紫灰绿]色|[红青茶]轴|"
    r"(?:navy|red|blue|green|black|white|silver|gold)(?: (?:XXL|XL|L|M|S)\b)?|size [0-9]+(?:\.[0-9])?)",
    re.I,
)
# In 从 A 换成 B and "from A to B" the wanted one stands behind the word of change.
_WANTED = re.compile(r"换成|换个|换一|换为|改成|\bfor\b|\bto\b|\binto\b", re.I)
_ADDRESS = re.compile(r"(?:改成|改到|改为|换成|寄到|送到)[:：]?\s*([^，。,；！!？?]{4,60})")
_ADDRESS_EN = re.compile(r"\bto:? ((?:[0-9]+|flat|unit|apt) [^.!?]{4,60})", re.I)

# A question about the rules, not about an order: tried before the intents.
_TOPICS = {
    "refund_time": (
        r"到账|退款.{0,4}(?:多久|几天)|"
        r"(?:when|how long).{0,30}(?:money|refund).{0,20}(?:back|arrive|take|get|come)|"
        r"how long.{0,12}refund"
    ),
    "return_fee": (
        r"退货.{0,4}(?:运费|邮费)|(?:运费|邮费).{0,6}(?:谁|承担)|"
        r"who pays|return (?:fee|shipping|postage)|cost.{0,6} to return"
    ),
    "return": (
        r"(?:退货|退款|退换).{0,6}(?:政策|规则|期限|几天|多少天)|(?:多少天|几天|多久)内?.{0,6}退|"
        r"return (?:policy|window)|how (?:long|many days).{0,20}return|days.{0,12}to return"
    ),
    "exchange": (
        r"换货.{0,6}(?:政策|规则|几天|多久)|(?:多少天|几天|多久)内?.{0,6}换|"
        r"exchange policy|how (?:long|many days).{0,20}exchange"
    ),
    "shipping_fee": (
        r"包邮|运费|邮费|"
        r"free shipping|shipping (?:fee|cost)|delivery (?:fee|cost)"
    ),
    "invoice": (
        r"发票|"
        r"invoice"
    ),
    "hours": (
        r"几点|上班|在线时间|"
        r"opening hours|what time|business hours|when.{0,12}(?:open|online)"
    ),
}
# The earliest match in the message wins: what is asked second is not heard.
_INTENTS = {
    "human": (
        r"人工|投诉|真人|"
        r"\bhuman\b|real person|supervisor|manager|complain"
    ),
    "can_return": (
        r"(?:能|可以|可不可以|能否)(?:不能)?(?:退货|退款|退吗|退)|"
        r"can (?:i|it|this) (?:still )?(?:be )?(?:return|refund)|eligible|still return"
    ),
    "refund": (
        r"退款|退货|退钱|取消订单|"
        r"refund|money back|\breturn\b|send (?:it|this|them) back|cancel"
    ),
    "address": (
        r"(?:改|换|修改|更改|更换).{0,24}地址|地址.{0,8}(?:改|换|错)|"
        r"change.{0,24}address|(?:wrong|new|different) address|address.{0,30}(?:change|wrong)"
    ),
    "exchange": (
        r"换货|换成|换个|换一|调换|更换|"
        r"exchange|swap|different (?:size|colou?r)|replace"
    ),
    "track": (
        r"物流|快递|到哪|到了吗|什么时候到|几时到|包裹|运单|发货|"
        r"\btrack|where is|where's|parcel|package|shipment|when will.{0,30}(?:arrive|come|get)"
    ),
    "status": (
        r"查.{0,6}订单|订单.{0,6}(?:状态|详情|信息|情况|内容)|多少钱|买了什么|"
        r"status|look up|check.{0,16}order|details|how much|what did i (?:buy|order)"
    ),
}
_SMALL_TALK = {
    "thanks": r"谢谢|感谢|再见|thank|\bbye\b",
    "greet": r"你好|您好|在吗|\bhello\b|\bhi\b",
}


def understand(message: str) -> Understanding:
    """Read the first ATTENTION words or characters of a message."""
    tokens = list(_TOKEN.finditer(message))
    text = message[: tokens[ATTENTION - 1].end()] if len(tokens) > ATTENTION else message
    text = text.strip()
    order = _ORDER.search(text)
    phone = _PHONE.search(text)
    bare = _ORDER.sub(" ", text)
    topic = None if order else _earliest(_TOPICS, text)
    return Understanding(
        language="zh" if _CHINESE.search(text) else "en" if _ENGLISH.search(bare) else None,
        intent="policy"
        if topic
        else _earliest(_INTENTS, text) or (None if order else _earliest(_SMALL_TALK, text)),
        topic=topic,
        order_id=order.group().upper() if order else None,
        phone=phone.group() if phone and not order else None,
        fault=bool(_FAULT.search(text)),
        hurry=bool(_HURRY.search(text)),
        answer="no" if _NO.match(text) else "yes" if _YES.match(text) else None,
        variant=_variant(bare),
        address=_first(_ADDRESS, text) or _first(_ADDRESS_EN, text),
    )


def _earliest(patterns: dict, text: str) -> str | None:
    """The name whose pattern matches first in the text; of two at one place the one listed first."""
    tried = [(re.search(pattern, text, re.I), name) for name, pattern in patterns.items()]
    found = [(match.start(), name) for match, name in tried if match]
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _variant(text: str) -> str | None:
    change = _WANTED.search(text)
    found = _VARIANT.search(text, change.end() if change else 0) or _VARIANT.search(text)
    return " ".join(found.group().split()) if found else None


def _first(pattern: re.Pattern, text: str) -> str | None:
    found = pattern.search(text)
    return found.group(1).strip() if found else None
