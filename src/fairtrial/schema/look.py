"""What leaves a look at a sealed slice: figures of the whole, and whether they say "practised"."""

from fairtrial.schema.evidence import Doubt, Estimate
from fairtrial.schema.record import Frozen

LEAST_CLUSTERS = 20
"""Clusters below which no figure of a slice leaves: one over few of them tells of single cases."""


class Revealed(Frozen, frozen=True, kw_only=True):
    """The figures of a whole slice, never of a part: the whole less a part would be another part.

    `errored` sessions ended without an answer. Estimates and `pass_hat_k` are None or empty where fewer than
    `LEAST_CLUSTERS` clusters have a score. `error` is the clustered standard error of `ret_ratio`, with `df`
    degrees of freedom, of the mean `centre` that is adjusted for small samples.
    """

    cases: int
    clusters: int
    planned: int
    scored: int
    errored: int
    by_status: dict[str, int]
    total: Estimate | None = None
    ret_ratio: Estimate | None = None
    ret_ratio_all: Estimate | None = None
    useful: Estimate | None = None
    pass_hat_k: dict[str, float | None] = {}
    centre: float | None = None
    error: float | None = None
    df: float | None = None


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
    it. `status`: "reliable", "unreliable" (a forbidding doubt is lit) or "stopped", which reveals no figure
    and is spent all the same. `visible` is the run that the slice was held against; `closed` the file of the
    encrypted sessions.
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
    figures: Revealed
    doubts: tuple[Doubt, ...] = ()
    practised: tuple[Practice, ...] = ()
    visible: str | None = None
    closed: str
    notes: tuple[str, ...] = ()
