"""Where the next sessions go: chooses cells of group, probe and intensity, and says what was found.

Knows no case and no agent: cells are numbered from 0 in each direction, a session failed or passed.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from fairtrial.schema.weakness import CellState
from fairtrial.sessions.belief import Belief
from fairtrial.sessions.evalues import e_bh, interval, log_e

Cell = tuple[int, int, int]

_BATCH = 8
_EXPLORED = 1 / 3
"""Share of the budget that exploring takes at most."""
_SESSIONS = 100
"""Sessions of a cell after which it is left open."""
_BROKEN = 3
"""Sessions set aside beyond those that count, from which a cell is asked no more."""
_OPEN_SHARE = 0.02
"""Expected share of the weak cells left unfound at which to stop."""
_FEW = 0.06
"""Weak cells that are reckoned with where fewer were seen, as a share of the pairs of group and probe."""
_UNLIKELY = 0.05


class Stop(StrEnum):
    """Why no more is asked; empty as long as it is."""

    not_yet = ""
    budget = "budget"
    nothing_left = "nothing left"
    unlikely = "open weakness unlikely"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What is known of a cell.

    `failures` of `sessions` are what `evidence` (an e-value) rests on; both stand still once it is `found`.
    `low` and `high` hold its failure rate at 95 % under any choice of cells and any stop, for found cells at
    a level that holds for their list. `weak` is the model's chance that it is weak, in [0, 1].
    """

    cell: Cell
    failures: int
    sessions: int
    evidence: float
    found: bool
    weak: float
    state: CellState
    low: float
    high: float


