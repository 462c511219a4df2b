"""Tells a sentence to a judge ("the answer should be polite") from words that a reply may contain.

Only openings that speak *about* a reply count: its name with a modal or a judgement ("回答要合理"), a bare
modal with a verb of telling ("must mention", "不能出现"), an order to whoever checks. What an agent would say
*to* a user ("您的订单已退款", "must be returned within 30 days") does not. In doubt a text is taken as words.

Each language has two patterns: openings that are a sentence to a judge whatever follows, and openings that
are one unless the text speaks to someone (you, we, 您, 我): "the agent must verify your identity" is words.
"""

import re
from functools import cache
from typing import NamedTuple


def _any(words: str) -> str:
    """A group of alternatives out of words parted by white space."""
    return f"(?:{'|'.join(words.split())})"


class _Judging(NamedTuple):
    always: re.Pattern[str]
    unless_addressed: re.Pattern[str]
    addressed: re.Pattern[str]


@cache
def _zh() -> _Judging:
    name = _any("回答 回复 答复 答案 回应 应答 输出 响应 话术 语气 口吻 措辞 态度 文案")
    owner = _any("整个 最终 最后 最后的 整体 模型 助手 智能体 机器人 客服 系统 [Aa]gent AI 它 他")
    part = _any("内容 中 里 里面 结尾 开头 长度 语气 格式 文本 结果")
    actor = rf"(?:被测)?{_any('模型 大模型 助手 智能体 机器人 [Aa]gent AI LLM')}"
    reply = rf"(?:{owner}的?)?{name}(?:的?{part})?(?:一定|都|也|还)?"
    must = _any(
        "不应当 不应该? 不能够? 不得 不可以? 不许 不允许 不要 不准 不该"
        " 应当 应该? 必须 须 务必 需要 需(?!要) 要 禁止 严禁 避免"
    )
    good = _any(
        "合理 正确 准确 礼貌 友好 友善 简洁 简短 清晰 清楚 完整 专业 通顺 流畅 自然 得体 恰当 合适 有帮助"
        " 有用 切题 相关 真实 客观 温和 耐心 详细 具体 一致 亲切 热情 规范 无误 委婉 口语化 可信 贴切"
    )
    manner = _any(
        "再次 明确 主动 清楚地? 准确地? 正确地? 礼貌地? 先 直接 至少 同时 简要 只 仅 再 继续 随意 任何"
    )
    cite = _any("提到 提及 包含 包括 含有 出现 体现 给出 说明(?!的是) 解释 编造 回答")
    tell = _any(
        "含 指出 说出 说(?!明) 答复 引用 捏造 杜撰 臆造 道歉 致歉 安抚 反问 复述 总结 概括 有礼貌 保持 符合"
        " 遵循 避免 拒绝(?:回答|用户|请求) 调用 胡说 胡编 瞎编"
    )
    user = r"用户(?!协议|名|手册|中心|服务|指南|条款|须知|等级|编号|评价|反馈|体验)"
    about = _any(
        "回答 回复 答案 输出 话术 套话 废话 敏感词 口头禅 语气 口吻 幻觉 上下文 系统提示 竞品 某类 某种 "
        + user
    )
    check = _any("检查 判断 验证 评估 评价 核对 确保 保证 看看? 确认")
    end = r"(?:明了)?(?:$|[，。,.、；;!！和且并又而地])"
    count = r"[约大]*[\d一二两三四五六七八九十几]"
    kind = _any("订单号 单号 日期 金额 电话(?:号码)? 手机号 地点 链接 某类信息")
    limit = _any("应 须 需 要 必须 不 控制 限制 在 至少 最多 大于 小于 少于 超过")
    size = (
        rf"(?:长度|字数|篇幅){limit}.{{0,12}}?(?:字|词|区间|之间)|不(?:要|得|能)?(?:超过|少于|多于)\d+个?字"
    )
    tongue = _any("中文 英文 英语 汉语 日语 JSON 表格")
    form = rf"请?(?:使用|用|以)(?:简体|繁体)?{tongue}(?:格式)?来?(?:回答|回复|作答|输出)"
    return _Judging(
        re.compile(
            rf"(?!回答正确[!！。]?$)(?:{reply}{must}(?!{count})|{reply}(?:是否|有没有|很|比较|足够|尽量|保持|够|是)*{good}{end}"
            rf"|{reply}(?:没有|未|不|能够?|可以|是否|有没有|{manner})*{cite}"
            rf"|(?:是否|有没有){manner}?(?:{cite}|调用|解决|符合|满足|拒绝)"
            rf"|请?{check}.{{0,20}}?(?:{name}|{actor})"
            rf"|{must}{manner}*(?:{cite}|{tell})|{must}(?:很|比较|足够|尽量|有|做到|更)?{good}{end}"
            rf"|{size}|(?:输出|回答|回复)(?:格式)?为.{{0,8}}(?:格式|JSON|表格)"
            rf"|(?:包含|包括|含有)(?:具体|明确)?的?{kind}$|(?:不|没有|未)(?:出现|使用|含有|包含).{{0,6}}?{about}"
            rf"|(?:内容|表述|语言)?{good}(?:(?:[、，,和且又]|并且)*{good})+[。]?$|{good}(?:即可|就行|就好)$)"
        ),
        re.compile(
            rf"{actor}(?:一定|都|也|先)?{must}|客服(?:应该?|应当|必须|不得|不应该?)|{must}.{{0,12}}?{about}"
            rf"|(?:没有|未|不|{manner})*(?:提到|提及|体现|给出|指出)了?(?!的|$)"
            rf"|先{_any('道歉 致歉 安抚')}|{form}"
            rf"|(?:能够?)?{_any('礼貌 正确 准确 清楚 清晰 耐心 委婉 友好 主动 简洁')}地?"
            rf"{_any('回答 回复 告知 拒绝 识别 引导 解释 说明 询问 安抚')}"
            rf"|{_any('告知 询问 引导 安抚 回答 提醒 建议 拒绝')}了?{user}"
        ),
        re.compile(r"[您你我咱]|亲[，,~～]|本店|我司"),
    )


