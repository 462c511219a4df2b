"""What a project's commit shows of cases: whoever has it may have seen them."""

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from fairtrial.app import git
from fairtrial.cases.files import CaseFile, of_bytes
from fairtrial.cases.paths import KINDS
from fairtrial.errors import BadInput
from fairtrial.text.language import say


def shown_at_head(folder: Path, sets: Sequence[Path], *, without: Path) -> set[str]:
    """The clusters and ids that case files below `folder` and in `sets` show at HEAD, the logs left out.

    A case counts whatever else is wrong with it. Raises BadInput where there is no git, or a file of the sets
    is there that nobody can read: nothing could tell what is new.
    """
    try:
        root = git.root_of(folder).resolve()
    except BadInput as error:
        what = say("nothing tells which cases are new", "无从判断哪些用例是新增的")
        how = say("commit the set as it is, then add cases", "先提交现有问题集，再添加用例")
        raise BadInput(f"{error.what}: {what}", where=error.where, how=how) from error
    whole, asked = folder.resolve(), [path.resolve() for path in sets]
    names: set[str] = set()
    for name, data in _case_files(root):
        path = root / name
        within = {path, *path.parents}
        if within.isdisjoint((whole, *asked)) or without.resolve() in within:
            continue
        file = of_bytes(data, f"HEAD:{name}", KINDS[path.suffix.casefold()])
        if file.findings.errors and not file.cases and not within.isdisjoint(asked):
            raise _unreadable(file)
        names.update(_names(file))
    return names


def _case_files(root: Path) -> Iterator[tuple[str, bytes]]:
    """Case files of the last commit, by their names; none before the first."""
    try:
        held = git.tree_at(root, git.commit_of(root, "HEAD")).files
    except BadInput:
        return
    blobs = {name: blob for name, blob in held.items() if PurePosixPath(name).suffix.casefold() in KINDS}
    content = git.contents(root, set(blobs.values()))
    for name, blob in blobs.items():
        yield name, content[blob]


def _names(file: CaseFile) -> Iterator[str]:
    for _, case in file.cases:
        if isinstance(case, dict):
            told = (case.get("cluster") or case.get("source"), case.get("id"), case.get("case_id"))
            yield from (name for name in told if isinstance(name, str))


def _unreadable(file: CaseFile) -> BadInput:
    first = file.problems()[0]
    return BadInput(
        say(
            f"cannot be read, so nothing tells which cases are new: {first.what}",
            f"无法读取，无从判断哪些用例是新增的：{first.what}",
        ),
        where=first.where,
        how=say("commit a sound version", "请提交完好的版本"),
    )
