"""Find a log and read it: the latest one where none is named."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fairtrial.app.config import RunConfig, load_project
from fairtrial.app.finish import judged, retold, so_far
from fairtrial.app.opened import Opened, as_header, open_result, open_round
from fairtrial.errors import BadInput
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.log import latest, latest_part
from fairtrial.schema.evidence import Header
from fairtrial.schema.score import Row
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class OpenLog:
    """A log, its header read; its rows are read when asked for."""

    opened: Opened
    header: Header

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self.opened.path

    @property
    def pass_at(self) -> float:
        """The case score from which a trial passed in this round."""
        return self.opened.pass_at

    def rows(self) -> Iterator[Row]:
        """All rows, in the order of the file. Raises BadInput where the header speaks of more or fewer."""
        return self.opened.rows()


def log_folder(config: Path | None) -> Path:
    """Where the project keeps its logs."""
    project = load_project(config)
    return project.path(project.run.out)


def find_log(log: Path | None, config: Path | None = None) -> Path:
    """The named file, the latest log of a named folder, or the project's latest. Raises BadInput."""
    if log is not None and not log.exists():
        raise BadInput(
            say("no such file", "没有这个文件"),
            where=str(log),
            how=say("leave it out to read the latest one", "不写它就读最近一份"),
        )
    if log is not None and not log.is_dir():
        return log
    folder = log_folder(config) if log is None else log
    path = latest(folder)
    if path is None:
        raise BadInput(
            say("there is no finished log", "没有已完成的日志"), where=str(folder), how=_instead_of(folder)
        )
    return path


def _instead_of(folder: Path) -> str:
    """What to read or do where a folder has no finished log."""
    if part := latest_part(folder):
        return say(f"an unfinished one: {part}", f"有一份未完成的：{part}")
    below = folder / RunConfig().out
    if latest(below):
        return say(f"its logs are in {below}", f"日志在 {below} 中")
    return say("make one: fairtrial run", "先执行 fairtrial run")


def open_log(log: Path | None, config: Path | None = None, *, probed: bool = False) -> OpenLog:
    """The log or file of another tool that `find_log` finds. Raises BadInput.

    With `probed` it may also be that of an examination.
    """
    opened = (open_result if probed else open_round)(find_log(log, config))
    return OpenLog(opened=opened, header=header_of(opened))


def header_of(opened: Opened) -> Header:
    """With figures and doubts, whoever measured it and whether it is finished, in the reader's language."""
    path, source = opened.path, opened.source
    if isinstance(source, Foreign):
        return judged(as_header(source, path.resolve(), path.name), lambda: source.rows, path.parent, None)
    if source.mode == "probe":
        return source  # chosen sessions have no figures
    if source.status == "running":
        return so_far(source, opened.rows())
    return retold(source, opened.rows, path.parent)


def of_case(log: OpenLog, case: str, trial: int | None = None) -> list[Row]:
    """The rows of one case (and one trial, from 1). Raises BadInput if the log has none."""
    rows = [
        row
        for row in log.rows()
        if row.record.case == case and (trial is None or row.record.trial == trial - 1)
    ]
    if not rows:
        which = case if trial is None else say(f"{case}, trial {trial}", f"{case} 第 {trial} 次")
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
