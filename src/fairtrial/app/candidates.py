"""Failures of a log become candidate cases, without personal details, which wait for a person's yes."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from fairtrial.app.config import Project, load_project
from fairtrial.app.decide import likeness_of, rejected_before
from fairtrial.app.opened import Opened, open_result
from fairtrial.app.show import find_log
from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.queue import FOLDER, Candidate, read, write
from fairtrial.cases.scrub import Scrubbed, Scrubber, likeness
from fairtrial.cases.write import written
from fairtrial.errors import BadInput
from fairtrial.records.interop.traffic import read_traffic
from fairtrial.schema.candidate import Gathered
from fairtrial.schema.case import Case
from fairtrial.schema.score import Row
from fairtrial.schema.traffic import Dialogue
from fairtrial.text.language import say
from fairtrial.text.personal import find_personal

MAKER = "fairtrial cases from-log"
"""Who created a candidate, unless somebody is named."""
_JUDGED_BY = ("expect", "expected", "weight", "key_facts", "severity", "passes")
_FROM_PARENT = (*_JUDGED_BY, "context", "task_type", "difficulty", "least_calls")
_OF_SOMEBODY = frozenset(("name", "phone", "email", "id_card", "card", "wechat", "qq"))
"""Kinds of details that the name of a log must not tell; days and numbers of runs it may."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where candidates come from: a log, or a file of live dialogues; the latest log where none is named.

    `failed`: only what failed there, or left its user dissatisfied. `cases` are the files with the rules of
    the log's cases; those of the project unless named. Under one `seed` a log gives the same fictions again.
    """

    log: Path | None = None
    failed: bool = True
    cases: Sequence[Path] = ()
    limit: int | None = None
    seed: int = 0
    who: str = MAKER
    config: Path | None = None


@dataclass(frozen=True, kw_only=True)
class _Told:
    """What a user said in one session, on which day, of which case, and why it is worth a case."""

    name: str
    turns: tuple[str, ...]
    day: str | None
    why: str
    failed: bool
    case: str | None = None
    intent: str | None = None


def from_log(source: Source) -> Gathered:
    """Put the failures of a log into the queue, distinct ones, with fictions for what is personal.

    Raises BadInput for what cannot be read or must not be: a closed log, a file of the sealed folder.
    """
    project = load_project(source.config)
    path = find_log(source.log, source.config)
    _refuse_sealed(path, project)
    cases = _cases(source, project)
    sessions, told = _told(path, failed=source.failed)
    maker = _Maker(path, cases, source)
    queue = project.path(FOLDER)
    waiting = [candidate for _, candidate in read(queue)]
    seen = {
        "waiting": {likeness_of(one) for one in waiting},
        "rejected": rejected_before(queue),
    }
    known = {likeness(case.input): case.id for case in cases.values()}
    counts = dict.fromkeys(("alike", "waiting", "known", "rejected"), 0)
    made: dict[str, Candidate] = {}
    ids = {one.id for one in waiting} | cases.keys()
    for one in told:
        candidate, like = maker.candidate(one, ids)
        old = next((name for name, likes in seen.items() if like in likes), None)
        if like in made:
            counts["alike"] += 1
        elif old is not None:
            counts[old] += 1
        elif known.get(like, one.case) != one.case:
            counts["known"] += 1
        else:
            made[like] = candidate
            ids.add(candidate.id)
    distinct = _distinct(list(made.values()))
    counts["alike"] += len(made) - len(distinct)
    chosen = tuple(islice(distinct, source.limit))
    return Gathered(
        log=str(path),
        sessions=sessions,
        failures=len(told),
        files=tuple(map(str, write(queue, chosen))),
        candidates=chosen,
        **counts,
    )


def _refuse_sealed(path: Path, project: Project) -> None:
    if project.path(project.seal.folder).resolve() in path.resolve().parents:
        raise BadInput(
            say("what is sealed becomes no candidate", "封存的内容不能变成候选用例"),
            where=str(path),
            how=say(
                "it opens when its slice does: fairtrial seal rotate",
                "随封存集一起打开：fairtrial seal rotate",
            ),
        )


def _cases(source: Source, project: Project) -> dict[str, Case]:
    """The cases of the set, none where the project has no set."""
    paths = list(source.cases) or [project.path(name) for name in project.run.cases]
    return load_or_refuse(paths, without=project.path(project.run.out)).by_id() if paths else {}


def _told(path: Path, *, failed: bool) -> tuple[int, list[_Told]]:
    """How many sessions the file has, and what is worth a case: one of each case, all of live dialogues."""
    opened = _opened(path)
    if isinstance(opened, Opened):
        return _of_rows(opened, failed=failed)
    dialogues = list(opened)
    told = [_of_dialogue(one) for one in dialogues if one.asked and (one.dissatisfied or not failed)]
    return len(dialogues), told


def _opened(path: Path) -> Opened | Iterator[Dialogue]:
    """A log of ours or another tool's file, else live dialogues. Raises BadInput where it is neither."""
    opened, refusal = None, None
    try:
        opened = open_result(path)
    except BadInput as error:
        refusal = error
    if opened is not None and (opened.foreign is None or opened.foreign.format != "table"):
        return opened
    try:
        next(read_traffic(path))
    except BadInput as error:
        if opened is not None and any(row.record.turns for row in opened.rows()):
            return opened
        raise refusal or error from error
    return read_traffic(path)


