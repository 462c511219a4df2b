"""A reply's facts against its background: new, said before, borne out by a source, or by none."""

import re
from functools import lru_cache

import msgspec

from fairtrial.text.facts import NEUTRAL, Fact, find
from fairtrial.text.sources import Source, Sources, sources

HOLE = "\ufffc"
"""Stands where an unsupported fact was taken out."""

# A sum or difference is believed where the words around it say that it is one.
_DERIVED = re.compile(
    r"\b(?:total|sum|altogether|in all|combined|difference|differ|sav(?:e|es|ed|ing|ings)|additional|extra"
    r"|more|less|cheaper|remain(?:s|ing|der)?|left|balance|per|each|both|average|half|twice|double|plus|minus"
    r"|refund(?:ed|s)?)\b|[+=×]"
    r"|一共|总共|共计|合计|总计|总额|共|差额|相差|差价|差|剩|余额|省|便宜|贵"
    r"|多出|每|平均|各|一半|加起来|退|补"
)
_BEFORE, _AFTER = 60, 24
_FACTORS = frozenset((2, 3, 4, 5, 6, 7, 8, 9, 0.5))
_MOST_DIGITS, _MOST_VALUES = 9, 300
_IMPOSSIBLE = 1.5  # what a date or time counts that can not be an honest inference either
_NAME = 0.5  # what an unsupported name counts, as part of an unsupported fact


class Background(msgspec.Struct, frozen=True, gc=False):
    """What surrounds a reply: all that can bear it out, the user's words, the agent's earlier replies.

    `checked` is False where nothing but the user's words, and at most values that the case's rules ask
    for, can bear it out: those say what must be there, not what else is true.
    """

    all: Source
    user: Source
    said: Source
    checked: bool


class Reading(msgspec.Struct, kw_only=True, gc=False):
    """Counts of a reply: facts (new, said before, the user's own), nouns, what it shares, its next step.

    `loose_facts` are new ones that nothing is there to hold against.
    `doubtful` weighs the unsupported (a name is half a fact), `shared` is facts + half of the words that
    the background has, `step` lies in [0, 1], `bare` is the reply without its unsupported facts.
    """

    bare: str
    new_facts: int = 0
    loose_facts: int = 0
    said_facts: int = 0
    own_facts: int = 0
    supported: int = 0
    unsupported: int = 0
    doubtful: float = 0.0
    new_nouns: int = 0
    shared: float = 0.0
    finding: bool = False
    step: float = 0.0
    stuffed: bool = False

    def doubt_name(self) -> None:
        """Count a name that no source has."""
        self.unsupported += 1
        self.doubtful += _NAME


@lru_cache(maxsize=64)
def background(
    known: tuple[str, ...], required: tuple[str, ...], users: tuple[str, ...], earlier: tuple[str, ...]
) -> Background:
    """The background of a reply, kept for a while: trials of one case share it."""
    user = sources(users)
    everything = Sources((sources((*known, *required)), user)) if known or required else user
    return Background(all=everything, user=user, said=sources(earlier), checked=bool(known))


def read_facts(text: str, around: Background, reading: Reading) -> str:
    """Count the facts of a prepared text; the text with each unsupported one replaced by a hole."""
    pieces: list[str] = []
    at = 0
    seen: set[str] = set()
    for fact in find(text):
        if _is_neutral(fact):
            continue
        key = fact.keys[0]
        is_new = key not in seen
        seen.add(key)
        if around.all.has(fact):
            if is_new:
                _count(fact, around, reading)
        elif not around.checked:
            if is_new and around.said.has(fact):
                reading.said_facts += 1
            elif is_new:
                reading.loose_facts += 1
        elif not _is_derived(fact, text, around.all):
            reading.unsupported += is_new
            reading.doubtful += is_new * (1 if fact.possible else _IMPOSSIBLE)
            pieces += [text[at : fact.start], HOLE]
            at = fact.end
    return "".join((*pieces, text[at:])) if pieces else text


def _is_neutral(fact: Fact) -> bool:
    key = fact.keys[0]
    return fact.kind == "number" and len(key) <= 2 and key.isdigit() and int(key) <= NEUTRAL


def _count(fact: Fact, around: Background, reading: Reading) -> None:
    reading.supported += 1
    reading.shared += 1
    if around.user.has(fact):
        reading.own_facts += 1
    elif around.said.has(fact):
        reading.said_facts += 1
    else:
        reading.new_facts += 1


def _is_derived(fact: Fact, text: str, source: Source) -> bool:
    """Whether a number can be a sum, a difference or a small multiple of the sources', and is said to be."""
    if fact.kind != "number" or len(fact.keys[0]) > _MOST_DIGITS:
        return False
    if not _DERIVED.search(text, max(0, fact.start - _BEFORE), fact.end + _AFTER):
        return False
    value = float(fact.keys[0])
    known = _values(source)
    return any(
        round(value - one, 2) in known or round(value + one, 2) in known or value / one in _FACTORS
        for one in known
    )


@lru_cache(maxsize=64)
def _values(source: Source) -> frozenset[float]:
    """The numbers of a source that others can be made of, the shortest first where there are many."""
    numbers = sorted((key for key in source.numbers if len(key) <= _MOST_DIGITS), key=len)
    return frozenset(value for key in numbers[:_MOST_VALUES] if (value := round(float(key), 2)) >= 1)
