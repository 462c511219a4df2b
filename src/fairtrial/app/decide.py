"""A person's yes or no to candidates: into a case set, or onto the list of what does not come again."""

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from fairtrial.app.config import Project, load_project
from fairtrial.cases.document import append
from fairtrial.cases.files import CaseFile, of_bytes
from fairtrial.cases.load import load, load_files, or_refuse
from fairtrial.cases.paths import KINDS
from fairtrial.cases.problems import Severity
from fairtrial.cases.queue import FOLDER, Candidate, path_of, read_one
from fairtrial.cases.review import person
from fairtrial.cases.scrub import likeness
from fairtrial.errors import BadInput
from fairtrial.records.log import iso
from fairtrial.records.whole import sync_folder, write_whole
from fairtrial.schema.candidate import Decided
from fairtrial.schema.case import Case
from fairtrial.schema.record import Frozen
from fairtrial.text.json import encode
from fairtrial.text.language import say

REJECTED = "rejected.jsonl"
"""The list in the queue's folder."""


class _Rejection(Frozen, frozen=True, kw_only=True):
    """A line of the list; `like` is the likeness of what was rejected."""

    id: str
    like: str
    who: str
    why: str
    at: str


def accept(
    ids: Sequence[str], *, who: str, into: Path, sure: bool = False, config: Path | None = None
) -> Decided:
    """Put candidates behind the cases of the file `into`, with `who` as their reviewer; all of them or none.

    `sure` says that the doubtful places were looked at. A candidate leaves the queue when the file is
    written: one that is in both, since the process was killed between, only leaves. Raises BadInput where
    one is doubtful, made by `who`, without rules or no sound case, and where its id is taken.
    """
    who = _person(who)
    if into.suffix.casefold() not in KINDS:
        raise BadInput(
            say("not a kind of file that cases are kept in", "不是存放用例的文件"),
            where=f"--into {into}",
            how=say(f"name one of {', '.join(KINDS)}", f"请给出 {'、'.join(KINDS)} 文件"),
        )
    project = load_project(config)
    with _locked(project.path(FOLDER)) as queue:
        before = into.read_bytes() if into.exists() else b""
        there = or_refuse(load_files([_file(before, into)])).by_id() if before.strip() else {}
        taken = _ids(project) - there.keys()
        new: list[dict[str, Any]] = []
        finished: list[str] = []
        for name, path in _paths(queue, ids):
            if not path.exists() and name in there:
                finished.append(name)
                continue
            candidate = _candidate(path, name)
            case = _case(candidate, path)
            if name in there and _unreviewed(there[name]) == _unreviewed(case):
                finished.append(name)
                continue
            if name in there or name in taken:
                raise BadInput(
                    say(f"the set has a case {name}", f"问题集中已有用例 {name}"),
                    where=str(path),
                    how=say("give the candidate another id", "请给候选用例换一个 id"),
                )
            _require_yes(candidate, case, who, path, sure=sure)
            new.append(candidate.case | {"reviewed_by": who})
        if new:
            after = append(before.decode(), new, suffix=into.suffix).encode()
            or_refuse(load_files([_file(after, into)]))
            write_whole(into, [after])
        _remove(queue, ids)
    return Decided(ids=tuple(case["id"] for case in new), finished=tuple(finished), into=str(into))


def reject(ids: Sequence[str], *, who: str, why: str, config: Path | None = None) -> Decided:
    """Take candidates out of the queue and note what they were like, so that they do not come again."""
    who = _person(who)
    if not why.strip():
        raise BadInput(say("say why", "请说明原因"), where="--why")
    with _locked(load_project(config).path(FOLDER)) as queue:
        known = {one.like for one in _rejections(queue)}
        at = iso(datetime.now(UTC))
        new = []
        for name, path in _paths(queue, ids):
            like = likeness_of(_candidate(path, name))
            if like not in known:
                new.append(_Rejection(id=name, like=like, who=who, why=why.strip(), at=at))
        if new:
            list_ = queue / REJECTED
            before = list_.read_bytes() if list_.exists() else b""
            write_whole(list_, [before, *(encode(one) + b"\n" for one in new)])
        _remove(queue, ids)
    return Decided(ids=tuple(dict.fromkeys(ids)))


