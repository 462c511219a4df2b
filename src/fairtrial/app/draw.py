"""Cases into a sealed slice: a part is written, then the ledger, and only then are they taken out of sight.

Whoever stops it half-way loses nothing, and the next one finishes it.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

import regex

from fairtrial.app.config import Project, load_project
from fairtrial.app.prepare import Choices, case_paths, run_config
from fairtrial.app.sealing import (
    DRAFT,
    FROM,
    PART,
    Owned,
    begun,
    bodies,
    examiner_key,
    held,
    open_parts,
    parts,
    place,
    rotations,
)
from fairtrial.app.shown import shown
from fairtrial.app.slices import seen_marks
from fairtrial.app.taken_out import put, without
from fairtrial.cases.digest import digest
from fairtrial.cases.draw import Past, counted, draw, marks
from fairtrial.cases.lint import same_id
from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.paths import find
from fairtrial.cases.review import person
from fairtrial.cases.seal import Key, seal_cases
from fairtrial.errors import BadInput, CannotRun, FairtrialError
from fairtrial.ledger.chain import Book, Clock, utc_now
from fairtrial.records.whole import write_whole
from fairtrial.schema.case import Case
from fairtrial.schema.ledger import Added, Drawn, Entry, Looked, Part
from fairtrial.schema.sealed import Sealing
from fairtrial.text.language import say

_NAMED = 5


@dataclass(frozen=True, kw_only=True)
class Ask:
    """What the command line says of a draw or an addition; None leaves the project's setting."""

    who: str
    slice: str | None = None
    looks: int | None = None
    share: float | None = None
    config: Path | None = None


def draw_additions(ask: Ask, sets: Sequence[Path], key_file: Path | None, *, now: Clock = utc_now) -> Sealing:
    """Seal the share of what is new in the files; all of that must be reviewed where the set keeps reviewers.

    Raises BadInput for files that cannot be read or changed, a wrong key and a ledger that is not sound,
    CannotRun where the disk refuses: nothing is sealed then, and the files are as they were.
    """
    project, key = load_project(ask.config), examiner_key(key_file)
    run = run_config(project, Choices(config=ask.config, cases=sets))
    paths, logs = case_paths(run), Path(run.out)
    with held(project, key, now=now) as book:
        name = _name(ask.slice or f"holdout-{now().astimezone(UTC):%Y-%m}", book.entries)
        inside = _inside(open_parts(project, book.entries, key))
        cases = load_or_refuse(paths, without=logs).cases
        past = _past(book.entries, inside, shown(project, paths, _names(cases)), key)
        _require_reviewed(cases, past, key)
        choice = draw(cases, key, share=ask.share or project.seal.share, past=past)
        fresh = [case for case in choice.cases if not _is_inside(case, inside)]
        files = without(find(paths, without=logs)[0], {case.id for case in choice.cases})
        part = _draft(project, book, name, fresh, ask.looks) if fresh else None
        body = Drawn(
            slice=name,
            share=ask.share or project.seal.share,
            part=part,
            sealed=choice.sealed,
            visible=choice.visible,
            strata=choice.strata,
        )
        entry = _enter(project, book, "draw", ask.who, body, part) if part or choice.visible else None
        _rewrite(files)
    return _told(
        name,
        entry,
        part,
        files,
        looks=part.looks if part else ask.looks or project.seal.looks,
        share=body.share,
        visible=sum(every - sealed for every, sealed in choice.strata.values()),
        seen=choice.seen,
        exposed=choice.exposed,
        finished=len(choice.cases) - len(fresh),
    )


def _told(name: str, entry: Entry | None, part: Part | None, files: Collection[Path], **more: Any) -> Sealing:
    return Sealing(
        slice=name,
        entry=entry.n if entry else None,
        file=part.file if part else None,
        cases=part.cases if part else 0,
        clusters=part.clusters if part else 0,
        kinds=part.kinds if part else {},
        rewritten=tuple(map(str, files)),
        **more,
    )


