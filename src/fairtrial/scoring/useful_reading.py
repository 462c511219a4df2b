"""One reading of a reply against its background: what it adds, shares, asks for, and cannot bear out."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from fairtrial.scoring import useful_lexicon as lexicon
from fairtrial.text.facts import NEUTRAL, Fact, Source, find, prepare, sources
from fairtrial.text.phrases import is_stock
from fairtrial.text.words import (
    FUNCTION_EN,
    FUNCTION_ZH,
    GENERIC_EN,
    GENERIC_ZH,
    KNOWN_EN,
    KNOWN_ZH,
    Word,
    chinese,
    english,
    sentences,
    stem,
    tongue,
)

_LIST_MARK = re.compile(r"(?m)^[ \t]*(?:\d{1,3}[.)、](?!\d)|[-*•·>#]+)[ \t]*|(?<=[:：]) \d{1,2}\.(?= )|[*`#]+")
_HOLE = "\ufffc"  # stands where an unsupported fact was taken out
_CLAUSE_END = re.compile(r"[,，;；:：、]\s*|\s[-–—]\s")
_DERIVED = re.compile(
    r"\b(?:total|sum|altogether|in all|combined|difference|differ|sav(?:e|es|ed|ing|ings)|additional|extra|more|less|cheaper|"
    r"remain(?:s|ing|der)?|left|balance|per|each|both|average|half|twice|double|plus|minus|refund(?:ed|s)?)\b|"
    r"[+=×]|一共|总共|共计|合计|总计|总额|共|差额|相差|差价|差|剩|余额|省|便宜|贵|多出|每|平均|各|一半|加起来|退|补"
)
_NAME_TAGS = frozenset(("nr", "ns", "nt", "nz", "nrt", "nrfg"))
_NAME_PART = _NAME_TAGS | frozenset(("n", "s", "j", "l", "i", "eng", "vn", "an", "ng", "b"))
_PLACES = (
    "酒店 饭店 宾馆 餐厅 饭馆 餐馆 公园 大厦 广场 中心 大学 学院 医院 银行 机场 车站 公司 集团 景区 博物馆 美术馆 图书馆 "
    "经理 先生 女士 老师 医生 教授 主任 店 馆 寺 宫 路 街 巷 城 山 湖 桥 镇 村 园 楼 阁 轩 居 坊 庄 号线"
)
_NAME_END = tuple(_PLACES.split())
_CAPITALS = re.compile(r"(?<=[a-z,] )(?:[A-Z][a-z]{2,20})(?: [A-Z][a-z]{2,20}){0,3}")
_STEP_SHARE = 0.85
_STUFFED_TOKENS, _FEW_EN, _FEW_ZH = 10, 0.07, 0.03


@dataclass(frozen=True, slots=True)
class Background:
    """What surrounds a reply: everything that can bear it out, the user's words, earlier replies."""

    all: Source
    user: Source
    said: Source
    checked: bool


@dataclass(slots=True, kw_only=True)
class Reading:
    """Counts of a reply: facts (new, said before, borne out or not), nouns, what it shares, its next step.

    `doubtful` weighs the unsupported (a name is half a fact), `shared` is facts + half of the words that
    the background has, `step` in [0, 1], `bare` the reply without its unsupported facts.
    """

    bare: str
    new_facts: int = 0
    said_facts: int = 0
    supported: int = 0
    unsupported: int = 0
    doubtful: float = 0.0
    new_nouns: int = 0
    shared: float = 0.0
    finding: bool = False
    step: float = 0.0
    stuffed: bool = False


@lru_cache(maxsize=64)
def background(known: tuple[str, ...], users: tuple[str, ...], earlier: tuple[str, ...]) -> Background:
    """The background of a reply; trials of one case share it."""
    return Background(
        all=sources(known + users), user=sources(users), said=sources(earlier), checked=bool(known)
    )


def read(reply: str, around: Background) -> Reading | None:
    """Read a reply against its background; None if there is nothing to read."""
    text = _LIST_MARK.sub(" ", prepare(reply)).strip()
    if not text:
        return None
    is_chinese = tongue(text) == "zh"
    reading = Reading(bare=text)
    text = _read_facts(text, around, reading)
    reading.bare = text.replace(_HOLE, "")
    if is_chinese:
        _read_chinese(text, around, reading)
    else:
        _read_english(text, around, reading)
    return reading


def _read_facts(text: str, around: Background, reading: Reading) -> str:
    """Count the facts; the text with each unsupported one replaced by a hole."""
    pieces, at = [], 0
    seen: set[str] = set()
    for fact in sorted(find(text), key=lambda fact: fact.start):
        if _is_neutral(fact):
            continue
        if around.all.has(fact):
            if fact.keys[0] not in seen:
                _count(fact, around, reading)
        elif around.checked and not _is_derived(fact, text, around.all):
            if fact.keys[0] not in seen:
                reading.unsupported += 1
                reading.doubtful += 1
            pieces += [text[at : fact.start], _HOLE]
            at = fact.end
        elif not around.checked and fact.keys[0] not in seen:
            reading.new_facts += 1
        seen.add(fact.keys[0])
    return "".join((*pieces, text[at:]))


