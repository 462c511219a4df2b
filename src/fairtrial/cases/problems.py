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
    """A problem before its line is known: `offset` says at which character, else `path` where in the file.

    Both are None where the problem is the file as a whole.
    """

    path: Path | None = None
    offset: int | None = None
    case: str | None = None
    severity: Severity = Severity.error
    what: str
    how: str = ""


@dataclass(slots=True)
class Findings:
    """Collects what is wrong with one file while it is read; `case` is the id of the case being read.

    `errors` counts the errors, `wrong` holds their places.
    """

    items: list[Finding] = field(default_factory=list)
    case: str | None = None
    errors: int = 0
    wrong: set[Path] = field(default_factory=set)

    def error(self, path: Path | None, what: str, how: str = "", *, offset: int | None = None) -> None:
        """Something that keeps the set from being used."""
        self.items.append(Finding(path=path, offset=offset, case=self.case, what=what, how=how))
        self.errors += 1
        if path is not None:
            self.wrong.add(path)

    def hint(self, path: Path | None, what: str, how: str = "", *, offset: int | None = None) -> None:
        """Something worth knowing."""
        self.items.append(
            Finding(path=path, offset=offset, case=self.case, severity=Severity.hint, what=what, how=how)
        )


class Malformed(Exception):
    """A text cannot be read at all: `offset` is the character at which it goes wrong."""

    def __init__(self, offset: int | None, what: str, how: str = "") -> None:
        super().__init__(what)
        self.offset, self.what, self.how = offset, what, how


def nearest(word: str, known: Iterable[str], cutoff: float = 0.8) -> str | None:
    """The known word that `word` was probably meant to be: its letters' similarity is at least `cutoff`."""
    from difflib import get_close_matches

    def plain(name: str) -> str:
        return name.casefold().replace("-", "_")

    by_plain = {plain(name): name for name in known}
    match = get_close_matches(plain(word), by_plain, n=1, cutoff=cutoff)
    return by_plain[match[0]] if match else None


def printable(text: str) -> str:
    """The text with what a terminal cannot show (control characters, lone surrogates) as escapes."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text
    )
