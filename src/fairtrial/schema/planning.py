"""What a run can show before it is made, and what earlier rounds say of the thresholds."""

from fairtrial.schema.record import Frozen


class Variances(Frozen, frozen=True, kw_only=True):
    """What the size of a comparison depends on; `log` None: assumed, not measured.

    `omega2` between cases, of the true difference; `sigma2` within a case, over its trials, of either side.
    `design_effect` >= 1: so many cases of the set tell as much as one that is independent, of equal weight.
    """

    omega2: float
    sigma2: float
    design_effect: float = 1.0
    log: str | None = None
    method: str


class Sized(Frozen, frozen=True, kw_only=True):
    """One row: with `trials` a case (None: without end), the cases that the difference needs.

    `detectable` is what the planned number of cases could show; `sessions` are cases × trials of one side.
    """

    trials: int | None
    cases: int
    sessions: int | None
    detectable: float


class Power(Frozen, frozen=True, kw_only=True):
    """How much must be asked to show a `difference` with a chance of `power` at a two-sided 5 %.

    `cases` × `trials` is the planned run, `detectable` the difference that it shows with that chance.
    `seconds` and `cost` of its `sessions` by what those of the log took; None is not known.
    """

    difference: float
    power: float
    variances: Variances
    table: tuple[Sized, ...]
    cases: int
    trials: int
    sessions: int
    detectable: float
    seconds: float | None
    cost: float | None
    meaning: str


class Proposed(Frozen, frozen=True, kw_only=True):
    """A threshold that earlier rounds propose for a line, and the one in force `now`.

    `low` and `high` are the 95 % interval of the figure that the line looks at, over redrawn rounds; None
    where there is none. `follows` is "spread" where the threshold follows the history's own spread, which is
    a person's choice, or "power". `looser`: more lenient than now.
    """

    line: str
    threshold: float
    now: float
    low: float | None
    high: float | None
    follows: str
    looser: bool
    why: str


class NoiseFloor(Frozen, frozen=True, kw_only=True):
    """By how much ret_ratio differs between two rounds of an unchanged agent, from `pairs` of such rounds.

    `floor` is the 95 % quantile of |difference| that the scatter within the cases explains; `seen` the
    largest |difference| there was.
    """

    pairs: int
    cases: int
    floor: float
    seen: float

    @property
    def drifts(self) -> bool:
        """Whether `seen` is more than twice the floor: drift between the rounds, not noise."""
        return self.seen > 2 * self.floor


class Alignment(Frozen, frozen=True, kw_only=True):
    """|r| of the latest round of 30 pairs or more, beside its history.

    `usual_low` to `usual_high`: where r of a round like the `rounds` before would lie, 95 %; None with fewer
    than three. `unusual`: it lies outside. `half` is r of a random half (30 pairs or more, else None), and
    `kept` whether r stayed, within the half's own error, when the sample doubled to the whole.
    """

    r: float
    n: int
    rounds: int
    usual_low: float | None
    usual_high: float | None
    unusual: bool | None
    half: float | None
    kept: bool | None


class Calibrated(Frozen, frozen=True, kw_only=True):
    """What the rounds of one set and mode say; `refused` of the `rounds` were unreliable, and count too.

    `set` None: a set without a name of its own. `scorers` is by how many versions of the scorer they were
    scored. `cases` have a score in at least one round.
    """

    set: str | None
    mode: str
    rounds: int
    refused: int
    cases: int
    scorers: int
    noise_floor: NoiseFloor | None
    alignment: Alignment | None
    lines: tuple[Proposed, ...]


class LeftOut(Frozen, frozen=True, kw_only=True):
    """Rounds that say nothing, and why."""

    set: str | None
    mode: str
    rounds: int
    why: str


class Calibration(Frozen, frozen=True, kw_only=True):
    """All sets and modes of a folder of logs; `file` has the proposal."""

    folder: str
    file: str
    sets: tuple[Calibrated, ...]
    left_out: tuple[LeftOut, ...]
