"""The ledger: entries that hang together, what the house writes into them, and what bears witness to them."""

from typing import Any

from fairtrial.schema.record import Frozen


class Entry(Frozen, frozen=True, kw_only=True, omit_defaults=False):
    """Entry number `n`, counted from 1. `at` is UTC, ISO 8601, and never before that of the entry before.

    `hash` is the SHA-256 of the canonical JSON of all else; `previous` that of the entry before, 64 zeros in
    the first.
    """

    n: int
    at: str
    kind: str
    who: str
    body: dict[str, Any]
    previous: str
    hash: str


class Witness(Frozen, frozen=True, kw_only=True):
    """Something beside the ledger, at `where`, that saw entry `n` with this hash, or one that so begins."""

    n: int
    hash: str
    where: str


class Begun(Frozen, frozen=True, kw_only=True):
    """Body of `init`: to whom is encrypted, and a digest that tells the key's side secret from another."""

    recipient: str
    check: str


class Part(Frozen, frozen=True, kw_only=True):
    """One encrypted file of a slice: its name in the sealed folder and its SHA-256.

    `kinds` counts the cases of each kind, all that remains in plain sight. `looks` is the budget.
    """

    file: str
    sha256: str
    cases: int
    clusters: int
    kinds: dict[str, int]
    looks: int


class Drawn(Frozen, frozen=True, kw_only=True):
    """Body of `draw`: what was sealed of the additions, and which clusters stay visible for ever.

    `sealed` and `visible` are tags: keyed hashes of clusters. `strata` has, of each kind, how many new
    clusters there were and how many of them were sealed. `part` is None where none was.
    """

    slice: str
    share: float
    part: Part | None
    sealed: tuple[str, ...]
    visible: tuple[str, ...]
    strata: dict[str, tuple[int, int]]


class Added(Frozen, frozen=True, kw_only=True):
    """Body of `add`: cases that somebody without the key put into a slice; their tags are not known yet."""

    slice: str
    part: Part


class Looked(Frozen, frozen=True, kw_only=True):
    """Body of `look`: a debit, before the first session. `tags` are the slice's clusters.

    `reveals` says what kinds of figures the look lets out, of which `agent`; `fingerprint` is of its side.
    """

    slice: str
    tags: tuple[str, ...]
    cases: int
    budget: int
    used: int
    why: str
    reveals: tuple[str, ...]
    agent: str = ""
    fingerprint: str = ""


class Rotated(Frozen, frozen=True, kw_only=True):
    """Body of `rotate`: a slice is opened, its clusters are never sealed again. `why` where it was early."""

    slice: str
    tags: tuple[str, ...]
    into: str
    looks: int
    why: str = ""
