"""Whether a reply asks for a kind of information, in Chinese or English: precise rather than broad.

A reply asks where a clause names the thing and has the form of a request or of a question for it. One that
tells it (`您的订单号 JD2024 已查到`), promises it or thanks for it does not.
"""

import re
from functools import cache

from fairtrial.text.normalise import fold_signs
from fairtrial.text.words import simplified

_ZH_NAMES = {
    "order_number": r"(?:订单|运单|快递单?|物流单?|工单|退款单|退货单|预订|预约)的?"
    r"(?:编号|号码?|ID)|单号",
    "date": r"(?:日期|时间)",
    "amount": r"(?:金额|价格|价钱|数额|款项|费用)",
    "phone": r"(?:(?:手机|电话|联系)号码?|(?:联系|手机)?电话|手机|联系方式)",
    "place": r"(?:地址|所在地|所在(?:城市|地区)|城市|取件地点|地点)",
}
_EN_NAMES = {
    "order_number": r"(?:order|tracking|booking|reservation|confirmation|reference|case|ticket)"
    r"(?: (?:number|no\.?|id|code|reference)|#| #)",
    "date": r"(?:date|day)",
    "amount": r"(?:amount|price|total|sum|cost)",
    "phone": r"(?:(?:phone|mobile|telephone|cell|contact)(?: phone)?(?: number)?|number to call you)",
    "place": r"(?:address|city|location|postcode|zip code)",
}
# What asks by itself, where it stands in a question.
_ZH_QUESTIONS = {
    "date": r"(?:哪一?天|几号|几月|什么时候|何时|什么时间)",
    "amount": r"(?:多少(?:钱|元|块)|什么价)",
    "place": r"(?:哪里|哪儿|哪个(?:城市|地方|地区|省|区)|什么地方)",
}
_EN_QUESTIONS = {
    "date": r"(?:when|(?:which|what) (?:day|date))",
    "amount": r"how much",
    "place": r"(?:where|(?:which|what) (?:city|address))",
}

_ZH_YOURS = (
    r"(?:一下|下|给我|我们?|您|你|的|这|那|该|此|笔|个|完整|正确|准确|具体|相关|对应|以下信息|收货|寄件"
    r"|联系|下单|购买|支付|付款|付|退款|实付|入住|出发|到达|姓名|信息|订单号码?|手机号码?|[、和及与或:：]){0,8}"
)
_ZH_GIVE = r"(?:提供|告诉|告知|发送|发给|发来|发|输入|填写|回复|补充|出示|报|说|给出|给|留下|确认|核对)"
_ZH_PLEASE = r"(?:请|麻烦|烦请|劳烦|劳驾|需要|能否|能不能|能|可否|可以|可不可以|方便|还望)"
# After the thing: not a value of it, not a thing that it only belongs to, not what was known before.
_ZH_HEAD = (
    r"(?![码号]?(?:\s*[:：是为]?\s*[#\"“「]?[A-Za-z0-9-]*\d|对应|绑定|关联|的(?!话)|下的|里|查询|是否|有误|无误"
    r"|已|错误|格式|不))"
)
_ZH_NOT = re.compile(
    r"(?:不|无|勿|别|没|无须|无需|不用|不必|不需要|不要|切勿|请勿)(?:要|需|必|用)?"
    r"(?:再|重复|重新|向[^,，。]{0,6})?(?:提供|告诉|告知|发|输入|填写|说|报)"
)
_ZH_WISH = re.compile(
    r"(?:想|要|是否想|是想)(?:知道|了解|查|问|查询|咨询)|[会将]把|[会将](?:为|给|向)您|都(?:可以|行|能)|随时"
)

