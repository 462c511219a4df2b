"""What one session says of one metric."""

from collections import Counter
from dataclasses import dataclass, field

from fairtrial.schema.metrics import NotJudged


@dataclass(slots=True)
class Measure:
    """`got` of `of`; why the session counts against the metric; what could not be judged.

    `parts` are the same by another word (turns of distance); `spread` the single values where their
    distribution is of interest.
    """

    got: float = 0.0
    of: int = 0
    against: list[str] = field(default_factory=list)
    skipped: Counter[NotJudged] = field(default_factory=Counter)
    details: Counter[str] = field(default_factory=Counter)
    parts: dict[str, tuple[float, int]] = field(default_factory=dict)
    spread: list[float] = field(default_factory=list)

    def add(self, got: float, against: str = "", part: str | None = None) -> None:
        """One more is judged."""
        self.got += got
        self.of += 1
        if against:
            self.against.append(against)
        if part is not None:
            before, n = self.parts.get(part, (0.0, 0))
            self.parts[part] = (before + got, n + 1)

    def skip(self, why: NotJudged, times: int = 1) -> None:
        """So many are not."""
        self.skipped[why] += times


def skipped(why: NotJudged) -> Measure:
    """The measure of a session of which nothing can be said."""
    found = Measure()
    found.skip(why)
    return found
