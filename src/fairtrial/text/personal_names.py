"""Names of people: behind a cue, before a title, or by lists and parts of speech, which is a doubt only."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from fairtrial.text.personal_words import words


class Lists(NamedTuple):
    """Surnames and given names of both languages; English ones in small letters."""

    surnames: frozenset[str]
    given: frozenset[str]
    first: frozenset[str]
    last: frozenset[str]


_COMPOUND = words("compound surnames")
_FIRST_OF_TWO = frozenset(name[0] for name in _COMPOUND)


@cache
def lists() -> Lists:
    """The lists of faker's providers."""
    from faker.providers.person.en_US import Provider as English
    from faker.providers.person.zh_CN import Provider as Chinese

    return Lists(
        frozenset([*Chinese.last_names, *_COMPOUND]),
        frozenset(Chinese.first_names),
        frozenset(name.lower() for name in English.first_names),
        frozenset(name.lower() for name in English.last_names),
    )


_HAN = r"[\u3400-\u9fff]"
_PERSON = rf"{_HAN}{{2,4}}(?:·{_HAN}{{2,6}})+|{_HAN}(?: ?{_HAN}){{1,3}}|[A-Z][a-z]+(?: [A-Z][a-z]+){{0,2}}"
_FIELD = (
    "收件人姓名|收货人姓名|收件人|收货人|联系人|寄件人|发件人|签收人|投保人|被保险人|乘客|旅客|持卡人|开户名|户名|真实姓名|姓名"
    "|名字|本名|抬头"
)
_RELATIVE = "老公|老婆|爱人|先生|太太|妈妈?|爸爸?|儿子|女儿|哥哥?|姐姐?|弟弟?|妹妹?|父亲|母亲"
_ROLE = "客服|专员|店员|门卫|保安|快递员|师傅|同事|经理|主管|销售|顾问"
_ZH_CUES = re.compile(
    rf"(?:(?:{_FIELD})(?:改成|改为|写的是|写成|填的是|应该是|应为|也?[是为叫])?"
    rf"|(?:我|本人|名字|她|他|我?(?:{_RELATIVE}|朋友|同事)|{_ROLE})叫|我的?名字是|本人(?=[^是]))"
    rf"[ :,“\"「]*(?P<strong>{_PERSON})"
    rf"|(?:我是|我系|这里是|本人是|我(?:{_RELATIVE}|朋友|同事)"
    rf"|转告|转交给?|告诉|联系|找一下|交给)[ :,]*(?P<weak>{_PERSON})"
)
_TITLE = "先生|女士|小姐|太太|夫人|老师|经理|主管|师傅|医生|大夫|律师|教授|同学|阿姨|大哥|大姐"
_ZH_TITLED = re.compile(
    rf"(?P<who>{_HAN}(?: ?{_HAN}){{0,3}}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?= ?(?:{_TITLE})(?!牌))"
)
_ZH_SURNAME = re.compile(
    rf"(?:(?:我|本人|免贵)姓|(?:{_ROLE})(?!小时|小米|小区|小程序|老师|老板)[小老])"
    rf"(?P<who>{'|'.join(_COMPOUND)}|{_HAN})"
)
_STOP = frozenset("的了吗呢吧啊在想要说把和与给请是有没不就也都很这那电手身号地人您型")
"""What a name does not go on with: the sentence does."""
_NO_PERSON = frozenset(words("no person"))
"""What is tagged as a name and is none, mostly."""

_EN_WORD = r"[A-Z][a-zA-Z'’À-ɏ]*(?:-[A-Z][a-zA-Z]+)?"
_EN_NAME = (
    rf"(?:(?:van|von|de|da|del|al) )?{_EN_WORD}(?: (?:[A-Z]\.|van|von|de|da|del|bin|al|la|{_EN_WORD})){{0,3}}"
)
_EN_STRONG = re.compile(
    r"(?:(?:(?<![A-Za-z])(?i:my|his|her|the) (?:(?i:full |first |last )?(?i:name)(?:'s| is)"
    r"|(?i:husband|wife|son|daughter|boss|colleague)(?: is|,)?"
    r"|(?i:mother|father|mom|mum|dad|sister|brother|friend|partner|neighbou?r|roommate|assistant)"
    r"(?:,|'s name is)?)"
    r"|(?<![A-Za-z])(?i:recipient|name(?: on (?:the|my|your) [a-z]{3,12})?|attn|attention|passenger"
    r"|card ?holder|signed(?: for)? by|under the name(?: of)?|c/o"
    r"|signed,?|(?:kind |best |warm )?regards,?|sincerely,?|cheers,?|yours,?)(?: is|:)?"
    rf"|(?<![A-Za-z])(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir|Madam)(?![a-z])\.?)[ \n]+(?P<v>{_EN_NAME}))"
    rf"|(?<![A-Za-z'À-ɏ-])(?P<own>{_EN_NAME})(?='s (?:account|order|address|phone|number|email|name|card))"
)
_EN_WEAK = re.compile(
    r"(?<![A-Za-z])(?:(?P<likely>I am|I'm|(?i:this is|it is|it's|dear|sp(?:oke|eak|eaking) (?:to|with)"
    r"|ask for|talked (?:to|with)"
    r"|thanks|thank you))|(?i:hi|hello|hey|best|from|for|by|tell|called|agent|contact))[,!]?"
    rf"[ \n]+(?!I(?:'m| am) )(?P<v>{_EN_NAME})"
)
_SMALL_CUE = re.compile(r"(?<![a-z])(?:my name(?:'s| is)|name:) +(?P<v>[a-z][a-z'-]+(?: [a-z][a-z'-]+)?)")
_EN_PAIR = re.compile(rf"(?<![A-Za-z'])(?P<pair>{_EN_WORD}(?: [A-Z]\.)? {_EN_WORD})(?![A-Za-z])")
_EN_ACTS = re.compile(
    r"(?<![A-Za-z'])(?P<v>[A-Z][a-z]+)"
    r" (?:told|said|says|promised|assured|helped|confirmed|answered|from (?:the|your))(?![A-Za-z])"
)
_NO_NAME = frozenset(words("no name"))


