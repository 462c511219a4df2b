"""From paths to a case set, or to everything that is wrong with it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from fairtrial.cases.digest import digest
from fairtrial.cases.fields import Draft, read_case
from fairtrial.cases.files import CaseFile, read
from fairtrial.cases.lint import lint
from fairtrial.cases.paths import find
from fairtrial.cases.problems import Path as Place
from fairtrial.cases.problems import Problem, Severity
from fairtrial.errors import BadInput
from fairtrial.schema.case import Case, CaseSet
from fairtrial.schema.rule import Rule
from fairtrial.text.language import say

__all__ = ["Loaded", "Problem", "Severity", "load", "load_files", "load_or_refuse", "or_refuse"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Loaded:
    """What became of the files: `case_set` is None if any of the problems is an error."""

    case_set: CaseSet | None
    problems: tuple[Problem, ...]
    _drafts: Sequence[tuple[CaseFile, Draft]] = field(default=(), repr=False)

    def cases(self) -> Iterator[tuple[Case, Callable[[Place], str]]]:
        """Every case that could be read, with a function that tells the `file:line` of a way into it."""
        for file, draft in self._drafts:
            if draft.case is not None:
                yield draft.case, partial(_within, file, draft.path)

    def rules(self) -> Iterator[tuple[str, Rule, Callable[[], str]]]:
        """The rules of every case that could be read, whatever is wrong with others.

        Each with its case's id, and a function that tells its `file:line` (places are worked out only for
        those that need mending).
        """
        for file, draft in self._drafts:
            if draft.case is not None:
                for path, rule in zip(draft.expect.at, draft.case.rules, strict=True):
                    yield draft.case.id, rule, partial(_where, file, path)


def load(paths: Sequence[Path], *, without: Path | None = None) -> Loaded:
    """The cases of the files and folders, in their order. Never raises for what a file holds.

    All problems are told at once, file by file, in the order of their lines. `without` is a folder that
    holds none of them though it may lie in one of the folders: that of the logs.
    """
    found, problems = find(paths, without=without)
    if not paths:
        what = say("no case file was given", "没有给出用例文件")
        problems.append(Problem(file="", severity=Severity.error, what=what))
    return load_files([read(path) for path in found], problems)


def load_files(files: Sequence[CaseFile], problems: Sequence[Problem] = ()) -> Loaded:
    """As `load`, of files that have been read; `problems` are those that were found before."""
    drafts = [(file, read_case(case, path, file.findings)) for file in files for path, case in file.cases]
    lint(drafts)
    problems = [*problems, *(problem for file in files for problem in file.problems())]
    if any(problem.severity is Severity.error for problem in problems):
        return Loaded(case_set=None, problems=tuple(problems), _drafts=drafts)
    cases = tuple(draft.case for _, draft in drafts if draft.case is not None)
    case_set = CaseSet(cases=cases, paths=tuple(file.name for file in files), digest=digest(cases))
    return Loaded(case_set=case_set, problems=tuple(problems), _drafts=drafts)


def _where(file: CaseFile, path: Place) -> str:
    place = file.place(path)
    return file.name if place is None else f"{file.name}:{place[0]}"


def _within(file: CaseFile, case: Place, path: Place) -> str:
    return _where(file, (*case, *path))


def load_or_refuse(paths: Sequence[Path], *, without: Path | None = None) -> CaseSet:
    """As `load`, but raises BadInput with the first error and the number of the others."""
    return or_refuse(load(paths, without=without))


def or_refuse(loaded: Loaded) -> CaseSet:
    """The case set; raises BadInput with the first error and the number of the others."""
    if loaded.case_set is not None:
        return loaded.case_set
    errors = [problem for problem in loaded.problems if problem.severity is Severity.error]
    first, more = errors[0], len(errors) - 1
    others = say(
        f"{more} more: `fairtrial check` shows all", f"另有 {more} 个问题：`fairtrial check` 可全部列出"
    )
    how = say("; ", "；").join(filter(None, (first.how, others if more else "")))
    raise BadInput(first.what, where=first.where, how=how)
