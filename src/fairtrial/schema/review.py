"""What became of a case set between two of its versions, and what a review says against it."""

from enum import StrEnum
from typing import Any, Literal

from fairtrial.schema.record import Frozen


class ChangeKind(StrEnum):
    """What happened to a case. `kept`: its bookkeeping alone changed. `moved`: it stands in another file."""

    added = "added"
    removed = "removed"
    changed = "changed"
    kept = "kept"
    moved = "moved"


class FieldChange(Frozen, frozen=True, kw_only=True):
    """A field, or of a list one item (`expect[0]`), before and after; None where there is none."""

    field: str
    old: Any = None
    new: Any = None


class CaseChange(Frozen, frozen=True, kw_only=True):
    """A case that is not as before: `where` is `file:line`, `was` the file that it stood in, if another."""

    case: str
    kind: ChangeKind
    where: str
    was: str | None = None
    fields: tuple[FieldChange, ...] = ()


class SetChanges(Frozen, frozen=True, kw_only=True):
    """What changed from `base` to `to`: commits, or None for the working tree; so many cases then and now."""

    status: Literal["same", "differs"]
    base: str | None
    to: str | None
    cases_before: int
    cases: int
    changes: tuple[CaseChange, ...]


class Fault(Frozen, frozen=True, kw_only=True):
    """What a change of a case lacks: `where` is `file:line`, `how` how to mend it."""

    case: str
    where: str
    what: str
    how: str = ""


class Reviewed(Frozen, frozen=True, kw_only=True):
    """A review of all changes since the commit `base` (None: since ever).

    Of `cases`, `looked_at` are new or have changed contents; those removed are among them.
    """

    status: Literal["passed", "refused"]
    base: str | None
    cases: int
    looked_at: int
    faults: tuple[Fault, ...]
