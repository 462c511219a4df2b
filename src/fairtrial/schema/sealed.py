"""What is told of sealed slices: none of it needs a key, none tells what a case asks."""

from fairtrial.schema.record import Frozen


class Begin(Frozen, frozen=True, kw_only=True):
    """A key was made: its file, its public half. `exposed`: the file lies where git could take it."""

    key: str
    recipient: str
    config: str
    entry: int
    exposed: bool


class Sealing(Frozen, frozen=True, kw_only=True):
    """A draw or an addition: what went into `slice`, of which kinds, and what stays in plain sight.

    `file` is None and `cases` 0 where nothing was sealed; `entry` is None where there was nothing to decide.
    `seen` clusters were not asked about, since they had been in plain sight; `exposed` ones of them are in
    a slice nevertheless. `finished` cases of an earlier draw that was stopped were taken out of the files.
    `rewritten` are the files out of which cases were taken, `plain` one that still shows what was sealed.
    """

    slice: str
    entry: int | None
    file: str | None
    cases: int
    clusters: int
    kinds: dict[str, int]
    looks: int
    share: float | None = None
    visible: int = 0
    seen: int = 0
    exposed: int = 0
    finished: int = 0
    rewritten: tuple[str, ...] = ()
    plain: str | None = None


class SliceState(Frozen, frozen=True, kw_only=True):
    """A slice as anyone sees it. `used` looks of `budget` are those that the ledger tells without a key.

    `broken` parts are missing or not those that were sealed. Of the looks `without_result` was killed or lost
    its ledger, or is still going on. `rotated` and `last_look` are times.
    """

    slice: str
    sealed: str
    parts: int
    broken: tuple[str, ...]
    cases: int
    clusters: int
    kinds: dict[str, int]
    budget: int
    used: int
    left: int
    spent: bool
    without_result: int
    last_look: str | None
    rotated: str | None


class Opening(Frozen, frozen=True, kw_only=True):
    """A slice that was opened to the regression set in `into`, after `looks`; `added` cases are new there.

    `logs` are its looks that became logs now.
    """

    slice: str
    into: str
    cases: int
    added: int
    looks: int
    entry: int
    logs: tuple[str, ...] = ()


class Verified(Frozen, frozen=True, kw_only=True):
    """What became of checking a ledger: its `faults`, if any, by how many `witnesses`, and its last entry.

    `anchored` is the number of the last entry that the branch holds, None where no branch was asked.
    """

    ledger: str
    entries: int
    hash: str | None
    witnesses: int
    anchored: int | None
    faults: tuple[str, ...]


class Anchored(Frozen, frozen=True, kw_only=True):
    """The head that was put on a branch, by which commit, and where that was pushed."""

    n: int
    hash: str
    branch: str
    commit: str
    pushed: str | None