@cache
def _en() -> _Judging:
    owner = _any(
        "the an? its his her their any every each final whole entire last agent'?s assistant'?s model'?s"
        " bot'?s"
    )
    reply = (
        rf"(?:{owner}\s){{0,4}}{_any('answers? reply replies responses? outputs? completions? tone wording')}"
        r"(?:\s(?:of|from|by)\sthe\s(?:agent|assistant|model|bot|chatbot))?"
    )
    actor = r"(?:(?:the|an?)\s)?(?:agent|assistant|model|chat\s?bot|bot|ai|llm)"
    must = (
        r"(?:should(?:\snot|n't)?|must(?:\snot|n't)?|shall(?:\snot)?|ought\sto|(?:needs?|has|have)\sto"
        r"|can\s?not|can't|may\snot|(?:is|are)\s(?:expected|supposed|required|not\sallowed)\sto)"
    )
    ban = r"(?:(?:please\s)?do\snot|don't|does\snot|doesn't|did\snot|didn't|never|always|avoids?)"
    how = r"(?:(?:not|also|only|always|never|just|at\sleast|both|be\sable\sto|\w+ly)\s)*"
    tell = (
        _any(
            "contain includ mention explain say tell refer cit acknowledg apologi[sz] refus declin address"
            " respond answer repl quot summari[sz] hallucinat invent fabricat reveal disclos sound avoid"
            r" describ promis make\sup making\sup"
        )
        + r"(?:e|es|s|y|ies|ing|ting|ed|d)?\b"
    )
    degree = r"(?:(?:not|very|quite|more|as|both|always|reasonably|factually|sufficiently|fully)\s)*"
    good = (
        _any(
            "polite accurate correct helpful concise clear relevant reasonable appropriate friendly"
            " professional complete factual truthful empathetic coherent grounded useful specific brief"
            " natural consistent honest neutral respectful informative precise warm patient plausible"
            r" well[-\s]\w+ in\s(?:english|chinese|json|the\ssame)"
        )
        + r"\b"
    )
    check = r"(?:please\s)?" + _any(r"check verify judge evaluate assess ensure make\ssure confirm see")
    asks = rf"(?:{check}\s(?:that\s|whether\s|if\s)?|does\s|do\s|did\s|is\s|whether\s)"
    count = r"(?:at\s(?:most|least)|(?:no\s)?(?:more|fewer|less)\sthan|under|in)\s\d+\s(?:words|characters)"
    tongue = r"(?:english|chinese|french|german|japanese|json|markdown|the\ssame\slanguage)"
    kind = r"(?:(?:order|tracking|phone|refund)\s)?(?:number|amount|date|link)s?"
    arrival = r"(?:arrive|take|reach|come|follow\s(?:soon|shortly|within))"
    return _Judging(
        re.compile(
            rf"{reply}\s{must}\b(?!\s{arrival})"
            rf"|{reply}\s(?:is|are|was|sounds?|stays?|remains?|seems?)\s{degree}{good}"
            rf"|{reply}\s{how}(?:{ban}\s)?{how}"
            rf"(?:{tell}|(?:provid|giv|offer|us|identif|confirm|ask|stat)(?:es|s|ies|e|y)\b)"
            rf"|{must}\s{how}(?:be|sound|stay|remain|seem)\s{degree}{good}"
            rf"|(?!is\s(?:correct|complete|accurate|clear)\b)(?:be|is|sounds?)\s{degree}{good}(?:$|[\s,.;]+(?:and|but|to)\b|[.!])"
            rf"|{asks}(?:{reply}|{actor})\b"
            rf"|(?:length\D{{0,20}})?{count}\b|length\s(?:between|from|of)\s\d|contains?\s(?:the|an?)\s{kind}$"
            rf"|{good}(?:(?:,?\s(?:and|but)\s|,\s){good})+[.!]?$",
            re.IGNORECASE,
        ),
        re.compile(
            rf"(?!(?:please\s)?do\snot\sreply\sto\b)(?:{actor}\s{must}\b|{actor}\s{how}(?:{ban}\s)?{how}{tell}|{ban}\s{how}{tell}"
            rf"|{must}\s{how}(?:{tell}|states?\b)(?!\s(?:within|by|in\s\d))"
            rf"|{must}\s{how}\w+\s(?:the\s|an?\s)?(?:user|customer|answer|reply|response)\b"
            r"|(?:mentions|explains|apologi[sz]es|acknowledges|declines|refuses|references|cites|summari[sz]es)\b"
            r"|addresses\sthe\b|no\smention\sof\b|no\s(?:hallucinations?|apologies|profanity|jargon)[.!]?$"
            r"|(?:politely|correctly|accurately|clearly|explicitly|properly)\s[a-z]+s\b"
            r"|(?:tells?|informs?|asks?|helps?|guides?|advises?|reminds?|gives?|offers?)\sthe\s(?:user|customer)\b"
            rf"|asks\s(?:for|whether|about)\b|(?:please\s)?(?:reply|answer|respond)\s(?:only\s)?in\s{tongue})",
            re.IGNORECASE,
        ),
        re.compile(r"\b(?:you|your|yours|we|our|us|i|i'm|my|we'll|i'll|i've)\b", re.IGNORECASE),
    )


_OPENING = 300  # characters; what follows does not change what kind of sentence it is
_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|《[^》]*》|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")


def is_instruction(text: str) -> bool:
    """Whether `text` tells a judge what a reply should be like, rather than being words of a reply."""
    if _is_chinese(text):
        judging, said = _zh(), "".join(text.split())
    else:
        judging, said = _en(), " ".join(text.replace("’", "'").split())
    opening = said[:_OPENING]
    if judging.always.match(opening):
        return True
    return bool(judging.unless_addressed.match(opening)) and not judging.addressed.search(
        _QUOTED.sub("", said)
    )


def _is_chinese(text: str) -> bool:
    """By the first characters: a Chinese sentence may name an English product, and the other way round."""
    if text.isascii():
        return False
    opening = text.strip()[:12]
    return 4 * sum("一" <= char <= "鿿" for char in opening) >= sum(char.isascii() for char in opening)
