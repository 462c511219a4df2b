"""Which cells an examination has: groups of exchangeable cases, probes, intensities, and who fits."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from fairtrial.agents.protocol import Ability
from fairtrial.errors import BadInput
from fairtrial.schema.case import Case
from fairtrial.sessions.interviewer import Cell
from fairtrial.sessions.probes.apply import Use, apply, known, parts, read_uses
from fairtrial.sessions.probes.probe import INTENSITIES, Probe, Unfit
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Cells as (group, probe, intensity), each numbered from 0, and the cases that fit into each.

    `inapplicable` maps a probe that can be tried on no case to why.
    """

    cases: Mapping[str, Case]
    groups: tuple[str, ...]
    probes: tuple[Probe, ...]
    fits: Mapping[Cell, tuple[str, ...]]
    inapplicable: Mapping[str, str]
    seed: int
    abilities: frozenset[Ability]

    @property
    def runnable(self) -> NDArray[np.bool_]:
        """Which cells have a case, (groups, probes, intensities)."""
        found = np.zeros((len(self.groups), len(self.probes), len(INTENSITIES)), dtype=np.bool_)
        for cell in self.fits:
            found[cell] = True
        return found

    def only(self, cases: Collection[str]) -> "Grid":
        """The cells that are left with these cases; groups and probes keep their numbers."""
        left = {cell: tuple(case for case in fit if case in cases) for cell, fit in self.fits.items()}
        return replace(self, fits={cell: fit for cell, fit in left.items() if fit})

    def use(self, cell: Cell) -> Use:
        """The probe of a cell at its intensity."""
        return Use(self.probes[cell[1]], INTENSITIES[cell[2]])

    def draw(self, cell: Cell, seed: int) -> tuple[Case, Case, int]:
        """A case of the cell, uniformly under `seed`; it disturbed; and the seed of the disturbance.

        That is `seed`, or, where the probe finds nothing to do under it, the one under which it was tried.
        """
        base = self.cases[Random(seed).choice(self.fits[cell])]
        try:
            return base, self.disturbed(base, cell, seed), seed
        except (Unfit, BadInput):
            return base, self.disturbed(base, cell, self.seed), self.seed

    def disturbed(self, base: Case, cell: Cell, seed: int) -> Case:
        """A case under the probe of a cell. Raises Unfit, BadInput."""
        others = self._others(base)
        return apply(base, (self.use(cell),), seed=seed, others=others, abilities=self.abilities)

    def parts(self, base: Case, cell: Cell, seed: int) -> tuple[tuple[int, ...], ...]:
        """The steps of `disturbed`, by what can be left out alone."""
        return parts(base, (self.use(cell),), seed=seed, others=self._others(base))

    def _others(self, base: Case) -> list[Case]:
        return [case for case in self.cases.values() if case is not base]


def grid_of(
    cases: Sequence[Case], probes: Sequence[Probe], *, abilities: frozenset[Ability], seed: int
) -> Grid:
    """Try every probe at every intensity on every case, without calling anyone. Raises BadInput.

    A case belongs to the group of its `task_type`, else of its first tag, else of its file.
    """
    by_group: dict[str, list[Case]] = {}
    for case in cases:
        by_group.setdefault(_group(case), []).append(case)
    grid = Grid(
        cases={case.id: case for case in cases},
        groups=tuple(by_group),
        probes=tuple(probes),
        fits={},
        inapplicable={},
        seed=seed,
        abilities=abilities,
    )
    fits: dict[Cell, tuple[str, ...]] = {}
    why: dict[str, str] = {}
    for p, probe in enumerate(probes):
        refusals: list[str] = []
        for g, members in enumerate(by_group.values()):
            for i in range(len(INTENSITIES)):
                if found := tuple(_fitting(grid, members, (g, p, i), refusals)):
                    fits[g, p, i] = found
        if not any(cell[1] == p for cell in fits):
            why[probe.name] = refusals[0]
    return replace(grid, fits=fits, inapplicable=why)


def _group(case: Case) -> str:
    return case.task_type or next(iter(case.tags), None) or case.set or say("all", "全部")


def _fitting(grid: Grid, members: Sequence[Case], cell: Cell, refusals: list[str]) -> Iterator[str]:
    for case in members:
        try:
            grid.disturbed(case, cell, grid.seed)
        except Unfit as unfit:
            refusals.append(str(unfit))
        else:
            yield case.id


def chosen_probes(names: Sequence[str]) -> tuple[Probe, ...]:
    """The probes of these names, all that are known where none is named. Raises BadInput."""
    if not names:
        return tuple(known().values())
    found: dict[str, Probe] = {}
    for name in names:
        uses = read_uses(name)
        if len(uses) != 1 or name.rpartition("@")[2].isdigit():
            raise BadInput(
                say("one probe, without an intensity", "应为一个探针，不带强度"),
                where=f"--probe {name}",
                how=say(
                    "the interviewer chooses intensities; repeat --probe", "强度由面试官选择；可重复 --probe"
                ),
            )
        found[uses[0].probe.name] = uses[0].probe
    return tuple(found.values())
