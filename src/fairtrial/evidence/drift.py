"""Whether answers to the same fixed prompts are others than they were, beyond how much they vary anyway."""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from fairtrial.schema.fingerprint import Canary
from fairtrial.text.normalise import fold, squeeze

ANSWERS_NEEDED = 3
"""Of each time: fewer have so few partings in two groups that chance parts them too easily."""
_MOST = 12
"""Answers of one prompt that are looked at: 6 of each side have 462 ways already."""
_EPSILON = 1e-9
_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
"""A Chinese letter, or a run of letters and digits of any other script."""


class Drift(NamedTuple):
    """Share of the judged prompts that drifted (None: none could be judged), which, and of how many."""

    share: float | None
    prompts: tuple[str, ...]
    judged: int


def drift(*, then: Sequence[Canary], now: Sequence[Canary]) -> Drift:
    """Compare the answers prompt by prompt.

    A prompt drifted where no answer of now equals one of then (case, width and space aside) and the parting
    by time is the one of all partings of these answers, in groups of the same sizes, whose groups lie
    furthest apart: by the energy distance (Székely and Rizzo 2004) of token sets under Jaccard's distance. If
    nothing changed, all partings are alike (a permutation test), so that one prompt drifts by chance at most
    once in as many cases as there are partings: once in 10 with 3 answers of each time. With fewer it is
    not judged.
    """
    stored = {canary.prompt: _given(canary) for canary in then}
    verdicts = {canary.prompt: _drifted(stored.get(canary.prompt, []), _given(canary)) for canary in now}
    judged = [prompt for prompt, verdict in verdicts.items() if verdict is not None]
    drifted = tuple(prompt for prompt in judged if verdicts[prompt])
    return Drift(len(drifted) / len(judged) if judged else None, drifted, len(judged))


def _given(canary: Canary) -> list[str]:
    return [squeeze(fold(answer)) for answer in canary.answers if answer is not None][: _MOST // 2]


def _drifted(then: Sequence[str], now: Sequence[str]) -> bool | None:
    if min(len(then), len(now)) < ANSWERS_NEEDED:
        return None
    if set(then) & set(now):
        return False
    answers = [*then, *now]
    distance = _distances(answers)
    apart, *others = (
        _energy(chosen, distance)
        for chosen in combinations(range(len(answers)), len(then))
        # Groups of one size are the same two either way round.
        if len(then) != len(now) or 0 in chosen
    )
    return apart > max(others) + _EPSILON


def _energy(chosen: Sequence[int], distance: Sequence[Sequence[float]]) -> float:
    """2 · mean distance between the groups, less the mean distances within each."""
    one, other = list(chosen), [i for i in range(len(distance)) if i not in chosen]

    def mean(rows: Sequence[int], columns: Sequence[int]) -> float:
        return sum(distance[i][j] for i in rows for j in columns) / (len(rows) * len(columns))

    return 2 * mean(one, other) - mean(one, one) - mean(other, other)


def _distances(answers: Sequence[str]) -> list[list[float]]:
    tokens = [frozenset(_TOKEN.findall(answer)) for answer in answers]
    return [
        [0.0 if one == other else _jaccard(tokens[i], tokens[j]) for j, other in enumerate(answers)]
        for i, one in enumerate(answers)
    ]


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """1 less the share of tokens that both have; texts that differ in signs or order only are still two."""
    union = one | other
    return max(1 - len(one & other) / len(union) if union else 1.0, 0.01)
