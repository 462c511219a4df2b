"""What somebody's evaluation is worth: a checklist, the lines that light, and how far to trust it."""

from enum import StrEnum

from fairtrial.schema.comparison import Comparison
from fairtrial.schema.evidence import Doubt, Summary
from fairtrial.schema.record import Frozen


class Answer(StrEnum):
    """Of a check or of the whole: yes, partly, no; `unknown` where the file does not tell."""

    yes = "yes"
    partly = "partly"
    no = "no"
    unknown = "unknown"


class Check(Frozen, frozen=True, kw_only=True):
    """One item of the credibility checklist: what was found, and what would mend it ("" if nothing)."""

    name: str
    answer: Answer
    says: str
    mend: str = ""


class Claim(Frozen, frozen=True, kw_only=True):
    """A figure that the file states, beside ours from its own rows.

    `found` None: the file has no rows to compute it from. `agrees` None then, too.
    """

    name: str
    said: float
    found: float | None
    agrees: bool | None
    says: str = ""


class Fault(Frozen, frozen=True, kw_only=True):
    """Something a file says that no row can carry: a score that is no number, a line that is no result.

    `kind` is one word (`non_finite`, `out_of_range`, `no_score` …), `where` file and line.
    """

    kind: str
    case: str | None
    where: str
    says: str


class Audit(Frozen, frozen=True, kw_only=True):
    """The audit of one result, or of two: `doubts` are about both, `comparison` where there are two.

    `trust`: `no` where a lit line forbids, `partly` where the checklist has gaps, else `yes`.
    """

    paths: tuple[str, ...]
    formats: tuple[str, ...]
    summaries: tuple[Summary | None, ...]
    checklist: tuple[Check, ...]
    claims: tuple[Claim, ...]
    doubts: tuple[Doubt, ...]
    trust: Answer
    meaning: str
    comparison: Comparison | None = None
