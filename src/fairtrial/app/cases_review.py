"""What changed in a case set between two git revisions, and whether somebody else has looked at it."""

import os
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from fairtrial.app import config, git
from fairtrial.app.prepare import Choices, case_paths, run_config
from fairtrial.cases.files import CaseFile, of_bytes, read
from fairtrial.cases.load import load_files, or_refuse
from fairtrial.cases.paths import KINDS, find, is_read, name_of
from fairtrial.cases.problems import Problem
from fairtrial.cases.review import Sited, changes, faults
from fairtrial.errors import BadInput
from fairtrial.schema.review import ChangeKind, Reviewed, SetChanges
from fairtrial.text.language import say

_Side = Mapping[str, Sited]


@dataclass(frozen=True, kw_only=True)
class _Place:
    """Where the set lies: the root of its repository, its files and folders, the settings that name them."""

    root: Path
    paths: tuple[Path, ...]
    without: Path
    settings: Path | None

    def inside(self, path: Path) -> str:
        """The path from the root, as git has it. Raises BadInput for one outside."""
        return self.below(Path(), Path(os.path.realpath(path)))

    def below(self, folder: Path, path: Path) -> str:
        """As `inside`, of a path from a folder; its links are followed later, as they led at a revision."""
        whole = Path(os.path.normpath(os.path.join(os.path.realpath(folder), path)))
        if not whole.is_relative_to(self.root):
            raise BadInput(
                say(f"not in the git repository {self.root}", f"不在 git 仓库 {self.root} 中"),
                where=str(path),
            )
        return whole.relative_to(self.root).as_posix()


def diff(
    revision: str, to: str | None = None, *, cases: Sequence[Path] = (), settings: Path | None = None
) -> SetChanges:
    """What changed from `revision` to the revision `to` (None: the working tree), case by case.

    Raises BadInput outside of git, for a revision that is not there, and for a set that is broken on a side.
    """
    place = _place(cases, settings)
    base = git.commit_of(place.root, revision)
    commit = None if to is None else git.commit_of(place.root, to)
    old, new = _at(place, base), _here(place) if commit is None else _at(place, commit)
    found = tuple(changes(old, new))
    return SetChanges(
        status="differs" if found else "same",
        base=base,
        to=commit,
        cases_before=len(old),
        cases=len(new),
        changes=found,
    )


def review(
    revision: str | None = None,
    *,
    staged: bool = False,
    removable: Collection[str] = (),
    cases: Sequence[Path] = (),
    settings: Path | None = None,
) -> Reviewed:
    """Whether every change since `revision` was raised, written down and looked at by somebody else.

    Without a revision, since this branch left the main one. `staged` looks at what would be committed now
    rather than at the working tree. Raises BadInput as `diff` does.
    """
    place = _place(cases, settings)
    base = git.base_of(place.root) if revision is None else git.commit_of(place.root, revision)
    old = {} if base is None else _at(place, base)
    new = _staged(place) if staged else _here(place)
    if unknown := sorted(set(removable) - old.keys()):
        raise BadInput(
            say(f"there was no case `{unknown[0]}`", f"原来没有用例 `{unknown[0]}`"), where="--allow-removed"
        )

    @cache
    def authors(file: str) -> Collection[str]:
        return git.authors(place.root, base, file)

    found = tuple(faults(old, new, authors=lambda site: authors(site.file), removable=removable))
    contents = (ChangeKind.added, ChangeKind.changed, ChangeKind.removed)
    return Reviewed(
        status="refused" if found else "passed",
        base=base,
        cases=len(new),
        looked_at=sum(change.kind in contents for change in changes(old, new)),
        faults=found,
    )


def _place(cases: Sequence[Path], settings: Path | None) -> _Place:
    project = config.load_project(settings)
    run = run_config(project, Choices(config=settings, cases=cases))
    file = settings or project.folder / config.FILE
    return _Place(
        root=Path(os.path.realpath(git.root_of(project.folder))),
        paths=case_paths(run),
        without=Path(run.out),
        settings=None if cases else file.absolute(),
    )


def _here(place: _Place) -> _Side:
    found, problems = find(place.paths, without=place.without)
    files = {}
    for path in found:
        file = read(path)
        file.name = name_of(Path(os.path.relpath(path)))
        files[file.name] = (place.inside(path), file)
    return _sited(files, problems)


def _at(place: _Place, commit: str) -> _Side:
    return _of_git(place, git.tree_at(place.root, commit), commit[:10] + ":")


def _staged(place: _Place) -> _Side:
    return _of_git(place, git.tree_staged(place.root), "")


def _of_git(place: _Place, tree: git.Tree, label: str) -> _Side:
    names = tree.files
    chosen = dict.fromkeys(_chosen(place, tree))
    held = git.contents(place.root, {names[name] for name in chosen})
    files = {}
    for name in chosen:
        shown = label + name_of(Path(os.path.relpath(place.root / name)))
        kind = KINDS[PurePosixPath(name).suffix.casefold()]
        files[shown] = (name, of_bytes(held[names[name]], shown, kind))
    return _sited(files)


def _sited(files: Mapping[str, tuple[str, CaseFile]], problems: Sequence[Problem] = ()) -> _Side:
    loaded = load_files([file for _, file in files.values()], problems)
    or_refuse(loaded)
    sides: dict[str, Sited] = {}
    for case, where in loaded.cases():
        file, _ = files[where(()).rpartition(":")[0]]
        sides[case.id] = Sited(case=case, file=file, where=where)
    return sides


def _then(place: _Place, tree: git.Tree) -> tuple[list[str], Path]:
    """The files and folders of the set from the root, and that of the logs, as the settings named them then.

    Whoever lets the settings point elsewhere would else have removed cases unseen.
    """
    paths, out, folder = place.paths, place.without, place.root
    if place.settings is not None and (blob := tree.files.get(place.inside(place.settings))):
        with suppress(ValueError, KeyError, TypeError):
            run = tomllib.loads(git.contents(place.root, [blob])[blob].decode("utf-8-sig"))["run"]
            paths = tuple(Path(name) for name in run["cases"])
            out, folder = Path(run.get("out", config.RunConfig().out)), place.settings.parent
    logs = os.path.realpath(folder / out)
    return [place.below(folder, path) for path in paths], Path(logs)


def _chosen(place: _Place, tree: git.Tree) -> Iterator[str]:
    """The files of the set among those of a revision, by the rules of `cases.paths.find`."""
    paths, without = _then(place, tree)
    for path in map(tree.real, paths):
        if path in tree.files and PurePosixPath(path).suffix.casefold() in KINDS:
            yield path
            continue
        for name in map(PurePosixPath, (*tree.files, *tree.links)):
            if name.is_relative_to(path) and is_read(name.relative_to(path).parts):
                real = tree.real(str(name))
                if real in tree.files and not (place.root / name).is_relative_to(without):
                    yield real
