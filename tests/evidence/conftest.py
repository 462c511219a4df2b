"""Rows and summaries said in a few words."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from fairtrial.evidence.estimate import summarise
from fairtrial.schema.evidence import Summary
from fairtrial.schema.record import Record, Status, Turn, Usage
from fairtrial.schema.score import About, Hit, Row, Score, Unscored, Useful

MakeRow = Callable[..., Row]
Summarise = Callable[..., Summary]


def make_row(
    case: str,
    score: float | None = 1.0,
    *,
    trial: int = 0,
    useful: float | None = None,
    status: Status = Status.completed,
    hits: bool = True,
    unchecked: bool = False,
    usage: Usage | None = None,
    seconds: float = 1.0,
    **about: Any,
) -> Row:
    failed = Unscored(why="did not complete" if not status.counts else "no rules")
    turn = Turn(user=f"ask {case}", reply="answer", usage=usage)
    signals = {"concrete": 0.0, "context": 0.0, "next_step": 0.0, "no_repetition": 1.0}
    return Row(
        record=Record(
            case=case, trial=trial, status=status, started=10.0, ended=10.0 + seconds, turns=(turn,)
        ),
        score=Score(
            value=failed if score is None or not status.counts else score,
            hits=(Hit(rule="contains", met=None, share=1.0),) if hits else (),
            useful=failed
            if useful is None or not status.counts
            else Useful(value=useful, supported=2, unsupported=1, unchecked=unchecked, **signals),
        ),
        about=About(**about),
    )


def make_summary(rows: Sequence[Row], **settings: Any) -> Summary:
    chosen = {"planned": len(rows), "pass_at": 1.0, "useful_weight": 0.3} | settings
    return summarise(rows, **chosen)


@pytest.fixture
def row() -> MakeRow:
    return make_row


@pytest.fixture
def summary_of() -> Summarise:
    return make_summary
