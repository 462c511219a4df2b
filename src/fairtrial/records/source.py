"""Code and files as digests: by git where there is one, else by the files themselves."""

import hashlib
import os
import subprocess
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path

from fairtrial.errors import BadInput
from fairtrial.records.fingerprint import part, unknown
from fairtrial.schema.fingerprint import Part
from fairtrial.text.language import say

_RESULTS = (
    ".json", ".jsonl", ".part", ".tmp", ".log", ".csv", ".tsv", ".xml", ".html", ".eval", ".pyc",
    ".db", ".sqlite", ".sqlite3", "-journal", "-wal", "-shm",
    ".proposed.toml", ".seen",
)  # fmt: skip
"""Ends of what runs and reports leave behind: code only where git knows it or somebody names it."""
_NEVER = frozenset({".env", "fairtrial.toml"})
"""Secrets; settings, which have parts of their own."""
_SKIPPED = frozenset({"__pycache__", "node_modules"})
_MOST_FILES, _MOST_BYTES = 2000, 64 * 2**20


def files_of(paths: Sequence[str], folder: Path, where: str) -> list[tuple[str, str]]:
    """Name and SHA-256 of each named file, in the given order; those of a folder by name.

    Names are relative to `folder`, where the paths are looked for. Raises BadInput where one is not there.
    """
    found = []
    for name in paths:
        path = folder / name
        if not path.exists():
            raise BadInput(
                say("no such file or folder", "没有这个文件或文件夹"),
                where=f"{where}: {path}",
                how=say("paths are relative to fairtrial.toml", "路径相对于 fairtrial.toml"),
            )
        for file in sorted(_walk(path)) if path.is_dir() else [path]:
            try:
                found.append((_name(file, folder), _content(file)))
            except OSError as error:
                raise BadInput(error.strerror or str(error), where=f"{where}: {file}") from error
    return found


def source_of(folder: Path, *, without: Collection[Path]) -> Part:
    """The code in the repository that holds `folder`, or in the folder where no git has it.

    `without` are files and folders that belong to other parts. What is committed and what is not are one: the
    content counts, so that a commit of the same files is no change.
    """
    folder = folder.resolve()
    root = next((up for up in (folder, *folder.parents) if (up / ".git").exists()), None)
    found = root and _of_git(root, folder, _without(root, without))
    return found or _of_folder(folder, _without(folder, without))


_Kept = Callable[[str], bool]


def _of_git(root: Path, folder: Path, kept: _Kept) -> Part | None:
    """None where git does not answer, or knows no file of `folder`."""
    told = _git(
        root,
        ("ls-files", "--stage", "-z"),
        ("status", "--porcelain=v2", "--branch", "--untracked-files=all", "--no-renames", "-z"),
    )
    if told is None:
        return None
    stages = (line.partition("\t") for line in told[0].split("\0") if line)
    content: dict[str, str | None] = {name: about.split()[1] for about, _, name in stages if kept(name)}
    commit, changed = _changes(told[1])
    venvs = tuple(name.removesuffix("pyvenv.cfg") for name in changed if name.endswith("/pyvenv.cfg"))
    changed = [
        name
        for name in changed
        if name in content or (kept(name) and _is_source(name) and not name.startswith(venvs))
    ]
    if _are_too_many([root / name for name in changed]):
        return _too_many(root)
    content |= {name: _blob(root / name, len(commit) == 64) for name in changed}
    inside = "" if folder == root else f"{folder.relative_to(root).as_posix()}/"
    if not any(name.startswith(inside) for name in content):
        return None
    says = say(f"commit {commit[:10]}", f"提交 {commit[:10]}")
    if changed:
        shown = ", ".join(changed[:3]) + (f" (+{len(changed) - 3})" if len(changed) > 3 else "")
        says += say(f", not committed: {shown}", f"，未提交：{shown}")
    return part(sorted(content.items()), says)


def _git(root: Path, *commands: Sequence[str]) -> list[str] | None:
    """What each command prints; None where git is not there or one of them fails."""
    # A hook's own GIT_DIR would lead elsewhere; looking must not lock the user's index.
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    git, none = ("git", "--no-optional-locks", "-C", str(root)), subprocess.DEVNULL
    try:
        at_once = [
            subprocess.Popen((*git, *words), env=env, stdin=none, stdout=subprocess.PIPE, stderr=none)
            for words in commands
        ]
    except OSError:
        return None
    told = [os.fsdecode(process.communicate()[0]) for process in at_once]
    return None if any(process.returncode for process in at_once) else told


