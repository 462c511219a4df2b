"""One result as it is examined: its sessions, what its file tells besides, and its figures."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fairtrial.evidence.columns import Floats, Ints
from fairtrial.evidence.estimate import estimate_mean, powers
from fairtrial.evidence.identity import Repeats, repeats
from fairtrial.evidence.side import Side
from fairtrial.records.fingerprint import whole
from fairtrial.records.interop.foreign import Foreign
from fairtrial.schema.evidence import Counts, Estimate, Header, Summary
from fairtrial.schema.fingerprint import Fingerprint
from fairtrial.schema.look import SealedLook
from fairtrial.stats.intervals import kish

_MOST_TRIALS = 10
"""Powers of pass^k shown; a file with more rows a case has no trials but a fault."""


@dataclass(frozen=True, kw_only=True)
class Exhibit:
    """A result: `header` where it is a log of ours, `foreign` where another tool measured it.

    `again` are the figures of a log of ours reckoned anew from its rows. `looks` are those at sealed slices
    that a ledger has of its agent, the latest last; None where there is no ledger.
    """

    side: Side
    header: Header | None = None
    foreign: Foreign | None = None
    again: Summary | None = None
    looks: tuple[SealedLook, ...] | None = None
    pass_at: float = 1.0

    @property
    def format(self) -> str:
        """The name of its format."""
        return self.foreign.format if self.foreign else "fairtrial"

    @property
    def planned(self) -> int | None:
        """Sessions that were planned, None where nobody says."""
        if self.foreign is not None:
            return self.foreign.planned
        summary = self.header.summary if self.header else None
        return summary.counts.planned if summary else None

    @property
    def numbered(self) -> bool:
        """Whether the file itself tells the trials of a case apart."""
        return self.foreign is None or self.foreign.numbered

    @property
    def fingerprint(self) -> Fingerprint:
        """What it tells of its environment."""
        if self.foreign is not None:
            return whole(self.foreign.parts)
        return self.header.fingerprint if self.header and self.header.fingerprint else whole({})

    @property
    def stopped_early(self) -> bool:
        """Whether it is a round that stopped when its question was decided."""
        decision = self.header.decision if self.header else None
        return decision is not None and decision.stopped_early

    @cached_property
    def repeats(self) -> Repeats | None:
        """Whether its ids are those of trials."""
        return repeats(self.side)

    @cached_property
    def summary(self) -> Summary | None:
        """Its figures: those of its header, or reckoned from the sessions; None where there are none.

        Of another tool's sessions `useful` was not measured, so that the total is the score alone.
        """
        if self.foreign is None and self.header is not None:
            return self.header.summary
        return _summary(self.side, self.planned, self.pass_at) if self.side.ids else None


def _summary(side: Side, planned: int | None, pass_at: float) -> Summary:
    mean, scored = side.means()
    some = scored > 0
    # A case that names no cluster is one of its own.
    codes = np.where(side.cluster < 0, side.cluster.max(initial=-1) + 1 + np.arange(len(mean)), side.cluster)
    weight = side.weight[some]
    ratio = _estimate(mean[some], weight, codes[some])
    held, sessions = side.held, max(planned or 0, len(side.case))
    passes = np.bincount(side.case[side.scored & (side.value >= pass_at)], minlength=len(mean))
    got, failed = int(side.scored.sum()), int((~side.completed).sum())
    return Summary(
        counts=Counts(
            planned=sessions,
            scored=got,
            errored=failed,
            by_status=dict(side.statuses),
        ),
        total=ratio,
        ret_ratio=ratio,
        ret_ratio_all=ratio if some.all() else _estimate(np.where(some, mean, 0.0), side.weight, codes),
        useful=estimate_mean((), (), ()),
        pass_hat_k=powers(_kinds(scored, passes), min(int(held.max()), _MOST_TRIALS)),
        tags={},
        facts={
            "cases": len(side.ids),
            "clusters": int((np.bincount(codes[some]) > 0).sum()),
            "n_eff": kish(weight.tolist()) if got else None,
            "trials_min": int(held.min()),
            "trials_max": int(held.max()),
            "not_held": sessions - len(side.case),
            "share_without_score": (sessions - got) / sessions,
            "variance": float(mean[some].var(ddof=1)) if some.sum() > 1 else None,
            "models": len(side.models) or None,
        },
    )


def _kinds(scored: Ints, passes: Ints) -> dict[tuple[int, int], int]:
    """How many cases have so many scored trials of which so many pass."""
    base = int(scored.max()) + 1
    kinds, times = np.unique(scored * base + passes, return_counts=True)
    return {divmod(int(kind), base): int(n) for kind, n in zip(kinds, times, strict=True)}


def _estimate(mean: Floats, weight: Floats, codes: Ints) -> Estimate:
    return estimate_mean(mean.tolist(), weight.tolist(), np.unique(codes, return_inverse=True)[1].tolist())