def _is_neutral(fact: Fact) -> bool:
    key = fact.keys[0]
    return fact.kind == "number" and (key.isdigit() and len(key) <= 2 and int(key) <= NEUTRAL)


def _count(fact: Fact, around: Background, reading: Reading) -> None:
    reading.supported += 1
    reading.shared += 1
    if around.user.has(fact):
        return
    if around.said.has(fact):
        reading.said_facts += 1
    else:
        reading.new_facts += 1


def _is_derived(fact: Fact, text: str, source: Source) -> bool:
    """Whether a number can be a sum, difference or small multiple of the sources', and says that it is one."""
    if fact.kind != "number" or len(fact.keys[0]) > 9:
        return False
    if not _DERIVED.search(text, max(0, fact.start - 60), fact.end + 24):
        return False
    value = float(fact.keys[0])
    known = _values(source)
    return any(
        round(value - one, 2) in known or round(value + one, 2) in known or (one and value / one in _FACTORS)
        for one in known
    )


_FACTORS = frozenset((2, 3, 4, 5, 6, 7, 8, 9, 0.5))


@lru_cache(maxsize=64)
def _values(source: Source) -> frozenset[float]:
    numbers = [key for key in source.keys if len(key) <= 9 and key[:1].isdigit()]
    return frozenset(round(float(key), 2) for key in sorted(numbers, key=len)[:300] if float(key) >= 1)


# ---- sentences -----------------------------------------------------------------------------------------


def _said(sentence: str) -> str:
    """What a sentence says: its clauses of courtesy are left out, all of it if it has no others."""
    if is_stock(sentence):
        return ""
    parts = _CLAUSE_END.split(sentence)
    if len(parts) == 1:
        return sentence
    kept = [part for part in parts if part and not is_stock(part)]
    return sentence if len(kept) == len(parts) else "; ".join(kept)


def _step(sentence: str, zh: bool) -> float:
    """The next step that a sentence gives: 1 directive or request, 0.8 offer or choice, 0.7 another question."""
    if _HOLE in sentence:
        return 0.0
    if zh:
        if lexicon.EMPTY_ZH.search(sentence):
            sentence = "，".join(p for p in re.split("[,，]", sentence) if not lexicon.EMPTY_ZH.search(p))
        if lexicon.DIRECTIVE_ZH.search(sentence) or lexicon.REQUEST_ZH.search(sentence):
            return 1.0
        if lexicon.OFFER_ZH.search(sentence):
            return 0.8
        return 0.7 if sentence.rstrip().endswith(("?", "？")) else 0.0
    if lexicon.EMPTY_EN.search(sentence):
        sentence = ", ".join(p for p in re.split(r",| or (?=need|if|have|feel)", sentence) if not lexicon.EMPTY_EN.search(p))
    if lexicon.DIRECTIVE_EN.search(sentence) or lexicon.REQUEST_EN.search(sentence):
        return 1.0
    if lexicon.OFFER_EN.search(sentence):
        return 0.8
    return 0.7 if sentence.rstrip().endswith("?") else 0.0


def _steps(texts: Iterable[str], zh: bool) -> float:
    """All steps of a reply together: each brings it nearer to 1, so that a second one still counts."""
    missing = 1.0
    for text in texts:
        missing *= 1 - _STEP_SHARE * _step(text, zh)
        if missing < 0.01:
            break
    return 1 - missing


# ---- English -------------------------------------------------------------------------------------------


def _read_english(text: str, around: Background, reading: Reading) -> None:
    told: list[str] = []
    found: set[str] = set()
    for sentence in sentences(text):
        plain = _said(sentence).lower()
        if not plain:
            continue
        told.append(plain)
        nouns = _nouns_en(plain)
        found |= nouns
        if not reading.finding and (lexicon.NEGATIVE_EN.search(plain) or lexicon.OUTCOME_EN.search(plain)):
            reading.finding = any(noun in around.all.words for noun in nouns)
    _count_nouns(found, around.all.words, around.user.words, around, reading)
    _names_en(text, around, reading)
    reading.step = _steps(told, zh=False)
    reading.stuffed = _is_stuffed_en(text)


def _nouns_en(plain: str) -> set[str]:
    return {
        stem(word)
        for word in english(plain)
        if len(word) > 2 and word not in FUNCTION_EN and word not in GENERIC_EN
    }


def _count_nouns(
    found: set[str], known: frozenset[str], user: frozenset[str], around: Background, reading: Reading
) -> None:
    shared = found & known
    reading.shared += 0.5 * len(shared)
    reading.new_nouns = len((shared if around.checked else found) - user)


