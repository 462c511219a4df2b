"""Figures with their method, doubts with their threshold, and the header in which a log carries them."""

from enum import StrEnum
from typing import Any, Literal

from fairtrial.schema.fingerprint import Canary, Fingerprint
from fairtrial.schema.record import Frozen
from fairtrial.schema.weakness import WeaknessMap


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
    """Sessions: planned, scored, errored (ended without an answer), and by status.

    `causes` has the most frequent messages of those that errored, three at most.
    """

    planned: int
    scored: int
    errored: int
    by_status: dict[str, int] = {}
    causes: dict[str, int] = {}


class Summary(Frozen, frozen=True, kw_only=True):
    """All figures of a round. `tags` maps a tag to its ret_ratio; `pass_hat_k` maps k to pass^k; `pass_rates`
    maps "2/3" to the number of cases that passed in two of three scored trials.

    `facts` are the numbers that the doubt lines read, `usage` tokens, money and seconds; their keys are
    listed in docs/figures.md. None is not known.
    """

    counts: Counts
    total: Estimate
    ret_ratio: Estimate
    ret_ratio_all: Estimate
    useful: Estimate
    pass_hat_k: dict[str, float | None]
    tags: dict[str, Estimate]
    pass_rates: dict[str, int] = {}
    facts: dict[str, int | float | None] = {}
    usage: dict[str, int | float | None] = {}


class Loosening(Frozen, frozen=True, kw_only=True, tag_field="is", tag="loosening"):
    """A doubt line made more lenient than its preset: which, for what, from and to what, who and why.

    `set_name` None means every set. `at` is when it was first seen, ISO 8601 in UTC.
    """

    line: str
    set_name: str | None
    mode: str
    threshold: float
    was: float
    forbids: bool
    forbade: bool
    who: str
    why: str
    at: str | None = None


class Round(Frozen, frozen=True, kw_only=True, tag_field="is", tag="round"):
    """One line of the history: a reliable full round, by which set, scorer and thresholds, and its figures.

    The digests say what changed between two rounds; `log` is the name of the log beside the history.
    `set_name` is that of the set where the whole of it was asked, None where some cases were chosen.
    """

    run: str
    started: str
    mode: str
    set_digest: str
    scorer_digest: str
    thresholds_digest: str
    set_name: str | None = None
    log: str
    counts: Counts
    total: Estimate
    ret_ratio: Estimate
    ret_ratio_all: Estimate
    useful: Estimate
    pass_hat_k: dict[str, float | None] = {}
    fingerprint: Fingerprint | None = None


class QuickOutcome(StrEnum):
    """All that a quick round may say."""

    worse = "clearly worse"
    no_alarm = "no alarm"
    nothing = "nothing to compare with"


class QuickVerdict(Frozen, frozen=True, kw_only=True):
    """A quick round against the last reliable full round `base` on the `shared` cases.

    `p` is the chance of as many falls without any change, None where nothing could be compared; `fell`
    names the cases whose every trial scored below every trial of the base.
    """

    outcome: QuickOutcome
    p: float | None = None
    shared: int = 0
    base: str | None = None
    fell: tuple[str, ...] = ()
    meaning: str = ""


class Look(Frozen, frozen=True, kw_only=True):
    """One look of a round that stops when its question is settled.

    `z` is the statistic on the `cases` asked so far, `boundary` the |z| that settles it at this look, `spent`
    the error spent up to and with it.
    """

    cases: int
    z: float | None
    boundary: float
    spent: float


class Decision(Frozen, frozen=True, kw_only=True):
    """How a round run until decided ended: the question, its looks, and what they settled.

    `answer` is "better", "worse" (against `base`), "above", "below" (the minimum) or "not settled". Figures
    of a round that stopped early are pulled towards the answer, so they do not enter the history.
    """

    question: str
    answer: str
    looks: tuple[Look, ...]
    base: str | None = None
    planned_cases: int
    meaning: str = ""

    @property
    def stopped_early(self) -> bool:
        """Whether cases may have been left unasked because the answer was there."""
        return not self.looks or self.looks[-1].cases < self.planned_cases


class Header(Frozen, frozen=True, kw_only=True, omit_defaults=False):
    """The first line of a log.

    `status`: `running` in a part file; then `reliable`, `unreliable`, `quick` or `probe`. `mark` is
    "UNRELIABLE" where a forbidding line is lit, so that a search over files finds it. `config` is the whole
    configuration of the round, secrets excepted. Every field is written, defaults too, so that the
    schema version stands in every file.
    """

    fairtrial: str
    schema: int = 1
    run: str
    started: str
    ended: str | None = None
    mode: Literal["quick", "full", "import", "probe"]
    status: Literal["running", "reliable", "unreliable", "quick", "probe"]
    mark: str | None = None
    config: dict[str, Any]
    summary: Summary | None = None
    doubts: tuple[Doubt, ...] = ()
    notes: tuple[str, ...] = ()
    set_digest: str = ""
    set_name: str | None = None
    scorer_digest: str = ""
    thresholds_digest: str = ""
    loosenings: tuple[Loosening, ...] = ()
    quick: QuickVerdict | None = None
    fingerprint: Fingerprint | None = None
    canaries: tuple[Canary, ...] = ()
    decision: Decision | None = None
    weaknesses: WeaknessMap | None = None
