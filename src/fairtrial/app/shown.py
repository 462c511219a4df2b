"""Which cases somebody may have seen: in any state that git holds, in a log, in the queue."""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path, PurePosixPath

from fairtrial.app import git
from fairtrial.app.config import Project
from fairtrial.cases.lint import same_id
from fairtrial.cases.paths import KINDS
from fairtrial.cases.queue import FOLDER
from fairtrial.errors import BadInput, CannotRun
from fairtrial.text.language import say

_TOLD = re.compile(
    rb"""(?<![\w-])(?:case_id|case|id|cluster|source)["']?[ \t]*:[ \t]*"""
    rb"""(?=("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"'][^\n]{0,500}))"""
)
"""Where a file names a case, in YAML, JSON or a log; whether it can be read as a whole does not matter."""
_AT_ONCE = 64
"""Things of git in memory."""


def shown(project: Project, sets: Sequence[Path], names: Collection[str]) -> dict[str, str]:
    """Those of the names (of clusters and cases) that may have been seen, as a reader takes them, and where.

    Looked through are the case files below the project and in `sets` that any commit, stash, log of
    references or the index of git holds, the logs, and the queue. Raises BadInput where there is no git, or
    not its whole history: nothing could tell what is new.
    """
    try:
        root = git.root_of(project.folder).resolve()
        held = git.ever(root)
    except BadInput as error:
        what = say("nothing tells which cases are new", "无从判断哪些用例是新增的")
        raise BadInput(f"{error.what}: {what}", where=error.where, how=error.how) from error
    wanted, found = {same_id(name) for name in names}, dict[str, str]()
    below = {path.resolve() for path in (project.folder, *sets)}
    for where, content in chain(_in_git(root, held, below), _beside(project)):
        for name in wanted.intersection(_names(content)):
            found.setdefault(name, where)
    return found


def _in_git(root: Path, held: dict[str, str], below: Collection[Path]) -> Iterator[tuple[str, bytes]]:
    blobs = [
        blob
        for blob, name in held.items()
        if PurePosixPath(name).suffix.casefold() in KINDS
        and not {path := root / name, *path.parents}.isdisjoint(below)
    ]
    for at in range(0, len(blobs), _AT_ONCE):
        for blob, content in git.contents(root, blobs[at : at + _AT_ONCE]).items():
            yield f"git {blob[:10]} {held[blob]}", content


def _beside(project: Project) -> Iterator[tuple[str, bytes]]:
    logs, queue = project.path(project.run.out), project.path(FOLDER)
    for path in (*sorted(logs.glob("*.jsonl*")), *sorted(queue.glob("*.yaml"))):
        try:
            with path.open("rb") as file:
                while some := file.readlines(1 << 24):
                    yield str(path), b"".join(some)
        except OSError as error:
            raise CannotRun(error.strerror or str(error), where=str(path)) from error


def _names(content: bytes) -> Iterator[str]:
    for value in set(_TOLD.findall(content)):
        text = value.decode("utf-8", "replace").strip()
        if text.startswith('"'):
            with suppress(ValueError):
                yield same_id(str(json.loads(text)))
        else:  # a comma ends it in a flow, and is part of it elsewhere
            yield from (same_id(re.split(end, text)[0].strip("' ")) for end in (r"\s#", r"\s#|[,}\]]"))
