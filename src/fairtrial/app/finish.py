"""From rows to a round: figures, doubts, the final log, and the history if the round may enter it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from pydantic import ValidationError

from fairtrial.app.earlier import Rows, drift_since, known_rounds, lit_before, quick_verdict, since_last
from fairtrial.app.fingerprint import Reported, completed, named
from fairtrial.errors import FairtrialError
from fairtrial.evidence.around import Around
from fairtrial.evidence.doubts import judge, status_of
from fairtrial.evidence.estimate import summarise
from fairtrial.evidence.thresholds import DoubtConfig, Thresholds
from fairtrial.records.fingerprint import changed_parts
from fairtrial.records.history import NAME, append_loosenings, append_round, mixed
from fairtrial.records.log import LogWriter, iso, part_of
from fairtrial.schema.evidence import Doubt, Header, QuickOutcome
from fairtrial.schema.fingerprint import PartName
from fairtrial.schema.score import Row
from fairtrial.scoring.score import Scorer
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class Round:
    """How a round ended: its header, where its log lies, and what the process should return."""

    header: Header
    log: Path
    exit_code: int


def conclude(writer: LogWriter, scorer: Scorer, *, minimum: float | None, notes: Sequence[str] = ()) -> Round:
    """Judge a round whose sessions are all there, write its log, and its line of the history."""
    folder = writer.path.parent
    begun = msgspec.structs.replace(writer.header, notes=(*writer.header.notes, *notes))
    header = judged(begun, writer.rows, folder, scorer)
    header = msgspec.structs.replace(header, notes=(*header.notes, *_on_history(header, folder)))
    if low := below(header, minimum):
        header = msgspec.structs.replace(header, notes=(*header.notes, low))
    log = writer.finish(header)
    if header.loosenings:
        append_loosenings(folder / NAME, header)
    if header.fingerprint is not None:
        append_round(folder / NAME, header, log=log.name)
    return Round(header=header, log=log, exit_code=exit_code(header, minimum))


def unfinished(writer: LogWriter, why: str) -> Round:
    """A round that was stopped: figures of what there is, no verdict, a part file to go on with."""
    header = msgspec.structs.replace(so_far(writer.header, writer.rows()), notes=(*writer.header.notes, why))
    return Round(header=header, log=part_of(writer.path), exit_code=3)


def so_far(header: Header, rows: Iterable[Row]) -> Header:
    """The header with the figures of the rows, and with what their replies reported in its fingerprint."""
    config, score, reported = header.config, header.config["score"], Reported()
    summary = summarise(
        reported.through(rows),
        planned=config["cases"].get("planned", config["cases"]["n"] * config["run"]["trials"]),
        pass_at=score["pass_at"],
        useful_weight=score["useful_weight"],
    )
    facts = summary.facts | {"models": reported.models}
    return msgspec.structs.replace(
        header,
        summary=msgspec.structs.replace(summary, facts=facts),
        fingerprint=completed(header.fingerprint, reported),
    )


def _on_history(header: Header, folder: Path) -> tuple[str, ...]:
    """Why a round that is reliable does not enter the history, or which parts changed since the last one."""
    if header.mode != "full" or header.status != "reliable" or header.decision is not None:
        return ()
    if header.fingerprint is None:
        return (say("no fingerprint: not entered in the history", "没有指纹：不写入历史"),)
    if mixed(header):
        return (
            say(
                "several model versions replied: not entered in the history",
                "有多个模型版本作答：不写入历史",
            ),
        )
    for last in reversed(known_rounds(header, folder)):
        if last.fingerprint is not None:
            found = changed_parts(last.fingerprint, header.fingerprint)
            since = say(f"changed since {last.run}: ", f"自 {last.run} 以来的变化：")
            return (since + named(found, most=len(PartName)),) if found else ()
    return ()


def judged(begun: Header, rows: Rows, folder: Path, scorer: Scorer | None) -> Header:
    """The final header of a round begun as `begun`: summary, doubts, status.

    `folder` holds the earlier rounds. `scorer` scores the round that a quick one is compared with anew,
    so that both are measured alike.
    """
    config = begun.config
    begun = msgspec.structs.replace(
        begun,
        set_digest=config["cases"]["digest"],
        set_name=set_name(config["run"]["cases"]) if config["cases"]["ids"] is None else None,
        scorer_digest=config["scorer"],
    )
    begun = so_far(begun, rows())
    thresholds = _thresholds(begun)
    doubts = judge(begun.summary, thresholds, _around(begun, rows, folder)) if begun.summary else ()
    status = status_of(begun.mode, doubts)
    return msgspec.structs.replace(
        begun,
        ended=iso(datetime.now(UTC)),
        status=status,
        mark="UNRELIABLE" if status == "unreliable" else None,
        doubts=doubts,
        thresholds_digest=thresholds.digest,
        loosenings=thresholds.loosenings,
        quick=quick_verdict(begun, rows, folder, scorer) if begun.mode == "quick" and scorer else None,
    )


def retold(header: Header, rows: Rows, folder: Path) -> Header:
    """The doubts of a finished round in the language of whoever reads it now; `folder` holds its log.

    A log has them in the language of its run, so they are judged again from its own figures. A line that
    comes out otherwise, as where the earlier rounds are not at hand, keeps its words.
    """
    if header.summary is None or not header.doubts:
        return header
    try:
        doubts = judge(header.summary, _thresholds(header), _around(header, rows, folder))
    except (KeyError, ValidationError, FairtrialError):  # a log from elsewhere
        return header
    again = {_finding(doubt): doubt for doubt in doubts}
    told = tuple(again.get(_finding(doubt), doubt) for doubt in header.doubts)
    return msgspec.structs.replace(header, doubts=told)


def _finding(doubt: Doubt) -> tuple[object, ...]:
    return doubt.name, doubt.lit, doubt.value, doubt.threshold


def set_name(paths: Sequence[str]) -> str | None:
    """A case set is called as its one file or folder; one of several has no name."""
    return Path(paths[0]).stem if len(paths) == 1 else None


def _thresholds(header: Header) -> Thresholds:
    lines = DoubtConfig.model_validate(header.config["doubts"])
    return lines.resolve(set_name(header.config["run"]["cases"]), header.mode)


def _around(begun: Header, rows: Rows, folder: Path) -> Around:
    config, known = begun.config, known_rounds(begun, folder)
    series = config.get("series")
    return Around(
        history=known,
        recent=list(lit_before(begun, folder)),
        null_agent=config.get("null_agent", {}).get("share"),
        series=(series[0], series[1]) if series else None,
        set_digest=begun.set_digest,
        scorer_digest=begun.scorer_digest,
        fingerprint=begun.fingerprint,
        since=since_last(begun, rows, folder, known),
        drift=drift_since(begun, folder),
    )


def below(header: Header, minimum: float | None) -> str | None:
    """What is said of a round whose total is not known to reach the minimum; None of another."""
    total = header.summary.total.mean if header.summary else None
    if minimum is None or (total is not None and total >= minimum):
        return None
    shown = say("unknown", "未知") if total is None else f"{total:.6g}"
    return say(
        f"below the minimum: the total is {shown}, at least {minimum:g} was asked for",
        f"低于下限：total 为 {shown}，要求至少 {minimum:g}",
    )


def exit_code(header: Header, minimum: float | None) -> int:
    """3 where a forbidding line is lit; 1 below the minimum asked for, or clearly worse; else 0.

    A round run until decided ends by its answer: 3 where it is not settled, 1 where worse or below. A quick
    round whose `errors` line is lit concludes nothing either: what crashed may be what got worse.
    """
    if header.status == "unreliable":
        return 3
    if header.decision is not None:
        return {"better": 0, "above": 0, "worse": 1, "below": 1}.get(header.decision.answer, 3)
    if below(header, minimum) or (header.quick and header.quick.outcome is QuickOutcome.worse):
        return 1
    crashed = any(doubt.name == "errors" and doubt.lit for doubt in header.doubts)
    return 3 if header.mode == "quick" and crashed else 0
