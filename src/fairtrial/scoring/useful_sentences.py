"""One sentence: what it says beside courtesy, and what next step it gives."""

import re
from collections.abc import Iterable
from functools import lru_cache

from fairtrial.scoring import useful_lexicon as lexicon
from fairtrial.scoring.useful_facts import HOLE
from fairtrial.text.phrases import is_stock
from fairtrial.text.words import Tongue

_CLAUSE_END = re.compile(r"[,，;；:：\s](?:(?<=\S)\s*|(?<=\s)[-–—]\s)")
_EMPTY_END = {"en": re.compile(r"[,;]| or (?=need|if|have|feel)"), "zh": re.compile("[,，;；]")}
_DIGIT = re.compile(r"\d")
_PHRASE = 120
_PART = re.compile(r"[:;：；]\s?")
_DIRECTIVE, _OFFER, _QUESTION = 1.0, 0.8, 0.7
_DOUBTFUL = 0.5
_SHARE = 0.85  # of the way to 1 that a directive goes
_EMPTY = {"en": lexicon.EMPTY_EN, "zh": lexicon.EMPTY_ZH}
_DIRECTIVES = {
    "en": (lexicon.DIRECTIVE_EN, lexicon.REQUEST_EN),
    "zh": (lexicon.DIRECTIVE_ZH, lexicon.REQUEST_ZH),
}
_OFFERS = {"en": lexicon.OFFER_EN, "zh": lexicon.OFFER_ZH}


def said(sentence: str) -> str:
    """The sentence without its clauses of courtesy, "" if it has no others."""
    if _is_courtesy(sentence):
        return ""
    parts = _CLAUSE_END.split(sentence)
    if len(parts) == 1:
        return sentence
    # A bare condition says nothing by itself, and decides what the rest of the sentence means.
    kept = [part for part in parts if part and (part[:3] in ("If ", "if ") or not _is_courtesy(part))]
    return sentence if len(kept) == len(parts) else "; ".join(kept)


def _is_courtesy(text: str) -> bool:
    """`is_stock`, remembered: an agent has few phrases. What has a digit says something."""
    if _DIGIT.search(text):
        return False
    return _remembered(text) if len(text) <= _PHRASE else is_stock(text)


_remembered = lru_cache(maxsize=1024)(is_stock)


def steps(sentences: Iterable[tuple[str, bool]], tongue: Tongue) -> float:
    """The next step that sentences give together, in [0, 1].

    Each, in lower case, comes with whether it has a name that no source bears out, which halves its worth.
    It brings the sum nearer to 1 by 0.85 of that worth, so that a second step still counts.
    """
    missing = 1.0
    for sentence, is_doubtful in sentences:
        worth = _step(sentence, tongue)
        missing *= 1 - _SHARE * (_DOUBTFUL * worth if is_doubtful else worth)
        if missing < 0.01:
            break
    return 1 - missing


def _step(sentence: str, tongue: Tongue) -> float:
    """1 for a directive or request, 0.8 for an offer or choice, 0.7 for another question, else 0.

    Beside an unsupported fact nothing can be acted on.
    """
    if HOLE in sentence:
        sentence = "; ".join(part for part in _PART.split(sentence) if HOLE not in part)
    empty = _EMPTY[tongue]
    if empty.search(sentence) and not (tongue == "en" and lexicon.PLAIN_OFFER_EN.search(sentence)):
        sentence = ", ".join(part for part in _EMPTY_END[tongue].split(sentence) if not empty.search(part))
    if any(pattern.search(sentence) for pattern in _DIRECTIVES[tongue]):
        return _DIRECTIVE
    if _OFFERS[tongue].search(sentence):
        return _OFFER
    return _QUESTION if sentence.rstrip().endswith(("?", "？")) else 0.0
