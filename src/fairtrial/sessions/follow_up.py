"""What the examiner asks once a case is over, to tell a memory that is lost from a word left out."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairtrial.schema.case import Case
from fairtrial.schema.record import Call, Turn
from fairtrial.text import facts, kinds
from fairtrial.text.normalise import fold
from fairtrial.text.patterns import searchable
from fairtrial.text.words import simplified

_HAN = re.compile("[\u3400-\u9fff]")
_CLAUSE = re.compile(r"[,，。！!；;?？\n]|\.\s|\b(?:and|but)\b|并且?|但")

# A deed: its name in the question, how it is claimed, and what a call or a state that shows it has in it.
_DEEDS = (
    ("退款", "refund", "退款|退还|退回", "refund(?:ed|s)?|money back", "refund|退款|退还|退回"),
    ("取消", "cancellation", "取消|撤销", "cancel(?:l?ed|s)?", "cancel|取消|撤销"),
    ("换货", "exchange", "换货|更换", "exchanged?|replaced?", "exchange|replac|换货|更换"),
    ("退货", "return", "退货", "return(?:ed)?", "return|退货"),
    ("修改", "change", "修改|更改|更新", "changed|updated|modified", "chang|updat|modif|edit|修改|更改|更新"),
    ("预订", "booking", "预订|预定|预约", "booked|reserved", "book|reserv|预订|预定|预约"),
    ("下单", "order", "下单|下了单", "placed|ordered", "place|order|下单"),
    (
        "提交",
        "request",
        "提交|登记",
        "submitted|filed|registered",
        "subm|appl|request|ticket|regist|提交|登记",
    ),
)
_DONE_ZH = r"(?:已经?|刚刚?|成功)[^,，。]{{0,8}}?(?:{0})|(?:{0})(?:已|成功|完成|好了|了$)"
_DONE_EN = (
    r"\b(?:have|has|'ve|was|were|been|is|are|successfully|i) "
    r"(?:been |now |already |successfully |just )*(?:{0})\b"
)
_NOT_DONE = re.compile(r"不|没|未|无法|如果|若|将|会|\b(?:not|n't|cannot|can't|unable|if|will|would|could)\b")
_NAMES = {
    "order_number": ("订单号", "order number"),
    "date": ("日期", "date"),
    "amount": ("金额", "amount"),
    "phone": ("电话号码", "phone number"),
    "place": ("地点", "place"),
}


@dataclass(frozen=True)
class FollowUp:
    """Asks at most `most` questions: of a deed claimed and shown nowhere, of a fact given and not used.

    It keeps nothing: the same turns lead to the same question.
    """

    most: int = 2

    def next(self, case: Case, turns: Sequence[Turn]) -> str | None:
        """The next question after these turns, those that were asked already among them; None: no more."""
        asked = [turn.user for turn in turns if turn.aside]
        talk = [turn for turn in turns if not turn.aside]
        if len(asked) >= self.most or not talk:
            return None
        return next((question for question in _questions(case, talk) if question not in asked), None)


def _questions(case: Case, talk: Sequence[Turn]) -> Iterator[str]:
    chinese = _HAN.search("".join(case.input)) is not None
    for zh, en in claimed_only(talk):
        yield (
            f"你说的{zh}真的办了吗？现在是什么状态？"
            if chinese
            else f"Did the {en} you spoke of really happen? What is its state now?"
        )
    for zh, en in _unused(case, talk):
        yield f"我前面说的{zh}是什么？" if chinese else f"What is the {en} that I gave you before?"


def claimed_only(talk: Sequence[Turn]) -> list[tuple[str, str]]:
    """The deeds, in Chinese and English, that a reply says are done and neither call nor state shows.

    A call that failed shows nothing. The state shows a deed where a key or value in it names it.
    """
    claims = [clause for turn in talk for clause in _CLAUSE.split(_plain(turn.reply or ""))]
    claims = [clause for clause in claims if not _NOT_DONE.search(clause)]
    shown = _plain(_calls(talk) + _state(talk))
    return [
        (zh, en)
        for zh, en, said_zh, said_en, seen in _DEEDS
        if any(
            re.search(_DONE_ZH.format(said_zh), clause) or re.search(_DONE_EN.format(said_en), clause)
            for clause in claims
        )
        and not re.search(seen, shown)
    ]


def _unused(case: Case, talk: Sequence[Turn]) -> Iterator[tuple[str, str]]:
    """Of each key fact that the user gave and neither the last reply nor the state has: what it is called."""
    given = _known("\n".join(turn.user for turn in talk))
    used = _known((talk[-1].reply or "") + "\n" + _state(talk))
    for fact in case.key_facts:
        if _has(given, fact) and not _has(used, fact):
            kind = next((kind for kind in _NAMES if kinds.find(kind, facts.prepare(fact))), None)
            yield _NAMES.get(kind or "", ("关键信息", "detail"))


def _known(text: str) -> tuple[str, frozenset[str]]:
    found = facts.find(facts.prepare(text))
    return _plain(text), frozenset(key for fact in found for key in fact.yearless)


def _has(known: tuple[str, frozenset[str]], fact: str) -> bool:
    """Whether a text has a key fact as it is written, or all numbers, dates and codes of it in any form."""
    text, keys = known
    found = facts.find(facts.prepare(fact))
    return _plain(fact) in text or (bool(found) and all(keys.intersection(one.yearless) for one in found))


def _calls(talk: Sequence[Turn]) -> str:
    made = (step for turn in talk for step in turn.steps if isinstance(step, Call) and step.error is None)
    return " ".join(f"{call.name} {_json(call.arguments)}" for call in made)


def _state(talk: Sequence[Turn]) -> str:
    return next((_json(turn.state) for turn in reversed(talk) if turn.state is not None), "")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _plain(text: str) -> str:
    return simplified(fold(searchable(text)))
