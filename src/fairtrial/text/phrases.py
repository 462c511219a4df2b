"""Sentences that say nothing: courtesy, comfort, hedging, and refusals that name no reason of the matter.

A sentence is judged by what is left of it. Take away the stock phrases and the words that only bind;
if hardly anything is left, it said nothing. So `抱歉，您的订单已签收，不能改地址` is an answer, and
`抱歉，您的问题我暂时无法回答` is a refusal, although both begin alike. The tables are data: phrases.txt.
"""

import re
from collections import defaultdict
from importlib.resources import files
from typing import Any

import re2

from fairtrial.text.normalise import fold
from fairtrial.text.patterns import searchable
from fairtrial.text.words import simplified

# Where a clause ends: a reason or an objection is judged by itself, so that it is not lost in a tail.
_CLAUSE = re.compile(
    r"[,;:.!?、，；：。！？\n~…—()（）\"*]+|\b(?:but|however|though|although|because|since|instead|until)\b"
    r"|但是|不过|然而|可是|因为|由于"
)
_UNIT = re.compile(r"[a-z]+(?:'[a-z]+)?|[^\W\d_]")
# A number says something, whatever stands around it.
_NUMBER = re.compile(r"\d")
# What may be left of a clause beside its stock phrases, in units (English words, Chinese characters):
# at most this share of what they cover, and at most this many.
_LEFT_OVER, _MOST_LEFT = 0.5, 4


def _tables() -> dict[str, str]:
    """Each table of phrases.txt as one alternation."""
    tables: dict[str, list[str]] = defaultdict(list)
    name = ""
    for line in files("fairtrial.text").joinpath("phrases.txt").read_text("utf-8").splitlines():
        if line.startswith("= "):
            name = line[2:]
        elif line and not line.startswith("#"):
            tables[name].append(line)
    return {name: "|".join(lines) for name, lines in tables.items()}


def _compile(name: str) -> Any:
    options = re2.Options()
    options.longest_match = True
    options.max_mem = 64 << 20  # the automaton is built as texts ask for it; 8 MB would be rebuilt at times
    return re2.compile(rf"\b(?:{_TABLES[f'{name} english']})\b|{_TABLES[f'{name} chinese']}", options)


_TABLES = _tables()
STOCK = _compile("stock")
"""One stock phrase of either language, anywhere in a text that `plain` has folded."""
REFUSAL = _compile("refusal")
"""One phrase of a refusal or of a non-answer of either language, anywhere in such a text."""
_DEFLECTION = _compile("deflection")
_FILL = _compile("fill")


def plain(text: str) -> str:
    """The form in which the tables are written: folded, with straight quotation marks, simplified."""
    return simplified(searchable(fold(text)))


def is_refusal(text: str) -> bool:
    """Whether the whole text, of one or more sentences, refuses or evades and says nothing besides.

    A refusal that names a fact of the matter (`已签收，不能改地址`) is an answer, and a bare "please
    contact support" after a refusal is none. "" is not a refusal.
    """
    if _NUMBER.search(text):
        return False
    folded = plain(text)
    return _refuses(folded) and _says_nothing(_DEFLECTION.sub(" ", folded), refuses=True)


def is_stock(sentence: str) -> bool:
    """Whether a sentence (or a text of several) is courtesy, comfort, hedging or refusal alone."""
    if _NUMBER.search(sentence):
        return False
    folded = plain(sentence)
    refuses = _refuses(folded)
    return (refuses or STOCK.search(folded.encode()) is not None) and _says_nothing(folded, refuses=refuses)


def _refuses(folded: str) -> bool:
    # On bytes the binding need not count characters, which costs more than the search.
    return REFUSAL.search(folded.encode()) is not None


def _says_nothing(folded: str, *, refuses: bool) -> bool:
    clauses = (clause for clause in _CLAUSE.split(folded) if clause and not clause.isspace())
    return all(_is_empty(clause, refuses=refuses) for clause in clauses)


def _is_empty(clause: str, *, refuses: bool) -> bool:
    uncovered = clause.encode()
    if refuses:
        uncovered = REFUSAL.sub(b" ", uncovered)
    uncovered = STOCK.sub(b" ", uncovered)
    left = _units(_FILL.sub(b"", uncovered))
    return not left or (
        left <= _MOST_LEFT and left <= _LEFT_OVER * (len(_UNIT.findall(clause)) - _units(uncovered))
    )


def _units(text: bytes) -> int:
    return len(_UNIT.findall(text.decode()))
