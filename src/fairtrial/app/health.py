"""How a case set is doing, by its own files and by the logs of a folder."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from fairtrial.app.config import Project, load_project
from fairtrial.app.finish import set_name
from fairtrial.app.prepare import Choices, case_paths, run_config
from fairtrial.cases.digest import asked
from fairtrial.cases.load import load_or_refuse
from fairtrial.errors import BadInput
from fairtrial.evidence.discrimination import by_case, saturation
from fairtrial.evidence.estimate import summarise
from fairtrial.evidence.mix import mix
from fairtrial.evidence.trend import alike, asked_alike, of_cases
from fairtrial.records.history import latest_scores, mixed
from fairtrial.records.log import read_rows
from fairtrial.schema.case import Kind
from fairtrial.schema.evidence import Header
from fairtrial.schema.health import Health, LeftOut, Point, Trend
from fairtrial.schema.score import Row
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class _Round:
    """A full round, and which cases it asked as they are now."""

    log: Path
    header: Header
    same: frozenset[str]

    def rows(self) -> Iterator[Row]:
        """The rows of those cases."""
        return of_cases(read_rows(self.log), self.same)


def health(cases: Sequence[Path], *, logs: Path | None = None, config: Path | None = None) -> Health:
    """Look at a set (the project's where none is named) and its full rounds in a folder of logs.

    Rounds that were refused take part but in the trend: what lights a line, as a set that everybody passes,
    is just what is looked for. Raises BadInput for a set that cannot be read, or a folder that is not there.
    """
    project = load_project(config)
    run = run_config(project, Choices(config=config, cases=cases))
    case_set = load_or_refuse(case_paths(run), without=Path(run.out))
    now = {case.id: asked(case) for case in case_set.cases}
    folder = _folder(logs, Path(run.out))
    rounds = [
        _Round(log=log, header=header, same=asked_alike(read_rows(log), now, same_set=same_set))
        for log, header in latest_scores(folder)
        if header.mode == "full"
        for same_set in [header.set_digest == case_set.digest]
    ]
    windows = {kind: project.window_days(kind) for kind in get_args(Kind)}
    name = set_name(run.cases)
    able = [found for found in rounds if found.same]
    of_set = [found for found in rounds if found.same or (name and found.header.set_name == name)]
    pass_at = project.score.pass_at
    healths = by_case(now, (found.rows() for found in able), pass_at=pass_at)
    return Health(
        cases=len(now),
        logs=str(folder),
        rounds=len(able),
        mix=mix(case_set.cases, windows, datetime.now(UTC).date()),
        by_case=tuple(healths),
        saturation=saturation(
            healths,
            {case.id: case.weight for case in case_set.cases},
            able[-1].rows() if able else (),
            run=able[-1].header.run if able else "",
            pass_at=pass_at,
        ),
        trend=_trend(of_set, now, project),
    )


def _folder(named: Path | None, out: Path) -> Path:
    if named is not None and not named.is_dir():
        raise BadInput(
            say("no such folder", "没有这个文件夹"),
            where=str(named),
            how=say("name the folder of the logs: --logs FOLDER", "请指定日志所在的文件夹：--logs FOLDER"),
        )
    return named or out


def _trend(rounds: Sequence[_Round], now: Mapping[str, str], project: Project) -> Trend:
    refused = {found.header.run: why for found in rounds if (why := _refused(found.header))}
    able = {found.header.run: found for found in rounds if found.header.run not in refused}
    chosen = alike(now, [(run, found.same) for run, found in reversed(able.items())])
    on = [able[run] for run in reversed(chosen.on)]
    told = refused | {run: _too_few(n, len(now)) for run, n in chosen.left_out.items()}
    return Trend(
        cases=len(chosen.cases),
        points=tuple(_point(found, chosen.cases, on[-1].header, project) for found in on),
        left_out=tuple(
            LeftOut(run=found.header.run, started=found.header.started, why=told[found.header.run])
            for found in rounds
            if found.header.run in told
        ),
    )


def _refused(header: Header) -> str:
    """Why a round is in no trend whatever it asked; "" where it may be. As for the history."""
    if header.decision is not None:
        return say("it was run until decided", "它是一旦有定论就停的")
    if header.status != "reliable":
        lit = ", ".join(doubt.name for doubt in header.doubts if doubt.lit and doubt.forbids)
        return say(f"unreliable: {lit}", f"不可信：{lit}")
    return say("several model versions replied", "有多个模型版本作答") if mixed(header) else ""


def _too_few(shared: int, cases: int) -> str:
    return say(
        f"{shared} of the set's {cases} cases are known to have been asked as now: too few in common",
        f"已知该轮所问与现在相同的用例为 {shared}/{cases}：共有的用例太少",
    )


def _point(found: _Round, cases: frozenset[str], latest: Header, project: Project) -> Point:
    header, score = found.header, project.score
    figures = summarise(
        of_cases(read_rows(found.log), cases),
        planned=len(cases) * header.config["run"]["trials"],
        pass_at=score.pass_at,
        useful_weight=score.useful_weight,
    )
    return Point(
        run=header.run,
        started=header.started,
        total=figures.total,
        ret_ratio=figures.ret_ratio,
        same_scorer=header.scorer_digest == latest.scorer_digest,
    )
