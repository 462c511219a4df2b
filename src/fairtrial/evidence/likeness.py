"""Which case a live dialogue is likest to, and how like cases are to each other."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from fairtrial.text.normalise import fold
from fairtrial.text.words import FUNCTION_EN, english, simplified, stem

_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_CELLS = 4_000_000
"""Similarities held at once."""

Floats = NDArray[np.float64]


class Likeness(NamedTuple):
    """Each case's likeness to the nearest case of another cluster, each dialogue's to the nearest case.

    Cosines in [0, 1]; `nearest` is the number of that case.
    """

    cases: Floats
    live: Floats
    nearest: NDArray[np.int64]


def likeness(cases: Sequence[str], clusters: Sequence[int], live: Sequence[str]) -> Likeness:
    """Cosine of pairs of Chinese letters and stems of English words, the rarer in the set the heavier.

    Numbers do not count: an order's makes no other question. Weights are tf · idf with 1 + log tf (Salton
    and Buckley 1988); what no case has weighs as what one has. `cases` and `live` must not be empty.
    """
    index: dict[str, int] = {}
    theirs, ours = (_counted(texts, index) for texts in (live, cases))
    found = np.bincount(ours.indices, minlength=len(index))
    weight = np.log((1 + len(cases)) / np.maximum(found, 1))
    first, second = (_unit(one, weight) for one in (theirs, ours))
    codes = np.asarray(clusters)
    nearest, likest = _best(first, second, None)
    return Likeness(_best(second, second, codes)[1], likest, nearest)


def _tokens(text: str) -> Iterator[str]:
    plain = simplified(fold(text))
    for run in _CHINESE.findall(plain):
        yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
    yield from (stem(word) for word in english(plain) if word not in FUNCTION_EN)


def _counted(texts: Sequence[str], index: dict[str, int]) -> csr_array:
    values, columns, ends = list[float](), list[int](), [0]
    for text in texts:
        counts = Counter(_tokens(text))
        columns.extend(index.setdefault(token, len(index)) for token in counts)
        values.extend(1 + np.log(n) for n in counts.values())
        ends.append(len(columns))
    return csr_array((values, columns, ends), shape=(len(texts), len(index)))


def _unit(counted: csr_array, weight: Floats) -> csr_array:
    heavy = counted.copy()
    heavy.resize((counted.shape[0], weight.size))
    heavy.data = heavy.data * weight[heavy.indices]
    sizes = np.sqrt(np.asarray(heavy.multiply(heavy).sum(axis=1)).ravel())
    heavy.data = heavy.data / np.repeat(np.maximum(sizes, 1e-12), np.diff(heavy.indptr))
    return heavy


def _best(
    one: csr_array, other: csr_array, clusters: NDArray[np.int64] | None
) -> tuple[NDArray[np.int64], Floats]:
    """Of each row the likest row of `other`; with clusters, of those of another one."""
    turned, step = other.T.tocsr(), max(1, _CELLS // max(1, other.shape[0]))
    nearest, likest = list[NDArray[np.int64]](), list[Floats]()
    for start in range(0, one.shape[0], step):
        cosines = (one[start : start + step] @ turned).toarray()
        if clusters is not None:
            cosines[clusters[start : start + step, None] == clusters[None, :]] = 0.0
        nearest.append(cosines.argmax(axis=1))
        likest.append(np.clip(cosines.max(axis=1), 0.0, 1.0))
    return np.concatenate(nearest), np.concatenate(likest)
