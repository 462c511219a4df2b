"""Shrinking beside one-run delta debugging, on disturbances of which it is known which steps it takes."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np
from benchmarks.interviewer.baselines import Kept, delta_debugging

from fairtrial.sessions.shrink import Shrinker

RATES = (0.6, 0.8, 0.95)
STEPS = (4, 8, 12)
NEEDED = (1, 2, 3)


@dataclass(frozen=True, kw_only=True)
class Shrunk:
    """Shares of runs that kept exactly the needed steps, and mean sessions."""

    rate: float
    other: float
    steps: int
    needed: int
    exact: float
    sessions: float
    exact_of_one_run: float
    sessions_of_one_run: float


def shrunk(rate: float, other: float, steps: int, needed: int, seeds: int) -> Shrunk:
    """All sessions fail at `rate` with the needed steps, at `other` where one is missing."""
    ours, theirs = [], []
    for seed in range(seeds):
        draw = Random(f"{rate} {other} {steps} {needed} {seed}")
        right = tuple(sorted(draw.sample(range(steps), needed)))

        def fails(kept: Kept, right: Kept = right, draw: Random = draw) -> bool:
            return draw.random() < (rate if set(right) <= set(kept) else other)

        kept, spent = _ours(steps, seed, fails)
        ours.append((kept == right, spent))
        kept, spent = _one_run(steps, fails)
        theirs.append((kept == right, spent))
    means = [*np.mean(ours, axis=0).tolist(), *np.mean(theirs, axis=0).tolist()]
    return Shrunk(
        rate=rate,
        other=other,
        steps=steps,
        needed=needed,
        exact=means[0],
        sessions=means[1],
        exact_of_one_run=means[2],
        sessions_of_one_run=means[3],
    )


def _ours(steps: int, seed: int, fails: Callable[[Kept], bool]) -> tuple[Kept | None, int]:
    shrinker = Shrinker(steps, seed=seed)
    while (kept := shrinker.ask()) is not None:
        shrinker.tell(fails(kept))
    return shrinker.result.kept, shrinker.result.spent


def _one_run(steps: int, fails: Callable[[Kept], bool]) -> tuple[Kept, int]:
    spent = 0

    def counted(kept: Kept) -> bool:
        nonlocal spent
        spent += 1
        return fails(kept)

    return delta_debugging(steps, counted), spent
