"""What can be wrong with a case set: where, what, and how to mend it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

Path = tuple[str | int, ...]
"""The way from the root of a file to a value: keys of objects, indexes of lists (JSONL: of lines)."""


class Severity(StrEnum):
    """An `error` keeps the set from being used; a `hint` does not."""

    error = "error"
    hint = "hint"


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One thing to mend. `line` and `column` count from 1, None where there is none (an empty folder).

    `case` is the id as far as it could be read. `what` and `how` are in the language of the reader.
    """

    file: str
    line: int | None = None
    column: int | None = None
    case: str | None = None
    severity: Severity
    what: str
    how: str = ""

    @property
    def where(self) -> str:
        """`file:line`, or the file alone."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """A problem before its line is known: `path` says where in the file, or `offset` which character."""

    path: Path = ()
    offset: int | None = None
    line: int | None = None
    case: str | None = None
    severity: Severity = Severity.error
    what: str
    how: str = ""


@dataclass(slots=True)
class Findings:
    """Collects what is wrong with one file while it is read."""

    items: list[Finding] = field(default_factory=list)
    case: str | None = None

    def error(self, path: Path, what: str, how: str = "") -> None:
        """Something that keeps the set from being used."""
        self.items.append(Finding(path=path, case=self.case, what=what, how=how))

    def hint(self, path: Path, what: str, how: str = "") -> None:
        """Something worth knowing."""
        self.items.append(Finding(path=path, case=self.case, severity=Severity.hint, what=what, how=how))

    @property
    def errors(self) -> int:
        """How many errors there are so far."""
        return sum(item.severity is Severity.error for item in self.items)


def nearest(word: str, known: Iterable[str], cutoff: float = 0.8) -> str | None:
    """The known word that `word` was probably meant to be: its letters' similarity is at least `cutoff`."""
    from difflib import get_close_matches

    by_fold = {name.casefold(): name for name in known}
    match = get_close_matches(word.casefold().replace("-", "_"), by_fold, n=1, cutoff=cutoff)
    return by_fold[match[0]] if match else None
