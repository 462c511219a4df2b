"""Finished logs and tables in a few words, for tests of what is made of two results."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairtrial.evidence.estimate import summarise
from fairtrial.records.fingerprint import part, whole
from fairtrial.records.log import write_log
from fairtrial.schema.evidence import Doubt, Header
from fairtrial.schema.record import Record, Status, Turn
from fairtrial.schema.score import About, Row, Score, Unscored

Scores = Mapping[str, float | Sequence[float | None] | None]
ENVIRONMENT = {"model": "m-1", "prompt": "客服", "agent": "shop", "cases": "c1", "scorer": "s1"}


def rows(scores: Scores, **about: Any) -> list[Row]:
    """One session a score, None for one that timed out."""
    return [
        _row(case, trial, value, About(**about))
        for case, values in scores.items()
        for trial, value in enumerate(values if isinstance(values, Sequence) else [values])
    ]


def _row(case: str, trial: int, value: float | None, about: About) -> Row:
    none = Unscored(why="did not complete")
    return Row(
        record=Record(
            case=case,
            trial=trial,
            status=Status.timeout if value is None else Status.completed,
            turns=(Turn(user=f"问 {case}", reply="好的"),),
        ),
        score=Score(value=none if value is None else value, useful=none),
        about=about,
    )


def numbered(values: Sequence[Any]) -> dict[str, Any]:
    """The values under made ids."""
    return {f"用例-{n}": value for n, value in enumerate(values)}


def log(
    path: Path,
    scores: Scores,
    *,
    at: str = "2026-11-30T10:00:00Z",
    environment: Mapping[str, str] | None = ENVIRONMENT,
    lit: Sequence[str] = (),
    about: Mapping[str, Any] | None = None,
    **header: Any,
) -> Path:
    """A finished log with a fingerprint (of `environment`, None for none) and the forbidding lines `lit`."""
    made = rows(scores, **(about or {}))
    fields = {
        "fairtrial": "0.1.0",
        "run": path.stem,
        "started": at,
        "mode": "full",
        "status": "unreliable" if lit else "reliable",
        "config": {"score": {"pass_at": 1.0, "useful_weight": 0.3}},
        "set_digest": "set",
        "summary": summarise(made, planned=len(made), pass_at=1.0, useful_weight=0.3),
        "doubts": tuple(Doubt(name=name, lit=True, value=1.0, threshold=0.5, forbids=True) for name in lit),
        "fingerprint": None
        if environment is None
        else whole({name: part(value, value) for name, value in environment.items()}),
    }
    return write_log(path, Header(**(fields | header)), made)


def table(path: Path, scores: Mapping[str, float]) -> Path:
    """A table of another tool: ids and scores."""
    lines = (json.dumps({"id": case, "score": score}, ensure_ascii=False) for case, score in scores.items())
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path
