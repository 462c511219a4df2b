"""The metrics of a log or of another tool's file, and what people found in its sessions."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from fairtrial.app.mark import MARKS
from fairtrial.app.show import OpenLog
from fairtrial.errors import BadInput
from fairtrial.evidence.metrics import Measuring
from fairtrial.schema.metrics import Metrics, Verdict
from fairtrial.text.language import say


def metrics_of(log: OpenLog) -> Metrics:
    """All metrics, by one pass over the rows; marks beside the log stand over its rules. Raises BadInput."""
    verdicts = verdicts_on(log.path)
    measuring = Measuring(pass_at=log.pass_at)
    for row in log.rows():
        measuring.add(row, verdicts.get((row.record.case, row.record.trial)))
    return measuring.close()


def verdicts_on(log: Path) -> Mapping[tuple[str, int], Verdict]:
    """What people found in the sessions of a log, by case and trial (from 0): of each the last mark.

    Raises BadInput, with file and line, for a mark that is none.
    """
    path = log.parent / MARKS
    found: dict[tuple[str, int], Verdict] = {}
    for where, mark in _marks(path):
        if mark.get("log") == log.name:
            try:
                verdict = msgspec.convert({key: mark.get(key) for key in ("fault", "score")}, Verdict)
                found[msgspec.convert((mark["case"], mark["trial"]), tuple[str, int])] = verdict
            except (msgspec.ValidationError, KeyError) as error:
                raise _broken(where) from error
    return found


def _marks(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if not path.is_file():
        return
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        where = f"{path}:{number}"
        if line.strip():
            try:
                mark = json.loads(line)
            except ValueError as error:
                raise _broken(where) from error
            if not isinstance(mark, dict):
                raise _broken(where)
            yield where, mark


def _broken(where: str) -> BadInput:
    return BadInput(
        say("not a mark with log, case, trial and fault", "不是含 log、case、trial、fault 的标记"),
        where=where,
        how=say(
            "`fairtrial mark` writes them; take the line out", "标记由 `fairtrial mark` 写入；请删去这一行"
        ),
    )
