"""Whole rounds by chance: cases of known difficulty, asked several times, as rows, samples and logs."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fairtrial.evidence.calibrate import Sample
from fairtrial.evidence.estimate import summarise
from fairtrial.records.log import write_log
from fairtrial.schema.evidence import Header
from fairtrial.schema.fingerprint import Fingerprint, Part
from fairtrial.schema.record import Record, Status, Turn, Usage
from fairtrial.schema.score import About, Hit, Row, Score, Useful


def draw(
    chances: Sequence[float],
    *,
    seed: int,
    trials: int = 3,
    useful: float = 0.5,
    cost: float | None = None,
    expected: Sequence[float] | None = None,
    cluster: int = 1,
) -> list[Row]:
    """A round in which case i passes each trial with `chances[i]`; clusters are `cluster` cases in a row."""
    rng = random.Random(seed)
    return [
        _row(
            f"c{i}",
            trial,
            float(rng.random() < chance),
            min(1.0, max(0.0, useful + rng.gauss(0, 0.1))),
            cost,
            About(
                cluster=f"k{i // cluster}" if cluster > 1 else None,
                expected_score=expected[i] if expected else None,
            ),
        )
        for trial in range(trials)
        for i, chance in enumerate(chances)
    ]


def _row(case: str, trial: int, value: float, useful: float, cost: float | None, about: About) -> Row:
    signals = {"concrete": useful, "context": useful, "next_step": useful, "no_repetition": 1.0}
    turn = Turn(user=f"问 {case}", reply="答", usage=None if cost is None else Usage(cost=cost))
    return Row(
        record=Record(
            case=case, trial=trial, status=Status.completed, started=10.0, ended=12.0, turns=(turn,)
        ),
        score=Score(
            value=value,
            hits=(Hit(rule="equals", met=value == 1.0, share=1.0),),
            useful=Useful(value=useful, **signals),
        ),
        about=about,
    )


def header(rows: Sequence[Row], number: int, *, agent: str | None = "a", **changed: Any) -> Header:
    """The header of round `number` of the set 问题集; `agent` None is a round without a fingerprint."""
    cases = len({row.record.case for row in rows})
    trials = max((row.record.trial for row in rows), default=0) + 1
    parts = {"agent": Part(digest=agent), "seeds": Part(digest=str(number))}
    settings: dict[str, Any] = {
        "fairtrial": "0.1.0",
        "run": f"2026-11-{number:02}T00-00-00Z-00000000",
        "started": f"2026-11-{number:02}T00:00:00Z",
        "mode": "full",
        "status": "reliable",
        "set_digest": "set",
        "scorer_digest": "scorer",
        "fingerprint": None if agent is None else Fingerprint(whole=agent, parts=parts),
        "summary": summarise(rows, planned=cases * trials, pass_at=1.0, useful_weight=0.3),
        "config": {
            "run": {"cases": ["/somewhere/问题集.json"], "trials": trials, "concurrency": 2},
            "cases": {"ids": None, "n": cases, "digest": "set"},
            "score": {"pass_at": 1.0, "useful_weight": 0.3},
            "doubts": {},
        },
    }
    return Header(**(settings | changed))


def sample(rows: Sequence[Row], number: int, **changed: Any) -> Sample:
    """The round as calibration sees it."""
    return Sample.of(header(rows, number, **changed), rows, pass_at=1.0)


def log(folder: Path, rows: Sequence[Row], number: int, **changed: Any) -> Path:
    """The round as a log in a folder."""
    folder.mkdir(exist_ok=True)
    top = header(rows, number, **changed)
    return write_log(folder / f"{top.run}.jsonl", top, rows)