def _of_dialogue(one: Dialogue) -> _Told:
    marks = [
        (one.satisfied is False, say("its user was not satisfied", "用户不满意")),
        (one.resolved is False, say("it was not resolved", "问题未解决")),
    ]
    why = say(", ", "，").join(text for there, text in marks if there)
    return _Told(
        name=one.id,
        turns=one.asked,
        day=one.day,
        why=why or say("a live dialogue", "线上对话"),
        failed=one.dissatisfied,
        intent=one.intent,
    )


def _of_rows(opened: Opened, *, failed: bool) -> tuple[int, list[_Told]]:
    sessions, wordless = 0, False
    by_case: dict[str, list[Row]] = {}
    for row in opened.rows():
        sessions += 1
        if row.record.status.counts:
            by_case.setdefault(row.record.case, []).append(row)
    told: list[_Told] = []
    for rows in by_case.values():
        missed = [row for row in rows if row.score.passes(opened.pass_at) is False]
        if missed or not failed:
            told += _of_case(missed or rows, len(rows), failed=bool(missed))
            wordless |= not told
    if wordless and not told:
        raise BadInput(
            say("its sessions do not tell what the user said", "其中的会话没有记录用户说了什么"),
            where=str(opened.path),
            how=say("take a file with messages", "请使用带有消息的文件"),
        )
    return sessions, told


def _of_case(rows: Sequence[Row], trials: int, *, failed: bool) -> Iterator[_Told]:
    """What was said in the first of the sessions, if anything was."""
    row = rows[0]
    turns = tuple(turn.user for turn in row.record.turns if turn.user.strip() and not turn.aside)
    missed = [hit.rule for hit in row.score.hits if hit.met is False]
    why = say(f"failed in {len(rows)} of {trials} trials", f"{trials} 次重复中失败 {len(rows)} 次")
    if missed:
        why += say("; not met: ", "；未满足：") + say(", ", "，").join(missed)
    if turns:
        yield _Told(
            name=row.record.case,
            turns=turns,
            day=_day(row.record.started),
            why=why if failed else say("a session that passed", "通过的会话"),
            failed=failed,
            case=row.record.case,
            intent=row.about.task_type,
        )


def _day(moment: float | None) -> str | None:
    return None if moment is None else datetime.fromtimestamp(moment, UTC).date().isoformat()


class _Maker:
    """Makes candidates of one log; its digest is the key of the fictions, which only its holders have."""

    def __init__(self, path: Path, cases: dict[str, Case], source: Source) -> None:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        keep = [text for case in cases.values() for text in _texts(written(case))]
        self._scrubber = Scrubber(f"{source.seed}:{digest}", keep)
        self._cases, self._who, self._name = cases, source.who, path.name
        if any(span.sure and span.kind in _OF_SOMEBODY for span in find_personal(path.stem)):
            self._name = f"log-{self._scrubber.fictions.digest(path.name)[:8]}{path.suffix}"
        self._today = date.today().isoformat()

    def candidate(self, told: _Told, taken: set[str]) -> tuple[Candidate, str]:
        """The candidate, under an id that is not taken, and its likeness."""
        day = told.day or self._today
        scrubbed = self._scrubber.scrub(told.name, told.turns, year=int(day[:4]))
        like = likeness(scrubbed.texts)
        parent = self._cases.get(told.case or "")
        name = next(
            name for size in range(4, len(like) + 1) if (name := f"in-{day}-{like[:size]}") not in taken
        )
        content = self._content(name, told, scrubbed, parent)
        why = scrubbed.apply(told.why)
        candidate = Candidate(
            case={"id": name} | content,
            why=why if parent else why + say("; it has no rules yet", "；还没有判定规则"),
            origin=self._name,
            doubtful=scrubbed.doubtful,
            replaced=scrubbed.told(),
        )
        return candidate, like

    def _content(self, name: str, told: _Told, scrubbed: Scrubbed, parent: Case | None) -> dict[str, Any]:
        texts = scrubbed.texts
        content: dict[str, Any] = {"input": texts[0] if len(texts) == 1 else list(texts)}
        if parent is not None:
            theirs = written(parent)
            content |= {name: scrubbed.apply(value) for name, value in theirs.items() if name in _FROM_PARENT}
            # Its source would make all of a log one cluster.
            content["cluster"] = parent.kin
            content["parent"] = parent.edition
        elif told.intent:
            content["task_type"] = scrubbed.apply(told.intent)
        content |= {
            "tags": [*(parent.tags if parent else ()), "from-log"],
            "set": "bad" if told.failed else "natural",
            "source": self._name,
        }
        if parent is None:
            content["cluster"] = name
        return (
            content
            | ({"observed": told.day} if told.day else {})
            | {
                "created": self._today,
                "created_by": self._who,
                "version": 1,
                "changelog": [f"1: {say('from', '来自')} {self._name}"],
            }
        )


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


def _said(candidate: Candidate) -> str:
    turns = candidate.case["input"]
    return turns if isinstance(turns, str) else "\n".join(turns)


def _distinct(candidates: list[Candidate]) -> list[Candidate]:
    """Of near-identical ones the first."""
    from fairtrial.cases.duplicates import pairs

    copies = {pair.second for pair in pairs([_said(one) for one in candidates])}
    return [one for at, one in enumerate(candidates) if at not in copies]


def waiting(config: Path | None = None) -> list[tuple[Path, Candidate]]:
    """The candidates in the project's queue."""
    return read(load_project(config).path(FOLDER))
