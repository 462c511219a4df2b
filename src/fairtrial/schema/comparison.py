"""Two results side by side: what differs, how surely, where, and what that is worth."""

from enum import StrEnum

from fairtrial.schema.evidence import Doubt
from fairtrial.schema.fingerprint import PartDifference
from fairtrial.schema.record import Frozen

ALPHA = 0.05
"""A test below this shows something."""


class Verdict(StrEnum):
    """What a comparison shows. `mixed`: a bucket falls while the total does not."""

    better = "better"
    worse = "worse"
    mixed = "mixed"
    not_shown = "not shown"


class Difference(Frozen, frozen=True, kw_only=True):
    """Mean of candidate less base over paired cases, in [-1, 1], with its 95 % interval.

    None is not known; `method` names the interval or says why there is none. `n` counts cases.
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int
    clusters: int
    method: str

    @property
    def points(self) -> str:
        """The mean in points, for people."""
        return "–" if self.mean is None else f"{100 * self.mean:+.1f}"

    @property
    def interval(self) -> str | None:
        """The interval in points, for people."""
        if self.low is None or self.high is None:
            return None
        return f"[{100 * self.low:+.1f}, {100 * self.high:+.1f}]"


class McNemar(Frozen, frozen=True, kw_only=True):
    """Exact McNemar test on cases that pass or fail: `b` gained, `c` lost; `p` None of no case."""

    b: int
    c: int
    p: float | None


class Significance(Frozen, frozen=True, kw_only=True):
    """A two-sided test: `p` in [0, 1], None where it could not be made; `method` says how or why not."""

    p: float | None
    method: str


class Part(Frozen, frozen=True, kw_only=True):
    """What one case contributes to the difference of the total."""

    case: str
    share: float


class Bucket(Frozen, frozen=True, kw_only=True):
    """A part of the shared cases.

    `kind` is "cell" (task type × turns × input length), one of these alone, "tag", or "bucket" (as another
    tool's file gives it). `share` is what the bucket contributes to the difference of the total: cells sum to
    it, tags overlap. `p_holm` None: shown, never tested (fewer than five cases or clusters, or all cases).
    `cases` are those that contribute most to `share`.
    """

    kind: str
    name: str
    base: float
    candidate: float
    difference: Difference
    share: float
    p: float | None
    p_holm: float | None
    cases: tuple[Part, ...] = ()

    @property
    def falls(self) -> bool:
        """Whether it is shown to fall, the other buckets paid for."""
        return self.p_holm is not None and self.p_holm < ALPHA and (self.difference.mean or 0.0) < 0


class Ratios(Frozen, frozen=True, kw_only=True):
    """One side over three denominators: shared cases, those that gave it a score, all that it was asked.

    `mean_all` counts a case without a score as 0; None where there is no case.
    """

    mean_shared: float | None
    mean: float | None
    n: int
    mean_all: float | None
    n_all: int


class Comparison(Frozen, frozen=True, kw_only=True):
    """A candidate against a base on the `shared` cases, to which both gave a score.

    `only_base`, `only_candidate`: cases that the other side was not asked, by name in `dropped` and `added`;
    `unanswered`: asked on both sides, without a score on one. `gained`, `lost`: ids that did not pass and do,
    and the reverse, by `pass_rule`; `broke_again`: those of `lost` that a round before the base had failed.
    `difference_all` is over every case of the base: one without a score counts as 0 on its side.
    `smallest_detectable` is the true difference that a comparison of this size shows with a chance of 0.8.
    `doubts` tell what it is not worth.
    """

    base: str
    candidate: str
    shared: int
    only_base: int
    only_candidate: int
    unanswered: int
    dropped: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    trials_base: int
    trials_candidate: int
    base_ratios: Ratios
    candidate_ratios: Ratios
    pass_rule: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    broke_again: tuple[str, ...] = ()
    difference: Difference
    difference_all: Difference
    mcnemar: McNemar
    wilcoxon: Significance
    sign_flip: Significance
    buckets: tuple[Bucket, ...]
    bins: str
    smallest_detectable: float | None
    verdict: Verdict
    meaning: str
    differs: tuple[PartDifference, ...] = ()
    doubts: tuple[Doubt, ...] = ()