def find_names(folded: str) -> Iterator[tuple[int, int, bool]]:
    """Start and end of each name of a text of folded signs, and whether it is sure. They may overlap."""
    if not folded.isascii():
        yield from _chinese(folded)
    yield from _english(folded)


def _chinese(text: str) -> Iterator[tuple[int, int, bool]]:
    for match in _ZH_CUES.finditer(text):
        group = "strong" if match["strong"] else "weak"
        start = match.start(group)
        length, sure = _length(match[group], strong=group == "strong")
        if length:
            yield start, start + length, sure
    for match in _ZH_TITLED.finditer(text):
        if size := _titled(match["who"]):
            yield match.end("who") - size, match.end("who"), True
    for match in _ZH_SURNAME.finditer(text):
        if match["who"] in lists().surnames:
            yield (*match.span("who"), True)
    yield from _tagged(text)


def _titled(who: str) -> int:
    """How many of the characters before a title are a name."""
    if who.isascii():
        return len(who)
    ends = [who[-n:] for n in range(len(who), 0, -1) if who[-n] != " "]
    plain = [end.replace(" ", "") for end in ends]
    whole = [end for end, name in zip(ends, plain, strict=True) if _is_whole(name)]
    likely = [
        end
        for end, name in zip(ends, plain, strict=True)
        if len(name) == (4 if name[:2] in _COMPOUND else 3) and name[0] in lists().surnames | _FIRST_OF_TWO
        if not set(name) & _STOP and (name[:2] in _COMPOUND or not is_word(name))
    ]
    return len(next(iter([*likely, *whole]), ""))


def _is_whole(name: str) -> bool:
    """A surname alone, or one with a given name of the usual length that is no word of the sentence."""
    parts = parts_of_chinese(name)
    if parts is None or set(parts[1]) & _STOP:
        return False
    return not parts[1] or parts[1] in lists().given or _is_nr(name)


def parts_of_chinese(written: str) -> tuple[str, str] | None:
    """Surname and given name, the latter perhaps "", of a Chinese name; None for any other."""
    plain = written.replace(" ", "")
    size = 2 if plain[:2] in _COMPOUND else 1
    if plain[:size] not in lists().surnames or not 0 <= len(plain) - size <= 2 or plain.isascii():
        return None
    return plain[:size], plain[size:]


def _is_nr(name: str) -> bool:
    import rjieba

    return any(tag.startswith("nr") and word == name for word, tag in rjieba.tag(name))


def _length(written: str, *, strong: bool) -> tuple[int, bool]:
    """How much of what stands behind a cue is a name, 0 for none, and whether that is sure."""
    if "·" in written or written.isascii():
        return len(written), strong or "·" in written or _known(written)
    if written[1] != " ":
        written = written.partition(" ")[0]
    letters = [at for at, c in enumerate(written) if c != " "]
    plain = "".join(written[at] for at in letters)
    if plain[0] not in lists().surnames and plain[:2] not in _COMPOUND:
        return 0, False
    most = 4 if plain[:2] in _COMPOUND else 3
    cut = next((at for at, c in enumerate(plain) if at and c in _STOP), len(plain))
    whole, sure = next((n for n in range(min(cut, most), 1, -1) if _is_whole(plain[:n])), 0), True
    if 2 <= cut <= most and (strong or plain[:2] in _COMPOUND or not is_word(plain[:cut])):
        whole, sure = cut, strong or whole == cut or plain[:2] in _COMPOUND
    elif strong and not whole:
        whole = min(cut, most) if cut > 1 else 0
    return (letters[whole - 1] + 1 if whole else 0), sure


def is_word(plain: str) -> bool:
    """Whether it is, or begins with, a word that is no name."""
    import rjieba

    word, tag = rjieba.tag(plain)[0]
    return len(word) > 1 and not tag.startswith("nr")


def _tagged(text: str) -> Iterator[tuple[int, int, bool]]:
    import rjieba

    at = 0
    for word, tag in rjieba.tag(text):
        if (
            tag.startswith("nr")
            and 2 <= len(word) <= 4
            and word not in _TITLE
            and word not in _NO_PERSON
            and _is_whole(word)
        ):
            yield at, at + len(word), False
        at += len(word)


def _known(written: str) -> bool:
    words = [word.lower() for word in re.split(r"[ -]", written)]
    return words[0] not in _NO_NAME and any(word in lists().first or word in lists().last for word in words)


def _english(text: str) -> Iterator[tuple[int, int, bool]]:
    for match in (*_EN_STRONG.finditer(text), *_SMALL_CUE.finditer(text)):
        group = match.lastgroup or "v"
        if match[group].split()[0].lower() not in _NO_NAME:
            yield (*match.span(group), True)
    for match in _EN_WEAK.finditer(text):
        known = _known(match["v"])
        if known or (match["likely"] and match["v"].split()[0].lower() not in _NO_NAME):
            yield (*match.span("v"), known)
    for match in _EN_ACTS.finditer(text):
        if match["v"].lower() in lists().first - _NO_NAME:
            yield (*match.span("v"), False)
    for match in _EN_PAIR.finditer(text):
        words = match["pair"].lower().split()
        if words[0] not in _NO_NAME and (words[0] in lists().first or words[-1] in lists().last):
            yield (*match.span("pair"), False)