def add_file(ask: Ask, file: Path, *, keep: bool, now: Clock = utc_now) -> Sealing:
    """Seal all cases of a file, for which no key is needed, and take them out of it unless it is to `keep`
    them. An addition of just this that was stopped is finished. Raises BadInput, also where a case may have
    been seen, and CannotRun; the file is then unchanged.
    """
    project = load_project(ask.config)
    with held(project, now=now) as book:
        cases, before = load_or_refuse([file]).cases, len(book.entries)
        paths = find([file])[0]
        content = hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest().encode()
        files = {} if keep else without(paths, {case.id for case in cases})
        name, part, entry = _stopped(project, book.entries, content) or _added(
            project, book, ask, file, cases, None if keep else content
        )
        _rewrite(files)
        _note(project, part).unlink(missing_ok=True)
    fresh = entry.n > before
    return _told(
        name,
        entry,
        part if fresh else None,
        files,
        looks=part.looks,
        finished=0 if fresh else part.cases,
        plain=str(file) if keep else None,
    )


def _added(
    project: Project, book: Book, ask: Ask, file: Path, cases: Sequence[Case], content: bytes | None
) -> Owned:
    """The part and its entry. Beside it a digest of the files tells, until these are emptied, that it is of
    them: no longer, since then it would confirm who guesses what is inside.
    """
    name = _name(ask.slice or "", book.entries)
    seen = shown(project, [file], _names(cases))
    for case in cases:
        for known in (case.id, case.kin):
            if where := seen.get(same_id(known)):
                raise _seen(case, file, where)
    part = _draft(project, book, name, cases, ask.looks)
    if content:
        write_whole(_note(project, part), [content])
    return name, part, _enter(project, book, "add", ask.who, Added(slice=name, part=part), part)


def _stopped(project: Project, entries: Sequence[Entry], content: bytes) -> Owned | None:
    """The addition of files of this content that was stopped before they were emptied."""
    for owned in parts(entries):
        note = _note(project, owned[1])
        if note.exists() and note.read_bytes() == content:
            return owned
    return None


def _note(project: Project, part: Part) -> Path:
    return project.path(project.seal.folder) / (part.file + FROM)


def _names(cases: Sequence[Case]) -> set[str]:
    return {name for case in cases for name in (case.kin, case.id)}


def _require_reviewed(cases: Sequence[Case], past: Past, key: Key) -> None:
    """Each addition is reviewed by another than who made it, if any case of the set is: once sealed, nobody
    mends it. All are named, so that nothing tells which would be sealed. Raises BadInput.
    """
    if not any(case.reviewed_by for case in cases):
        return
    lacking = [
        case.id
        for case in cases
        if marks([case], key).isdisjoint(past.seen)
        and person(case.reviewed_by or "") in ("", person(case.created_by or ""))
    ]
    if lacking:
        more = say(f" and {len(lacking) - _NAMED} more", f" 等 {len(lacking)} 个")
        raise BadInput(
            say("nobody else has reviewed ", "未经他人评审：")
            + ", ".join(lacking[:_NAMED])
            + (more if len(lacking) > _NAMED else ""),
            where="reviewed_by",
            how=say(
                "a sealed case can be mended by nobody: fairtrial cases review, then draw",
                "封存后无人能改：先执行 fairtrial cases review，再抽取",
            ),
        )


def _name(name: str, entries: Sequence[Entry]) -> str:
    """The name of the slice to seal into. Raises BadInput where it is no name, or what is new would be lost.

    New clusters in a spent slice would be as spent as the others.
    """
    spent = any(
        body.slice == name and body.used >= body.budget for _, body in bodies(entries, "look", Looked)
    )
    if not regex.fullmatch(r"[\w@+][\w.@+-]*", name) or name in rotations(entries) or spent:
        raise BadInput(
            say(f"the slice `{name}` is spent or opened", f"封存集 `{name}` 已用尽或已打开")
            if spent or name in rotations(entries)
            else say(f"not a name of a slice: {name!r}", f"不能作封存集名称：{name!r}"),
            where="--slice",
            how=say(
                "another name, of letters, digits and . _ - @ +", "换一个名称，由文字、数字与 . _ - @ + 组成"
            ),
        )
    return name


