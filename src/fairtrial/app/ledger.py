"""The ledger for people: is it whole, what does it say, and its head on a branch that others keep."""

from collections.abc import Sequence
from pathlib import Path

from fairtrial.app.config import load_project
from fairtrial.app.git import root_of
from fairtrial.app.sealing import broken, faults, held, ledger_file, parts, witnesses
from fairtrial.errors import BadInput, CannotRun
from fairtrial.ledger import anchor as branches
from fairtrial.ledger.chain import contradictions, missing, read
from fairtrial.schema.ledger import Entry
from fairtrial.schema.sealed import Anchored, Verified
from fairtrial.text.language import say

BRANCH = "fairtrial-ledger"


def verify(config: Path | None, *, branch: str | None = None) -> Verified:
    """Hold the ledger against itself, against all that is beside it and, if named, the anchors on `branch`.

    Raises BadInput where there is neither a ledger nor anything that one left behind, or no such branch.
    """
    project = load_project(config)
    path = ledger_file(project)
    heads = branches.anchored(root_of(project.folder), branch) if branch else []
    seen = len(list(witnesses(project))) + len(heads)
    entries: Sequence[Entry] = ()
    if not path.exists():
        if not seen:
            raise missing(path)
        found = [missing(path, lost=True).what]
    else:
        try:
            entries = read(path)
            found = [
                *faults(project, entries),
                *contradictions(entries, heads),
                *(
                    say(f"{part.file} of entry {entry.n}: {what}", f"第 {entry.n} 条的 {part.file}：{what}")
                    for _, part, entry in parts(entries)
                    if (what := broken(project, part))
                ),
            ]
        except BadInput as error:
            found = [f"{error.where}: {error.what}"]
    return Verified(
        ledger=str(path),
        entries=len(entries),
        hash=entries[-1].hash if entries else None,
        witnesses=seen,
        anchored=max((told.n for told in heads), default=0) if branch else None,
        faults=tuple(found),
    )


def show(config: Path | None, *, kind: str | None = None, limit: int | None = None) -> tuple[Entry, ...]:
    """The entries, of one kind if named, the last `limit`. Raises BadInput for a broken ledger, or none."""
    path = ledger_file(load_project(config))
    if not path.exists():
        raise missing(path)
    found = [entry for entry in read(path) if kind in (None, entry.kind)]
    return tuple(found[-limit:] if limit else found)


def anchor(config: Path | None, *, branch: str = BRANCH, push: str | None = None) -> Anchored:
    """Put the head on `branch` of the project's repository, and push it if a remote is named.

    Raises BadInput for a ledger that is not sound, CannotRun where git refuses, or holds an anchor that this
    ledger contradicts.
    """
    project = load_project(config)
    root = root_of(project.folder)
    with held(project) as book:
        if branches.exists(root, branch):
            for fault in contradictions(book.entries, branches.anchored(root, branch)):
                raise CannotRun(fault, where=branch, how="fairtrial ledger verify --branch")
        last = book.entries[-1]
        commit = branches.anchor(root, last, branch=branch, push=push)
    return Anchored(n=last.n, hash=last.hash, branch=branch, commit=commit, pushed=push)
