"""What a person should read, and in which order: misses, empty hits, misses with a clue, then figures."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from fairtrial.schema.record import Record
from fairtrial.schema.score import Row, Unscored, Useful

USELESS_BELOW = 0.3
"""A hit whose useful lies below this is worth reading: right, and yet it may say nothing."""
USEFUL_FROM = 0.5
"""A miss whose useful reaches this may hold a clue."""


@dataclass(kw_only=True)
class CaseView:
    """One case of a round over its trials. Means are None where no trial could be scored."""

    case: str
    weight: float = 1.0
    tags: tuple[str, ...] = ()
    trials: int = 0
    scored: int = 0
    passed: int = 0
    statuses: list[str] = field(default_factory=list)
    broken: dict[str, str] = field(default_factory=dict)
    """The rules missed in some trial, with what was found instead."""
    example: Record | None = None
    """A session to look at: the first that missed, else the first."""
    _score: float = 0.0
    _useful: float = 0.0
    _usefuls: int = 0
    _missed: bool = False

    @property
    def score(self) -> float | None:
        """Mean case score over the trials that count."""
        return self._score / self.scored if self.scored else None

    @property
    def useful(self) -> float | None:
        """Mean useful over the trials in which it could be scored."""
        return self._useful / self._usefuls if self._usefuls else None

    def add(self, row: Row, pass_at: float) -> None:
        """Take in one trial."""
        self.trials += 1
        self.weight, self.tags = row.about.weight, row.about.tags
        self.statuses.append(row.record.status)
        value, useful, passes = row.score.value, row.score.useful, row.score.passes(pass_at)
        if isinstance(useful, Useful):
            self._useful += useful.value
            self._usefuls += 1
        if not isinstance(value, Unscored):
            self.scored += 1
            self._score += value
        self.passed += bool(passes)
        for hit in row.score.hits:
            if not hit.met:
                self.broken.setdefault(hit.rule, hit.why)
        if self.example is None or (not passes and not self._missed):
            self.example = row.record
        self._missed = self._missed or not passes


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The cases of a round in the order to read them; `unanswered` had no trial that counts."""

    unanswered: tuple[CaseView, ...]
    misses: tuple[CaseView, ...]
    useless_hits: tuple[CaseView, ...]
    useful_misses: tuple[CaseView, ...]
    best: tuple[CaseView, ...]


def reading(rows: Iterable[Row], pass_at: float) -> Reading:
    """Group a log's rows by case and sort them: heaviest and worst misses first, emptiest hits first."""
    views: dict[str, CaseView] = {}
    for row in rows:
        views.setdefault(row.record.case, CaseView(case=row.record.case)).add(row, pass_at)
    scored = [view for view in views.values() if view.scored]
    misses = sorted((v for v in scored if v.passed < v.scored), key=lambda v: (-v.weight, v.score or 0.0))
    hits = [v for v in scored if v.passed == v.scored]
    useless = [v for v in hits if v.useful is not None and v.useful < USELESS_BELOW]
    clues = [v for v in misses if v.useful is not None and v.useful >= USEFUL_FROM]
    return Reading(
        unanswered=tuple(v for v in views.values() if not v.scored),
        misses=tuple(misses),
        useless_hits=tuple(sorted(useless, key=lambda v: v.useful or 0.0)),
        useful_misses=tuple(sorted(clues, key=lambda v: -(v.useful or 0.0))),
        best=tuple(sorted(hits, key=lambda v: -(v.score or 0.0))),
    )
