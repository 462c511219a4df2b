"""Tells a sentence to a judge ("the answer should be polite") from words that a reply may contain.

Only openings that speak *about* a reply count: its name with a modal or a judgement ("回答要合理"), a bare
modal with a verb of telling ("must mention", "不能出现"), an order to whoever checks. What an agent would say
*to* a user ("您的订单已退款", "must be returned within 30 days") does not. In doubt a text is taken as words.
"""

import re

_ZH_REPLY = (
    r"(?:(?:整个|最终|最后的?|整体|模型|助手|智能体|机器人|客服|系统|Agent|agent|AI|它|他)的?)?"
    r"(?:回答|回复|答复|答案|回应|应答|输出|响应|返回内容|生成内容|回话|话术|语气|口吻|措辞|态度|文案)"
    r"(?:的?(?:内容|中|里|里面|结尾|开头|长度|语气|格式|文本|结果))?(?:一定|都|也|还)?"
)
_ZH_MODAL = r"(?:不应该?|不应当|不能够?|不得|不可以?|不许|不允许|不要|不准|不该|应该?|应当|必须|须|务必|需要?|要|得|禁止|避免|严禁)"
_ZH_STRONG = r"(?:不应该?|不应当|不能|不得|不可以?|不许|不允许|不要|不准|应该?|应当|必须|须|务必|需要?|要|禁止|严禁|避免)"
_ZH_GOOD = (
    r"(?:合理|正确|准确|礼貌|友好|友善|简洁|简短|清晰|清楚|完整|专业|通顺|流畅|自然|得体|恰当|合适|有帮助|有用|切题"
    r"|相关|真实|客观|温和|耐心|详细|具体|一致|亲切|热情|规范|无误|委婉|口语化|可信|贴切)"
)
_ZH_TELL = (
    r"(?:(?:再次|明确|主动|清楚地?|准确地?|先|直接|至少|同时|简要|只|仅|再|继续|随意|任何)?"
    r"(?:提到|提及|包含|包括|含有|含|出现|体现|给出|指出|说明(?!的是)|说出|说|解释|回答|答复|引用|编造|捏造|杜撰|臆造"
    r"|道歉|致歉|安抚|反问|复述|总结|概括|有礼貌|礼貌|保持|符合|遵循|避免|拒绝(?:回答|用户|请求)))"
)
_ZH_ABOUT = (
    r"(?:回答|回复|答案|输出|话术|套话|废话|敏感词|口头禅|语气|口吻|幻觉|上下文|系统提示|竞品|某类|某种"
    r"|用户(?!协议|名|手册|中心|服务|指南|条款|须知|等级|编号|评价|反馈|体验))"
)
_ZH_ACTOR = r"(?:(?:被测)?(?:模型|助手|智能体|机器人|大模型|Agent|agent|AI|LLM))"

_ZH_ALWAYS = re.compile(
    rf"""^(?:
      {_ZH_REPLY}{_ZH_MODAL}(?![\s约大]*[\d一二两三四五六七八九十几])
    | {_ZH_REPLY}(?:是否|有没有|很|比较|足够|尽量|保持|够|是|内容)*{_ZH_GOOD}(?:$|[，。,.、；;!！和且并又而地])
    | {_ZH_REPLY}(?:没有|未|不|能|能够|可以|明确|正确|准确|是否|有没有)*(?:提到|提及|包含|包括|含有|出现|体现|给出|说明|解释|编造|回答)
    | (?:是否|有没有)(?:正确|准确|明确|主动|清楚地?)?(?:提到|提及|包含|回答|给出|说明|调用|解决|符合|满足|体现|拒绝)
    | (?:请)?(?:检查|判断|验证|评估|评价|核对|确保|保证|看看?|确认).{{0,20}}?(?:回答|回复|答复|答案|输出|模型|助手|智能体|机器人|[Aa]gent)
    | {_ZH_STRONG}{_ZH_TELL}
    | {_ZH_STRONG}(?:很|比较|足够|尽量|有|做到|更)?{_ZH_GOOD}(?:$|[，。,.、；;!！和且并又而地])
    )""",
    re.VERBOSE,
)
_ZH_UNADDRESSED = re.compile(
    rf"""^(?:
      {_ZH_ACTOR}(?:一定|都|也|先)?{_ZH_MODAL}
    | 客服(?:应该?|应当|必须|不得|不应该?)
    | {_ZH_STRONG}.{{0,12}}?{_ZH_ABOUT}
    | (?:没有|未|不|明确|正确|准确|主动|清楚地?|礼貌地?)*(?:提到|提及|体现|给出|指出)了?(?!的)
    | (?:礼貌|正确|准确|清楚|清晰|耐心|委婉|友好|主动|简洁)地?(?:回答|回复|告知|拒绝|识别|引导|解释|说明|询问|安抚)
    | (?:告知|询问|引导|安抚|回答|提醒|建议)了?用户(?!协议|名|手册|中心|服务)
    )""",
    re.VERBOSE,
)
_ZH_ADDRESSED = re.compile(r"[您你我咱]|亲[，,~～]|本店|我司")

