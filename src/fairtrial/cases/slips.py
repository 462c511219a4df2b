"""Where two texts differ, and whether that is a slip of the keyboard or another word."""

from collections.abc import Iterator, Sequence, Set
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from fairtrial.cases.reading import Reading, are_known, weight_of

_SLIP = 0.33
"""Levenshtein similarity from which a stretch of Chinese words is another with slips of the keyboard."""
_TYPO = 0.5
"""The same for Latin words, which share more letters by chance."""
_TORN = 0.2
"""Share of the letters that may be slips."""
MANY = 3
"""Places in which two texts differ, from which they are no two slots of a template."""


def gaps(one: Sequence[object], other: Sequence[object]) -> Iterator[tuple[slice, slice]]:
    """Where they differ between two items that both have; one of the two may be empty."""
    a = b = 0
    for block in Levenshtein.opcodes(one, other).as_matching_blocks():
        if a < block.a or b < block.b:
            yield slice(a, block.a), slice(b, block.b)
        a, b = block.a + block.size, block.b + block.size


def replaced(one: Sequence[object], other: Sequence[object]) -> Iterator[tuple[slice, slice]]:
    """Where each has items of its own between two that both have."""
    return (gap for gap in gaps(one, other) if all(side.start < side.stop for side in gap))


def slips(a: Reading, b: Reading, one: slice, other: slice) -> Iterator[tuple[slice, slice]]:
    """Of two stretches those parts that are the same but for slips: Latin words one by one, others whole."""
    if "".join((*a.spelt[one], *b.spelt[other])).isascii():
        free = list(range(other.start, other.stop))
        for at in range(one.start, one.stop):
            for place in free:
                mine, yours = slice(at, at + 1), slice(place, place + 1)
                if _misspelt(a.spelt[mine], b.spelt[yours], a.common):
                    free.remove(place)
                    yield mine, yours
                    break
    elif _misspelt(a.spelt[one], b.spelt[other], a.common):
        yield one, other


def _misspelt(one: Sequence[str], other: Sequence[str], common: Set[str]) -> bool:
    """Whether two stretches are the same but for slips; never where all their words are words."""
    if are_known((*one, *other), common):
        return False
    a, b = "".join(one), "".join(other)
    alike = Levenshtein.normalized_similarity(a, b)
    if (a + b).isascii():
        return alike >= _TYPO
    widths = (max(x.stop - x.start, y.stop - y.start) for x, y in replaced(a, b))
    return alike >= _SLIP and max(widths, default=0) <= 1


def mistyped(a: Reading, b: Reading) -> bool:
    """Whether two Chinese texts differ in single letters here and there, as no two slots of a template do.

    In words that fall apart by it; or in three places at least, for each three at most one of two letters,
    and nowhere in words that are words.
    """
    if a.letters.isascii():
        return False
    if _torn(a, b) or _sounds_alike(a.unnumbered, b.unnumbered):
        return True
    widths = [max(x.stop - x.start, y.stop - y.start) for x, y in gaps(a.unnumbered, b.unnumbered)]
    single, double = widths.count(1), widths.count(2)
    if single < 3 or single + double < len(widths) or double > single // 3:
        return False
    return not any(
        weight_of(a.words[one]) > 1
        and weight_of(b.words[other]) > 1
        and are_known(a.spelt[one] + b.spelt[other], a.common)
        for one, other in replaced(a.words, b.words)
    )


def _torn(a: Reading, b: Reading) -> bool:
    """Whether all that differs are letters, each alone on one side where the other's stands in a word.

    地址 and 地了: one is a word, the other falls into letters. Two slots of a template are both words. Where
    they differ in many places, one in three may be another slip of two letters at most.
    """
    places = list(gaps(a.unnumbered, b.unnumbered))
    least = min(len(a.lengths), len(b.lengths))
    if len(a.lengths) != len(a.unnumbered) or len(b.lengths) != len(b.unnumbered):
        return False
    if len(places) > _TORN * least + 1:
        return False
    others = [
        (one, other)
        for one, other in places
        if not (_fragment(a, one, b, other) or _fragment(b, other, a, one))
    ]
    if not others:
        return True
    slots = any(
        one.stop - one.start > 2
        or other.stop - other.start > 2
        or (min((*a.lengths[one], *b.lengths[other])) > 1 and one.stop - one.start > 1)
        for one, other in others
    )
    return len(places) >= MANY and 3 * len(others) <= len(places) and not slots


def _fragment(a: Reading, one: slice, b: Reading, other: slice) -> bool:
    """Whether a's letter of a gap is what a slip left of a word of b's, or was put in by one."""
    first, second = a.lengths[one], b.lengths[other]
    return first == (1,) and len(second) < 2 and 1 not in second


def _sounds_alike(one: str, other: str) -> bool:
    """Whether all letters that differ sound the same, tone and all: what a keyboard for sounds gives."""
    if len(one) != len(other):
        return False
    different = [(x, y) for x, y in zip(one, other, strict=True) if x != y]
    return len(different) <= _TORN * len(one) + 1 and all(
        min(pair) >= "\u3400" and _sound(pair[0]) == _sound(pair[1]) for pair in different
    )


@lru_cache(maxsize=8192)
def _sound(letter: str) -> str:
    from pypinyin import Style, lazy_pinyin  # 50 ms: only where Chinese is compared

    return str(lazy_pinyin(letter, style=Style.TONE3)[0])
