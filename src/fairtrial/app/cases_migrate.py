"""Flat case files lifted to the full form, in which who wrote, changed and reviewed a case can be seen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import unified_diff
from functools import cache, partial
from pathlib import Path
from typing import Any

from fairtrial.app import git
from fairtrial.cases.document import rename, update
from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.paths import find, name_of
from fairtrial.errors import BadInput
from fairtrial.records.whole import write_all
from fairtrial.schema.case import Case, Kind
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class Migrated:
    """The files that are not in the full form, each with its text before and after."""

    texts: Mapping[Path, tuple[str, str]]
    cases: int
    """Cases of all files that were looked at."""

    @property
    def diff(self) -> str:
        """What would be changed, as a unified diff."""
        return "".join(_diff(path, *texts) for path, texts in self.texts.items())


def migrate(paths: Sequence[Path], *, kind: Kind = "regression", who: str | None = None) -> Migrated:
    """The files with what the full form has and they have not; everything else in them stays as written.

    A case gets version 1, the set `kind`, its author (`who`, else git's user), its day (of the commit that
    first had the file, else today) and the first line of its changelog, where it has none. Fields that are
    written under another name get the product's. Nobody is made its reviewer.
    Raises BadInput where the set cannot be read, or no author is known.
    """
    load_or_refuse(paths)
    files, _ = find(paths)
    texts, cases = {}, 0
    for path in files:
        case_set = load_or_refuse([path])
        before = path.read_bytes().decode()
        day, author = cache(partial(_day, path)), cache(partial(_author, path, who))
        missing = {case.id: _missing(case, kind, author, day) for case in case_set.cases}
        changed = {name: fields for name, fields in missing.items() if fields}
        after = rename(update(before, changed, suffix=path.suffix), suffix=path.suffix)
        cases += len(missing)
        if after != before:
            texts[path] = (before, after)
    return Migrated(texts=texts, cases=cases)


def write(migrated: Migrated) -> None:
    """Write all files, or none. Raises CannotRun."""
    write_all({path.resolve(): [after.encode()] for path, (_, after) in migrated.texts.items()})


def _missing(case: Case, kind: Kind, author: Callable[[], str], day: Callable[[], str]) -> dict[str, Any]:
    full: dict[str, Callable[[], Any]] = {
        "version": lambda: 1,
        "set": lambda: kind,
        "created_by": author,
        "created": day,
        "changelog": lambda: [say("brought into the full form", "补全为完整形式")],
    }
    return {name: value() for name, value in full.items() if getattr(case, name) in (None, ())}


def _author(path: Path, who: str | None) -> str:
    name = who or git.user(path.parent)
    if name is None:
        raise BadInput(
            say("whose cases are these? git knows no user.name", "不知道用例的作者：git 中没有 user.name"),
            where=name_of(path),
            how="--who NAME",
        )
    return name


def _day(path: Path) -> str:
    return git.first_day(path) or date.today().isoformat()


def _diff(path: Path, before: str, after: str) -> str:
    name = name_of(path)
    lines = unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{name}", f"b/{name}"
    )
    # A last line without its end would run into the next one.
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
