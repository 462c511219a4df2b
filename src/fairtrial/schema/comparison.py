"""Two results side by side: what differs, how surely, where, and what that is worth."""

from enum import StrEnum

from fairtrial.schema.evidence import Doubt
from fairtrial.schema.fingerprint import PartDifference
from fairtrial.schema.record import Frozen


class Verdict(StrEnum):
    """What a comparison shows. `mixed`: the total rises while a bucket falls."""

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


class McNemar(Frozen, frozen=True, kw_only=True):
    """Exact McNemar test on cases that pass or fail: `b` gained, `c` lost; `p` None where not binary."""

    b: int
    c: int
    p: float | None


class Significance(Frozen, frozen=True, kw_only=True):
    """A two-sided test: `p` in [0, 1], None where it could not be made; `method` says how or why not."""

    p: float | None
    method: str


class Bucket(Frozen, frozen=True, kw_only=True):
    """A part of the shared cases. `kind` is "cell" (task type × turns × input length), "tag" or "bucket".

    `share` is what the bucket contributes to the difference of the total: cells sum to it, tags overlap.
    `p_holm` None: shown, never tested (fewer than five cases). `cases` are the largest contributors, as
    (id, contribution).
    """

    kind: str
    name: str
    base: float
    candidate: float
    difference: Difference
    share: float
    p: float | None
    p_holm: float | None
    cases: tuple[tuple[str, float], ...] = ()


class Ratios(Frozen, frozen=True, kw_only=True):
    """One side over two denominators: the cases that gave a score, and all that were asked.

    `mean_all` counts a case without a score as 0; None where there is no case.
    """

    mean: float | None
    n: int
    mean_all: float | None
    n_all: int


class Comparison(Frozen, frozen=True, kw_only=True):
    """A candidate against a base on the cases that both have.

    `gained`, `lost`: ids that did not pass and do, and the reverse (in every scored trial or by majority,
    as `pass_rule` says); `broke_again`: those of `lost` that an earlier round had failed too.
    `difference_all` counts a missing or unanswered case as 0 on its side. `smallest_detectable` is the true
    difference that a comparison of this size shows with a chance of 0.8. `doubts` tell what it is not worth.
    """

    base: str
    candidate: str
    shared: int
    only_base: int
    only_candidate: int
    trials_base: int
    trials_candidate: int
    base_ratios: Ratios
    candidate_ratios: Ratios
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