def _inside(opened: Sequence[tuple[str, Part, tuple[Case, ...]]]) -> dict[str, Case]:
    """All sealed cases by id, as a reader takes it."""
    return {same_id(case.id): case for _, _, cases in opened for case in cases}


def _is_inside(case: Case, inside: dict[str, Case]) -> bool:
    """Whether just this case is sealed already. Raises BadInput where another one of its id is."""
    sealed = inside.get(same_id(case.id))
    if sealed is not None and digest([sealed]) != digest([case]):
        raise BadInput(
            say("another case of this id is sealed", "已封存了同 id 的另一个用例"),
            where=case.id,
            how=say("give it another id", "请换一个 id"),
        )
    return sealed is not None


def _past(entries: Sequence[Entry], inside: dict[str, Case], names: Collection[str], key: Key) -> Past:
    drawn: dict[str, tuple[int, int]] = {}
    for _, body in bodies(entries, "draw", Drawn):
        for kind, (every, sealed) in body.strata.items():
            before = drawn.get(kind, (0, 0))
            drawn[kind] = (before[0] + every, before[1] + sealed)
    seen = seen_marks(entries) | set(map(key.tag, names))
    return Past(sealed=marks(inside.values(), key), seen=seen, drawn=drawn)


def _draft(project: Project, book: Book, name: str, cases: Sequence[Case], looks: int | None) -> Part:
    """Write the part, synced, under the name that it has until the ledger knows it.

    Its own name tells number and hash of the entry before it, so that it bears witness to the ledger.
    Raises BadInput for another recipient than the ledger's, CannotRun where the disk refuses.
    """
    recipient, last = begun(book.entries).recipient, book.entries[-1]
    budget = next((part.looks for owner, part, _ in parts(book.entries) if owner == name), None)
    if budget and looks not in (budget, None):
        raise BadInput(
            say(f"the slice has {budget} looks for all of its cases", f"该封存集的查看次数为 {budget}"),
            where="--looks",
            how=say("leave it out, or name another slice", "请省略它，或换一个封存集"),
        )
    if project.seal.recipient not in (recipient, None):
        raise BadInput(
            say("not the recipient that the ledger began with", "与账本起始时的公钥不同"),
            where="[seal] recipient",
            how=say(f"it is {recipient}", f"应为 {recipient}"),
        )
    data = seal_cases(cases, recipient)
    file = f"{name}.{last.n}-{last.hash[:16]}{PART}"
    write_whole(project.path(project.seal.folder) / (file + DRAFT), [data])
    return Part(
        file=file,
        sha256=hashlib.sha256(data).hexdigest(),
        cases=len(cases),
        clusters=len({same_id(case.kin) for case in cases}),
        kinds=counted(cases),
        looks=budget or looks or project.seal.looks,
    )


def _enter(
    project: Project, book: Book, kind: str, who: str, body: Drawn | Added, part: Part | None
) -> Entry:
    draft = project.path(project.seal.folder) / (part.file + DRAFT) if part else None
    try:
        entry = book.append(kind, who, body)
    except FairtrialError:
        if draft is not None:
            draft.unlink(missing_ok=True)
        raise
    if draft is not None:
        place(draft)
    return entry


def _rewrite(files: dict[Path, str]) -> None:
    try:
        put(files)
    except (OSError, CannotRun) as error:
        where = error.where if isinstance(error, CannotRun) else str(error.filename)
        raise CannotRun(
            say("sealed, but still in plain sight here", "已封存，但此处仍是明文"),
            where=where,
            how=say("make room, then seal again: it is finished then", "请腾出空间后重做，即可完成"),
        ) from error


def _seen(case: Case, file: Path, where: str) -> BadInput:
    return BadInput(
        say(
            f"`{case.id}` or its cluster is shown by {where}: it may have been seen",
            f"{where} 中已有 `{case.id}` 或其所属的簇：可能已被看到",
        ),
        where=str(file),
        how=say("seal only what was in no commit, log or queue", "只能封存从未进入提交、日志或队列的用例"),
    )
