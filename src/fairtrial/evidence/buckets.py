"""Where a difference comes from: the shared cases by kind of task, turns, length and tag, down to cases."""

from collections.abc import Iterator
from math import fsum
from typing import NamedTuple

import msgspec
import numpy as np

from fairtrial.evidence.columns import Floats, Ints
from fairtrial.evidence.pairs import Pairs
from fairtrial.schema.comparison import Bucket, Difference, Part
from fairtrial.stats.multiple import holm
from fairtrial.stats.paired import CLUSTERS_NEEDED, paired_difference, sign_flip
from fairtrial.text.language import say

_CASES_NEEDED = 5
"""A bucket of fewer cases, or clusters, is shown and never tested."""
TURNS = ((1, "1"), (2, "2-3"), (4, "4+"))
LENGTH = ((1, "<=50"), (51, "51-200"), (201, ">200"))
"""Bins by their lower ends; below the first nothing is known."""
UNKNOWN = "?"
_HITS = 50
"""Flips as far out as seen after which a bucket has plainly not moved: there may be many buckets."""
_NAMED = 10
"""Cases named in a bucket."""


class _Group(NamedTuple):
    """Some of the shared cases, by their places among these."""

    kind: str
    name: str
    places: Ints


class _Dimension(NamedTuple):
    """A name for each shared case: codes into names."""

    kind: str
    codes: Ints
    names: tuple[str, ...]


def bins() -> str:
    """How cells are cut, for people."""
    turns, length = (", ".join(name for _, name in edges) for edges in (TURNS, LENGTH))
    return say(
        f"task type × turns of the user ({turns}) × characters of input ({length})",
        f"任务类型 × 用户轮数（{turns}）× 输入字符数（{length}）",
    )


def buckets(pairs: Pairs) -> tuple[Bucket, ...]:
    """All buckets: cells, whose shares sum to the difference, their margins, tags, and those given.

    The tested ones are tested by flipping signs, the p-values adjusted by Holm over all of them; buckets of
    the same cases are one test.
    """
    found: list[Bucket] = []
    tests: dict[int, float] = {}
    keys: list[int | None] = []
    for part in _parts(pairs):
        bucket, key = _bucket(pairs, part), None
        if bucket.difference.low is not None and _CASES_NEEDED <= part.places.size < len(pairs):
            key = hash(part.places.tobytes())
            if key not in tests:
                tests[key] = _p(pairs, part.places)
        found.append(bucket)
        keys.append(key)
    adjusted = dict(zip(tests, holm(list(tests.values())), strict=True))
    return tuple(
        bucket if key is None else msgspec.structs.replace(bucket, p=tests[key], p_holm=adjusted[key])
        for bucket, key in zip(found, keys, strict=True)
    )


def difference_of(pairs: Pairs, places: Ints | slice = slice(None)) -> Difference:
    """Paired difference over some of the shared cases, with weights and clusters."""
    return measured(pairs.d[places], pairs.weight[places], pairs.cluster[places])


def measured(d: Floats, weights: Floats, clusters: Ints) -> Difference:
    """Paired difference of some cases, with the name of its interval or why there is none."""
    found = paired_difference(d, weights=weights, clusters=clusters)
    method = say("adjusted Wald, clustered, t", "调整 Wald，按簇，t 分位数")
    if found.low is None:
        need, known = CLUSTERS_NEEDED, f"{found.effective:.3g}"
        why = say(f" (effective clusters {known}, {need} needed)", f"（有效簇数 {known}，至少 {need}）")
        method = "undetermined" + why
    return Difference(
        mean=found.mean, low=found.low, high=found.high, n=d.size, clusters=found.clusters, method=method
    )


def _p(pairs: Pairs, places: Ints) -> float:
    return sign_flip(
        pairs.d[places], weights=pairs.weight[places], clusters=pairs.cluster[places], enough=_HITS
    ).p


def _bucket(pairs: Pairs, part: _Group) -> Bucket:
    places = part.places
    weight = pairs.weight[places]
    parts = weight * pairs.d[places] / pairs.weight.sum()
    share = fsum(parts)
    towards = parts if share >= 0 else -parts
    most = np.argsort(-towards, kind="stable")[:_NAMED]
    return Bucket(
        kind=part.kind,
        name=part.name,
        base=float(np.average(pairs.base.mean[pairs.at_base[places]], weights=weight)),
        candidate=float(np.average(pairs.candidate.mean[pairs.at_candidate[places]], weights=weight)),
        difference=difference_of(pairs, places),
        share=share,
        p=None,
        p_holm=None,
        cases=tuple(Part(case=pairs.name(places[i]), share=float(parts[i])) for i in most if towards[i] > 0),
    )


def _parts(pairs: Pairs) -> Iterator[_Group]:
    known = [dimension for dimension in _dimensions(pairs) if dimension.codes.any()]
    yield from _split(_cells(pairs, known))
    telling = [dimension for dimension in known if np.unique(dimension.codes).size > 1]
    if len(telling) > 1:  # else the cells are the same
        for dimension in telling:
            yield from _split(dimension)
    yield from _tags(pairs)
    given = _named("bucket", pairs.base.bucket[pairs.at_base], pairs.base.buckets)
    yield from (part for part in _split(given) if part.name != UNKNOWN)


def _dimensions(pairs: Pairs) -> Iterator[_Dimension]:
    """What is known of the cases; code 0 is unknown."""
    base, at = pairs.base, pairs.at_base
    yield _named("task type", base.task_type[at], base.task_types)
    for kind, values, edges in (("turns", base.turns, TURNS), ("length", base.length, LENGTH)):
        codes = np.digitize(values[at], [edge for edge, _ in edges])
        yield _Dimension(kind, codes, (UNKNOWN, *(name for _, name in edges)))


def _named(kind: str, codes: Ints, names: tuple[str, ...]) -> _Dimension:
    return _Dimension(kind, codes + 1, (UNKNOWN, *names))


def _cells(pairs: Pairs, known: list[_Dimension]) -> _Dimension:
    """Every combination of what is known that occurs; all cases together where nothing is known."""
    whole = np.zeros(len(pairs), dtype=np.int64)
    if not known:
        return _Dimension("cell", whole, ("*",))
    for dimension in known:
        whole = whole * len(dimension.names) + dimension.codes
    _, first, codes = np.unique(whole, return_index=True, return_inverse=True)
    names = tuple(" × ".join(d.names[d.codes[place]] for d in known) for place in first)
    return _Dimension("cell", codes, names)


def _tags(pairs: Pairs) -> Iterator[_Group]:
    by_tag: dict[str, list[Ints]] = {}
    codes = pairs.base.tags[pairs.at_base]
    for code, places in _groups(codes):
        for tag in dict.fromkeys(pairs.base.tag_sets[code]) if code >= 0 else ():
            by_tag.setdefault(tag, []).append(places)
    for tag, groups in sorted(by_tag.items()):
        yield _Group("tag", tag, np.sort(np.concatenate(groups)))


def _split(dimension: _Dimension) -> Iterator[_Group]:
    for code, places in _groups(dimension.codes):
        yield _Group(dimension.kind, dimension.names[code], places)


def _groups(codes: Ints) -> Iterator[tuple[int, Ints]]:
    """The places of each code, ascending."""
    order = np.argsort(codes, kind="stable")
    found, starts = np.unique(codes[order], return_index=True)
    for code, places in zip(found, np.split(order, starts[1:]), strict=True):
        yield int(code), places
