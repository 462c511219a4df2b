"""What a session's record is worth, rule by rule and signal by signal."""

from fairtrial.schema.record import Frozen, Record


class Hit(Frozen, frozen=True, kw_only=True):
    """One rule's finding. `why` says in a few words what was or was not found.

    `share` is the rule's weight in the case. `met` is None where the rule could not be applied at all
    (a Python rule that raised): the case is then not scored.
    """

    rule: str
    met: bool | None
    share: float
    critical: bool = False
    why: str = ""


class Useful(Frozen, frozen=True, kw_only=True, tag_field="is", tag="useful"):
    """Did the reply help the next step: `value` and the four signals, each in [0, 1].

    `supported` and `unsupported` count facts by whether a source has them. `unchecked`: there was no
    source but the user's own words, so that invented detail could not be told from real.
    """

    value: float
    concrete: float
    context: float
    next_step: float
    no_repetition: float
    supported: int = 0
    unsupported: int = 0
    unchecked: bool = False


class Unscored(Frozen, frozen=True, kw_only=True, tag_field="is", tag="unscored"):
    """No value, and why. Never to be read as 0."""

    why: str


class Score(Frozen, frozen=True, kw_only=True):
    """A session's score: `value` in [0, 1] from its rules, or Unscored (did not complete, no rules)."""

    value: float | Unscored
    hits: tuple[Hit, ...] = ()
    useful: Useful | Unscored

    def passes(self, pass_at: float) -> bool | None:
        """Whether it reaches `pass_at`, None where there is no value."""
        return None if isinstance(self.value, Unscored) else self.value >= pass_at


class About(Frozen, frozen=True, kw_only=True):
    """What the figures need of the case, kept in each row so that a log can be read alone.

    `scorable`: the case has executable rules. One that has only sentences for a judge is in no ratio, also
    where its session failed. `bucket` is a group that another tool's file gave the case. `key_facts` and
    `least_calls` are the case's own; `calls_asked` is how many calls its rules ask for at least. `asked` is a
    digest of what was asked and how it is judged, None where that is not known.
    """

    weight: float = 1.0
    tags: tuple[str, ...] = ()
    cluster: str | None = None
    expected_score: float | None = None
    task_type: str | None = None
    difficulty: str | None = None
    severity: str | None = None
    set: str | None = None
    bucket: str | None = None
    key_facts: tuple[str, ...] = ()
    least_calls: int | None = None
    calls_asked: int | None = None
    scorable: bool = True
    asked: str | None = None


class Row(Frozen, frozen=True, kw_only=True):
    """One line of a log: what happened, what it is worth, and about which case."""

    record: Record
    score: Score
    about: About = About()
