"""What a variant must be before a person sees it: the same wish, worded as its kind says, and new."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any, get_args

import json_repair
from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from fairtrial.schema.variants import Draft, VariantType
from fairtrial.text import kinds
from fairtrial.text.characters import without_invisible
from fairtrial.text.language import say
from fairtrial.text.normalise import fold, fold_width
from fairtrial.text.traits import traits
from fairtrial.text.words import (
    FUNCTION_EN,
    GENERIC_EN,
    KNOWN_EN,
    Tongue,
    sentences,
    simplified,
    stem,
    tongue,
)

TYPES: tuple[VariantType, ...] = get_args(VariantType)
REQUIRED: tuple[VariantType, ...] = ("colloquial", "complaint", "typos", "colloquial")
"""What the variants of a case must be, the most needed first; the others are of any kind."""
COPY = 95
"""Of 100 letters, from how many alike a variant is a copy (Indel ratio). A mistyped one is when all are."""
_SHORTEST, _LONGEST, _MORE = 0.3, 3, 200
"""Length beside the key facts: at least this share of the original, at most so many times it and more."""
_LONGEST_REPLY = 100_000
"""Letters; what mends broken JSON takes minutes for a million."""
_FENCE = re.compile(r"```[a-z]*\s*\n(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_HALF = re.compile(r"[\ud800-\udfff]")
_ODD = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffd]")
_NO_LETTER = re.compile(r"[\W_]+")
_CHINESE = re.compile(r"[\u3400-\u9fff]{2,}")
_SAYS_MORE = re.compile(
    r"```|[{}]|variant|rewritten|rephras|as an ai\b|language model"
    r"|here (?:is|are) (?:\w+ )?(?:ways|versions)\b"
    r"|i (?:cannot|can't|am unable to) (?:help|assist|comply)|变体|改写|语言模型|作为.{0,6}(?:助手|ai|模型)"
    r"|以下是.{0,8}(?:说法|版)|口语化|抱歉.{0,3}我(?:无法|不能)(?:帮|提供|协助|完成|满足)",
    re.IGNORECASE,
)
"""Words of a writer about its work, or in place of it."""
_NEW_FACTS = ("order_number", "phone", "amount")
_NEW = re.compile(r"(?<![A-Za-z\d])\d+(?:[.,:/-]\d+)*(?![A-Za-z\d])|[\w.+-]+@[\w.-]+|https?://\S+")
"""What nobody may make up besides: a number, not as in `2moro`; an address."""
_DENIAL = re.compile(
    r"[不没无未勿甭莫除]|木有|别"
    r"|\b(?:not?|nope|nah|never|without|none|nothing|nobody|neither|nor|cannot|dunno|except|unless)\b"
    r"|n['’]t\b|\b(?:do|does|did|is|are|was|were|has|have|had|ca|wo|would|could|should)nt\b",
)
"""What a text says no with, or makes an exception."""
_NO_DENIAL = re.compile(
    r"(.)[不没]有?\1|[不没](?=\W*$|[?？])|不过|不好意思|对不起|不客气|差不多|了不起|不错|没关系|没问题|无论"
    r"|未来|除夕|[特分区级告个性]别|别[人的名处家]|\bno(?=[.:#]|\s*\d)|\bno (?:problem|worries|doubt)\b"
)
_SHARED = 0.3
"""Share of its words that a sentence beside the matter may have of the original."""
_SLIP = 4
"""Letters from which an English word can be told to be another with a slip."""


@dataclass(frozen=True, kw_only=True)
class Original:
    """What is varied: the texts of its turns, the key facts of each turn, and its language."""

    turns: tuple[str, ...]
    facts: tuple[tuple[str, ...], ...]
    tongue: Tongue

    @cached_property
    def _facts(self) -> list[str]:
        """The key facts, which all variants share, the longest first."""
        return sorted({fact for turn in self.facts for fact in turn}, key=len, reverse=True)

    @cached_property
    def _letters(self) -> list[str]:
        return [letters(fact) for fact in self._facts]

    def bare(self, text: str) -> str:
        """A text without the key facts."""
        for fact in self._facts:
            text = _as_such(fact).sub(" ", text)
        return text

    def beside(self, letters: str) -> str:
        """What is compared of a text, of whose `letters` it is made: those beside the key facts."""
        for fact in self._letters:
            letters = letters.replace(fact, "")
        return letters


@cache
def _as_such(fact: str) -> re.Pattern[str]:
    """A fact that is no part of a longer number or code."""
    code = any(letter.isdigit() for letter in fact)
    before = r"(?<![A-Za-z\d])(?<!\d[.,])" if code and fact[0].isascii() else ""
    return re.compile(before + re.escape(fact) + (r"(?![.,]?\d)" if fact[-1].isdigit() else ""))


def letters(text: str) -> str:
    """The letters and digits of a text, folded in width, case and to simplified Chinese."""
    return _NO_LETTER.sub("", simplified(fold(without_invisible(text))))


def needed(have: Sequence[str], count: int) -> tuple[tuple[VariantType, ...], int]:
    """The kinds that are still required, and how many more of any kind, until there are `count`."""
    left = max(0, count - len(have))
    there = Counter(kind for kind in TYPES for _ in range(have.count(kind)))
    required = tuple((Counter(REQUIRED[:count]) - there).elements())[:left]
    return required, left - len(required)


def read_reply(reply: str) -> list[Draft]:
    """The drafts of a model's reply: a JSON array, mended where it is broken, also in a Markdown fence.

    Raises ValueError, which says why, for a reply that has no such array, or is far too long.
    """
    reply = _text(reply)
    if len(reply) > _LONGEST_REPLY:
        raise ValueError(
            say(
                f"a reply of {len(reply)} letters: {_short(reply)}",
                f"回复长达 {len(reply)} 字：{_short(reply)}",
            )
        )
    fenced = _FENCE.search(reply)
    text = fenced[1] if fenced else reply
    start = text.find("[")
    found: Any = None
    with suppress(RecursionError, ValueError):  # which is how a nesting too deep is told
        found = json_repair.loads(text[start : text.rfind("]") + 1 or None]) if start >= 0 else None
    if not isinstance(found, list) or not any(isinstance(item, dict) for item in found):
        raise ValueError(say(f"no JSON array: {_short(reply)}", f"不是 JSON 数组：{_short(reply)}"))
    return [_draft(item) for item in found]


def _draft(item: Any) -> Draft:
    fields = item if isinstance(item, dict) else {"question": item}
    question, kind = fields.get("question"), fields.get("variant_type")
    texts = question if isinstance(question, list) else [question]
    return Draft(question=tuple(_text(text).strip() for text in texts), variant_type=_text(kind))


def _text(value: Any) -> str:
    """A text without halves of letters, which no file can hold; "" where it is none."""
    return _HALF.sub("\ufffd", value) if isinstance(value, str) else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 200 else line[:200] + "…"


def fault(draft: Draft, original: Original, others: Iterable[str]) -> str | None:
    """Why a draft is no variant of the original; None where it is one.

    `others` are the letters, `Original.beside` its facts, of all that it must not repeat: the original
    itself, its other variants, the cases of the set.
    """
    checks = (_form, _facts, _made_up, _denials, _talk, _language, _wording)
    found = next(filter(None, (check(draft, original) for check in checks)), None)
    return found or _copies(draft, original, list(others))


def _form(draft: Draft, original: Original) -> str | None:
    if draft.variant_type not in TYPES:
        known = ", ".join(TYPES)
        return say(
            f"`variant_type` {draft.variant_type!r} is none of {known}",
            f"`variant_type` {draft.variant_type!r} 不在 {known} 之中",
        )
    turns = len(original.turns)
    if len(draft.question) != turns or not all(draft.question):
        return say(f"`question` is not {turns} texts", f"`question` 不是 {turns} 条文本")
    said, was = original.bare("".join(draft.question)), original.bare("".join(original.turns))
    if _ODD.search(said) and not _ODD.search(was):
        return say("a control character or half a letter in it", "含有控制字符或残缺的字符")
    if not _SHORTEST * len(was) <= len(said) <= _LONGEST * len(was) + _MORE:
        return say(f"{len(said)} letters for {len(was)}", f"原话 {len(was)} 字，变体 {len(said)} 字")
    return None


def _facts(draft: Draft, original: Original) -> str | None:
    turns = zip(draft.question, original.turns, original.facts, strict=True)
    for number, (text, was, facts) in enumerate(turns, 1):
        for fact, times in Counter(facts).items():
            alone = _as_such(fact)
            if text.count(fact) < times or len(alone.findall(text)) < len(alone.findall(was)):
                return say(f"turn {number} lacks `{fact}`", f"第 {number} 轮缺少“{fact}”")
    return None


def _made_up(draft: Draft, original: Original) -> str | None:
    said, was = (fold_width(original.bare("\n".join(texts))) for texts in (draft.question, original.turns))
    found = chain(*(kinds.find(kind, said) for kind in _NEW_FACTS), _NEW.findall(said))
    new = next((text for text in found if text not in was), None)
    return None if new is None else say(f"`{new}` is not in the original", f"原话中没有“{new}”")


def _denials(draft: Draft, original: Original) -> str | None:
    """A turn that says no, or makes an exception, does so in other words too."""
    for number, (text, was) in enumerate(zip(draft.question, original.turns, strict=True), 1):
        if (no := _denial(was)) and not _denial(text):
            return say(f"turn {number} lacks the denial: `{no}`", f"第 {number} 轮丢了否定或例外：“{no}”")
    return None


def _denial(text: str) -> str | None:
    found = _DENIAL.search(_NO_DENIAL.sub(" ", simplified(fold(text))))
    return found[0] if found else None


def _talk(draft: Draft, original: Original) -> str | None:
    was = fold("\n".join(original.turns))
    for found in _SAYS_MORE.finditer(fold("\n".join(draft.question))):
        if found[0] not in was:
            return say(f"speaks of itself: `{found[0]}`", f"夹带了说明：“{found[0]}”")
    return None


def _language(draft: Draft, original: Original) -> str | None:
    found = tongue(original.bare("\n".join(draft.question)))
    if found in (None, original.tongue):
        return None
    return say(f"it is in another language ({found})", f"换了语言（{found}）")


_TRAITS = {"colloquial": "colloquial", "complaint": "emotion", "mixed": "mixed"}
_LACKS = {
    "colloquial": ("nothing colloquial in it", "没有口语表达"),
    "complaint": ("no complaint in it", "没有抱怨或情绪"),
    "typos": ("no mistyped word in it", "没有错别字"),
    "chatter": ("no sentence that is beside the matter", "没有与诉求无关的闲话"),
    "mixed": ("no word of another language in it", "没有夹杂另一种语言的词"),
}


def _wording(draft: Draft, original: Original) -> str | None:
    """Whether the kind shows in what is new."""
    was = set(sentences(original.bare("\n".join(original.turns))))
    new = [text for text in sentences(original.bare("\n".join(draft.question))) if text not in was]
    found = [traits(text) for text in new]
    match draft.variant_type:
        case "typos":
            good = any(trait.typo for trait in found) or _mistyped(original, new)
        case "chatter":
            good = any(_beside(text, original) for text in new)
        case kind:
            good = any(getattr(trait, _TRAITS[kind]) for trait in found)
    return None if good else say(*_LACKS[draft.variant_type])


def _beside(text: str, original: Original) -> bool:
    """Whether a sentence shares hardly a word, or pair of Chinese letters, with the original."""
    units = [*_pairs(text), *re.findall(r"[a-z]+", text.lower())]
    was = "\n".join(original.turns).lower()
    own = [unit for unit in units if unit not in FUNCTION_EN]
    return len(units) > 2 and sum(unit in was for unit in own) <= _SHARED * len(own)


def _mistyped(original: Original, new: Sequence[str]) -> bool:
    """Whether a word of the original comes back with a slip: as it sounds, or a letter off."""
    was = simplified(fold(original.bare("\n".join(original.turns))))
    now = simplified(fold("\n".join(new)))
    if original.tongue == "zh":
        sounds = {_sound(pair) for pair in _pairs(was)}
        return any(pair not in was and _sound(pair) in sounds for pair in _pairs(now))
    known = {word for word in re.findall(r"[a-z]+", was) if len(word) >= _SLIP}
    words = set(re.findall(r"[a-z]+", now)) - known - FUNCTION_EN - GENERIC_EN - KNOWN_EN
    return any(
        len(word) >= _SLIP and stem(word) != stem(other) and OSA.distance(word, other) == 1
        for word in words
        for other in known
    )


def _pairs(text: str) -> Iterator[str]:
    """Every two Chinese letters that stand side by side."""
    for run in _CHINESE.findall(text):
        yield from (run[at : at + 2] for at in range(len(run) - 1))


@cache
def _sound(pair: str) -> tuple[str, ...]:
    from pypinyin import lazy_pinyin  # 50 ms: only where Chinese is read

    return tuple(lazy_pinyin(letter)[0] for letter in pair)


def _copies(draft: Draft, original: Original, others: Sequence[str]) -> str | None:
    said = original.beside(letters("\n".join(draft.question)))
    least = 100 if draft.variant_type == "typos" else COPY
    if process.extractOne(said, others, scorer=fuzz.ratio, score_cutoff=least) is None:
        return None
    return say("the original, a case or another variant says the same", "与原话、别的用例或变体重复")
