"""tau-bench result files: a JSON list of runs, each with its reward and its chat messages."""

from typing import Any

import msgspec

from fairtrial.errors import BadInput
from fairtrial.records.interop import chat
from fairtrial.records.interop.content import Content
from fairtrial.records.interop.foreign import Foreign
from fairtrial.schema.record import Record, Status
from fairtrial.schema.score import Hit, Row, Score, Unscored
from fairtrial.text.language import say


class _Run(msgspec.Struct):
    task_id: int | str
    trial: int
    reward: float
    traj: list[dict[str, Any]]


_GIVEN = "outcome as given by the imported file"


def matches(content: Content) -> bool:
    """Whether it is a list of runs with a task, a reward and messages."""
    return content.kind in ("list", "lines") and content.first.keys() >= {"task_id", "reward", "traj"}


def read(content: Content) -> Foreign:
    """The runs of a tau-bench file, outcome as given. Raises BadInput."""
    return Foreign(
        format="tau-bench",
        rows=tuple(_row(run, content.where(index)) for index, run in enumerate(content.items)),
        raw_output=True,
    )


def _row(given: Any, where: str) -> Row:
    try:
        run = msgspec.convert(given, _Run)
    except msgspec.ValidationError as error:
        raise BadInput(
            say(f"not a tau-bench run: {error}", f"不是 tau-bench 的运行记录：{error}"), where=where
        ) from error
    record = Record(
        case=str(run.task_id),
        trial=run.trial,
        status=Status.completed,
        system=chat.system_of(run.traj),
        turns=chat.turns(run.traj),
    )
    hit = Hit(rule="given", met=run.reward >= 1.0, share=1.0, why=_GIVEN)
    return Row(record=record, score=Score(value=run.reward, hits=(hit,), useful=Unscored(why=_GIVEN)))
