"""Which clusters of a month's additions are sealed: decided by a keyed hash, spread over their kinds.

Pure: the same additions, key and past give the same draw, in every copy of the project and for every user.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import floor

from fairtrial.cases.seal import Key, cluster_of
from fairtrial.schema.case import Case


@dataclass(frozen=True, kw_only=True, slots=True)
class Past:
    """What earlier draws decided, as tags: clusters that are `sealed`, those that were `seen` in plain sight.

    `seen` has those too that a slice was opened to. `drawn` counts the clusters that draws decided on.
    """

    sealed: Collection[str] = ()
    seen: Collection[str] = ()
    drawn: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawn:
    """What a draw decided: the `cases` to be sealed, and the tags of the clusters on either side.

    `late` counts the cases that were left in plain sight because their cluster had been seen there before.
    """

    cases: tuple[Case, ...]
    sealed: tuple[str, ...]
    visible: tuple[str, ...]
    late: int


def draw(cases: Sequence[Case], key: Key, *, share: float, past: Past) -> Drawn:
    """Seal `share` (0 to 1) of the clusters that nobody decided on before, and what belongs to sealed ones.

    Systematic sampling over the new clusters in the order of kind and tag: of each kind the share, to within
    one cluster, and over all draws together too, since the count goes on where the last draw ended; so small
    months and small kinds do not always come out at none. The start is the key's secret.
    """
    tags = {cluster: key.tag(cluster) for cluster in {cluster_of(case) for case in cases}}
    new = [tag for tag in tags.values() if tag not in past.seen and tag not in past.sealed]
    kinds: dict[str, str] = {}
    for case in sorted(cases, key=lambda case: case.id):
        kinds.setdefault(tags[cluster_of(case)], kind_of(case))
    start = int(key.tag("\0start")[:12], 16) / 16**12
    ordered = sorted(new, key=lambda tag: (key.tag("\0" + kinds[tag]), tag))
    chosen = {
        tag
        for place, tag in enumerate(ordered, start=past.drawn)
        if floor(share * (place + 1) + start) > floor(share * place + start)
    }
    closed = chosen | {tag for tag in tags.values() if tag in past.sealed and tag not in past.seen}
    return Drawn(
        cases=tuple(case for case in cases if tags[cluster_of(case)] in closed),
        sealed=tuple(sorted(chosen)),
        visible=tuple(sorted(set(new) - chosen)),
        late=sum(tags[cluster_of(case)] in past.seen for case in cases),
    )


def kind_of(case: Case) -> str:
    """The kind by which a draw is spread and a slice is told of: what it is kept for, and its task type."""
    return f"{case.set or '-'}/{case.task_type or '-'}"


def counted(cases: Iterable[Case]) -> dict[str, int]:
    """How many cases there are of which kind: all that is said of a slice in plain sight."""
    kinds = sorted(kind_of(case) for case in cases)
    return {kind: len(list(group)) for kind, group in groupby(kinds)}
