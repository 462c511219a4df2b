"""What leaves a look at a sealed slice: figures of the whole, and whether they say "practised"."""

from fairtrial.schema.evidence import Counts, Doubt, Estimate
from fairtrial.schema.record import Frozen

LEAST_CLUSTERS = 20
"""Clusters below which no figure of a slice leaves: one over few of them tells of single cases."""


class Figures(Frozen, frozen=True, kw_only=True):
    """The figures of a whole slice, never of a part: the whole less a part would be another part.

    `error` is the clustered standard error of `ret_ratio`, with `df` degrees of freedom, about the mean
    `centre`, which is adjusted for small samples as it is.
    """

    total: Estimate
    ret_ratio: Estimate
    ret_ratio_all: Estimate
    useful: Estimate
    pass_hat_k: dict[str, float | None]
    centre: float
    error: float
    df: float


class Practice(Frozen, frozen=True, kw_only=True):
    """One line on whether the agent was practised on what it can see: visible less holdout.

    `name` is "level" (their ret_ratio) or "movement" (what each gained since an earlier look). `lit` is None
    where it is not known. `difference` is visible − holdout with its 95 % interval, by clusters; it is lit
    where all of that is above 0. `says` is for people: what it means, or what is missing.
    """

    name: str
    lit: bool | None = None
    visible: float | None = None
    holdout: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    df: float | None = None
    clusters_visible: int = 0
    clusters_holdout: int = 0
    against: str | None = None
    says: str = ""


class SealedLook(Frozen, frozen=True, kw_only=True):
    """A look that was taken: number `look` of `budget` at `slice`, by whom and why, of which agent.

    `fingerprint` is that of the agent's side (model, prompt, tools, code …), the same for a visible round of
    it. `status`: "reliable", "unreliable" (a forbidding doubt is lit) or "stopped"; it is spent in each case.
    `clusters` are those with a score; `figures` None where they are fewer than `LEAST_CLUSTERS`, or the look
    was stopped. `counts` has no causes: an agent's message may hold what it was asked. `visible` is the run
    that the slice was held against, `closed` the file of the encrypted sessions.
    """

    slice: str
    look: int
    budget: int
    run: str
    who: str
    why: str
    agent: str
    fingerprint: str
    status: str
    cases: int
    clusters: int
    counts: Counts
    figures: Figures | None = None
    doubts: tuple[Doubt, ...] = ()
    practised: tuple[Practice, ...] = ()
    visible: str | None = None
    closed: str
    notes: tuple[str, ...] = ()
