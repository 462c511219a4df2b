"""Find a log and read it: the latest one where none is named."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fairtrial.app.config import load_project
from fairtrial.app.finish import retold, so_far
from fairtrial.errors import BadInput
from fairtrial.records.log import latest, latest_part, read_header, read_rows
from fairtrial.schema.evidence import Header
from fairtrial.schema.score import Row
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class OpenLog:
    """A log, its header read; its rows are read when asked for."""

    path: Path
    header: Header

    def rows(self) -> Iterator[Row]:
        """All rows, in the order of the file. Raises BadInput where the header speaks of more or fewer."""
        count = 0
        for row in read_rows(self.path):
            count += 1
            yield row
        summary = self.header.summary
        told = sum(summary.counts.by_status.values()) if summary is not None else count
        if count != told:
            raise BadInput(
                say(f"{count} sessions, and figures of {told}", f"有 {count} 个会话，指标却是 {told} 个的"),
                where=str(self.path),
                how=say(
                    "the file was changed; use a sound copy, or `fairtrial rescore` it",
                    "文件被改动；请用完好的副本，或执行 `fairtrial rescore`",
                ),
            )

    @property
    def pass_at(self) -> float:
        """The case score from which a trial passed in this round."""
        return float(self.header.config.get("score", {}).get("pass_at", 1.0))


def log_folder(config: Path | None) -> Path:
    """Where the project keeps its logs."""
    project = load_project(config)
    return project.path(project.run.out)


def open_log(log: Path | None, config: Path | None = None) -> OpenLog:
    """The named log, the latest of a named folder, or the project's latest. Raises BadInput."""
    if log is not None and not log.exists():
        raise BadInput(
            say("no such log", "没有这个日志"),
            where=str(log),
            how=say("leave it out to read the latest one", "不写它就读最近一份"),
        )
    folder = log if log is not None and log.is_dir() else log_folder(config)
    path = log if log is not None and not log.is_dir() else latest(folder)
    if path is None:
        part = latest_part(folder)
        raise BadInput(
            say("there is no finished log", "没有已完成的日志"),
            where=str(folder),
            how=say(f"an unfinished one: {part}", f"有一份未完成的：{part}")
            if part
            else say("make one: fairtrial run", "先执行 fairtrial run"),
        )
    header = read_header(path)
    unfinished = header.status == "running"
    return OpenLog(
        path=path, header=so_far(header, read_rows(path)) if unfinished else retold(header, path.parent)
    )


def of_case(log: OpenLog, case: str, trial: int | None = None) -> list[Row]:
    """The rows of one case (and one trial, from 1). Raises BadInput if the log has none."""
    rows = [
        row
        for row in log.rows()
        if row.record.case == case and (trial is None or row.record.trial == trial - 1)
    ]
    if not rows:
        which = case if trial is None else f"{case}, trial {trial}"
        raise BadInput(
            say(f"no session of {which}", f"没有 {which} 的会话"),
            where=str(log.path),
            how=say("`fairtrial show` lists the cases", "`fairtrial show` 会列出用例"),
        )
    return rows


def high_scorers(log: OpenLog, count: int) -> list[Row]:
    """A sample of `count` passing sessions, drawn by the run's own name, so that it can be drawn again."""
    passing = [row for row in log.rows() if row.score.passes(log.pass_at)]
    drawn = random.Random(log.header.run).sample(range(len(passing)), min(count, len(passing)))
    return [passing[index] for index in sorted(drawn)]
