"""Candidates for near-duplicates: MinHash over shingles of letters, then bands of locality-sensitive hashing.

Shingles are two letters where one of them is Chinese (or any other letter beyond Latin) and three elsewhere,
so that a Chinese question of eight letters has some too.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import rensa
from numpy.typing import NDArray

PERMUTATIONS = 64
_CHUNK = 100_000
_LEAST = 0.15
"""Estimated Jaccard below which no pair is compared; copies with 15 % of the letters changed have 0.35."""
_PAIRS = 50_000_000
"""About as many pairs are compared by signature, of however many texts."""
_KEPT = 1_000_000
"""About as many of these are looked at closely."""

Signatures = NDArray[np.uint32]


def signatures(texts: Sequence[str]) -> Signatures:
    """MinHash signatures of texts of letters and digits, a row of `PERMUTATIONS` each; none is empty."""
    rows = [_signed(texts[at : at + _CHUNK]) for at in range(0, len(texts), _CHUNK)]
    return np.concatenate(rows) if rows else np.zeros((0, PERMUTATIONS), np.uint32)


def _signed(texts: Sequence[str]) -> Signatures:
    tokens, offsets = shingles(texts)
    matrix = rensa.RMinHash.digest_matrix_from_flat_token_hashes(tokens, offsets, PERMUTATIONS, 1)
    return np.array(matrix.to_rows(), dtype=np.uint32)


def shingles(texts: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The hashed shingles of all texts in one array, and where each text's begin (one more than texts)."""
    signs = np.frombuffer(("\0".join(texts) + "\0\0\0").encode("utf-32-le", "surrogatepass"), np.uint32)
    ends = np.cumsum([len(text) + 1 for text in texts])
    first, second, third = (signs[at : len(signs) - 2 + at].astype(np.uint64) for at in range(3))
    latin = (first < 0x2E80) & (second < 0x2E80) & (second != 0)
    hashed = first * np.uint64(0x9E3779B97F4A7C15) + second
    hashed = hashed * np.uint64(0xC2B2AE3D27D4EB4F) + np.where(latin, third, np.uint64(1 << 32))
    hashed = (hashed ^ (hashed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    real = first[: ends[-1]] != 0
    before = np.concatenate([[0], np.cumsum(real)])
    return hashed[: ends[-1]][real], before[np.concatenate([[0], ends])].astype(np.uint64)


def candidates(signed: Signatures) -> NDArray[np.int64]:
    """Pairs of rows (two columns, the smaller first, each once) whose signatures agree enough to be compared.

    The more texts, the more values a band has: two up to 20,000, then three, four from 500,000 on. In a
    band each row meets its next neighbours of the same values, and of those that it met in all bands the most
    alike are kept: all in a set of a thousand, four in one of a million. So a million texts of one template
    do not make 10^12 pairs.
    """
    n = len(signed)
    rows = 2 if n <= 20_000 else 3 if n <= 500_000 else 4
    reach = max(8, _PAIRS // (max(n, 1) * (PERMUTATIONS // rows)))
    met = np.zeros(0, np.int64)
    for band in range(0, PERMUTATIONS - rows + 1, rows):
        new = [a * n + b for a, b in _neighbours(signed[:, band : band + rows], reach)]
        met = np.concatenate([met, *new])
        if len(met) > 20 * _KEPT:
            met = _nearest(met, signed)
    return np.stack(np.divmod(_nearest(met, signed), max(n, 1)), axis=1)


def _nearest(met: NDArray[np.int64], signed: Signatures) -> NDArray[np.int64]:
    """The pairs to keep: of each first row those that agree most, if they agree enough."""
    met = np.sort(met)
    met = met[np.concatenate([[True], met[1:] != met[:-1]])] if len(met) else met
    first, second = np.divmod(met, max(len(signed), 1))
    agree = np.zeros(len(met), np.int16)
    for at in range(0, len(met), _CHUNK):
        part = slice(at, at + _CHUNK)
        agree[part] = (signed[first[part]] == signed[second[part]]).sum(axis=1)
    order = np.lexsort((-agree, first))
    rank = np.arange(len(order)) - np.searchsorted(first, first[order])
    good = (rank < max(4, _KEPT // max(len(signed), 1))) & (agree[order] >= _LEAST * PERMUTATIONS)
    return met[np.sort(order[good])]


def _neighbours(band: Signatures, reach: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    key = np.zeros(len(band), np.uint64)
    for column in band.T:
        key = (key ^ column) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(31)
    order = np.argsort(key, kind="stable")
    key = key[order]
    alive = np.arange(len(order))
    for step in range(1, min(reach, len(order) - 1) + 1):
        alive = alive[alive + step < len(order)]
        alive = alive[key[alive] == key[alive + step]]
        if not len(alive):
            return
        yield order[alive], order[alive + step]
