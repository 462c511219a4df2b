"""What the interviewer is measured against: every cell equally often, cells at random, one-run shrinking."""

from collections.abc import Callable, Iterator

import numpy as np
from benchmarks.interviewer.worlds import World
from scipy.special import bdtrc

from fairtrial.sessions.evalues import e_bh, log_e
from fairtrial.stats.multiple import benjamini_hochberg

Kept = tuple[int, ...]
ALPHA = 0.05


def grid(world: World, draw: np.random.Generator) -> Iterator[tuple[int, float]]:
    """Sessions and recall after each round over all cells: exact tests against p0, Benjamini-Hochberg."""
    failures, sessions = np.zeros(world.rate.size), 0
    rate, weak = world.rate.ravel(), world.weak.ravel()
    while True:
        failures += draw.random(rate.size) < rate
        sessions += 1
        p = np.where(failures, bdtrc(np.maximum(failures - 1, 0), sessions, world.p0), 1.0)
        found = np.array(benjamini_hochberg(p.tolist())) <= ALPHA
        yield sessions * rate.size, float((found & weak).sum() / weak.sum())


def at_random(world: World, draw: np.random.Generator) -> Iterator[tuple[int, float]]:
    """Sessions and recall where cells not yet found are drawn uniformly, with the interviewer's evidence."""
    rate, weak = world.rate.ravel(), world.weak.ravel()
    failures, sessions, found = np.zeros(rate.size), np.zeros(rate.size), np.zeros(rate.size, dtype=bool)
    while True:
        asked = np.bincount(draw.choice(np.flatnonzero(~found), rate.size // 2), minlength=rate.size)
        failures += draw.binomial(asked, rate)
        sessions += asked
        found = e_bh(log_e(failures, sessions, p0=world.p0, p1=world.p1), alpha=ALPHA)
        yield int(sessions.sum()), float((found & weak).sum() / weak.sum())


def delta_debugging(steps: int, fails: Callable[[Kept], bool]) -> Kept:
    """ddmin (Zeller and Hildebrandt 2002, figure 3), which takes one run for the truth."""
    kept, parts = list(range(steps)), 2
    while len(kept) >= 2:
        blocks = [list(block) for block in np.array_split(kept, parts)]
        rests = [[step for step in kept if step not in block] for block in blocks]
        for tried, then in [(b, 2) for b in blocks] + [(r, max(parts - 1, 2)) for r in rests if parts > 2]:
            if fails(tuple(tried)):
                kept, parts = tried, then
                break
        else:
            if parts >= len(kept):
                break
            parts = min(len(kept), 2 * parts)
    return tuple(int(step) for step in kept)
