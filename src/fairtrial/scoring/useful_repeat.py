"""How far a reply is from what was said before: the Dice coefficient of runs of letters."""

import re
from collections.abc import Sequence
from functools import lru_cache

from fairtrial.text.facts import prepare

_BEGIN, _WIDTH = 0.55, 0.30
_SIGNS = re.compile(r"[\W_][\W_]*")  # begins with one class: some times faster
_ASCII_SIGNS = bytes(code for code in range(128) if not chr(code).isalnum())
_LOWER = bytes(range(256)).lower()
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LONGEST = 20_000  # letters looked at; a reply that long repeats or not within them


def novelty(bare: str, earlier: Sequence[str]) -> float:
    """1 where nothing like it was said, 0 where just that was; `bare` is the prepared reply without
    invented facts.

    1 - clamp((D - 0.55) / 0.30), D the largest Dice coefficient (Dice 1945) with an earlier text, over
    5-grams of letters and digits, 3-grams where there is Chinese.
    """
    mine = _runs(bare)
    if not mine:
        return 1.0
    most = 0.0
    for text in earlier:
        theirs = _grams(text)
        # The larger set alone bounds the coefficient: most pairs need no intersection.
        bound = 2 * min(len(mine), len(theirs)) / (len(mine) + len(theirs))
        if bound > max(most, _BEGIN):
            most = max(most, 2 * len(mine & theirs) / (len(mine) + len(theirs)))
    return 1 - min(1.0, max(0.0, (most - _BEGIN) / _WIDTH))


@lru_cache(maxsize=256)
def _grams(text: str) -> frozenset[str]:
    return _runs(prepare(text[:_LONGEST]))


def _runs(prepared: str) -> frozenset[str]:
    letters, size = _letters(prepared[:_LONGEST])
    if len(letters) <= size:
        return frozenset((letters,)) if letters else frozenset()
    return frozenset([letters[i : i + size] for i in range(len(letters) - size + 1)])


def _letters(text: str) -> tuple[str, int]:
    """The letters and digits of a text in lower case, and how many a run has."""
    if text.isascii():
        return text.encode().translate(_LOWER, _ASCII_SIGNS).decode(), 5
    letters = _SIGNS.sub("", text.lower())
    return letters, 3 if _CHINESE.search(letters) else 5
