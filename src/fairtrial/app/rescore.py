"""Scores anew from the raw output of a log; the agent is not asked."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile

import msgspec

from fairtrial.app.config import load_project
from fairtrial.app.describe import chosen_before, gone, notes_on, project_of
from fairtrial.app.environment import rescored
from fairtrial.app.finish import Round, exit_code, judged
from fairtrial.app.golden import golden_file, require_golden
from fairtrial.app.nulls import null_shares
from fairtrial.app.show import OpenLog, open_log
from fairtrial.app.whom import importable
from fairtrial.cases.load import load_or_refuse
from fairtrial.errors import BadInput
from fairtrial.records.log import iso, read_rows, run_name, write_log
from fairtrial.schema.evidence import Decision, Header
from fairtrial.schema.score import Row
from fairtrial.scoring.score import Scorer
from fairtrial.text.json import decode, encode
from fairtrial.text.language import say


def rescore(log: Path | None, *, cases: Sequence[Path], output: Path | None, config: Path | None) -> Round:
    """Write a new log with the scores that today's rules and scorer give. Raises BadInput.

    Settings (weight of useful, doubts …) are those of the log unless `config` names a project file.
    Rows of cases that the set no longer holds are refused: their rules are gone, and a score of before
    beside scores of now would be two scales in one figure. Those that tests had disturbed by a probe are
    left out, as their rules may be the probe's. The new log does not enter the history: its
    round is in it already.
    """
    old = open_log(log, config)
    where = str(old.path)
    _require_own(old.header, where)
    probed, begun = _undisturbed(old)
    if output is not None:
        require_new(output)
    project = project_of(old.header)
    if config is not None:
        now = load_project(config)
        project = project.model_copy(update={"score": now.score, "doubts": now.doubts})
    run = project.run
    case_set = load_or_refuse([Path(path) for path in cases or run.cases], without=Path(run.out))
    importable(project.folder)
    agreed = require_golden(golden_file(project), case_set)
    chosen = chosen_before(case_set, begun, where) or case_set
    scorer = Scorer(chosen, pass_at=project.score.pass_at)

    def rows() -> Iterator[Row]:
        for row in read_rows(old.path):
            case = row.record.case
            if case in probed:
                continue
            if not scorer.knows(case):
                raise gone(case, where)
            yield Row(record=row.record, score=scorer.score(row.record), about=scorer.about(case))

    moment = datetime.now(UTC)
    path = output or old.path.parent / f"{run_name(moment)}.jsonl"
    begun = msgspec.structs.replace(
        begun,
        run=path.stem,
        config=begun.config
        | {
            "score": project.score.model_dump(mode="json"),
            "doubts": project.doubts.model_dump(mode="json", exclude_unset=True),
            "scorer": scorer.digest,
            "golden_agreed": agreed,
            "null_agent": null_shares(chosen, scorer),
            "cases": begun.config["cases"] | {"digest": chosen.digest},
            "rescored_from": old.header.run,
        },
        decision=_unanswered(old.header.decision),
        fingerprint=rescored(old.header.fingerprint, chosen, scorer, project),
        notes=(
            *notes_on(chosen),
            say(
                f"rescored from {old.header.run}; nobody was asked",
                f"由 {old.header.run} 重新评分；没有询问任何 Agent",
            ),
            *_left_out(probed),
        ),
    )
    with _once(rows()) as again:
        header = judged(begun, again, old.path.parent, scorer)
        write_log(path, msgspec.structs.replace(header, ended=iso(moment)), again())
    return Round(header=header, log=path, exit_code=exit_code(header, project.score.minimum))


def _undisturbed(old: OpenLog) -> tuple[set[str], Header]:
    """The cases that a run of tests disturbed by a probe, and its header without them. Raises BadInput."""
    header, cases = old.header, old.header.config["cases"]
    probed = set(cases.get("probed", ())).intersection(cases["ids"] or ())
    if not probed:
        return probed, header
    ids = [case for case in cases["ids"] if case not in probed]
    if not ids:
        raise BadInput(
            say("all its cases were disturbed by probes", "其中的用例全都经过探针扰动"),
            where=str(old.path),
            how=say("ask them anew: pytest", "请用 pytest 重新询问"),
        )
    planned = sum(row.record.case not in probed for row in old.rows())
    own = cases | {"ids": ids, "n": len(ids), "planned": planned, "probed": []}
    return probed, msgspec.structs.replace(header, config=header.config | {"cases": own})


def _left_out(probed: set[str]) -> tuple[str, ...]:
    if not probed:
        return ()
    n = len(probed)
    return (
        say(
            f"cases disturbed by probes are left out: {n}; ask them anew by pytest",
            f"未包含经过探针扰动的用例：{n} 个；请用 pytest 重新询问",
        ),
    )


@contextmanager
def _once(rows: Iterable[Row]) -> Iterator[Callable[[], Iterator[Row]]]:
    """Score each row once, however often it is read after that: by way of a file, for a log may be long."""
    with TemporaryFile() as kept:
        for row in rows:
            kept.write(encode(row) + b"\n")

        def again() -> Iterator[Row]:
            kept.seek(0)
            return (decode(line, Row) for line in kept)

        yield again


def _unanswered(decision: Decision | None) -> Decision | None:
    """An answer holds for the scores that it was found on; new scores have none."""
    if decision is None:
        return None
    told = say("rescored: the answer was found on the old scores", "已重新评分：原结论是按旧得分得出的")
    return msgspec.structs.replace(decision, answer="not settled", looks=(), meaning=told)


def _require_own(header: Header, where: str) -> None:
    if header.mode == "import":
        raise BadInput(
            say("an imported log has no rules to score by", "导入的日志没有可用于评分的规则"), where=where
        )
    if header.status == "running":
        raise BadInput(
            say("the run is unfinished", "这一轮还没有完成"),
            where=where,
            how=say(
                f"finish it: fairtrial run --resume {where}", f"先完成它：fairtrial run --resume {where}"
            ),
        )


def require_new(output: Path) -> None:
    """Nothing is replaced by a log. Raises BadInput."""
    if output.exists():
        raise BadInput(
            say("there is such a file already", "已有这个文件"),
            where=str(output),
            how=say("choose another name by -o, or remove it", "用 -o 另取名字，或先删去它"),
        )
