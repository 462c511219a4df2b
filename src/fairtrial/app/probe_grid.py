"""Which cells an examination has: groups of exchangeable cases, probes, intensities, and who fits."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
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
    """Cells as (group, probe, intensity), each numbered from 0; `runnable` says in which some case fits.

    `cases` are all that there are, `members` those of each group that may be drawn. `inapplicable` maps a
    probe that can be tried on none of them to why.
    """

    cases: Mapping[str, Case]
    members: Mapping[str, tuple[str, ...]]
    probes: tuple[Probe, ...]
    runnable: NDArray[np.bool_]
    inapplicable: Mapping[str, str]
    seed: int
    abilities: frozenset[Ability]

    @property
    def groups(self) -> tuple[str, ...]:
        """Their names, in the order of their numbers."""
        return tuple(self.members)

    def only(self, cases: Collection[str]) -> "Grid":
        """The cells that are left with these cases; groups and probes keep their numbers."""
        left = {name: tuple(case for case in ids if case in cases) for name, ids in self.members.items()}
        return replace(replace(self, members=left)._tried(self.runnable), inapplicable=self.inapplicable)

    def use(self, cell: Cell) -> Use:
        """The probe of a cell at its intensity."""
        return Use(self.probes[cell[1]], INTENSITIES[cell[2]])

    def draw(self, cell: Cell, seed: int) -> tuple[Case, Case, int]:
        """A case of the cell, uniformly of those that fit; it disturbed; and the seed of the disturbance.

        That is `seed`, or, where the probe finds nothing to do under it, the one under which all were tried.
        """
        for base in self._shuffled(cell, seed):
            for under in (seed, self.seed):
                with suppress(Unfit):
                    return base, self.disturbed(base, cell, under), under
        raise ValueError(f"no case fits into cell {cell}")

    def disturbed(self, base: Case, cell: Cell, seed: int) -> Case:
        """A case under the probe of a cell. Raises Unfit, BadInput."""
        return apply(base, (self.use(cell),), seed=seed, others=self._others(base), abilities=self.abilities)

    def parts(self, base: Case, cell: Cell, seed: int) -> tuple[tuple[int, ...], ...]:
        """The steps of `disturbed`, by what can be left out alone."""
        return parts(base, (self.use(cell),), seed=seed, others=self._others(base))

    def _others(self, base: Case) -> list[Case]:
        return [case for case in self.cases.values() if case is not base]

    def _shuffled(self, cell: Cell, seed: int) -> list[Case]:
        ids = list(self.members.values())[cell[0]]
        return [self.cases[case] for case in Random(seed).sample(ids, len(ids))]

    def _tried(self, where: NDArray[np.bool_]) -> "Grid":
        """With the cells of `where` into which a case fits: found at the first one, or not after all."""
        found, why = np.zeros_like(where), {}
        for p, probe in enumerate(self.probes):
            refusals: list[str] = []
            for g, i in np.argwhere(where[:, p]):
                found[g, p, i] = self._fits((int(g), p, int(i)), refusals)
            if refusals and not found[:, p].any():
                why[probe.name] = refusals[0]
        return replace(self, runnable=found, inapplicable=why)

    def _fits(self, cell: Cell, refusals: list[str]) -> bool:
        for base in self._shuffled(cell, self.seed):
            try:
                self.disturbed(base, cell, self.seed)
            except Unfit as unfit:
                refusals.append(str(unfit))
            else:
                return True
        return False


def grid_of(
    cases: Sequence[Case], probes: Sequence[Probe], *, abilities: frozenset[Ability], seed: int
) -> Grid:
    """The cells of these cases and probes, without calling anyone. Raises BadInput for a broken probe.

    A case belongs to the group of its `task_type`, else of its first tag, else of its file.
    """
    members: dict[str, tuple[str, ...]] = {}
    for case in cases:
        group = case.task_type or next(iter(case.tags), None) or case.set or say("all", "全部")
        members[group] = (*members.get(group, ()), case.id)
    everywhere = np.ones((len(members), len(probes), len(INTENSITIES)), dtype=np.bool_)
    return Grid(
        cases={case.id: case for case in cases},
        members=members,
        probes=tuple(probes),
        runnable=everywhere,
        inapplicable={},
        seed=seed,
        abilities=abilities,
    )._tried(everywhere)


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