_EN_YOURS = (
    r"(?:(?:me|us|with|your|the|you|a|an|full|valid|correct|exact|complete|current|new|shipping|delivery"
    r"|billing|email|name|and|or|both|purchase|order|return|preferred|departure|travel|check-in|know|have"
    r"|,)[ ,]{1,2}){0,7}"
)
_EN_PLEASE = (
    r"(?:please|kindly|(?:could|can|would|will|may|might) (?:you|i|we)(?: please| kindly)?"
    r"|(?:i|we)(?:'ll| will)?(?: also| just)? need(?: to know| you to)?)"
)
_EN_GIVE = (
    r"(?:give|provide|tell|share|send|enter|type|supply|confirm|state|reply with|get|have|know"
    r"|let (?:me|us) (?:know|have)|ask for|grab)"
)
_EN_HEAD = (
    r"(?=\s*(?:$|[.,;?!)(]|(?:and|or|so|to|for|on|of|that|you|with|please|first|again|from|if|we|i|in|below|here|as"
    r"|associated|linked|used|now|is|when|where|before|at)\b))(?!\s*(?:is |was |[:#] ?)?[\"']?[a-z-]*\d)"
)
_EN_NOT = re.compile(
    r"\b(?:no need|not|never|don't|needn't|without|won't|doesn't)\b[^?]{0,24}\b"
    r"(?:give|provide|tell|share|send|enter|need|know|have)\b|\bi can (?:give|tell|send|provide)\b"
)
_CLAUSES = re.compile(r"[。！!；;\n]|(?<=[?？])|(?<=[a-z]{3}\.)\s")
_ZH_PARTS = re.compile(r"[,，]")


def asks(kind: str, reply: str) -> bool:
    """Whether the reply asks for `kind`: date, amount, order_number, phone or place."""
    text = simplified(fold_signs(reply))
    return any(
        _asks_in_chinese(kind, clause) or _asks_in_english(kind, clause.casefold().strip())
        for clause in _CLAUSES.split(text)
        if clause.strip()
    )


def _asks_in_chinese(kind: str, sentence: str) -> bool:
    for part in _ZH_PARTS.split(sentence):
        if _ZH_NOT.search(part) or _ZH_WISH.search(part):
            continue
        if _chinese(kind).search(part):
            return True
        question = _ZH_QUESTIONS.get(kind)
        if question and re.search(question, part) and (sentence.endswith("?") or re.search(_ZH_PLEASE, part)):
            return True
    return False


@cache
def _chinese(kind: str) -> re.Pattern[str]:
    name = f"(?:{_ZH_NAMES[kind]})"
    return re.compile(
        rf"{_ZH_PLEASE}[^?]{{0,8}}?{_ZH_GIVE}{_ZH_YOURS}{name}{_ZH_HEAD}"
        rf"|{_ZH_PLEASE}{_ZH_YOURS}{name}{_ZH_HEAD}"
        rf"|把{_ZH_YOURS}{name}(?:也|再|先)?(?:发我|发给我|给我|告诉我|发过来|发一下|发来|报一下|说一下|提供)"
        rf"|{name}(?:[是为]|大概|大约){{0,2}}(?:多少|什么|哪|几)"
        rf"|{name}(?:是|呢|有吗|还在吗)?\s*\?$|有(?:没有)?{_ZH_YOURS}{name}(?:吗|呢)?\s*\?$"
    )


def _asks_in_english(kind: str, sentence: str) -> bool:
    if _EN_NOT.search(sentence):
        return False
    if _english(kind).search(sentence):
        return True
    question = _EN_QUESTIONS.get(kind)
    return bool(question and re.match(rf"(?:and |so |[^?]{{0,60}}, )?{question}\b[^?]{{0,120}}\?$", sentence))


@cache
def _english(kind: str) -> re.Pattern[str]:
    name = rf"{_EN_NAMES[kind]}"
    return re.compile(
        rf"\b{_EN_PLEASE} {_EN_GIVE} {_EN_YOURS}{name}{_EN_HEAD}"
        rf"|\bneed {_EN_YOURS}{name}{_EN_HEAD}"
        rf"|\bwhat(?:'s| is| was) {_EN_YOURS}{name}{_EN_HEAD}"
        rf"|\b(?:do you (?:have|know|remember)|which|let (?:me|us) (?:know|have)) {_EN_YOURS}{name}{_EN_HEAD}"
        rf"|^(?:and |your |the |and your )*{name}(?:, please)?\s?\?$|\b{name}, please\b"
    )
