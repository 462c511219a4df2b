"""Made-up agents of which every failure rate is known: 24 groups of cases, 12 probes, 3 intensities."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SHAPE = (24, 12, 3)
Draw = np.random.Generator


@dataclass(frozen=True, kw_only=True)
class World:
    """`rate` of each cell, which are `weak`, and what is acceptable (`p0`) and looked for (`p1`)."""

    rate: NDArray[np.float64]
    weak: NDArray[np.bool_]
    p0: float = 0.1
    p1: float = 0.5


def _healthy(draw: Draw) -> NDArray[np.float64]:
    return draw.choice([0.01, 0.03, 0.06, 0.1], SHAPE)


def _from_some_intensity_on(weak: NDArray[np.bool_], group: int, probe: int, draw: Draw) -> None:
    weak[group, probe, draw.integers(0, 3) :] = True


def _probes(weak: NDArray[np.bool_], many: int, draw: Draw) -> None:
    """Whole probes: 85 % of the groups are weak there."""
    for probe in draw.choice(SHAPE[1], many, replace=False):
        for group in np.flatnonzero(draw.random(SHAPE[0]) < 0.85):
            _from_some_intensity_on(weak, group, probe, draw)


def _groups(weak: NDArray[np.bool_], many: int, draw: Draw) -> None:
    for group in draw.choice(SHAPE[0], many, replace=False):
        for probe in np.flatnonzero(draw.random(SHAPE[1]) < 0.85):
            _from_some_intensity_on(weak, group, probe, draw)


def _pairs(weak: NDArray[np.bool_], many: int, draw: Draw) -> None:
    for pair in draw.choice(SHAPE[0] * SHAPE[1], many, replace=False):
        _from_some_intensity_on(weak, pair // SHAPE[1], pair % SHAPE[1], draw)


def _lone_cells(weak: NDArray[np.bool_], many: int, draw: Draw) -> None:
    """At one intensity alone, be it a mild one: where more disturbance helps."""
    for pair in draw.choice(SHAPE[0] * SHAPE[1], many, replace=False):
        weak[pair // SHAPE[1], pair % SHAPE[1], draw.integers(0, 3)] = True


def _with(weak: NDArray[np.bool_], draw: Draw, rate: float | None = None) -> NDArray[np.float64]:
    return np.where(weak, draw.uniform(0.5, 0.95, SHAPE) if rate is None else rate, _healthy(draw))


def structured(draw: Draw) -> World:
    weak = np.zeros(SHAPE, dtype=bool)
    _probes(weak, 2, draw)
    return World(rate=_with(weak, draw), weak=weak)


def sparse(draw: Draw) -> World:
    weak = np.zeros(SHAPE, dtype=bool)
    _pairs(weak, 14, draw)
    return World(rate=_with(weak, draw), weak=weak)


def mixed(draw: Draw) -> World:
    weak = np.zeros(SHAPE, dtype=bool)
    _probes(weak, 1, draw)
    _groups(weak, 1, draw)
    _pairs(weak, 10, draw)
    return World(rate=_with(weak, draw), weak=weak)


def noisy(draw: Draw) -> World:
    """Healthy cells fail up to one time in five, and that is acceptable."""
    world = structured(draw)
    rate = np.where(world.weak, world.rate, draw.uniform(0.05, 0.2, SHAPE))
    return World(rate=rate, weak=world.weak, p0=0.2)


def milder(draw: Draw) -> World:
    """Weak cells fail 35 %, and that is what is looked for."""
    weak = structured(draw).weak
    return World(rate=_with(weak, draw, 0.35), weak=weak, p1=0.35)


def isolated(draw: Draw) -> World:
    weak = np.zeros(SHAPE, dtype=bool)
    _lone_cells(weak, 20, draw)
    return World(rate=_with(weak, draw), weak=weak)


def none(draw: Draw) -> World:
    return World(rate=_healthy(draw), weak=np.zeros(SHAPE, dtype=bool))


def edge(draw: Draw) -> World:
    """No cell is weak, and all fail as often as is just acceptable."""
    return World(rate=np.full(SHAPE, 0.1), weak=np.zeros(SHAPE, dtype=bool))


WORLDS: dict[str, Callable[[Draw], World]] = {
    world.__name__: world for world in (structured, sparse, mixed, noisy, milder, isolated)
}
