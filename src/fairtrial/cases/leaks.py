"""Where cases leak: a case within a prompt, a reference answer within the agent's replies."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rapidfuzz import fuzz

from fairtrial.cases.reading import Reading
from fairtrial.schema.case import Case

LONG = 12
"""Weight from which a text is within another only if it was put there: a Chinese letter is 1, others 0.4."""
WITHIN = 90
"""rapidfuzz's partial ratio, 0 to 100, from which a text stands within a longer one nearly word for word."""
REPRODUCED = 0.6
"""Share of a reference in one run from which a reply has it almost word for word."""
REFERENCE = 24
"""Weight from which a reference is long enough that nobody writes it by chance."""
_STEP = 4


class Run(NamedTuple):
    """The longest run of letters that two texts share, and its share of the first."""

    text: str
    share: float


def asked(case: Case) -> str:
    """All that the user says, which is what a copy has."""
    return "\n".join(case.input)


def weight(letters: str) -> float:
    """How much a text says: a Chinese letter is 1, a Latin one or a digit 0.4."""
    return sum(0.4 if letter < "\u2e80" else 1.0 for letter in letters)


def passages(text: str, suffix: str) -> list[str]:
    """The lines of a prompt, or the texts of a JSON or JSONL file of examples."""
    if suffix in (".json", ".jsonl"):
        try:
            values = (
                [json.loads(text)]
                if suffix == ".json"
                else [*map(json.loads, filter(str.strip, text.split("\n")))]
            )
            return [*_texts(values)]
        except (ValueError, RecursionError):
            pass
    return [line.strip() for line in text.splitlines() if line.strip()]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | Sequence):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(item)


def contained(texts: Sequence[str], whole: str) -> list[tuple[int, float]]:
    """Which texts stand nearly word for word within a longer one, by place, with partial ratio in 0 to 1.

    Only texts of weight `LONG` or more; what shares less than half of its stretches of four letters is not
    looked at closely.
    """
    letters = Reading(whole).letters
    there = {letters[at : at + _STEP] for at in range(len(letters) - _STEP + 1)}
    found = []
    for place, text in enumerate(texts):
        own = Reading(text).letters
        steps = [own[at : at + _STEP] for at in range(len(own) - _STEP + 1)]
        if weight(own) < LONG or 2 * sum(step in there for step in steps) < len(steps):
            continue
        if len(own) <= len(letters) and (ratio := fuzz.partial_ratio(own, letters)) >= WITHIN:
            found.append((place, ratio / 100))
    return found


def shared(reference: str, reply: str) -> Run:
    """The longest run of letters of a reference that a reply has too."""
    own, other = Reading(reference).letters, Reading(reply).letters
    best = ""
    for at in range(len(own)):
        # Each longer run that begins here holds this one: look for nothing that is not longer than the best.
        while at + len(best) < len(own) and own[at : at + len(best) + 1] in other:
            best = own[at : at + len(best) + 1]
    return Run(best, len(best) / len(own) if own else 0.0)
