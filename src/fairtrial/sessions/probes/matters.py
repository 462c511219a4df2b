"""What another case of the set offers to talk of besides: its wish, or its question."""

import re
from collections.abc import Mapping, Sequence
from random import Random

from fairtrial.schema.case import Case
from fairtrial.schema.rule import State
from fairtrial.sessions.probes.relations import asked_tools, deeds
from fairtrial.sessions.probes.spans import key_facts, speaks
from fairtrial.text.words import Tongue

NEUTRAL: Mapping[Tongue, tuple[str, ...]] = {
    "zh": (
        "请问你们周末也有人值班吗？",
        "请问在哪儿能给你们的服务打分？",
        "你们有没有微信公众号？",
        "请问怎么关掉你们的推广短信？",
        "你们的 App 有深色模式吗？",
    ),
    "en": (
        "Is anybody there at weekends?",
        "Where can I rate your service?",
        "Do you have a newsletter?",
        "How do I stop your promotional texts?",
        "Does your app have a dark mode?",
    ),
}
"""Questions that have nothing to do with any matter."""

_ORDER, _OTHER = "\0", "\1"  # stand for an order number and for any other fact
_CLAUSE = re.compile(r"(?:[^，。！？；,.!?;\n]|\.(?=\S))+")
_LOOSELY: dict[Tongue, tuple[tuple[re.Pattern[str], str], ...]] = {
    "zh": (
        (re.compile(r"把\s*(?:订单)?\s*\0\s*"), "把我那个订单"),
        (re.compile(r"\s*(?:订单号(?:是)?)?\s*\0\s*"), ""),
    ),
    "en": (
        (re.compile(r"(?:\b(?:the |my )?order )?(?:number )?(?:is )?\0", re.IGNORECASE), "my order"),
        (re.compile(r"\s+(?:for|to)(?: the| a)?\s+\x01.*"), ""),
    ),
}
_LEAST = {"zh": 2, "en": 10}
_GREETS = re.compile(r"[您你]好|亲$|hello\b|hi\b|my order", re.IGNORECASE)
_TELLS = re.compile(r"(?:the|my|this|that|it|an?)\b|.*[了坏]", re.IGNORECASE)  # of what is, no wish


def wishes(case: Case, others: Sequence[Case], draw: Random) -> list[tuple[str, str]]:
    """Wishes of other cases for something else than this case wants, each with the tool that would do it.

    They come in a drawn order, one for each tool first. A wish is in the case's language and names no
    particulars, so that it cannot be granted yet; its tool is neither asked for by this case nor by another
    of its task type.
    """
    language = speaks(case)
    own = _own_tools(case, others)
    if not case.task_type and not own:
        return []  # nothing tells what this case itself wants
    changing = deeds((case, *others)) - own
    first: dict[str, str] = {}
    more: dict[str, str] = {}  # by the wish
    for other in draw.sample(others, len(others)):
        tool = next((tool for tool in asked_tools(other) if tool in changing), None)
        if tool is None or speaks(other) != language or len(other.input) > 1 or _forbids(other):
            continue
        if wish := _wish(other, language):
            more[wish] = tool
            first.setdefault(tool, wish)
    each = [(wish, tool) for tool, wish in first.items()]
    return [*each, *(item for item in more.items() if item not in each)]


def questions(case: Case, others: Sequence[Case], draw: Random, *, plain: bool) -> list[str]:
    """Different questions of other cases, in a drawn order: of one turn, in the case's language, with nothing
    to do.

    `plain`: only those that name no particulars.
    """
    language = speaks(case)
    found = (
        other.input[0]
        for other in draw.sample(others, len(others))
        if speaks(other) == language and other.task_type != case.task_type and _only_asks(other)
        if not (plain and key_facts(other, 0))
    )
    return list(dict.fromkeys(found))


def _own_tools(case: Case, others: Sequence[Case]) -> set[str]:
    alike = [other for other in others if case.task_type and other.task_type == case.task_type]
    return {tool for one in (case, *alike) for tool in asked_tools(one)}


def _only_asks(case: Case) -> bool:
    if len(case.input) > 1 or not case.input[0].rstrip().endswith(("?", "？")):
        return False
    changes = any(isinstance(rule, State) for rule in case.rules)
    return not (asked_tools(case) or changes or _forbids(case))


def _forbids(case: Case) -> bool:
    return any(rule.critical for rule in case.rules)


def _wish(case: Case, language: Tongue) -> str | None:
    """The first clause of a case that has no particulars once its order number is gone; None without one."""
    text = case.input[0]
    for fact in reversed(key_facts(case, 0)):
        mark = _ORDER if fact.kind == "order_number" else _OTHER
        text = text[: fact.start] + mark + text[fact.end :]
    for match in _CLAUSE.finditer(text):
        clause = match[0].strip(" :：-")
        for pattern, loosely in _LOOSELY[language]:
            clause = pattern.sub(loosely, clause)
        if (
            _OTHER not in clause
            and len(clause) >= _LEAST[language]
            and not (_GREETS.match(clause) or _TELLS.match(clause))
        ):
            return clause[0].upper() + clause[1:]
    return None