def rejected_before(queue: Path) -> set[str]:
    """The likenesses of what was rejected. Raises BadInput for a list that cannot be read."""
    return {one.like for one in _rejections(queue)}


def likeness_of(candidate: Candidate) -> str:
    """The likeness of what its user says."""
    said = candidate.case.get("input")
    turns = said if isinstance(said, list) else [said]
    return likeness([turn for turn in turns if isinstance(turn, str)])


def _rejections(queue: Path) -> Iterator[_Rejection]:
    path = queue / REJECTED
    lines = path.read_bytes().splitlines() if path.exists() else []
    for number, line in enumerate(lines, start=1):
        try:
            yield msgspec.json.decode(line, type=_Rejection)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadInput(
                say(f"no line of rejected candidates: {error}", f"不是被拒候选的记录：{error}"),
                where=f"{path}:{number}",
                how=say("mend or delete the line", "请改正或删去这一行"),
            ) from error


def _person(who: str) -> str:
    if not who.strip():
        raise BadInput(say("say who you are", "请说明你是谁"), where="--who")
    return who.strip()


def _file(content: bytes, path: Path) -> CaseFile:
    return of_bytes(content, str(path), KINDS[path.suffix.casefold()])


def _ids(project: Project) -> set[str]:
    """The ids of the project's set, as far as it can be read."""
    paths = [project.path(name) for name in project.run.cases]
    return (
        {case.id for case, _ in load(paths, without=project.path(project.run.out)).cases()}
        if paths
        else set()
    )


def _paths(queue: Path, ids: Sequence[str]) -> list[tuple[str, Path]]:
    return [(name, path_of(queue, name)) for name in dict.fromkeys(ids)]


def _candidate(path: Path, name: str) -> Candidate:
    candidate = read_one(path) if path.exists() else None
    if candidate is None or candidate.id != name:
        raise BadInput(
            say(f"no candidate {name}", f"没有候选用例 {name}"),
            where=str(path.parent),
            how=say("`fairtrial cases queue` lists them", "`fairtrial cases queue` 会列出它们"),
        )
    return candidate


def _case(candidate: Candidate, path: Path) -> Case:
    """The candidate as a case. Raises BadInput, naming its file, for one that does not load."""
    text = json.dumps([candidate.case], ensure_ascii=False)
    loaded = load_files([of_bytes(text.encode("utf-8", "surrogatepass"), str(path), "json")])
    if loaded.case_set is None:
        first = next(one for one in loaded.problems if one.severity is Severity.error)
        how = (
            first.how
            if candidate.case.keys() & {"expect", "expected"}
            else say("write `expect`", "请写上 `expect`")
        )
        raise BadInput(first.what, where=str(path), how=how)
    return loaded.case_set.cases[0]


def _unreviewed(case: Case) -> Case:
    return case.model_copy(update={"reviewed_by": None})


def _require_yes(candidate: Candidate, case: Case, who: str, path: Path, *, sure: bool) -> None:
    """That the yes of this person counts. Raises BadInput."""
    what = how = ""
    if not case.rules:
        what, how = say("it has no rules", "它没有判定规则"), say("write `expect`", "请写上 `expect`")
    elif candidate.doubtful and not sure:
        what = say("doubtful: ", "存疑：") + say("; ", "；").join(candidate.doubtful)
        how = say("mend the file, or confirm with --sure", "请修改文件，或用 --sure 确认")
    elif person(case.created_by or "") == person(who):
        what = say(f"{who} created it and cannot accept it", f"它由 {who} 创建，不能由本人接受")
        how = say("somebody else must look at it", "须由另一个人审阅")
    if what:
        raise BadInput(what, where=str(path), how=how)


@contextmanager
def _locked(queue: Path) -> Iterator[Path]:
    """The queue's folder, locked against other decisions."""
    queue.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(queue, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield queue
    finally:
        os.close(descriptor)


def _remove(queue: Path, ids: Sequence[str]) -> None:
    for _, path in _paths(queue, ids):
        path.unlink(missing_ok=True)
    sync_folder(queue)
