"""Scores anew from the raw output of a log; the agent is not asked."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from fairtrial.app.config import load_project
from fairtrial.app.describe import project_of
from fairtrial.app.finish import Round, exit_code, judged
from fairtrial.app.nulls import null_shares
from fairtrial.app.prepare import require_golden
from fairtrial.app.show import open_log
from fairtrial.cases.load import load_or_refuse
from fairtrial.errors import BadInput
from fairtrial.records.log import iso, read_rows, run_name, write_log
from fairtrial.schema.score import Row
from fairtrial.scoring.score import Scorer
from fairtrial.text.language import say


def rescore(log: Path | None, *, cases: Sequence[Path], output: Path | None, config: Path | None) -> Round:
    """Write a new log with the scores that today's rules and scorer give. Raises BadInput.

    Settings (weight of useful, doubts …) are those of the log unless `config` names a project file.
    Rows of cases that the set no longer holds are refused: their rules are gone, and a score of before
    beside scores of now would be two scales in one figure. The new log does not enter the history: its
    round is in it already.
    """
    old = open_log(log, config)
    if old.header.mode == "import":
        raise BadInput(
            say("an imported log has no rules to score by", "导入的日志没有可用于评分的规则"),
            where=str(old.path),
        )
    project = project_of(old.header)
    if config is not None:
        now = load_project(config)
        project = project.model_copy(update={"score": now.score, "doubts": now.doubts})
    run = project.run
    case_set = load_or_refuse([Path(path) for path in cases or run.cases])
    scorer = Scorer(case_set, pass_at=project.score.pass_at)
    agreed = require_golden(run, case_set)

    def rows() -> Iterator[Row]:
        for row in read_rows(old.path):
            case = row.record.case
            if not scorer.knows(case):
                raise BadInput(
                    say(f"case {case!r} is not in the set any more", f"问题集里已没有用例 {case!r}"),
                    where=str(old.path),
                    how=say("name the set it was asked from: --cases", "用 --cases 指定当时的问题集"),
                )
            yield Row(record=row.record, score=scorer.score(row.record), about=scorer.about(case))

    moment = datetime.now(UTC)
    path = output or old.path.parent / f"{run_name(moment)}.jsonl"
    begun = msgspec.structs.replace(
        old.header,
        run=path.stem,
        config=old.header.config
        | {
            "score": project.score.model_dump(mode="json"),
            "doubts": project.doubts.model_dump(mode="json", exclude_unset=True),
            "scorer": scorer.digest,
            "golden_agreed": agreed,
            "null_agent": null_shares(case_set, scorer),
            "cases": old.header.config["cases"] | {"digest": case_set.digest},
            "rescored_from": old.header.run,
        },
        notes=(
            say(
                f"rescored from {old.header.run}; nobody was asked",
                f"由 {old.header.run} 重新评分；没有询问任何 Agent",
            ),
        ),
    )
    header = judged(begun, rows, old.path.parent, scorer)
    write_log(path, msgspec.structs.replace(header, ended=iso(moment)), rows())
    return Round(header=header, log=path, exit_code=exit_code(header, project.score.minimum))
