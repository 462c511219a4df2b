"""Which clusters of the additions are sealed: decided by a keyed hash, spread over their kinds.

Pure: the same additions, key and past give the same draw, in every copy of the project and for every user.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import floor

from fairtrial.cases.seal import Key
from fairtrial.schema.case import Case


@dataclass(frozen=True, kw_only=True)
class Past:
    """What was decided before, as tags: what is `sealed`, and what was `seen` and can never be.

    `drawn` has, of each kind, how many clusters draws decided on and how many of them they sealed.
    """

    sealed: Collection[str] = ()
    seen: Collection[str] = ()
    drawn: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A draw: the `cases` to be sealed, the new tags on either side, and the new clusters of each kind.

    `strata` counts of each kind the new clusters and those sealed of them. `seen` clusters were left where
    they are since somebody may have seen them; `exposed` ones of these had been sealed.
    """

    cases: tuple[Case, ...]
    sealed: tuple[str, ...]
    visible: tuple[str, ...]
    strata: dict[str, tuple[int, int]]
    seen: int
    exposed: int


def marks(cases: Iterable[Case], key: Key) -> set[str]:
    """The tags by which cases are known again: those of their clusters, and of their ids.

    By its id a case is known that was put into another cluster.
    """
    return {key.tag(name) for case in cases for name in (case.kin, case.id)}


def draw(cases: Sequence[Case], key: Key, *, share: float, past: Past) -> Choice:
    """Seal `share` (0 to 1) of the clusters on which nothing was decided, and what joins a sealed one.

    Of each kind, floor(share × N + u) clusters are sealed in the end, where N is all that were ever drawn
    from, and u, from 0 to 1, the kind's own keyed hash: so small kinds come to their share over the months.
    Within a kind, those with the smallest tags are.
    """
    clusters: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        clusters[key.tag(case.kin)].append(case)
    known = {tag: marks(of, key) for tag, of in clusters.items()}
    seen = {tag for tag, its in known.items() if not its.isdisjoint(past.seen)}
    joining = {tag for tag, its in known.items() if not its.isdisjoint(past.sealed)}
    kinds: dict[str, list[str]] = defaultdict(list)
    for tag in sorted(clusters.keys() - seen - joining):
        kinds[kind_of(min(clusters[tag], key=lambda case: case.id))].append(tag)
    chosen, strata = set[str](), dict[str, tuple[int, int]]()
    for kind, tags in sorted(kinds.items()):
        before, sealed = past.drawn.get(kind, (0, 0))
        wanted = floor(share * (before + len(tags)) + _unit(key, kind)) - sealed
        taken = tags[: max(0, wanted)]
        chosen.update(taken)
        strata[kind] = (len(tags), len(taken))
    closed = chosen | (joining - seen)
    visible = clusters.keys() - seen - closed
    return Choice(
        cases=tuple(case for case in cases if key.tag(case.kin) in closed),
        sealed=tuple(sorted(set().union(*(known[tag] for tag in closed)))),
        visible=tuple(sorted(set().union(*(known[tag] for tag in visible)))),
        strata=strata,
        seen=len(seen),
        exposed=len(seen & joining),
    )


def _unit(key: Key, kind: str) -> float:
    """A number from 0 to 1 that only the key tells, the same for ever."""
    return int(key.tag(f"\0kind {kind}")[:12], 16) / 16**12


def kind_of(case: Case) -> str:
    """Task type, set and, where it has one, difficulty: `refund · natural · hard`."""
    parts = (case.task_type or "-", case.set or "-", case.difficulty)
    return " · ".join(part for part in parts if part)


def counted(cases: Iterable[Case]) -> dict[str, int]:
    """How many cases there are of which kind: all that is said of a slice in plain sight."""
    return dict(sorted(Counter(map(kind_of, cases)).items()))
