"""Two runs laid side by side: which cases both scored, and by how much each differs."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fairtrial.evidence.columns import Columns, Flags, Floats, Ints


@dataclass(frozen=True)
class Pairs:
    """The cases that both runs scored, as places in the arrays of each; `d` is candidate less base.

    `partner` is the place in the candidate of each case of the base, −1 for none. `weight` is
    the base's. `only_base` and `only_candidate` are places of cases that the other side was not asked,
    `unanswered` (of the base) those that both were asked and not both scored.
    """

    base: Columns
    candidate: Columns
    partner: Ints
    at_base: Ints
    at_candidate: Ints
    only_base: Ints
    only_candidate: Ints
    unanswered: Ints

    @classmethod
    def of(cls, base: Columns, candidate: Columns) -> "Pairs":
        """Pair by id."""
        partner = _partners(base.ids, candidate.ids)
        met = partner >= 0
        scored, asked = np.zeros(partner.size, dtype=np.bool_), base.asked.copy()
        scored[met] = (base.scored[met] > 0) & (candidate.scored[partner[met]] > 0)
        asked[met] |= candidate.asked[partner[met]]
        alone = candidate.asked.copy()
        alone[partner[met]] = False
        return cls(
            base=base,
            candidate=candidate,
            partner=partner,
            at_base=np.flatnonzero(scored),
            at_candidate=partner[scored],
            only_base=np.flatnonzero(~met & base.asked),
            only_candidate=np.flatnonzero(alone),
            unanswered=np.flatnonzero(met & asked & ~scored),
        )

    def __len__(self) -> int:
        return int(self.at_base.size)

    @cached_property
    def d(self) -> Floats:
        """Difference of each case's mean score, in [−1, 1]; what only rounding makes is 0."""
        found = self.candidate.mean[self.at_candidate] - self.base.mean[self.at_base]
        found[np.abs(found) < 1e-12] = 0.0
        return found

    @cached_property
    def weight(self) -> Floats:
        """Of each case."""
        return self.base.weight[self.at_base]

    @cached_property
    def cluster(self) -> Ints:
        """Of each case, as a code from 0 without gaps: as the side has it that tells of fewer clusters."""
        sides = (self.base.cluster[self.at_base], self.candidate.cluster[self.at_candidate])
        told = [np.unique(side, return_inverse=True) for side in sides]
        return min(told, key=lambda found: found[0].size)[1]

    @cached_property
    def passed(self) -> tuple[Flags, Flags]:
        """Whether a case passes on each side: in more than half of its scored trials."""
        return (
            _majority(self.base, self.at_base),
            _majority(self.candidate, self.at_candidate),
        )

    def name(self, place: np.int64) -> str:
        """The id of a shared case."""
        return self.base.ids[int(self.at_base[place])]


def _partners(base: tuple[str, ...], candidate: tuple[str, ...]) -> Ints:
    """The place of each id in the candidate, −1 where it has none."""
    if base == candidate:
        return np.arange(len(base))
    known = {case: place for place, case in enumerate(candidate)}
    return np.fromiter((known.get(case, -1) for case in base), np.int64, len(base))


def _majority(side: Columns, places: Ints) -> Flags:
    return np.asarray(2 * side.passes[places] > side.scored[places])