def _changes(status: str) -> tuple[str, list[str]]:
    """The commit and the paths that are not as it has them, of `status --porcelain=v2 --branch -z`."""
    commit, names = "", []
    for line in filter(None, status.split("\0")):
        if line.startswith("# branch.oid "):
            commit = line.removeprefix("# branch.oid ")
        elif line[0] in "1u":
            names.append(line.split(" ", 8 if line[0] == "1" else 10)[-1])
        elif line[0] == "?":
            names.append(line[2:])
    return commit, names


def _blob(path: Path, sha256: bool) -> str | None:
    """A file's content as git would call it; None where it is gone or no file."""
    hasher = hashlib.new("sha256" if sha256 else "sha1", usedforsecurity=False)
    try:
        if path.is_symlink():
            link = os.fsencode(os.readlink(path))
            hasher.update(b"blob %d\0" % len(link) + link)
        else:
            hasher.update(b"blob %d\0" % path.stat().st_size)
            with path.open("rb") as opened:
                hashlib.file_digest(opened, lambda: hasher)
    except OSError:
        return None
    return hasher.hexdigest()


def _of_folder(folder: Path, kept: _Kept) -> Part:
    names = (path.relative_to(folder).as_posix() for path in _walk(folder))
    code = list(islice((name for name in names if kept(name) and _is_source(name)), _MOST_FILES + 1))
    if _are_too_many([folder / name for name in code]):
        return _too_many(folder)
    try:
        content = sorted((name, _content(folder / name)) for name in code)
    except OSError as error:
        return unknown(f"{error.filename}: {error.strerror}")
    says = say(f"{len(code)} files, no git", f"{len(code)} 个文件，没有 git")
    return part(content, says)


def _are_too_many(files: Sequence[Path]) -> bool:
    if len(files) > _MOST_FILES:
        return True
    return sum(file.stat().st_size for file in files if file.is_file()) > _MOST_BYTES


def _too_many(folder: Path) -> Part:
    return unknown(
        say(
            f"too many files in {folder} that git does not know: name the code in [fingerprint] agent",
            f"{folder} 中 git 不知道的文件太多：请在 [fingerprint] agent 中指明代码",
        )
    )


def _without(root: Path, others: Collection[Path]) -> _Kept:
    """Whether a path below a root belongs to no other part."""
    inside = [path.resolve() for path in others if path.resolve().is_relative_to(root)]
    names = {path.relative_to(root).as_posix() for path in inside}
    folders = tuple(f"{name}/" for name in names)
    return lambda name: (
        name.rpartition("/")[2] not in _NEVER and name not in names and not name.startswith(folders)
    )


def _is_source(name: str) -> bool:
    """Of a file that git does not know: what an editor or a cache keeps beside the code is none."""
    hidden = any(step[:1] == "." or step in _SKIPPED for step in name.split("/"))
    return not hidden and not name.lower().endswith(_RESULTS)


def _walk(folder: Path) -> Iterator[Path]:
    """The files below a folder and its links to folders, but hidden ones, caches, virtual environments."""
    for place, folders, files in os.walk(folder):
        paths = [Path(place, name) for name in sorted(folders) if name[0] != "." and name not in _SKIPPED]
        yield from (path for path in paths if path.is_symlink())
        folders[:] = [path.name for path in paths if not (path / "pyvenv.cfg").exists()]
        for name in sorted(files):
            path = Path(place, name)
            if name[0] != "." and not name.endswith(".pyc") and path.is_file():
                yield path


def _name(file: Path, folder: Path) -> str:
    whole, folder = file.resolve(), folder.resolve()
    return whole.relative_to(folder).as_posix() if whole.is_relative_to(folder) else file.name


def _content(path: Path) -> str:
    """SHA-256 of a file, or of where a link to a folder leads."""
    if path.is_dir():
        return hashlib.sha256(os.fsencode(os.readlink(path))).hexdigest()
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
