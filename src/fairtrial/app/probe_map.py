"""The course of an examination: undisturbed, then what the interviewer chooses, then a closer look."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from math import ceil

import numpy as np

from fairtrial.app.probe_grid import Grid
from fairtrial.app.probe_shrink import FRESH, Shrinking, ask_afresh, shrink_all, wanted
from fairtrial.app.probe_sittings import Seen, Sittings, baseline
from fairtrial.schema import weakness as noun
from fairtrial.schema.weakness import CellState, Headline, Weakness, WeaknessMap
from fairtrial.sessions.interviewer import Cell, Finding, Interviewer
from fairtrial.sessions.probes.probe import INTENSITIES
from fairtrial.stats.intervals import clopper_pearson
from fairtrial.text.language import say

_KEPT = 80
"""Sessions kept back for each probe that is found to be one, to shrink a case; half of the budget at most."""
_ACCEPTABLE, _MOST, _STEP = 0.1, 0.6, 0.05
"""The highest failure rate that is no weakness, if not more of the sessions fail undisturbed."""
_WEAK, _APART = 0.5, 0.3
"""The rate that is looked for, and how far above the acceptable one it is at least."""
AGAIN = 20
"""Sessions at least in which the cases that pass undisturbed are asked again."""
_SILENT = 3
"""Blocks of which no session counts, after which the agent is taken for dead."""
_EXAMPLES = 3


class Stop(StrEnum):
    """Why an examination ended, beside what the interviewer says."""

    budget = "budget"
    interrupted = "interrupted"
    no_answer = "no answer"
    no_case = "no case passes undisturbed"


class Examination:
    """One examination; `map` says at any time what is known."""

    def __init__(self, grid: Grid, sittings: Sittings, *, seed: int) -> None:
        self._grid, self._sittings, self._seed = grid, sittings, seed
        self._baseline: list[Seen] = []
        self._interviewer: Interviewer | None = None
        self._of: dict[Cell, list[Seen]] = {}
        self._fresh: dict[Cell, list[Seen]] = {}
        self._control: dict[Cell, list[Seen]] = {}
        self._shrinking: list[Shrinking] = []
        self._stopped = str(Stop.interrupted)
        self._acceptable = _ACCEPTABLE

    async def go(self) -> None:
        """From the beginning to the end; what the log holds is not asked again. Raises Stopped."""
        passing = await self._undisturbed()
        if not passing:
            answered = any(seen.failed for seen in self._baseline)
            self._stopped = str(Stop.no_case if answered else Stop.no_answer)
            return
        self._grid = self._grid.only(passing)  # what fails by itself is no probe's finding
        stopped = await self._interview()
        await self._look_closer()
        self._stopped = stopped

    async def _undisturbed(self) -> set[str]:
        """The cases that pass again and again. What fails after the first time, which nothing has selected,
        is how often such cases fail by themselves: only what fails more often than that is called weak."""
        cases = self._grid.cases
        self._baseline = await self._sittings.hold(list(baseline(list(cases.values()))))
        passing = [cases[seen.case] for seen in self._baseline if seen.failed is False]
        times = ceil(AGAIN / len(passing)) if passing else 0
        again = await self._sittings.hold(list(baseline(passing)) * times)
        self._baseline += again
        counted = [seen.failed for seen in again if seen.failed is not None]
        if any(counted):
            steps = ceil(sum(counted) / len(counted) / _STEP) + 1
            self._acceptable = min(max(_ACCEPTABLE, steps * _STEP), _MOST)
        return {case.id for case in passing} - {seen.case for seen in again if seen.failed is not False}

    async def _interview(self) -> str:
        grid, sittings = self._grid, self._sittings
        silent, kept = 0, sittings.left // 2
        asking = self._interviewer = Interviewer(
            *grid.runnable.shape,
            runnable=grid.runnable,
            seed=self._seed,
            budget=sittings.left,
            p0=self._acceptable,
            p1=max(_WEAK, self._acceptable + _APART),
        )
        phase = "explore"
        while cells := asking.batch():
            probes = len({one.cell[1] for one in asking.findings() if one.found})
            if sittings.left < min(kept, _KEPT * probes) + len(cells):
                return str(Stop.budget)
            block = [wanted(grid, cell, sittings.seed(at), phase) for at, cell in enumerate(cells)]
            seen = await sittings.hold(block)
            for cell, one in zip(cells, seen, strict=True):
                self._of.setdefault(cell, []).append(one)
                if one.failed is not None:
                    asking.tell(cell, one.failed)
            phase = "choose"
            silent = 0 if any(one.failed is not None for one in seen) else silent + 1
            if silent == _SILENT:
                return str(Stop.no_answer)
        return str(asking.stopped)

    async def _look_closer(self) -> None:
        """A case of each probe made smaller; then the weak cells asked anew, with and without disturbance."""
        weak = self._mildest(self._found())
        first = list({cell[1]: cell for cell in reversed(weak)}.values())[::-1]
        self._shrinking = [Shrinking(cell=cell, failed=self._failed(cell)) for cell in first]
        await shrink_all(self._grid, self._sittings, self._shrinking, seed=self._seed)
        for cell in [*first, *(cell for cell in weak if cell not in first)]:
            if self._sittings.left >= 2 * FRESH:
                self._fresh[cell], self._control[cell] = await ask_afresh(self._grid, self._sittings, cell)

    def _findings(self) -> list[Finding]:
        return self._interviewer.findings() if self._interviewer else []

    def _found(self) -> list[Finding]:
        """The weak cells, the surest first."""
        weak = [one for one in self._findings() if one.found]
        return sorted(weak, key=lambda one: -one.evidence)

    def _mildest(self, found: Sequence[Finding]) -> list[Cell]:
        """Of each pair of group and probe the weak cell of least intensity, in the order of the pairs."""
        pairs = dict.fromkeys(one.cell[:2] for one in found)
        return [min(one.cell for one in found if one.cell[:2] == pair) for pair in pairs]

    def _failed(self, cell: Cell) -> list[Seen]:
        return [seen for seen in (*self._of.get(cell, ()), *self._fresh.get(cell, ())) if seen.failed]

    def map(self) -> WeaknessMap:
        """All that is known so far."""
        aside = Counter(str(seen.status) for seen in self._sittings.held if seen.failed is None)
        return WeaknessMap(
            cells=tuple(map(self._cell, self._findings())),
            weaknesses=tuple(self._weaknesses()),
            headline=self._headline(),
            acceptable=self._acceptable,
            baseline=tuple(dict.fromkeys(seen.case for seen in self._baseline if seen.failed)),
            unanswered=tuple(dict.fromkeys(seen.case for seen in self._baseline if seen.failed is None)),
            inapplicable=dict(self._grid.inapplicable),
            sessions=len(self._sittings.held),
            budget=self._sittings.budget,
            set_aside=dict(aside),
            stopped=self._stopped,
        )

    def _cell(self, found: Finding) -> noun.Cell:
        group, probe, intensity = self._name(found.cell)
        run = found.state is not CellState.not_run
        return noun.Cell(
            group=group,
            probe=probe,
            intensity=intensity,
            state=found.state,
            failures=found.failures,
            sessions=found.sessions,
            low=found.low,
            high=found.high,
            weak=found.weak,
            evidence=found.evidence if run and np.isfinite(found.evidence) else None,
            fresh=_counted(self._fresh.get(found.cell, ())),
            control=_counted(self._control.get(found.cell, ())),
        )

    def _name(self, cell: Cell) -> tuple[str, str, int]:
        group, probe, intensity = cell
        return self._grid.groups[group], self._grid.probes[probe].name, INTENSITIES[intensity]

    def _headline(self) -> Headline:
        failures, sessions = self._interviewer.headline() if self._interviewer else (0, 0)
        low, high = clopper_pearson(failures, sessions) if sessions else (None, None)
        return Headline(
            rate=failures / sessions if sessions else None,
            low=low,
            high=high,
            failures=failures,
            sessions=sessions,
            method="clopper-pearson",
        )

    def _weaknesses(self) -> Iterator[Weakness]:
        by_cell = {one.cell: one for one in self._shrinking}
        why = "" if by_cell else say("it was stopped before", "在此之前就停止了")
        for cell in self._mildest(self._found()):
            shrinking = by_cell.get(cell) or Shrinking(cell=cell, failed=(), why=why)
            failed = [*self._failed(cell), *(seen for seen in shrinking.seen if seen.failed)]
            group, probe, intensity = self._name(cell)
            yield Weakness(
                group=group,
                probe=probe,
                intensity=intensity,
                layers=dict(Counter(str(seen.layer) for seen in failed if seen.layer)),
                examples=tuple(
                    noun.Example(case=seen.case, trial=seen.trial + 1) for seen in failed[:_EXAMPLES]
                ),
                shrunk=shrinking.shrunk,
                why=shrinking.why,
            )


def _counted(sessions: Sequence[Seen]) -> tuple[int, int] | None:
    """Failures and sessions of those that count; None without any."""
    failed = [seen.failed for seen in sessions if seen.failed is not None]
    return (sum(failed), len(failed)) if failed else None
