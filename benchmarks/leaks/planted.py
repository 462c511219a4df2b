"""Case sets in which copies are planted: originals, copies of known kinds, and distractors of the hard sort.

Every text that is no copy asks for something else: no two share frame and slots (order numbers and days
aside), but many share the frame and all slots but one, or the topic. So any pair that is found and was not
planted is wrong.
"""

import random
import re
from dataclasses import dataclass, field

import opencc
from benchmarks.leaks.words import FRAMES, GREETINGS, SLOTS, STRAY, SYNONYMS, THANKS, Half, Tongue, half

KINDS = ("verbatim", "folded", "characters", "synonyms", "greeting", "numbers", "several", "reordered")
REWORDED = ("synonyms", "several")
"""Copies in other words, which letters cannot tell from a sibling of a template: measured, no target."""
_CLAUSE = re.compile(r"[^，。？！,.?!]+[，。？！,.?!]*\s*")


@dataclass(kw_only=True)
class Planted:
    """The texts in a shuffled order and, by their two places, each planted pair with its kind and tongue."""

    texts: list[str] = field(default_factory=list)
    pairs: dict[tuple[int, int], tuple[str, Tongue]] = field(default_factory=dict)


def number(rng: random.Random) -> str:
    return f"{rng.choice('2456')}{rng.randrange(10**9, 10**10)}"


def original(rng: random.Random, tongue: Tongue, which: Half) -> tuple[str, str]:
    """A text and what it asks: its frame and slots, order numbers and days aside."""
    frame = FRAMES[tongue][rng.choice(half(FRAMES[tongue], which))]
    slots = {name: rng.choice(words) for name, words in SLOTS[tongue].items()}
    return frame.format(**slots, number=number(rng)), frame.format(**slots | {"when": "#"}, number="#")


def folded(rng: random.Random, text: str, tongue: Tongue) -> str:
    """As another keyboard has it: full width, traditional, upper case, other spaces and signs."""
    ways = [
        lambda: re.sub("[!-~]", lambda m: chr(ord(m[0]) + 0xFEE0), text),
        lambda: re.sub("[，。？！,.?!]", lambda m: rng.choice(["", " ", "～"]), text),
        lambda: " ".join(text.upper().split()) + " !!",
        lambda: "  " + text.replace(" ", "  ") + "。",
    ]
    if tongue != "en":
        ways.append(lambda: opencc.OpenCC("s2t").convert(text))
    return rng.choice(ways)()


def characters(rng: random.Random, text: str, tongue: Tongue) -> str:
    """10 to 15 % of its letters replaced, dropped or doubled, wherever; at least one."""
    letters = [i for i, sign in enumerate(text) if sign.isalpha()]
    many = max(1, round(rng.uniform(0.10, 0.15) * len(letters)))
    signs = list(text)
    for at in rng.sample(letters, many):
        stray = rng.choice(STRAY[tongue])
        signs[at] = rng.choice([stray, stray, "", signs[at] + stray])
    return "".join(signs)


def synonyms(rng: random.Random, text: str, tongue: Tongue, which: Half) -> str:
    """Up to three words by others that mean the same."""
    known = [SYNONYMS[tongue][i] for i in half(SYNONYMS[tongue], which)]
    there = [(old, new) for old, new in known if old in text]
    for old, new in rng.sample(there, min(3, len(there))):
        text = text.replace(old, new, 1)
    return text


def greeting(rng: random.Random, text: str, tongue: Tongue, which: Half) -> str:
    hello = [GREETINGS[tongue][i] for i in half(GREETINGS[tongue], which)]
    thanks = [THANKS[tongue][i] for i in half(THANKS[tongue], which)]
    way = rng.randrange(3)
    return (rng.choice(hello) if way != 1 else "") + text + (rng.choice(thanks) if way != 0 else "")


def renumbered(rng: random.Random, text: str) -> str:
    return re.sub(r"\d{6,}", lambda m: number(rng), text)


def reordered(rng: random.Random, text: str) -> str:
    """Its clauses in another order."""
    clauses = _CLAUSE.findall(text)
    before = list(clauses)
    while clauses == before:
        rng.shuffle(clauses)
    return " ".join(part.strip() for part in clauses)


def copy(rng: random.Random, text: str, kind: str, tongue: Tongue, which: Half) -> str | None:
    """A copy of a kind; None where the text has nothing that could be changed so."""
    match kind:
        case "verbatim":
            return text
        case "folded":
            made = folded(rng, text, tongue)
        case "characters":
            made = characters(rng, text, tongue)
        case "synonyms":
            made = synonyms(rng, text, tongue, which)
        case "greeting":
            made = greeting(rng, text, tongue, which)
        case "numbers":
            made = renumbered(rng, text)
        case "several":
            made = greeting(rng, renumbered(rng, synonyms(rng, text, tongue, which)), tongue, which)
        case _:
            if len(_CLAUSE.findall(text)) < 2:
                return None
            made = reordered(rng, text)
    return None if made == text else made


def planted(seed: int, which: Half, *, originals: int = 1500, copies: int = 480) -> Planted:
    """`originals` texts that all ask for something else, and copies of `copies` of them, kind by kind."""
    rng = random.Random(f"{seed}/{which}")
    asked: dict[str, tuple[str, Tongue]] = {}
    while len(asked) < originals:
        tongue: Tongue = rng.choice(["zh", "zh", "en", "en", "mixed"])
        text, what = original(rng, tongue, which)
        asked.setdefault(what, (text, tongue))
    texts = [text for text, _ in asked.values()]
    tongues = [tongue for _, tongue in asked.values()]
    pairs = []
    waiting = rng.sample(range(originals), originals)
    for count in range(copies):
        kind = KINDS[count % len(KINDS)]
        while (made := copy(rng, texts[at := waiting.pop()], kind, tongues[at], which)) is None:
            waiting.insert(0, at)
        pairs.append((at, len(texts), kind))
        texts.append(made)
    order = rng.sample(range(len(texts)), len(texts))
    place = {old: new for new, old in enumerate(order)}
    return Planted(
        texts=[texts[old] for old in order],
        pairs={
            (min(place[a], place[b]), max(place[a], place[b])): (kind, tongues[a]) for a, b, kind in pairs
        },
    )
