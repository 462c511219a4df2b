"""Code and files as digests: by git where there is one, else by the files themselves."""

import hashlib
import os
import stat
import subprocess
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.errors import BadInput
from fairtrial.records.fingerprint import digest_of
from fairtrial.text.language import say

_RESULTS = frozenset({
    ".json", ".jsonl", ".part", ".tmp", ".log", ".csv", ".tsv", ".xml", ".html", ".eval", ".pyc",
})  # fmt: skip
"""Files that runs and reports leave behind: code only where git knows them or somebody names them."""
_NEVER = frozenset({".env", "fairtrial.toml"})
"""Secrets; settings, which have parts of their own."""
_SKIPPED = frozenset({"__pycache__", "node_modules"})
_MOST_FILES, _MOST_BYTES = 2000, 64 * 2**20


@dataclass(frozen=True, kw_only=True)
class Source:
    """What a piece of code is: a digest, None where it cannot be known, and a few words."""

    digest: str | None
    says: str


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
        inside = sorted(_walk(path)) if path.is_dir() else [path]
        found += [(_name(file, folder), _sha256(file)) for file in inside]
    return found


def source_of(folder: Path, *, without: Collection[Path]) -> Source:
    """The code in the repository that holds `folder`, or in the folder where no git has it.

    `without` are files and folders that belong to other parts. What is committed and what is not are one: the
    content counts, so that a commit of the same files is no change.
    """
    folder = folder.resolve()
    root = next((up for up in (folder, *folder.parents) if (up / ".git").exists()), None)
    found = root and _of_git(root, folder, without)
    return found or _of_folder(folder, without)


def _of_git(root: Path, folder: Path, without: Collection[Path]) -> Source | None:
    """None where git does not answer, or knows no file of `folder`."""
    listing = _git(root, "ls-files", "--stage", "-z")
    state = _git(root, "status", "--porcelain=v2", "--branch", "--untracked-files=all", "--no-renames", "-z")
    tracked, changes = _finished(listing), _finished(state)
    if tracked is None or changes is None:
        return None
    kept = _Without(root, without)
    content: dict[str, str | None] = {}
    for line in filter(None, tracked.split("\0")):
        about, _, name = line.partition("\t")
        if kept(name):
            content[name] = about.split()[1]
    commit, changed = _changes(changes)
    changed = [name for name in changed if kept(name) and (name in content or _is_source(name))]
    for name in changed:
        content[name] = _blob(root / name, len(commit) == 64)
    inside = "" if folder == root else f"{folder.relative_to(root).as_posix()}/"
    if not any(name.startswith(inside) for name in content):
        return None
    says = say(f"commit {commit[:10]}", f"提交 {commit[:10]}")
    if changed:
        shown = ", ".join(changed[:3]) + (f" (+{len(changed) - 3})" if len(changed) > 3 else "")
        says += say(f", not committed: {shown}", f"，未提交：{shown}")
    return Source(digest=digest_of(sorted(content.items())), says=says)


def _git(root: Path, *words: str) -> "subprocess.Popen[bytes] | None":
    # A hook's own GIT_DIR would lead elsewhere; looking must not lock the user's index.
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "--no-optional-locks", "-C", str(root), *words]
    try:
        return subprocess.Popen(
            command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        return None


def _finished(process: "subprocess.Popen[bytes] | None") -> str | None:
    if process is None:
        return None
    output, _ = process.communicate()
    return None if process.returncode else os.fsdecode(output)


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
    try:
        data = os.fsencode(os.readlink(path)) if path.is_symlink() else path.read_bytes()
    except OSError:
        return None
    hasher = hashlib.new("sha256" if sha256 else "sha1", usedforsecurity=False)
    hasher.update(b"blob %d\0" % len(data) + data)
    return hasher.hexdigest()


def _of_folder(folder: Path, without: Collection[Path]) -> Source:
    kept = _Without(folder, without)
    content: list[tuple[str, str]] = []
    size = 0
    for path in _walk(folder):
        name = path.relative_to(folder).as_posix()
        if kept(name) and _is_source(name):
            size += path.stat().st_size
            if len(content) == _MOST_FILES or size > _MOST_BYTES:
                why = say(
                    f"too many files in {folder} and no git: name them in [fingerprint] agent",
                    f"{folder} 中文件太多且没有 git：请在 [fingerprint] agent 中指明",
                )
                return Source(digest=None, says=why)
            content.append((name, _sha256(path)))
    says = say(f"{len(content)} files, no git", f"{len(content)} 个文件，没有 git")
    return Source(digest=digest_of(sorted(content)), says=says)


class _Without:
    """Whether a path below a root belongs to no other part."""

    def __init__(self, root: Path, without: Collection[Path]) -> None:
        inside = [path.resolve() for path in without if path.resolve().is_relative_to(root)]
        self._names = {path.relative_to(root).as_posix() for path in inside}
        self._folders = tuple(f"{name}/" for name in self._names)

    def __call__(self, name: str) -> bool:
        last = name.rpartition("/")[2]
        return last not in _NEVER and name not in self._names and not name.startswith(self._folders)


def _is_source(name: str) -> bool:
    """Of a file that git does not know: what an editor or a cache keeps beside the code is none."""
    hidden = any(step[:1] == "." or step in _SKIPPED for step in name.split("/"))
    return not hidden and os.path.splitext(name)[1].lower() not in _RESULTS


def _walk(folder: Path) -> Iterator[Path]:
    """The files below a folder; hidden ones, caches and virtual environments are passed over."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if name[0] != "."
            and name not in _SKIPPED
            and not os.path.exists(os.path.join(place, name, "pyvenv.cfg"))
        )
        for name in sorted(files):
            path = Path(place, name)
            if name[0] != "." and not name.endswith(".pyc") and stat.S_ISREG(path.stat().st_mode):
                yield path


def _name(file: Path, folder: Path) -> str:
    file, folder = file.resolve(), folder.resolve()
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.name


def _sha256(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise BadInput(error.strerror or str(error), where=str(file)) from error
