"""Whether a simulated user keeps to its brief, as far as code can see: as whom it speaks, what it tells."""

import re
from collections.abc import Iterable, Sequence

from fairtrial.execution.contract import UserFailed
from fairtrial.text import facts, kinds
from fairtrial.text.language import say
from fairtrial.text.normalise import fold_signs, fold_width, squeeze
from fairtrial.text.words import simplified

MOST_REPEATS = 3
"""How often a user may say the same, word for word, before it is taken for stuck."""

_ASSISTANT = re.compile(
    r"\bas an? (?:ai|assistant|(?:large )?language model|virtual assistant|chatbot)\b"
    r"|\bi(?:'m| am) (?:an? |your )?(?:ai|(?:large )?language model|virtual assistant|customer service)\b"
    r"|\b(?:how|what) (?:can|may|else can) i (?:help|assist|do for) you\b"
    r"|\bi(?:'d| would) be happy to (?:help|assist)\b"
    r"|\bthank you for (?:contacting|reaching out)\b|\bis there anything else i can (?:help|do|assist)\b"
    r"|作为(?:一个|一名|您的|你的)?(?:AI|人工智能|大?语言模型|智能?助手|客服)"
    r"|我(?:是|只是)(?:一个|一名|您的|你的)?(?:AI(?!客户)|人工智能|大?语言模型|智能(?:助手|客服)|客服|助手)"
    r"|有什么(?:可以|能)?(?:为|帮)(?:到)?[您你]|(?:很高兴|竭诚)为您(?:服务|效劳)|感谢您的(?:来电|咨询|联系)|请问还有其他(?:问题|需要)"
    r"|这里是.{0,8}客服",
    re.IGNORECASE,
)
# 你是人工智能吗？ and "Are you an AI?" are a user's questions; so is what is said of somebody else.
_OF_ANOTHER = re.compile(r"[你您他她]们?(?:是|说|不是)|是不是|\b(?:are|is) (?:you|this|it)\b", re.IGNORECASE)
_NO = re.compile(r"不是|不对|错|没有|别|\b(?:not|wrong|isn't|never|don't)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[。！？!?\n])|(?<=\.)\s")
_PARTICULARS = ("order_number", "amount", "phone")
_ALWAYS = re.compile(r"\b24/7\b")
_JOINT = re.compile(r"[\W_]+")


class Conduct:
    """What one simulated user may say: what its brief and the fixed turns have, and what it was told."""

    def __init__(self, brief: Iterable[str], goal: str) -> None:
        self._own = tuple(brief)
        self._wanted = _orders(goal)
        self._said: list[str] = []

    def check(self, text: str, told: Sequence[str]) -> None:
        """Take note of what the user says after it was `told` so much.

        Raises UserFailed where it broke its brief.
        """
        if not text.strip():
            raise UserFailed("empty", say("the user says nothing", "用户什么也没说"))
        if found := _as_assistant(text):
            raise UserFailed(
                "role", say("the user speaks as the assistant: ", "用户以助手的口吻说话：") + found
            )
        if found := _unknown(text, (*self._own, *told)):
            raise UserFailed(
                "invented",
                say("not in the user's brief, nor told it: ", "用户的设定里没有，也没人告诉过：") + found,
            )
        if found := self._strays(text):
            raise UserFailed(
                "goal", say("the user turns to another order: ", "用户转向了另一个订单：") + found
            )
        self._said.append(squeeze(text))
        if self._said.count(self._said[-1]) >= MOST_REPEATS:
            raise UserFailed(
                "repeats",
                say(f"the user says the same {MOST_REPEATS} times", f"用户把同一句话说了 {MOST_REPEATS} 遍"),
            )

    def _strays(self, text: str) -> str | None:
        """Another order of the same form as that of the goal, spoken of as one's own and in its place."""
        named = _orders(text)
        if not self._wanted or not named or named & self._wanted or _NO.search(text):
            return None
        forms = {_form(order) for order in self._wanted}
        own = _plain(" ".join(self._own))
        return next((o for o in sorted(named) if _form(o) in forms and _plain(o) not in own), None)


def _as_assistant(text: str) -> str | None:
    for sentence in _SENTENCE.split(simplified(fold_signs(text))):
        if (found := _ASSISTANT.search(sentence)) and not _OF_ANOTHER.search(sentence):
            return found[0]
    return None


def _unknown(text: str, known: Iterable[str]) -> str | None:
    """The first order number, amount, telephone number or calendar date of the text known from nowhere.

    Whole numbers up to `facts.NEUTRAL`, 24/7, and words as 昨天 or "next week" are none; a part of something
    known, from four signs on, is known, and so is a known date without its year.
    """
    known = "\n".join(known)
    keys = {key for fact in facts.find(facts.prepare(known)) for key in (*fact.keys, *fact.yearless)}
    plain = _plain(known)
    for piece in _particulars(text):
        for fact in facts.find(piece):
            if fact.kind == "time" or keys.intersection(fact.keys):
                continue
            written = _plain(piece[fact.start : fact.end])
            if _is_small(fact) or (len(written) >= 4 and written in plain):
                continue
            return piece
    return None


def _particulars(text: str) -> list[str]:
    prepared = _ALWAYS.sub("", facts.prepare(text))
    found = [piece for kind in _PARTICULARS for piece in kinds.find(kind, prepared)]
    dates = (fact for fact in facts.find(prepared) if fact.kind == "date")
    return found + [prepared[fact.start : fact.end] for fact in dates]


def _is_small(fact: facts.Fact) -> bool:
    return fact.kind == "number" and any(key.isdigit() and int(key) <= facts.NEUTRAL for key in fact.keys)


def _orders(text: str) -> set[str]:
    prepared = facts.prepare(text)
    pieces = kinds.find("order_number", prepared)
    return {
        piece[fact.start : fact.end] for piece in pieces for fact in facts.find(piece) if fact.kind != "date"
    }


def _form(order: str) -> tuple[str, int]:
    """The letters that it begins with, and its length."""
    return re.split(r"\d", order, maxsplit=1)[0].casefold(), len(order)


def _plain(text: str) -> str:
    return _JOINT.sub("", fold_width(text)).casefold()
