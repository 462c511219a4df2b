"""Whether a text says that something was done, or only speaks of it: denies, asks, promises, supposes.

What is looked at is the clause in which the words stand, and a condition before it in the same sentence. In
doubt nothing was claimed: a claim that is passed over does less harm than a lie that was none.
"""

import re

_SENTENCE_END = re.compile(r"[。！？!?;；\n…]|\.(?=\s|$)")
_CLAUSE_END = re.compile(
    r"[,，:：—()（）]|\s[-–]\s|\b(?:but|however|because|since|so(?! that)|and|although|though|while)\b"
    r"|(?<!soon )(?<!show )(?<!appear )(?<!marked )\bas\b(?! soon| well)"
    r"|但是?|不过|因为|由于|所以|并且|而且|同时"
)
_LEAD_IN = re.compile(
    r"\b(?:(?:i|we) (?:can|could|am able to)|i'm able to|(?:'d |would |just |i |we |'m |am |are )"
    r"(?:like|want(?:ed)?|happy|glad|pleased) to)(?: now)?"
    r" (?:confirm|see|say|tell you|assure you|inform you|let you know)(?: that)?\b"
    r"|\bplease (?:note|know|find|be aware|be assured|rest assured)(?: that)?\b"
    r"|\b(?:(?:was|were) able|managed) to (?:get|have)\b|\bafter (?:check|review|look|verify|investigat)ing\b"
    r"|\b(?:that|which|you) (?:did not|didn't|never|don't|no longer)"
    r" (?:arrived?|received?|want(?:ed)?|liked?|need(?:ed)?|fit|work(?:ed)?)\b"
    r"|请(?:放心|注意|查收|知悉|留意|您放心)|[没未](?:有)?(?:收到|收货|到货|发货|签收|拆封?|使用)(?=的|订?单|商品|件)"
)
"""Openings, and words about a thing, that look like a promise or a denial and are none."""
_DENIED = re.compile(
    r"\b(?:not(?! only)|no|never|cannot|unable|without|neither|nor|none|nothing|nobody|doubt|almost|nearly"
    r"|yet to|wrong|incorrectly|fail(?:s|ed)? to)\b|n't\b"
    r"|没(?!问题|关系|事)|未(?!来)|无[法需人]|不(?:能|会|可|予|支持|是|曾|再|需|用)|[查找看]不|不[了出]|并[不非]|暂不|拒绝|别(?!担心|着急|急)|勿"
)
_SUPPOSED = re.compile(
    r"\b(?:once|if|when(?:ever)?|after|before|until|unless|in case|as soon as|whether|wonder(?:ing)?|assuming"
    r"|provided|suppos(?:e|ing)|as long as|in order)\b"
    r"|如(?=您|你|需|果|$)|若(?!干)|一旦|只要|要是|倘若|假[如设]|除非|为了|以便|确保|争取|避免|以免|直到|将(?!军)|会(?![员议话计场籍])"
)
_PLANNED_EN = re.compile(
    r"\b(?:will|shall|would|should|could|can|may|might|must|going to|about to|need(?:s|ed)? to"
    r"|to (?:be|have|get)|want(?:s|ed)?|wish|like|hop(?:e|ing)|trying|let me|let's|please|soon|pending"
    r"|being|gets?|getting)\b|'(?:ll|d)\b"
)
_PLANNED_ZH = re.compile(
    r"即将|马上|立刻|立即|稍后|随后|正在|准备|打算|预计|尽快|尽量|可以|能(?=为|够|帮|否|给)|才能|需要?(?=您|你|先|等|要)|想|要(?![的求])"
    r"|请(?!问)|等(?=您|你|到|待|$)|待(?!遇)|(?<![最售然先前])后|帮您(?!已)|这就|再(?=为|给|帮)"
)
_DONE = re.compile(r"已|刚[刚才]|\b(?:have|has|had|was|were|been|already)\b|'ve\b")
_ASKED = re.compile(r"是否|有没有|是不是|能否|可否|要不要|吗|请问|想(?:问|查询|确认|了解)")
_QUOTES = ("“", "‘", "「", "『", '"', "'")
_INVERTED = re.compile(r"\W*(?:has|have|had|was|were|is|are|did|do|does|would|could|should|can|may|shall)\b")
_REPORTED = re.compile(
    r"\b(?:you (?:say|mention(?:ed)?|told|claim(?:ed)?|think|thought|believed?|asking|saying)|said)\b"
    r"|[您你](?:之前|刚才)?(?:说|提到|反馈|表示|认为|觉得|所说|是说)(?!的)|说[过的]?\W*$"
)
_UNDONE_AFTER = re.compile(
    r"[\s\"'”’」』]*(?:失败|未|了?没有?(?=$|\W|成功)|不成功|不了|中(?!心|国)|failed|means\b"
    r"|(?:is|was|has|have|were|did|could) not\b|will\b|is (?:pending|being)\b"
    r"|(?:orders?|items?|purchases?|tickets?) (?:can|may|will|must|are|is|do|does|should)"
    r"|之?[前后]|与否|率|需|为准|的(?=[^\W哦哈呢啦了])|(?:订单|商品|记录)(?!\W*[a-z]*\d))|.*才[能可会行]"
    r"|.*\bonly (?:if|when|once|after)\b"
)
"""What makes of the words a thing that is spoken of, or an event to come."""
_GENERAL = re.compile(
    r"^\W*(?:(?:only|all|most|any|un\w+|returned|damaged)\s)*(?:items|orders|purchases|tickets|products|customers)"
    r"\b.*\bare\W*$"
)
_CONDITION_BEFORE = re.compile(_SUPPOSED.pattern + r"|^\W*should\b|后\W*$|等(?=您|你|到|待)|待(?!遇)")
_CONDITION_AFTER = re.compile(r"\b(?:once|if|when|as soon as|unless|after|until)\b")