def _names_en(text: str, around: Background, reading: Reading) -> None:
    if not around.checked:
        return
    for match in _CAPITALS.finditer(text):
        words = [word.lower() for word in match[0].split()]
        strange = [
            word
            for word in words
            if stem(word) not in around.all.words
            and word not in KNOWN_EN
            and word not in FUNCTION_EN
            and word not in GENERIC_EN
        ]
        if 2 * len(strange) > len(words):
            reading.unsupported += 1
            reading.doubtful += 0.5


_TOKEN_EN = re.compile(r"[A-Za-z0-9][\w'-]*")
_SEGMENT = re.compile(r"[^,;.!?\n]+")


def _is_stuffed_en(text: str) -> bool:
    prose = "\n".join(line for line in text.split("\n") if ": " not in line[:40])
    tokens = _TOKEN_EN.findall(prose)
    if len(tokens) < _STUFFED_TOKENS:
        return False
    bound = sum(token.lower() in FUNCTION_EN for token in tokens)
    if bound < _FEW_EN * len(tokens):
        return True
    single = sum(1 for segment in _SEGMENT.findall(prose) if len(segment.split()) == 1)
    return single >= _STUFFED_TOKENS - 2 and 5 * single > 3 * len(tokens)


# ---- Chinese -------------------------------------------------------------------------------------------


def _read_chinese(text: str, around: Background, reading: Reading) -> None:
    told: list[str] = []
    found: set[str] = set()
    tokens = bound = 0
    for sentence in sentences(text):
        words = chinese(sentence)
        content = [word for word in words if word.pos != "x"]
        if not _is_label(sentence):
            tokens += len(content)
            bound += sum(word.text in FUNCTION_ZH for word in content)
        if is_stock(sentence):
            continue
        told.append(sentence.lower())
        nouns = {word.text for word in content if _is_noun_zh(word)}
        found |= nouns
        _names_zh(words, around, reading)
        reading.finding = reading.finding or _finds_zh(sentence, nouns, around)
    known = frozenset(noun for noun in found if _has(around.all, noun))
    user = frozenset(noun for noun in found if _has(around.user, noun))
    _count_nouns(found, known, user, around, reading)
    reading.step = _steps(told, zh=True)
    spaced = len(_SPACED.findall(text))
    reading.stuffed = (tokens >= _STUFFED_TOKENS and bound < _FEW_ZH * tokens) or (
        spaced > 6 and len(text) < _SPACED_LETTERS * spaced
    )


# Chinese prose has no spaces between its words.
_SPACED = re.compile(r"(?<=[\u4e00-\u9fff)）]) +(?=\S)")
_SPACED_LETTERS = 12


def _finds_zh(sentence: str, nouns: set[str], around: Background) -> bool:
    bare = lexicon.SPEAKER_ZH.sub("", sentence)
    if lexicon.NEGATIVE_ZH.search(bare) or lexicon.OUTCOME_ZH.search(bare):
        if any(_has(around.all, noun) for noun in nouns):
            return True
        same = lexicon.NEGATIVE_SAME_ZH.search(bare)
        return same is not None and same[1][0] in around.user.letters
    return False


def _is_label(sentence: str) -> bool:
    return "：" in sentence[:12] or ":" in sentence[:12]


def _is_noun_zh(word: Word) -> bool:
    text, pos = word
    if len(text) < 2 or text in FUNCTION_ZH or text in GENERIC_ZH or text[0].isdigit():
        return False
    return pos[0] in "nsjlivabtz" or pos == "eng"


def _has(source: Source, noun: str) -> bool:
    if noun.isascii():
        return stem(noun.lower()) in source.words
    return source.bears(noun)


def _names_zh(words: list[Word], around: Background, reading: Reading) -> None:
    if not around.checked:
        return
    for span in _name_spans(words):
        if span in KNOWN_ZH or span in GENERIC_ZH:
            continue
        if around.all.bears(span):
            reading.supported += 1
            reading.shared += 0.5
            if not around.user.bears(span):
                reading.new_facts += 1
        else:
            reading.unsupported += 1
            reading.doubtful += 0.5


def _name_spans(words: list[Word]) -> list[str]:
    """Runs of name and noun words that look like the name of a person, place or house."""
    spans: list[str] = []
    run: list[Word] = []
    for word in [*words, Word("。", "x")]:
        if word.pos in _NAME_PART and word.text not in GENERIC_ZH and word.text not in FUNCTION_ZH:
            run.append(word)
            continue
        if run and _is_name(run):
            spans.append("".join(one.text for one in run))
        run = []
    return spans


def _is_name(run: list[Word]) -> bool:
    text = "".join(word.text for word in run)
    # The dictionary calls some common words of two letters a person or a mark (宝宝, 美味).
    if any(word.pos in _NAME_TAGS and len(word.text) > (word.pos == "nz") + 1 for word in run):
        return len(text) > 2 or run[0].pos == "ns"
    return len(text) >= 4 and text.endswith(_NAME_END)
