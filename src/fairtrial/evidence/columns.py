"""The numbers of a run by case, as arrays: what comparisons, audits and plans reckon with."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fairtrial.schema.record import Record
from fairtrial.schema.score import About, Row, Unscored
from fairtrial.stats.sums import ExactSums

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
_Name = TypeVar("_Name", str, tuple[str, ...])

_NO_SPREAD = 1e-12
"""A sum of squares below this is rounding, not spread."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """One entry a case in every array, in the order in which the cases were first seen.

    `held` sessions, of which `scored` completed with a score in [0, 1] and `passes` reached `pass_at`.
    `mean` of the scored ones and `squares`, their Σ(x − mean)²: both 0 where `scored` is 0, which is no
    value. `asked`: the case can give a score (it has rules), so that its silence counts against a run.
    `cluster` are codes from 0, one of its own for each case that names none. `tags`, `task_type` and
    `bucket` are codes into the names beside them, −1 for none. `turns` of the user and their `length` in
    characters are the most over the sessions; `question` is a hash of the first turn that lasts as long as
    the process, 0 for none; `varies` where the sessions of the case began differently. `statuses` count
    sessions, `models` turns by the model that answered.
    """

    ids: tuple[str, ...]
    held: Ints
    scored: Ints
    passes: Ints
    mean: Floats
    squares: Floats
    asked: Flags
    weight: Floats
    cluster: Ints
    tags: Ints
    tag_sets: tuple[tuple[str, ...], ...]
    task_type: Ints
    task_types: tuple[str, ...]
    bucket: Ints
    buckets: tuple[str, ...]
    turns: Ints
    length: Ints
    question: Ints
    varies: Flags
    statuses: Mapping[str, int]
    models: Mapping[str, int]

    @classmethod
    def of(cls, rows: Iterable[Row], *, pass_at: float) -> "Columns":
        """Read the rows once and keep numbers, whatever their order. `pass_at` in (0, 1]."""
        filling = _Filling(pass_at)
        for row in rows:
            filling.add(row)
        return filling.close()

    @property
    def variance(self) -> Floats:
        """Sample variance over the scored sessions of each case; 0 where there are fewer than two."""
        return np.asarray(self.squares / np.maximum(self.scored - 1, 1))


class _Filling:
    """The arrays while they grow: no object a case but its id."""

    def __init__(self, pass_at: float) -> None:
        self._pass_at = pass_at
        self._index: dict[str, int] = {}
        self._clusters: dict[str, int] = {}
        self._tag_sets: dict[tuple[str, ...], int] = {}
        self._task_types: dict[str, int] = {}
        self._buckets: dict[str, int] = {}
        self._sum, self._square = ExactSums(), ExactSums()
        self._held, self._passes, self._turns = array("q"), array("q"), array("q")
        self._length, self._question = array("q"), array("q")
        self._cluster, self._tags = array("q"), array("q")
        self._task_type, self._bucket = array("q"), array("q")
        self._weight = array("d")
        self._scorable, self._varies = bytearray(), bytearray()
        self._statuses: Counter[str] = Counter()
        self._models: Counter[str] = Counter()

    def add(self, row: Row) -> None:
        """Take one session in."""
        record, value = row.record, row.score.value
        case = self._index.get(record.case)
        if case is None:
            case = self._case(record.case, row.about)
        self._held[case] += 1
        self._statuses[record.status.value] += 1
        self._asked_what(case, record)
        if not record.status.counts:
            return
        if isinstance(value, Unscored):
            # A completed session without a single finding had no rule to find anything with.
            self._scorable[case] &= bool(row.score.hits)
        elif 0.0 <= value <= 1.0:
            self._sum.add(case, value)
            self._square.add(case, value * value)
            self._passes[case] += value >= self._pass_at

    def close(self) -> Columns:
        """The finished arrays; the dictionary of ids is let go."""
        ids = tuple(self._index)
        self._index.clear()
        scored = _ints(self._sum.n)
        some = np.maximum(scored, 1)
        total, squares = _totals(self._sum), _totals(self._square)
        spread = squares - total * total / some
        cluster = _ints(self._cluster)
        alone = cluster < 0
        cluster[alone] = len(self._clusters) + np.arange(int(alone.sum()))
        return Columns(
            ids=ids,
            held=_ints(self._held),
            scored=scored,
            passes=_ints(self._passes),
            mean=total / some,
            squares=np.where(spread > _NO_SPREAD, spread, 0.0),
            asked=np.frombuffer(self._scorable, dtype=np.bool_) | (scored > 0),
            weight=np.array(self._weight, dtype=np.float64),
            cluster=cluster,
            tags=_ints(self._tags),
            tag_sets=tuple(self._tag_sets),
            task_type=_ints(self._task_type),
            task_types=tuple(self._task_types),
            bucket=_ints(self._bucket),
            buckets=tuple(self._buckets),
            turns=_ints(self._turns),
            length=_ints(self._length),
            question=_ints(self._question),
            varies=np.frombuffer(self._varies, dtype=np.bool_),
            statuses=dict(self._statuses),
            models=dict(self._models),
        )

    def _case(self, name: str, about: About) -> int:
        case = self._index[name] = len(self._index)
        self._sum.grow()
        self._square.grow()
        for zeros in (self._held, self._passes, self._turns, self._length, self._question):
            zeros.append(0)
        self._weight.append(about.weight)
        self._cluster.append(_code(self._clusters, about.cluster))
        self._tags.append(_code(self._tag_sets, about.tags or None))
        self._task_type.append(_code(self._task_types, about.task_type))
        self._bucket.append(_code(self._buckets, about.bucket))
        self._scorable.append(about.scorable)
        self._varies.append(False)
        return case

    def _asked_what(self, case: int, record: Record) -> None:
        turns, length = record.turns, 0
        if not turns:
            return
        for turn in turns:
            length += len(turn.user)
            if turn.model is not None:
                self._models[turn.model] += 1
        # A session that broke off early does not show how long the case is.
        self._turns[case] = max(self._turns[case], len(turns))
        self._length[case] = max(self._length[case], length)
        question = hash(turns[0].user) or 1
        if self._question[case] not in (0, question):
            self._varies[case] = True
        else:
            self._question[case] = question


def _code(names: dict[_Name, int], name: _Name | None) -> int:
    return -1 if name is None else names.setdefault(name, len(names))


def _ints(values: "array[int]") -> Ints:
    return np.array(values, dtype=np.int64)


def _totals(sums: ExactSums) -> Floats:
    size = len(sums.n)
    return np.fromiter((sums.total(case) or 0.0 for case in range(size)), np.float64, size)
