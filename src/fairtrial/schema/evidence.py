"""Figures with their method, doubts with their threshold, and the header in which a log carries them."""

from typing import Any, Literal

from fairtrial.schema.record import Frozen


class Estimate(Frozen, frozen=True, kw_only=True):
    """A mean with its 95 % interval. None is not known; `method` names the interval or says why none.

    `n` counts cases, never trials. Scale: that of the scores, [0, 1].
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int
    method: str


class Doubt(Frozen, frozen=True, kw_only=True):
    """One doubt line. `lit` is None where it could not be judged; `advice` and `meaning` are for people."""

    name: str
    lit: bool | None
    value: float | str | None
    threshold: float | str | None
    forbids: bool = False
    meaning: str = ""
    advice: str = ""


class Counts(Frozen, frozen=True, kw_only=True):
    """Sessions: planned, scored, errored (ended without an answer), and by status."""

    planned: int
    scored: int
    errored: int
    by_status: dict[str, int] = {}


class Summary(Frozen, frozen=True, kw_only=True):
    """All figures of a round. `tags` maps a tag to its ret_ratio; `pass_hat_k` maps k to pass^k."""

    counts: Counts
    total: Estimate
    ret_ratio: Estimate
    ret_ratio_all: Estimate
    useful: Estimate
    pass_hat_k: dict[str, float | None]
    tags: dict[str, Estimate]
    facts: dict[str, int | float | None] = {}
    usage: dict[str, int | float | None] = {}


class Header(Frozen, frozen=True, kw_only=True):
    """The first line of a log.

    `status`: `running` in a part file; then `reliable`, `unreliable` or `quick`. `mark` is "UNRELIABLE"
    where a forbidding line is lit, so that a search over files finds it. `config` is the whole
    configuration of the round, secrets excepted.
    """

    fairtrial: str
    schema: int = 1
    run: str
    started: str
    ended: str | None = None
    mode: Literal["quick", "full", "import"]
    status: Literal["running", "reliable", "unreliable", "quick"]
    mark: str | None = None
    config: dict[str, Any]
    summary: Summary | None = None
    doubts: tuple[Doubt, ...] = ()
    notes: tuple[str, ...] = ()
