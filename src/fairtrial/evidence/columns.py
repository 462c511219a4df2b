"""The numbers of a run by case, as arrays: what comparisons, audits and plans reckon with."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import nan
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fairtrial.schema.record import Record, Status
from fairtrial.schema.score import About, Row, Unscored
from fairtrial.scoring.reading import examined

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
_Name = TypeVar("_Name", str, tuple[str, ...])

_CHUNK = 8192
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
    sessions, `models` turns by the model that answered. `repeated` sessions are of a case and trial that
    came already.
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
    repeated: int

    @classmethod
    def of(cls, rows: Iterable[Row], *, pass_at: float) -> "Columns":
        """Read the rows once and keep numbers, whatever their order. `pass_at` in (0, 1]."""
        filling, stream = _Filling(pass_at), iter(rows)
        while chunk := list(islice(stream, _CHUNK)):
            filling.add(chunk)
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
        self._at, self._trial, self._value = array("q"), array("q"), array("d")
        self._turns, self._length, self._question = array("q"), array("q"), array("q")
        self._varies, self._unscorable = bytearray(), array("q")
        self._told: list[Floats] = []
        self._statuses: Counter[str] = Counter()
        self._models: Counter[str] = Counter()

    def add(self, chunk: Sequence[Row]) -> None:
        """Take sessions in. A list a field is several times faster than a call a row."""
        index, known = self._index, len(self._index)
        records = [row.record for row in chunk]
        scores = [row.score for row in chunk]
        cases = [index.setdefault(record.case, len(index)) for record in records]
        # Of a case's rows the first one tells of it: written last, it stands.
        first = dict(zip(reversed(cases), reversed(chunk), strict=True))
        if len(index) > known:
            self._know([first[case].about for case in range(known, len(index))])
        good = Status.completed
        completed = [record.status is good for record in records]
        self._statuses[good.value] += sum(completed)
        self._statuses.update([record.status.value for record in records if record.status is not good])
        # A completed session without a single finding had no rule to find anything with.
        self._unscorable.extend(
            [
                case
                for case, score, counts in zip(cases, scores, completed, strict=True)
                if counts and not score.hits and isinstance(score.value, Unscored)
            ]
        )
        self._at.extend(cases)
        self._trial.extend([hash(record.trial) for record in records])  # itself, and of any size
        self._value.extend(
            [
                nan if not counts or isinstance(score.value, Unscored) else score.value
                for counts, score in zip(completed, scores, strict=True)
            ]
        )
        for case, record in zip(cases, records, strict=True):
            if record.turns:
                self._asked_what(case, record)

    def close(self) -> Columns:
        """The finished arrays; the dictionary of ids is let go."""
        ids = tuple(self._index)
        self._index.clear()
        at, value = _ints(self._at), np.array(self._value, dtype=np.float64)
        held = np.bincount(at, minlength=len(ids))
        repeated = _repeated(at, _ints(self._trial)) if at.size > len(ids) else 0
        good = (value >= 0.0) & (value <= 1.0)
        at, value = at[good], value[good]
        scored = np.bincount(at, minlength=len(ids))
        mean = _totals(at, value, len(ids)) / np.maximum(scored, 1)
        spread = _totals(at, (value - mean[at]) ** 2, len(ids))
        told = np.concatenate([np.empty((0, 6)), *self._told])
        cluster, tags, task_type, bucket = told[:, 2:].T.astype(np.int64)
        alone = cluster < 0
        cluster[alone] = len(self._clusters) + np.arange(int(alone.sum()))
        asked = told[:, 1] > 0
        asked[self._unscorable] = False
        return Columns(
            ids=ids,
            held=held,
            scored=scored,
            passes=np.bincount(at[value >= self._pass_at], minlength=len(ids)),
            mean=mean,
            squares=np.where(spread > _NO_SPREAD, spread, 0.0),
            asked=asked | (scored > 0),
            weight=told[:, 0],
            cluster=cluster,
            tags=tags,
            tag_sets=tuple(self._tag_sets),
            task_type=task_type,
            task_types=tuple(self._task_types),
            bucket=bucket,
            buckets=tuple(self._buckets),
            turns=_ints(self._turns),
            length=_ints(self._length),
            question=_ints(self._question),
            varies=np.frombuffer(self._varies, dtype=np.bool_),
            statuses={status: n for status, n in self._statuses.items() if n},
            models=dict(self._models),
            repeated=repeated,
        )

    def _know(self, abouts: Sequence[About]) -> None:
        """Make room for new cases, and note what is told of them."""
        for zeros in (self._turns, self._length, self._question):
            zeros.frombytes(bytes(8 * len(abouts)))
        self._varies.extend(bytes(len(abouts)))
        self._told.append(by_about(abouts, self._numbers))

    def _numbers(self, about: About) -> tuple[float, bool, int, int, int, int]:
        """What is told of a case: weight, whether it can be scored, and the codes of its groups."""
        return (
            about.weight,
            about.scorable,
            _code(self._clusters, about.cluster),
            _code(self._tag_sets, about.tags or None),
            _code(self._task_types, about.task_type),
            _code(self._buckets, about.bucket),
        )

    def _asked_what(self, case: int, record: Record) -> None:
        turns, length = examined(record).turns, 0
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


def by_about(abouts: Sequence[About], numbers: Callable[[About], Sequence[float]]) -> Floats:
    """A row of numbers for each, reckoned once where many are one object, as those of a table are."""
    keys = list(map(id, abouts))
    distinct = dict(zip(keys, abouts, strict=True))
    row = {key: at for at, key in enumerate(distinct)}
    return np.array([numbers(about) for about in distinct.values()])[[row[key] for key in keys]]


def _code(names: dict[_Name, int], name: _Name | None) -> int:
    return -1 if name is None else names.setdefault(name, len(names))


def _ints(values: "array[int]") -> Ints:
    return np.array(values, dtype=np.int64)


def _repeated(at: Ints, trial: Ints) -> int:
    order = np.lexsort((trial, at))
    return int(((np.diff(at[order]) == 0) & (np.diff(trial[order]) == 0)).sum())


def _totals(at: Ints, values: Floats, size: int) -> Floats:
    """Sums by case. In the order of the values, so that they do not depend on that of the rows."""
    total = np.zeros(size)
    if np.bincount(at).max(initial=0) <= 1:
        total[at] = values
        return total
    order = np.lexsort((values, at))
    at, values = at[order], values[order]
    first = np.flatnonzero(np.diff(at, prepend=-1))
    total[at[first]] = np.add.reduceat(values, first)
    return total