_EN_REPLY = (
    r"(?:(?:the|an?|its|his|her|their|any|every|each|final|whole|entire|last|agent'?s|assistant'?s|model'?s|bot'?s)\s+){0,4}"
    r"(?:answers?|repl(?:y|ies)|responses?|outputs?|completions?|generated\s+text|tone|wording)"
    r"(?:\s+(?:of|from|by)\s+the\s+(?:agent|assistant|model|bot|chatbot))?"
)
_EN_ACTOR = r"(?:(?:the|an?)\s+)?(?:agent|assistant|model|chat\s?bot|bot|ai|llm)"
_EN_MODAL = (
    r"(?:should(?:\s?n[o']t)?|must(?:\s?n[o']t)?|shall(?:\s+not)?|ought\s+to|(?:needs?|has|have)\s+to"
    r"|can\s?not|can't|may\s+not|(?:is|are)\s+(?:expected|supposed|required|not\s+allowed)\s+to)"
)
_EN_BAN = r"(?:do\s+not|don't|does\s+not|doesn't|did\s+not|didn't|never|always|avoids?|please\s+do\s+not|no)"
_EN_ADVERB = r"(?:(?:not|also|only|always|never|just|at\s+least|both|be\s+able\s+to|\w+ly)\s+)*"
_EN_TELL = (
    r"(?:contain|includ|mention|explain|say|tell|refer|cit|acknowledg|apologi[sz]|refus|declin|address|respond|answer|repl"
    r"|quot|summari[sz]|hallucinat|invent|fabricat|mak(?:e|ing)\s+up|reveal|disclos|sound|avoid|stat(?:e|es|ing)\b"
    r"|describ|politely|correctly|repeat(?:s|ing)?\s+the)"
    r"(?:e|es|s|y|ies|ing|ting|ed|d)?\b"
)
_EN_GOOD = (
    r"(?:polite|accurate|correct|helpful|concise|clear|relevant|reasonable|appropriate|friendly|professional|complete|factual"
    r"|truthful|empathetic|coherent|grounded|useful|specific|brief|natural|consistent|honest|neutral|respectful|informative"
    r"|precise|warm|patient|plausible|well[- ]\w+|in\s+(?:english|chinese|json|the\s+same))\b"
)
_EN_DEGREE = r"(?:(?:not|very|quite|more|as|both|always|reasonably|factually|sufficiently|fully)\s+)*"

_EN_ALWAYS = re.compile(
    rf"""^(?:
      {_EN_REPLY}\s+{_EN_MODAL}\b(?!\s+(?:arrive|take|reach|come|follow\s+(?:soon|shortly|within)))
    | {_EN_REPLY}\s+(?:is|are|sounds?|stays?|remains?|seems?|was)\s+{_EN_DEGREE}{_EN_GOOD}
    | {_EN_REPLY}\s+{_EN_ADVERB}(?:{_EN_BAN}\s+)?{_EN_ADVERB}(?:{_EN_TELL}|(?:provid|giv|offer|us|identif|confirm|ask)(?:es|s|ies|e|y)\b)
    | {_EN_MODAL}\s+{_EN_ADVERB}(?:be|sound|stay|remain|seem)\s+{_EN_DEGREE}{_EN_GOOD}
    | (?:be|is|sounds?)\s+{_EN_DEGREE}{_EN_GOOD}(?:\s*$|[\s,.;]+(?:and|but|to)\b|[.!])
    | (?:(?:please\s+)?(?:check|verify|judge|evaluate|assess|ensure|make\s+sure|confirm|see)\s+(?:that|whether|if)?\s*
        |does\s+|do\s+|did\s+|is\s+|whether\s+)(?:{_EN_REPLY}|{_EN_ACTOR})\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_EN_UNADDRESSED = re.compile(
    rf"""^(?:
      {_EN_ACTOR}\s+{_EN_MODAL}\b
    | {_EN_ACTOR}\s+{_EN_ADVERB}(?:{_EN_BAN}\s+)?{_EN_ADVERB}{_EN_TELL}
    | {_EN_MODAL}\s+{_EN_ADVERB}{_EN_TELL}(?!\s+(?:within|by|in\s+\d))
    | {_EN_MODAL}\s+{_EN_ADVERB}\w+\s+(?:the\s+|an?\s+)?(?:user|customer|answer|reply|response)\b
    | {_EN_BAN}\s+{_EN_ADVERB}{_EN_TELL}
    | (?:mentions|explains|apologi[sz]es|acknowledges|declines|refuses|references|cites|summari[sz]es|addresses\s+the)\b
    | (?:politely|correctly|accurately|clearly|explicitly|properly)\s+[a-z]+s\b
    | (?:tells?|informs?|asks?|helps?|guides?|advises?|reminds?)\s+the\s+(?:user|customer)\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_EN_ADDRESSED = re.compile(r"\b(?:you|your|yours|we|our|us|i|i'm|my|we'll|i'll|i've)\b", re.IGNORECASE)
_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|《[^》]*》|\"[^\"]*\"|‘[^’]*’|(?<!\w)'[^']*'(?!\w)")


def is_instruction(text: str) -> bool:
    """Whether `text` tells a judge what a reply should be like, rather than being words of a reply."""
    said = text.strip()
    if said.isascii():
        said = " ".join(said.split())
        always, unaddressed, addressed = _EN_ALWAYS, _EN_UNADDRESSED, _EN_ADDRESSED
    else:
        said = said.replace("’", "'")
        if _is_mostly_latin(said):
            always, unaddressed, addressed = _EN_ALWAYS, _EN_UNADDRESSED, _EN_ADDRESSED
        else:
            always, unaddressed, addressed = _ZH_ALWAYS, _ZH_UNADDRESSED, _ZH_ADDRESSED
    if always.match(said):
        return True
    return bool(unaddressed.match(said)) and not addressed.search(_QUOTED.sub("", said))


def _is_mostly_latin(text: str) -> bool:
    opening = text[:12]
    return sum("一" <= char <= "鿿" for char in opening) * 4 < sum(char.isascii() for char in opening)