class Interviewer:
    """Chooses cells batch by batch, to find those that fail at `p1` or more where `p0` is still acceptable.

    `runnable` (groups, probes, intensities) says which cells there are. The same `seed` and the same answers
    give the same batches: a run is resumed by going through its batches again with the answers on record.
    Of the cells found, a share of at most `alpha` is expected to have a rate of at most `p0`, as long as the
    agent stays the same and sessions are set aside for reasons that do not depend on how they ended.
    The first `explore` sessions, at most a third of the budget, go to cells drawn uniformly.
    """

    def __init__(
        self,
        groups: int,
        probes: int,
        intensities: int = 3,
        *,
        runnable: NDArray[np.bool_],
        seed: int,
        budget: int,
        p0: float = 0.1,
        p1: float = 0.5,
        alpha: float = 0.05,
        explore: int = 96,
    ) -> None:
        if runnable.shape != (groups, probes, intensities):
            raise ValueError(f"`runnable` is {runnable.shape}, not {(groups, probes, intensities)}")
        self._p0, self._p1, self._alpha, self._budget = p0, p1, alpha, budget
        self._runnable = runnable
        self._belief = Belief(runnable, p0=p0, p1=p1)
        draw = np.random.Generator(np.random.PCG64(seed))
        cells = np.flatnonzero(runnable)
        first = min(explore, max(1, int(budget * _EXPLORED)), budget) if cells.size else 0
        drawn = draw.choice(cells, first) if first else cells[:0]
        self._explore = _cells(np.column_stack(np.unravel_index(drawn, runnable.shape)))
        self._tie = draw.permutation(runnable.size).reshape(runnable.shape)
        self._failures = np.zeros(runnable.shape)
        self._sessions = np.zeros(runnable.shape)
        self._aside = np.zeros(runnable.shape)
        self._found = np.zeros(runnable.shape, dtype=np.bool_)
        self._weak = self._belief.weak(self._failures, self._sessions)
        self._asked = 0
        self._headline = (0, 0)
        self._open: list[Cell] = []
        self._told: list[tuple[Cell, bool]] = []
        self.stopped = Stop.not_yet

    def batch(self) -> list[Cell]:
        """The cells to run next, a session each; empty where it is time to stop, which `stopped` explains.

        Closes the batch before: what was told of it counts from now on, in whatever order it came (to count
        quick answers before slow ones would be to choose by how they end), what was not told is set aside.
        """
        exploring = 0 < self._asked <= len(self._explore)
        self._close(exploring)
        if self._asked == 0 and self._explore:
            return self._ask(self._explore)
        if self.stopped is Stop.not_yet:
            self.stopped = self._why_stop()
        return [] if self.stopped else self._ask(self._next())

    def tell(self, cell: Cell, failed: bool) -> None:
        """How a session of the open batch ended. Raises ValueError for a cell that it does not wait for."""
        if cell not in self._open:
            raise ValueError(f"no session of {cell} is waited for")
        self._open.remove(cell)
        self._told.append((cell, failed))

    def headline(self) -> tuple[int, int]:
        """Failures and sessions of the uniformly drawn cells: the one pooled rate that means something."""
        return self._headline

    def findings(self) -> list[Finding]:
        """Every cell that can be run, in order, as of the last batch that was closed."""
        m, k = int(self._runnable.sum()), int(self._found.sum())
        logs = log_e(self._failures, self._sessions, p0=self._p0, p1=self._p1)
        low, high = interval(self._failures, self._sessions)
        if k:
            of_list = interval(self._failures, self._sessions, level=self._alpha * k / m)
            low, high = (np.where(self._found, *pair) for pair in zip(of_list, (low, high), strict=True))
        return [
            Finding(
                cell=cell,
                failures=int(self._failures[cell]),
                sessions=int(self._sessions[cell]),
                evidence=float(np.exp(logs[cell])),
                found=bool(self._found[cell]),
                weak=float(self._weak[cell]),
                state=self._state(cell, float(high[cell])),
                low=float(low[cell]),
                high=float(high[cell]),
            )
            for cell in _cells(np.argwhere(self._runnable))
        ]

    def _state(self, cell: Cell, high: float) -> CellState:
        if self._found[cell]:
            return CellState.weak
        if not self._sessions[cell]:
            return CellState.not_run
        if high < self._p1:
            return CellState.cleared
        return CellState.unlikely if self._weak[cell] < _UNLIKELY else CellState.open

    def _ask(self, cells: list[Cell]) -> list[Cell]:
        self._open = list(cells)
        self._asked += len(cells)
        return list(cells)

    def _close(self, exploring: bool) -> None:
        """Count what was told of the open batch, then see what is found and what is believed."""
        if exploring:
            self._headline = (sum(failed for _, failed in self._told), len(self._told))
        for cell, failed in self._told:
            self._sessions[cell] += 1
            self._failures[cell] += failed
        for cell in self._open:
            self._aside[cell] += 1
        self._open, self._told = [], []
        logs = log_e(self._failures, self._sessions, p0=self._p0, p1=self._p1)
        self._found[self._runnable] = e_bh(logs[self._runnable], alpha=self._alpha)
        self._weak = self._belief.weak(self._failures, self._sessions)

    def _askable(self) -> NDArray[np.bool_]:
        spent = self._sessions >= _SESSIONS
        broken = self._aside - self._sessions >= _BROKEN
        return np.asarray(self._runnable & ~self._found & ~spent & ~broken)

    def _why_stop(self) -> Stop:
        if self._asked >= self._budget:
            return Stop.budget
        if not self._askable().any():
            return Stop.nothing_left
        left = float(self._weak[~self._found].sum())
        weak_in_all = float(self._found.sum()) + left
        few = _FEW * self._runnable.any(axis=2).sum()
        return Stop.unlikely if left <= _OPEN_SHARE * max(weak_in_all, few) else Stop.not_yet

    def _next(self) -> list[Cell]:
        order = np.lexsort((self._tie.ravel(), -self._weak.ravel()))
        askable = order[self._askable().ravel()[order]]
        some = askable[: min(_BATCH, self._budget - self._asked)]
        return _cells(np.column_stack(np.unravel_index(some, self._runnable.shape)))


def _cells(rows: NDArray[np.int64]) -> list[Cell]:
    return [(int(g), int(p), int(i)) for g, p, i in rows]
