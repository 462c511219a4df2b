"""A case set beside live dialogues: how far they are apart, trait by trait, and what became of it online."""

from typing import Literal

from fairtrial.schema.record import Frozen


class Figure(Frozen, frozen=True, kw_only=True):
    """A mean in [0, 1] of `n` cases or dialogues, with its 95 % interval; None where there is none."""

    mean: float | None
    low: float | None
    high: float | None
    n: int


class Gap(Frozen, frozen=True, kw_only=True):
    """One trait on both sides. `difference` is live less cases for a `share`, live over cases for a `ratio`.

    `cases` and `live` are shares in [0, 1], or geometric means. `p` is adjusted for all traits (Holm).
    `effect` is Cohen's h of shares, d of logarithms. `apart`: significant, and large enough to matter; None
    where it cannot be told.
    """

    trait: str
    unit: Literal["share", "ratio"]
    cases: float
    live: float
    n_cases: int
    n_live: int
    difference: float
    low: float | None
    high: float | None
    p: float | None
    effect: float | None
    apart: bool | None


class Unlike(Frozen, frozen=True, kw_only=True):
    """A dialogue that no case is like. `likeness` in [0, 1] is to its `nearest` case; `text` is scrubbed."""

    dialogue: str
    line: int
    likeness: float
    nearest: str
    text: str


class Stratum(Frozen, frozen=True, kw_only=True):
    """A task type: its share of the live dialogues, its score offline, and what users said of it online."""

    name: str
    share: float
    offline: Figure
    resolved: Figure
    satisfied: Figure


class Online(Frozen, frozen=True, kw_only=True):
    """One mark over all dialogues. `least` and `most`: the share if all, or none, of the unmarked went wrong.

    `difference` is the offline figure in the live mix less `figure`, with its 95 % interval and p (Holm over
    traits and marks); `apart` as in a `Gap`.
    """

    mark: Literal["resolved", "satisfied"]
    figure: Figure
    dialogues: int
    least: float
    most: float
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    apart: bool | None = None


class Outcomes(Frozen, frozen=True, kw_only=True):
    """A round of the set beside what became of live dialogues.

    `offline` is the round's mean score; `mixed` the same with its task types in the shares that they have
    among the dialogues, of which it knows the share `covered`.
    """

    log: str
    offline: Figure
    mixed: Figure
    covered: float
    online: tuple[Online, ...]
    strata: tuple[Stratum, ...]


class Sampled(Frozen, frozen=True, kw_only=True):
    """Dissatisfied dialogues drawn for the review: `drawn` of `dissatisfied`, in the file `path`."""

    path: str
    drawn: int
    dissatisfied: int
    strata: int
    seed: int


class Representation(Frozen, frozen=True, kw_only=True):
    """Whether a set is like its users' questions: `represents` is None where too little is known.

    Of `dialogues`, `silent` hold no word of a user and `measured` were looked at. `marked` counts by mark
    those that somebody marked.
    """

    traffic: str
    cases: int
    clusters: int
    dialogues: int
    silent: int
    measured: int
    marked: dict[str, int]
    represents: bool | None
    meaning: str
    gaps: tuple[Gap, ...] = ()
    unlike: tuple[Unlike, ...] = ()
    outcomes: Outcomes | None = None
    sampled: Sampled | None = None
    notes: tuple[str, ...] = ()
