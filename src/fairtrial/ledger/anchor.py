"""The head of the ledger on a branch of its own, by git's plumbing: no working tree or index is touched."""

import json
import os
import subprocess
from pathlib import Path

from fairtrial.errors import BadInput, CannotRun
from fairtrial.schema.ledger import Entry, Witness
from fairtrial.text.language import say

_FILE = "ledger.head"
_ELSEWHERE = frozenset(("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX"))
_NOBODY = ("-c", "user.name=fairtrial", "-c", "user.email=fairtrial@localhost")
"""Who commits where git knows nobody, as in a container: the entry itself tells who made it."""


def git(folder: Path, *words: str, data: bytes = b"") -> bytes:
    """What git prints. Raises CannotRun, with its own last line, where it fails or is not there."""
    # A hook's own GIT_DIR or index would lead elsewhere.
    env = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    try:
        done = subprocess.run(("git", "-C", str(folder), *words), input=data, capture_output=True, env=env)
    except OSError as error:
        raise CannotRun(f"git: {error.strerror}") from error
    if done.returncode:
        lines = os.fsdecode(done.stderr).strip().splitlines() or [""]
        raise CannotRun(f"git {words[0]}: {lines[-1]}", where=str(folder))
    return done.stdout


def exists(folder: Path, branch: str) -> bool:
    """Whether there is such a branch here."""
    return bool(git(folder, "for-each-ref", f"refs/heads/{branch}"))


def anchor(folder: Path, last: Entry, *, branch: str, push: str | None = None) -> str:
    """Commit number and hash of the entry on `branch`, and push it if a remote is named; the commit's hash.

    Where the branch holds it already nothing is committed. Raises CannotRun where git refuses, as it does a
    push to a branch that went another way.
    """
    ref = f"refs/heads/{branch}"
    tip = git(folder, "for-each-ref", "--format=%(objectname)", ref).decode().strip()
    told = json.dumps({"n": last.n, "hash": last.hash, "at": last.at}) + "\n"
    blob = git(folder, "hash-object", "-w", "--stdin", data=told.encode()).decode().strip()
    tree = git(folder, "mktree", data=f"100644 blob {blob}\t{_FILE}\n".encode()).decode().strip()
    if not tip or git(folder, "rev-parse", f"{tip}^{{tree}}").decode().strip() != tree:
        message = f"{last.n} {last.hash}"
        parent = ("-p", tip) if tip else ()
        who = () if _knows_us(folder) else _NOBODY
        commit = git(folder, *who, "commit-tree", tree, *parent, "-m", message).decode().strip()
        # Only if nobody moved the branch meanwhile.
        git(folder, "update-ref", ref, commit, tip or "0" * len(commit))
        tip = commit
    if push:
        git(folder, "push", "--quiet", push, f"{ref}:{ref}")
    return tip


def _knows_us(folder: Path) -> bool:
    try:
        return bool(git(folder, "var", "GIT_AUTHOR_IDENT") and git(folder, "var", "GIT_COMMITTER_IDENT"))
    except CannotRun:
        return False


def anchored(folder: Path, branch: str) -> list[Witness]:
    """Every head that was committed on `branch`, the oldest first.

    Raises BadInput where there is no such branch, CannotRun where it is not one of anchors.

    `branch` may be a remote's: `origin/fairtrial-ledger`.
    """
    if not git(folder, "rev-parse", "--revs-only", branch):
        raise BadInput(
            say(f"no branch `{branch}`", f"没有分支 `{branch}`"),
            where=str(folder),
            how=say("fairtrial ledger anchor makes one", "由 fairtrial ledger anchor 建立"),
        )
    commits = git(folder, "rev-list", "--reverse", branch, "--").decode().split()
    found = []
    for commit in commits:
        try:
            told = json.loads(git(folder, "cat-file", "blob", f"{commit}:{_FILE}"))
            where = f"{branch}@{commit[:10]}"
            found.append(Witness(n=int(told["n"]), hash=str(told["hash"]), where=where))
        except (ValueError, KeyError, TypeError) as error:
            raise CannotRun(
                say("holds no head of a ledger", "其中没有账本末端记录"),
                where=f"{branch}@{commit[:10]}",
                how=say("name the branch of the anchors", "请指定存放锚点的分支"),
            ) from error
    return found
