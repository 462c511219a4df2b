"""One pass over the rows of a log: what is kept of each case, in arrays, so that a long log stays small."""

from array import array
from collections import Counter
from collections.abc import Iterable
from math import nan

from fairtrial.evidence.spent import Spent
from fairtrial.schema.record import Record
from fairtrial.schema.score import About, Row, Unscored, Useful
from fairtrial.stats.sums import ExactSums

_CAUSE, _CAUSES = 160, 100
"""Characters kept of a failure's message, and how many different ones are counted."""


class Tally:
    """Sums by case, addressed by a number; `close()` gives those numbers in the order of ids.

    A trial counts where its session completed and its rules gave a score.
    """

    def __init__(self, pass_at: float) -> None:
        self._pass_at = pass_at
        self._index: dict[str, int] = {}
        self._clusters: dict[str, int] = {}
        self._tag_sets: dict[tuple[str, ...], int] = {}
        self.score, self.useful = ExactSums(), ExactSums()
        self.weight, self.expected = array("d"), array("d")
        self.passes, self.held = array("i"), array("i")
        self.cluster, self._tags = array("i"), array("i")
        self.scorable = bytearray()
        self.by_status: Counter[str] = Counter()
        self.causes: Counter[str] = Counter()
        self.scored = self.unscored = self.unscorable = 0
        self.checked = self.unchecked = self.supported = self.unsupported = 0
        self.usage = Spent()

    def add(self, row: Row) -> None:
        """Take one session in."""
        record, score = row.record, row.score
        case = self._case(record.case, row.about)
        self.by_status[record.status.value] += 1
        self.held[case] += 1
        self.usage.add(record)
        if not record.status.counts:
            self.unscorable += not row.about.scorable
            self._failed(record)
            return
        self._useful(case, score.useful)
        if isinstance(score.value, Unscored):
            self._without_score(case, row)
            return
        self.scored += 1
        self.score.add(case, score.value)
        self.passes[case] += score.value >= self._pass_at

    def close(self) -> "array[int]":
        """The numbers of the cases, by length of id and id: the same however the rows came in.

        Ends the taking in: the ids are let go, and each case gets the number of its cluster from 0.
        """
        order = array("i", (self._index[name] for name in sorted(sorted(self._index), key=len)))
        self._index.clear()
        for case, named in enumerate(self.cluster):
            self.cluster[case] = case if named < 0 else len(order) + named
        return order

    def tagged(self, cases: Iterable[int]) -> "dict[str, array[int]]":
        """The given cases by tag, tags in alphabetical order; a case of two tags is in both."""
        tag_sets = tuple(self._tag_sets)
        found: dict[str, array[int]] = {}
        for case in cases:
            for tag in dict.fromkeys(tag_sets[self._tags[case]]):
                found.setdefault(tag, array("i")).append(case)
        return dict(sorted(found.items()))

    def _failed(self, record: Record) -> None:
        cause = record.failure.message[:_CAUSE] if record.failure else ""
        # Messages that are all different, with an id in each, say no more than a few of them do.
        if cause in self.causes or (cause and len(self.causes) < _CAUSES):
            self.causes[cause] += 1

    def _without_score(self, case: int, row: Row) -> None:
        # A completed session without a single finding had no rule to find anything with.
        if not row.about.scorable or not row.score.hits:
            self.scorable[case] = False
            self.unscorable += 1
        else:
            self.unscored += 1

    def _useful(self, case: int, useful: Useful | Unscored) -> None:
        if isinstance(useful, Unscored):
            return
        self.useful.add(case, useful.value)
        self.unchecked += useful.unchecked
        self.checked += not useful.unchecked
        self.supported += useful.supported
        self.unsupported += useful.unsupported

    def _case(self, name: str, about: About) -> int:
        known = self._index.get(name)
        if known is not None:
            return known
        case = self._index[name] = len(self._index)
        for sums in (self.score, self.useful):
            sums.grow()
        self.weight.append(about.weight)
        self.expected.append(nan if about.expected_score is None else about.expected_score)
        self.passes.append(0)
        self.held.append(0)
        # A case of no cluster is one of its own, which gets its number when all are known.
        self.cluster.append(-1 if about.cluster is None else self._named_cluster(about.cluster))
        self._tags.append(self._tag_set(about.tags))
        self.scorable.append(about.scorable)
        return case

    def _tag_set(self, tags: tuple[str, ...]) -> int:
        return self._tag_sets.setdefault(tags, len(self._tag_sets))

    def _named_cluster(self, name: str) -> int:
        return self._clusters.setdefault(name, len(self._clusters))
