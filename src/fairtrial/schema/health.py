"""How a case set is doing: which cases still tell something, how old they are, and what trends stand on."""

from typing import Literal

from fairtrial.schema.evidence import Estimate
from fairtrial.schema.record import Frozen

Passed = Literal["always", "never", "sometimes", "not known"]


class CaseHealth(Frozen, frozen=True, kw_only=True):
    """One case over its rounds: `trials` with a score, from `low` to `high`, `passes` among them.

    `flips`: of the `repeated` rounds with two scored trials or more, those in which trials disagreed.
    `decided_by` is the one rule that came out both ways, as "2 (contains)", where all others of the case
    always came out alike; None where there is no such rule, or too little to say so.
    """

    case: str
    passed: Passed
    rounds: int
    trials: int
    passes: int
    low: float | None = None
    high: float | None = None
    repeated: int = 0
    flips: int = 0
    decided_by: str | None = None

    @property
    def moves(self) -> bool:
        """Whether it still tells something: its score, in shares of its rules, was not always the same."""
        return self.low != self.high


class Saturation(Frozen, frozen=True, kw_only=True):
    """Of the `known` cases, the `share` that no longer tells anything, and how many are `left`.

    `detectable` is the smallest difference that those left show with a chance of 0.8 (two-sided 5 %) in
    `trials` trials each, `of_whole` the same as it appears in the figure of all known cases; both None where
    fewer than two are left. `method` says what it rests on.
    """

    known: int
    left: int
    share: float | None
    trials: int | None = None
    detectable: float | None = None
    of_whole: float | None = None
    method: str = ""


class Age(Frozen, frozen=True, kw_only=True):
    """Cases by the day when a user said so, else that when they were written, against a window in days.

    `old` lie before the window, `ahead` in the future, `undated` have no day. `oldest` and `newest` are days.
    """

    cases: int
    window_days: int | None = None
    oldest: str | None = None
    newest: str | None = None
    old: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()
    undated: tuple[str, ...] = ()

    @property
    def within(self) -> bool | None:
        """Whether all are known to lie within the window; None where some have no day, or a future one."""
        if self.old:
            return False
        return None if self.ahead or self.undated else True


class Point(Frozen, frozen=True, kw_only=True):
    """One round on the cases of a trend; `same_scorer` as the latest round of it."""

    run: str
    started: str
    total: Estimate
    ret_ratio: Estimate
    same_scorer: bool = True


class LeftOut(Frozen, frozen=True, kw_only=True):
    """A round that is on no trend, and why."""

    run: str
    started: str
    why: str


class Trend(Frozen, frozen=True, kw_only=True):
    """Rounds over the `cases` that all of them asked alike, the oldest first, and those left out."""

    cases: int
    points: tuple[Point, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


class Health(Frozen, frozen=True, kw_only=True):
    """All that can be said of a set of so many `cases` from its files and from `rounds` full rounds of logs.

    `mix` has the age of each `set`, "" for cases of none.
    """

    cases: int
    logs: str
    rounds: int
    mix: dict[str, Age]
    by_case: tuple[CaseHealth, ...]
    saturation: Saturation
    trend: Trend
