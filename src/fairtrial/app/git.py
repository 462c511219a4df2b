"""What git knows of the files of a case set. Nothing here changes a repository."""

import os
import subprocess
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from fairtrial.errors import BadInput, CannotRun
from fairtrial.text.language import say

_MAIN = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""Branches that changes are merged into, the first that there is."""


def _git(folder: Path, *words: str, given: bytes | None = None) -> bytes | None:
    """What git prints; None where it refuses."""
    # A hook's GIT_DIR would lead elsewhere; its index, which may be another than usual, is what is committed.
    env = {name: value for name, value in os.environ.items() if name not in ("GIT_DIR", "GIT_WORK_TREE")}
    if index := env.get("GIT_INDEX_FILE"):
        env["GIT_INDEX_FILE"] = os.path.abspath(index)
    git = ("git", "--no-optional-locks", "--literal-pathspecs", *words)
    try:
        done = subprocess.run(git, cwd=folder, env=env, input=given or b"", capture_output=True, check=False)
    except OSError as error:
        raise CannotRun(say(f"git: {error.strerror}", f"git：{error.strerror}"), where=str(folder)) from error
    return None if done.returncode else done.stdout


def _line(folder: Path, *words: str) -> str | None:
    told = _git(folder, *words)
    return None if told is None else os.fsdecode(told).strip() or None


def root_of(folder: Path) -> Path:
    """The folder of the working tree that holds `folder`. Raises BadInput where there is none."""
    told = _git(folder, "rev-parse", "--show-toplevel")
    if told is None:
        raise BadInput(
            say("no git repository, or one that git does not trust", "不是 git 仓库，或 git 不信任该仓库"),
            where=str(folder),
            how=say("`git status` there says more", "在该目录运行 `git status` 可看到原因"),
        )
    return Path(os.fsdecode(told.removesuffix(b"\n")))


def commit_of(root: Path, revision: str) -> str:
    """The commit that a revision means. Raises BadInput where there is none."""
    found = None
    if not revision.startswith("-"):
        found = _line(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if found is None:
        raise BadInput(
            say(f"no revision `{revision}`", f"没有版本 `{revision}`"), where=str(root), how=_deeper(root)
        )
    return found


def base_of(root: Path) -> str | None:
    """Where this branch left the main one, else the last commit; None before the first."""
    if _line(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") is None:
        return None
    for name in _MAIN:
        if _line(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"):
            if base := _line(root, "merge-base", name, "HEAD"):
                return base
            raise BadInput(
                say(f"HEAD and {name} have no commit in common", f"HEAD 与 {name} 没有共同的提交"),
                where=str(root),
                how=_deeper(root) or say("name a revision", "请指定一个版本"),
            )
    return commit_of(root, "HEAD")


def _deeper(root: Path) -> str:
    if _line(root, "rev-parse", "--is-shallow-repository") != "true":
        return ""
    return say(
        "the clone is shallow: `git fetch --unshallow`; in GitHub's actions/checkout `fetch-depth: 0`",
        "这是浅克隆：请运行 `git fetch --unshallow`；GitHub 的 actions/checkout 请设 `fetch-depth: 0`",
    )


class Tree(NamedTuple):
    """Paths from the root: of `files` the name of what they hold, of `links` the path that they lead to."""

    files: dict[str, str]
    links: dict[str, str]

    def real(self, path: str) -> str:
        """The path without links, as far as they stay inside."""
        for _ in self.links:
            link = next((one for one in self.links if path == one or path.startswith(one + "/")), None)
            if link is None:
                break
            path = self.links[link] + path[len(link) :]
        return path


def tree_at(root: Path, commit: str) -> Tree:
    """What a commit holds."""
    return _tree(root, "ls-tree", "-r", "--full-tree", commit)


def ever(root: Path) -> dict[str, str]:
    """Each thing that any commit, stash, log of references or the index holds, by a path that it had.

    Raises BadInput where the clone is shallow, CannotRun where git cannot list them.
    """
    if how := _deeper(root):
        raise BadInput(say("the history is not here", "历史不在此处"), where=str(root), how=how)
    told = _git(root, "rev-list", "--objects", "--all", "--reflog", "--indexed-objects")
    if told is None:
        raise CannotRun(
            say("git cannot list its history", "git 无法列出历史"), where=str(root), how="git fsck"
        )
    pairs = (row.partition(b" ") for row in told.splitlines())
    return {blob.decode(): os.fsdecode(name) for blob, _, name in pairs if name}


def tree_staged(root: Path) -> Tree:
    """What would be committed now. Raises BadInput while a merge is open."""
    return _tree(root, "ls-files", "--stage")


def _tree(root: Path, *words: str) -> Tree:
    files: dict[str, str] = {}
    linked: dict[str, str] = {}
    for row in (_git(root, words[0], "-z", *words[1:]) or b"").split(b"\0"):
        about, _, name = row.partition(b"\t")
        if about[:3] not in (b"100", b"120"):
            continue
        mode, blob, stage = about.decode().split()
        if blob == "blob":  # as a commit lists it: mode, type, name
            blob, stage = stage, "0"
        path = os.fsdecode(name)
        if stage != "0":
            raise BadInput(say("the file is not merged yet", "该文件尚未完成合并"), where=path)
        (files if mode[:3] == "100" else linked)[path] = blob
    leads = contents(root, set(linked.values()))
    return Tree(
        files,
        {
            path: os.path.normpath(os.path.join(os.path.dirname(path), os.fsdecode(leads[blob])))
            for path, blob in linked.items()
        },
    )


def contents(root: Path, blobs: Collection[str]) -> dict[str, bytes]:
    """What the named things hold. Raises CannotRun for one that the repository has not."""
    told = _git(root, "cat-file", "--batch", given="".join(f"{blob}\n" for blob in blobs).encode()) or b""
    found, at = {}, 0
    for blob in blobs:
        head, at = told[at : told.find(b"\n", at)].split(), told.find(b"\n", at) + 1
        if len(head) != 3:
            raise CannotRun(
                say(f"git cannot show {blob}", f"git 无法读出 {blob}"), where=str(root), how="git fsck"
            )
        found[blob] = told[at : at + int(head[2])]
        at += int(head[2]) + 1
    return found


def user(folder: Path) -> str | None:
    """Whose commits are made here."""
    return _line(folder, "config", "user.name")


def authors(root: Path, base: str | None, name: str) -> set[str]:
    """All who changed a file since `base`; where it is not committed as it is, whoever works here too."""
    since = "HEAD" if base is None else f"{base}..HEAD"
    found = set((_line(root, "log", "--format=%an", since, "--", name) or "").splitlines())
    if not found or _git(root, "diff", "--quiet", "HEAD", "--", name) is None:
        found |= {one for one in [user(root)] if one}
    return found


def first_day(file: Path) -> str | None:
    """The day of the commit that first had the file, ISO 8601."""
    told = _line(file.parent, "log", "--follow", "--diff-filter=A", "--format=%as", "--", file.name)
    return told.split()[-1] if told else None
