"""What a text or a JSON value says, in a form in which it is found again: facts, and texts but flags."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from fairtrial.text.facts import NEUTRAL, find, prepare
from fairtrial.text.normalise import fold, squeeze

_FLAGS = re.compile(
    r"\W*(?:(?:ok|okay|true|false|yes|no|none|null|success(?:ful|fully)?|succeeded|done|completed?|finished|accepted|updated"
    r"|created|saved|sent|received|failed|error|invalid|transfer|operation|request|was|is|has|been|the|成功|完成|失败|已|操作"
    r"|请求|是|否|有|无|处理|收到|提交|更新)\W*)+"
)
"""Acknowledgements: they say that something was done, and hold nothing that could be used."""
_DEEPEST = 100


class Values(NamedTuple):
    """What is said: `facts`, each by the keys that it may be found by; `small` whole numbers up to 10, which
    prove little; `texts` folded, and the `whole`."""

    facts: frozenset[tuple[str, ...]]
    small: frozenset[str]
    texts: frozenset[str]
    whole: str

    def __bool__(self) -> bool:
        return bool(self.facts or self.small or self.texts)

    @property
    def keys(self) -> frozenset[str]:
        """Of all facts."""
        return frozenset(key for fact in self.facts for key in fact)

    def without(self, known: "Values") -> "Values":
        """What another does not say."""
        keys = known.keys
        facts = frozenset(fact for fact in self.facts if keys.isdisjoint(fact))
        texts = frozenset(text for text in self.texts - known.texts if not occurs(text, known.whole))
        return Values(facts, self.small - known.small, texts, "\n".join(texts))

    def joined(self, *others: "Values") -> "Values":
        """What any of them says."""
        all_of = (self, *others)
        return Values(
            frozenset().union(*(one.facts for one in all_of)),
            frozenset().union(*(one.small for one in all_of)),
            frozenset().union(*(one.texts for one in all_of)),
            "\n".join(one.whole for one in all_of),
        )

    def used_in(self, said: "Values") -> bool:
        """Whether another says any of it; small numbers count only where there is nothing else."""
        if self.facts or self.texts:
            return not self.keys.isdisjoint(said.keys) or any(occurs(t, said.whole) for t in self.texts)
        return not self.small.isdisjoint(said.small)

    def given_in(self, said: "Values") -> bool:
        """Whether another says all of it: every fact or, without facts, the text itself."""
        if self.facts:
            keys = said.keys
            return not any(keys.isdisjoint(fact) for fact in self.facts)
        if self.small:
            return self.small <= said.small
        return bool(self.texts) and all(occurs(text, said.whole) for text in self.texts)


def values_of(value: Any) -> Values:
    """The values of a text or of the leaves of a JSON value; true, false and null are none."""
    leaves = [leaf for leaf in _leaves(value, 0) if leaf]
    whole = "\n".join(_plain(leaf) for leaf in leaves)
    facts, small = _facts("\n".join(leaves))
    texts = frozenset(text for text in whole.split("\n") if _tells(text))
    return Values(facts, small, texts, whole)


def occurs(text: str, whole: str) -> bool:
    """Whether a plain text stands in another, not as a part of a longer word of letters and digits."""
    at = whole.find(text)
    while at >= 0:
        end = at + len(text)
        inside = _joins(whole[at - 1 : at], text[0]) or _joins(text[-1], whole[end : end + 1])
        if not inside:
            return True
        at = whole.find(text, at + 1)
    return False


def _tells(text: str) -> bool:
    return len(text) > 1 and not text.isdigit() and not _FLAGS.fullmatch(text)


def _joins(one: str, other: str) -> bool:
    return one.isascii() and other.isascii() and one.isalnum() and other.isalnum()


def _plain(text: str) -> str:
    return squeeze(fold(prepare(text)).replace("_", " "))


def _leaves(value: Any, depth: int) -> Iterator[str]:
    if depth > _DEEPEST or value is None or isinstance(value, bool):
        return
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item, depth + 1)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item, depth + 1)
    else:
        yield str(value)


def _facts(text: str) -> tuple[frozenset[tuple[str, ...]], frozenset[str]]:
    facts: set[tuple[str, ...]] = set()
    small: set[str] = set()
    for fact in find(prepare(text)):
        number = fact.keys[0]
        if fact.kind == "number" and number.isdigit() and int(number) <= NEUTRAL:
            small.add(number)
        else:
            facts.add(fact.yearless)
    return frozenset(facts), frozenset(small)
