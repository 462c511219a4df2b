"""Rounds as they might have come out: their cases, by cluster, drawn anew with replacement."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fairtrial.evidence.columns import Columns, Floats, Ints
from fairtrial.stats.bootstrap import Resampled, stratified_bootstrap

RESAMPLES = 4000


class Points(NamedTuple):
    """One value, weight and cluster for each case of a round that has a value."""

    ids: tuple[str, ...]
    values: Floats
    weights: Floats
    clusters: Ints


def scores_of(columns: Columns) -> Points:
    """The mean score of each case that has one."""
    return points_of(columns, {columns.ids[at]: columns.mean[at] for at in np.flatnonzero(columns.scored)})


def points_of(columns: Columns, values: "dict[str, float]") -> Points:
    """Some value of the cases of a run."""
    at = np.array([place for place, name in enumerate(columns.ids) if name in values], dtype=np.int64)
    ids = tuple(columns.ids[place] for place in at)
    found = np.array([values[name] for name in ids], dtype=np.float64)
    return Points(ids, found, columns.weight[at], columns.cluster[at])


def levels(rounds: Sequence[Points], seed: int) -> Resampled | None:
    """Each round's weighted mean; None where no round has two clusters."""
    return _redrawn([_by_cluster(points) for points in rounds], seed)


def variances(rounds: Sequence[Points], seed: int) -> Resampled | None:
    """Each round's variance of its values (n − 1, unweighted)."""
    return _redrawn([_by_cluster(_squares(points)) for points in rounds if len(points.ids) > 1], seed)


def changes(rounds: Sequence[Points], seed: int) -> Resampled | None:
    """Each round's mean less that of the round before, over the cases of both."""
    return _redrawn([_by_cluster(difference(a, b)) for a, b in pairwise(rounds)], seed)


def around_none(differences: Sequence[Points], seed: int) -> Resampled | None:
    """Mean differences as the scatter between cases alone makes them: drawn around no difference."""
    apart = [_by_cluster(points) for points in differences]
    return _redrawn([values - values.mean() for values in apart if values.size], seed)


def difference(before: Points, after: Points) -> Points:
    """The later value less the earlier one, of the cases of both."""
    where = {name: at for at, name in enumerate(before.ids)}
    new = np.array([at for at, name in enumerate(after.ids) if name in where], dtype=np.int64)
    ids = tuple(after.ids[at] for at in new)
    old = np.array([where[name] for name in ids], dtype=np.int64)
    return Points(ids, after.values[new] - before.values[old], after.weights[new], after.clusters[new])


def _squares(points: Points) -> Points:
    n, values = len(points.ids), points.values
    return points._replace(
        values=np.square(values - values.mean()) * n / (n - 1), weights=np.ones_like(values)
    )


def _by_cluster(points: Points) -> Floats:
    """One number a cluster; their plain mean is the weighted mean, their scatter that of the influences."""
    if not points.ids:
        return points.values
    _, codes = np.unique(points.clusters, return_inverse=True)
    mean = np.average(points.values, weights=points.weights)
    moved = np.bincount(codes, points.weights * (points.values - mean)) / points.weights.sum()
    return np.asarray(mean + moved.size * moved)


def _redrawn(strata: Sequence[Floats], seed: int) -> Resampled | None:
    able = [values for values in strata if values.size > 1]
    if not able:
        return None
    codes = np.repeat(np.arange(len(able)), [values.size for values in able])
    return stratified_bootstrap(np.concatenate(able), codes, resamples=RESAMPLES, seed=seed)
