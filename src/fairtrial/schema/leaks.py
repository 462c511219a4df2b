"""Copies among cases, leaks into what the agent is given, and labels that drift."""

from typing import Literal

from fairtrial.schema.record import Frozen

Place = Literal["inside", "set", "against", "prompt", "sealed"]


class Copy(Frozen, frozen=True, kw_only=True):
    """A case that is another's copy: `of` is its id, or the passage of a file.

    `place` says where the other is: "inside" the set, in another "set" of it, "against" another file, in the
    "prompt" or its examples, or "sealed" (then nothing is said of the other). `between` names the two sets or
    the file. `similarity` in (0, 1]; `kind` is "exact", "numbers", "reordered", "edited" or "contained".
    """

    case: str
    of: str
    place: Place
    between: str
    kind: str
    similarity: float


class Suspect(Frozen, frozen=True, kw_only=True):
    """A reference answer that replies give back almost word for word.

    `run` is the longest run of letters that both have, `share` its part of the reference's letters, in
    `trials` of the case's `of` trials; `others` is the longest share of it in replies to other cases.
    """

    case: str
    run: str
    share: float
    trials: int
    of: int
    others: float


class Nearest(Frozen, frozen=True, kw_only=True):
    """A case's nearest other by embedding; scores of one model rank pairs, they are no probabilities."""

    case: str
    of: str
    score: float


class Leaks(Frozen, frozen=True, kw_only=True):
    """What was looked at and what was found; `set_aside` are the cases that were moved out of the set."""

    cases: int
    copies: tuple[Copy, ...]
    suspects: tuple[Suspect, ...] = ()
    paraphrases: tuple[Nearest, ...] = ()
    set_aside: tuple[str, ...] = ()
    file: str | None = None

    @property
    def found(self) -> bool:
        """Whether there is a copy or a suspect; paraphrases are for a person to judge."""
        return bool(self.copies or self.suspects)


class Labelled(Frozen, frozen=True, kw_only=True):
    """How often the neighbours of a period's or a labeller's cases have their label, with Wilson's interval.

    `n` neighbour pairs have a case of this `name` in them; `drifts` None: too few to tell.
    """

    by: Literal["period", "labeller"]
    name: str
    n: int
    agree: int
    low: float
    high: float
    drifts: bool | None


class Disagreement(Frozen, frozen=True, kw_only=True):
    """Two cases that ask alike and are labelled differently; `who` and `when` of each, as far as written."""

    first: str
    second: str
    similarity: float
    labels: tuple[str, str]
    who: tuple[str | None, str | None]
    when: tuple[str | None, str | None]


class Labels(Frozen, frozen=True, kw_only=True):
    """Agreement of labels among near neighbours: within a period and labeller, and across them.

    `p` is of Fisher's exact test, one-sided, that agreement across is lower; None with too few pairs.
    `drifts` None: not known.
    """

    label: str
    cases: int
    within: tuple[int, int]
    across: tuple[int, int]
    p: float | None
    drifts: bool | None
    groups: tuple[Labelled, ...]
    disagreements: tuple[Disagreement, ...]
