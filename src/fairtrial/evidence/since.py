"""A round beside the last one of a set that was edited in between: what may be compared, and how it moved."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from fairtrial.schema.score import Row, Unscored, Useful


@dataclass(frozen=True, kw_only=True)
class Moved:
    """Change of a figure, now less then, over the `cases` that have it on both sides."""

    change: float
    cases: int


@dataclass(frozen=True, kw_only=True)
class Since:
    """Cases asked `now` and `then`; of those with one id, how many are the `same` and how many were `edited`.

    `ret_ratio` and `useful` moved over the same cases, `kept` is that of ret_ratio over those of one id,
    edited or not: what a wrong edit of a rule moves. None where no case has the figure on both sides.
    """

    now: int
    then: int
    same: int
    edited: int
    ret_ratio: Moved | None
    useful: Moved | None
    kept: Moved | None

    @property
    def changed(self) -> float:
        """Share of the larger of the two sets that is not the same on the other side, in [0, 1]."""
        return 1 - self.same / max(self.now, self.then)


class _Case:
    """What the rows of one case in one round say."""

    __slots__ = ("asked", "scores", "useful", "weight")

    def __init__(self, row: Row) -> None:
        self.asked, self.weight = row.about.asked, row.about.weight
        self.scores: list[float] = []
        self.useful: list[float] = []

    def add(self, row: Row) -> None:
        if not isinstance(row.score.value, Unscored):
            self.scores.append(row.score.value)
        if isinstance(row.score.useful, Useful):
            self.useful.append(row.score.useful.value)


def since(now: Iterable[Row], then: Iterable[Row]) -> Since | None:
    """Compare two rounds; None where one has no rows, or does not tell what was asked."""
    one, other = _cases(now), _cases(then)
    if not one or not other or any(case.asked is None for side in (one, other) for case in side.values()):
        return None
    pairs = [(case, other[name]) for name, case in one.items() if name in other]
    same = [(case, before) for case, before in pairs if case.asked == before.asked]
    return Since(
        now=len(one),
        then=len(other),
        same=len(same),
        edited=len(pairs) - len(same),
        ret_ratio=_moved([(case.weight, case.scores, before.scores) for case, before in same]),
        useful=_moved([(case.weight, case.useful, before.useful) for case, before in same]),
        kept=_moved([(case.weight, case.scores, before.scores) for case, before in pairs]),
    )


def _cases(rows: Iterable[Row]) -> dict[str, _Case]:
    found: dict[str, _Case] = {}
    for row in rows:
        found.setdefault(row.record.case, _Case(row)).add(row)
    return found


def _moved(pairs: list[tuple[float, list[float], list[float]]]) -> Moved | None:
    """The weighted mean of the cases' changes, by the weights of now."""
    able = [(weight, now, then) for weight, now, then in pairs if now and then]
    if not able:
        return None
    gains = [weight * (fsum(now) / len(now) - fsum(then) / len(then)) for weight, now, then in able]
    return Moved(change=fsum(gains) / fsum(weight for weight, _, _ in able), cases=len(able))
