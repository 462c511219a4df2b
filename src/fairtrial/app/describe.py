"""The configuration of a round: kept whole in the header, and a round made from it again."""

import platform
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import fairtrial
from fairtrial.app.config import Project, read_env
from fairtrial.app.environment import collect
from fairtrial.app.fingerprint import named
from fairtrial.app.prepare import Prepared, build, case_paths, valid_run
from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.select import select
from fairtrial.errors import BadInput
from fairtrial.records.fingerprint import changed_parts
from fairtrial.records.log import iso, run_name
from fairtrial.schema.case import CaseSet
from fairtrial.schema.evidence import Header
from fairtrial.schema.fingerprint import Fingerprint, PartName
from fairtrial.schema.score import Row
from fairtrial.text.language import say

TESTS = "tests"
"""The part of the configuration that a run of pytest has: what each of its tests asks for."""
_TABLES = ("agent", "user", "run", "score", "doubts", "fingerprint", "canaries")


def describe(prepared: Prepared) -> dict[str, Any]:
    """What the result depends on, as plain JSON. It names the variables of secrets, never a secret."""
    run = prepared.run.model_copy(update={"trials": prepared.trials})
    return {
        "folder": str(prepared.project.folder.resolve()),
        "agent": prepared.agent_config.model_dump(mode="json"),
        "user": prepared.project.user and prepared.project.user.model_dump(mode="json"),
        "run": run.model_dump(mode="json"),
        "score": prepared.project.score.model_dump(mode="json"),
        "doubts": prepared.project.doubts.model_dump(mode="json", exclude_unset=True),
        "fingerprint": prepared.project.fingerprint.model_dump(mode="json"),
        "canaries": prepared.project.canaries.model_dump(mode="json"),
        "cases": {
            "digest": prepared.case_set.digest,
            "ids": [case.id for case in prepared.case_set.cases] if prepared.narrowed else None,
            "n": len(prepared.case_set.cases),
        },
        "series": prepared.series,
        "in_process": prepared.agent.in_process,
        "scorer": prepared.scorer.digest,
        "golden_agreed": prepared.golden,
        "python": platform.python_version(),
        "platform": sys.platform,
        "fairtrial": fairtrial.__version__,
    }


def begun(
    prepared: Prepared, fingerprint: Fingerprint, mode: Literal["full", "quick", "probe"], **more: Any
) -> Header:
    """The header of a round that begins now; `more` goes into its configuration."""
    moment = datetime.now(UTC)
    return Header(
        fairtrial=fairtrial.__version__,
        run=run_name(moment),
        started=iso(moment),
        mode=mode,
        status="running",
        config=describe(prepared) | more,
        notes=notes_on(prepared.case_set),
        set_digest=prepared.case_set.digest,
        fingerprint=fingerprint,
    )


def notes_on(case_set: CaseSet) -> tuple[str, ...]:
    """What a reader of the figures must know of the cases: sentences for a judge are in no score."""
    n = sum(bool(case.criteria) for case in case_set.cases)
    if not n:
        return ()
    return (
        say(
            f"criteria, kept for a judge, are not scored: cases {n}", f"criteria 留给裁判，未计分：{n} 个用例"
        ),
    )


def note_on_steps(case_set: CaseSet, rows: Callable[[], Iterable[Row]]) -> tuple[str, ...]:
    """In how many sessions of disturbed cases something of `disturb` did not take place."""
    disturbed = {case.id for case in case_set.cases if case.disturb}
    if not disturbed:
        return ()
    records = [row.record for row in rows() if row.record.case in disturbed and row.record.status.counts]
    missed = [record for record in records if record.unfired]
    if not missed:
        return ()
    k, n = len(missed), len(records)
    cases = ", ".join(list(dict.fromkeys(record.case for record in missed))[:3])
    return (
        say(
            f"the disturbance did not take place, or not all of it, in {k} of {n} sessions: {cases}",
            f"{n} 个会话中有 {k} 个，扰动没有或没有全部发生：{cases}",
        ),
    )


def project_of(header: Header) -> Project:
    """The project as it was when the round began."""
    project = Project.model_validate({name: header.config[name] for name in _TABLES if name in header.config})
    return project.model_copy(update={"folder": Path(header.config.get("folder", ""))})


def chosen_before(case_set: CaseSet, header: Header, where: str) -> CaseSet | None:
    """The cases that a narrowed round asked of the set, None for one of the whole set. Raises BadInput."""
    ids: Sequence[str] | None = header.config["cases"]["ids"]
    if ids is None:
        return None
    known = case_set.by_id()
    for case in ids:
        if case not in known:
            raise gone(case, where)
    return select(case_set, ids=ids)


def gone(case: str, where: str) -> BadInput:
    """The refusal of a log whose case is no more."""
    return BadInput(
        say(f"case {case!r} is not in the set any more", f"问题集里已没有用例 {case!r}"),
        where=where,
        how=say("put it back, or name the set it was asked from", "请恢复它，或指定当时的问题集"),
    )


def restore(header: Header, where: str, limits: Mapping[str, Any]) -> Prepared:
    """The round that a header describes, as it is today, under other `limits` of its `[run]` table.

    Raises BadInput where it cannot be made any more. What of it has changed, `unchanged` tells.
    """
    project = project_of(header)
    read_env(project.folder)
    if project.agent is None:
        raise BadInput(say("a log without its agent", "日志中没有 Agent"), where=where)
    run = valid_run(project.run.model_dump() | dict(limits))
    case_set = load_or_refuse(case_paths(run), without=Path(run.out))
    chosen = chosen_before(case_set, header, where)
    return build(project, run, case_set, project.agent, chosen=chosen)


def unchanged(prepared: Prepared, header: Header, where: str) -> Prepared:
    """A round that goes on from `header`. Raises BadInput where something that decides its result changed.

    How many sessions run at once decides nothing, and what the replies report is seen at the end.
    """
    names = []
    if prepared.case_set.digest != header.config["cases"]["digest"]:
        names.append(say("the case set", "问题集"))
    if prepared.scorer.digest != header.config["scorer"]:
        names.append(say("the scorer", "评分器"))
    what = say(" and ", "与").join(names)
    if not what and header.fingerprint is not None:
        apart = (PartName.concurrency, PartName.reported)
        what = named(changed_parts(header.fingerprint, collect(prepared), without=apart))
    if what:
        raise BadInput(
            say(f"{what} changed since this run began", f"{what}在本轮开始之后变了"),
            where=where,
            how=say("put it back to resume, or start a new run", "恢复原样再续跑，或重新开始一轮"),
        )
    return prepared