def asserted(text: str, start: int, end: int) -> bool:
    """Whether the words [`start`, `end`) of a text are said of something that has been done."""
    begin, stop = _around(_SENTENCE_END, text, start, end, 0, len(text))
    first, last = _around(_CLAUSE_END, text, start, end, begin, stop)
    before = _LEAD_IN.sub(" ", text[first:start].lower())
    said, after = text[start:end].lower(), text[end:last].lower()
    if any(of.search(before) for of in (_DENIED, _SUPPOSED, _REPORTED, _GENERAL)):
        return False
    if _is_planned(before, said) or _UNDONE_AFTER.match(after):
        return False
    if _is_asked(text[begin:start].lower(), before + said + after, text[last : stop + 1]):
        return False
    done = _DONE.search(before + said) is not None
    return done or not (_CONDITION_BEFORE.search(text[begin:first].lower()) or _CONDITION_AFTER.search(after))


def _is_planned(before: str, said: str) -> bool:
    """A plan in English has no done thing in it; in Chinese `已` between the two says that it was done."""
    if _PLANNED_EN.search(before):
        return True
    plans = list(_PLANNED_ZH.finditer(before))
    named = before.endswith(_QUOTES)  # what a state will be called is no word of what was done
    return bool(plans) and "已" not in before[plans[-1].end() :] + ("" if named else said)


def _is_asked(until: str, clause: str, rest: str) -> bool:
    """Whether the clause asks, or is the end of a sentence that does."""
    if _ASKED.search(clause):
        return True
    asks = rest.rstrip().endswith(("?", "？"))
    return asks and (rest.strip() in ("?", "？") or _INVERTED.match(until) is not None)


def _around(ends: re.Pattern[str], text: str, start: int, end: int, least: int, most: int) -> tuple[int, int]:
    """Where the piece around [`start`, `end`) begins and ends, within [`least`, `most`]."""
    begin = least
    for found in ends.finditer(text, least, start):
        begin = found.end()
    behind = ends.search(text, end, most)
    return begin, behind.start() if behind else most
