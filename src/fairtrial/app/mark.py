"""What a reader found in a log, kept: a golden sample, a case to review, or a confirmed miss."""

import getpass
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from fairtrial.app.config import load_project
from fairtrial.app.golden import MADE, golden_file
from fairtrial.app.show import OpenLog, of_case, open_log
from fairtrial.errors import BadInput
from fairtrial.schema.score import Row
from fairtrial.scoring.golden import add_golden
from fairtrial.text.json import encode
from fairtrial.text.language import say

MARKS = "marks.jsonl"
REVIEW = "review.jsonl"


class Fault(StrEnum):
    """Whose fault it was."""

    scorer = "scorer"
    case = "case"
    agent = "agent"


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Where the finding was written, and a sentence that says what follows from it."""

    files: tuple[Path, ...]
    said: str


def mark(
    log: Path | None,
    case: str,
    fault: Fault,
    *,
    score: float | None,
    trial: int | None,
    note: str,
    config: Path | None,
) -> Kept:
    """Keep a finding about one session of a log (None: the latest): the first missed, or `trial` from 1.

    Every mark goes into `marks.jsonl` beside the log; a fault of the scorer also becomes a golden sample
    (`score` is the right score, the opposite of what was given unless said), a fault of the case also
    goes to `review.jsonl`. Raises BadInput.
    """
    found = open_log(log, config, probed=True)
    row = _session(found, case, trial)
    if score is not None and fault is not Fault.scorer:
        raise BadInput(
            say("only a scorer's fault has a right score", "只有评分器的错才需要正确得分"), where="--score"
        )
    entry: dict[str, Any] = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "who": _who(),
        "log": found.path.name,
        "case": case,
        "trial": row.record.trial,
        "fault": fault.value,
        "note": note,
    }
    if score is not None:
        entry["score"] = score
    folder = found.path.parent
    files = [folder / MARKS]
    if fault is Fault.scorer:
        files.append(_keep_golden(found, row, score, note, config))
    elif fault is Fault.case:
        files.append(folder / REVIEW)
        _append(folder / REVIEW, entry)
    _append(folder / MARKS, entry)
    return Kept(files=tuple(files), said=_said(fault, files[-1]))


def _session(log: OpenLog, case: str, trial: int | None) -> Row:
    rows = of_case(log, case, trial)
    missed = (row for row in rows if row.score.passes(log.pass_at) is False)
    return next(missed, rows[0])


def _keep_golden(log: OpenLog, row: Row, score: float | None, note: str, config: Path | None) -> Path:
    value = row.score.value
    if log.header.mode == "import":
        raise BadInput(
            say("an imported outcome was not scored here", "导入的结果不是在这里评分的"), where=str(log.path)
        )
    if not isinstance(value, float):
        raise BadInput(
            say(f"the session was not scored ({value.why})", f"这个会话没有得分（{value.why}）"),
            where=str(log.path),
        )
    right = score if score is not None else (1.0 if value < log.pass_at else 0.0)
    if right == value:
        raise BadInput(say(f"the score is already {value:g}", f"得分本来就是 {value:g}"), where="--score")
    project = load_project(config)
    path = golden_file(project) or project.path(MADE)
    sample: dict[str, Any] = {
        "id": f"{row.record.case}#{row.record.trial + 1}@{log.header.run}",
        "case": row.record.case,
        "record": {"turns": json.loads(encode(row.record))["turns"]},
        "score": right,
    }
    add_golden(path, sample | ({"note": note} if note else {}))
    return path


def _who() -> str | None:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container whose user has no name
        return None


def _append(path: Path, entry: dict[str, Any]) -> None:
    with path.open("ab") as file:
        file.write(json.dumps(entry, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")


def _said(fault: Fault, file: Path) -> str:
    return {
        Fault.scorer: say(
            f"kept as a golden sample in {file}: until the scorer agrees with it, nothing will be asked",
            f"已存为金标准样本（{file}）：评分器与它一致之前，不会再询问 Agent",
        ),
        Fault.case: say(f"on the review list {file}", f"已列入复核清单 {file}"),
        Fault.agent: say(f"kept in {file}", f"已记入 {file}"),
    }[fault]
