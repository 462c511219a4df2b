"""Headers and rows for tests of the log."""

import json
from pathlib import Path
from typing import Any

import msgspec

from fairtrial.schema.evidence import Header
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.schema.score import About, Hit, Row, Score, Unscored

RUNNING = Header(
    fairtrial="0.1.0",
    run="2026-11-30T16-27-05Z-1f0c9a27",
    started="2026-11-30T16:27:05Z",
    mode="full",
    status="running",
    config={"agent": {"名": "店员"}},
)
FINAL = msgspec.structs.replace(RUNNING, status="reliable", ended="2026-11-30T16:28:00Z")


def row(case: str, trial: int = 0, *, reply: str = "好的", status: Status = Status.completed) -> Row:
    turn = Turn(user="退款", reply=reply, started=1796057548.3, seconds=0.25)
    return Row(
        record=Record(
            case=case, trial=trial, status=status, started=1796057548.3, ended=1796057548.6, turns=(turn,)
        ),
        score=Score(
            value=1.0,
            hits=(Hit(rule="contains", met=True, share=1.0, why="好"),),
            useful=Unscored(why="too short"),
        ),
        about=About(weight=3.0, tags=("refund", "退款")),
    )


def without_times(path: Path) -> list[Any]:
    """The rows of a log in order, as plain data, times and durations aside."""
    return [_timeless(json.loads(line)) for line in path.read_bytes().splitlines()[1:]]


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        times = ("started", "ended", "seconds", "waited")
        return {key: _timeless(item) for key, item in value.items() if key not in times}
    return [_timeless(item) for item in value] if isinstance(value, list) else value
