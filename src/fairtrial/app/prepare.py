"""All that must be valid before anything is called: cases, agent, rules, golden samples, thresholds."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from pydantic import ValidationError

from fairtrial.agents.config import AgentConfig
from fairtrial.agents.protocol import Agent
from fairtrial.agents.resolve import resolve
from fairtrial.app.config import Project, RunConfig, ScoreConfig, load_project
from fairtrial.app.finish import set_name
from fairtrial.app.golden import golden_file, require_golden
from fairtrial.app.talks import player_of
from fairtrial.app.whom import agent_config, importable, recorded
from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.select import select
from fairtrial.errors import BadInput
from fairtrial.evidence.around import Series
from fairtrial.records.history import NAME, read_history
from fairtrial.records.log import latest, read_header, read_rows
from fairtrial.schema.case import CaseSet
from fairtrial.schema.written import complaint
from fairtrial.scoring.score import Scorer
from fairtrial.text.language import say

DEFAULT_TRIALS = {"full": 3, "quick": 1}


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What the command line says for this round; None or empty leaves the project's setting."""

    config: Path | None = None
    cases: Sequence[Path] = ()
    agent: str | None = None
    ids: Sequence[str] = ()
    tags: Sequence[str] = ()
    failed: bool = False
    limit: int | None = None
    minimum: float | None = None
    until_decided: bool = False
    against: Path | None = None
    """The log of the round that an answer is sought against."""
    run: dict[str, Any] = field(default_factory=dict)
    """Values for the `[run]` table by name; those that are None are no choice."""


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A round that may begin: valid as a whole, nothing called yet."""

    project: Project
    run: RunConfig
    case_set: CaseSet
    agent: Agent
    agent_config: AgentConfig
    scorer: Scorer
    golden: int
    """How many golden samples agreed with the scorer."""
    series: Series | None
    """Two series whose correlation someone relies on."""
    narrowed: bool
    """Whether only some cases of the set were chosen."""
    player: Agent | None = None
    """Whoever plays the users of cases that are personas."""

    @property
    def trials(self) -> int:
        """Trials a case: three in a full round, one in a quick one, unless set."""
        return self.run.trials or DEFAULT_TRIALS[self.run.mode]

    @property
    def out(self) -> Path:
        """The folder of the logs."""
        return Path(self.run.out)


def prepare(choices: Choices) -> Prepared:
    """Read and check all that a round depends on. Raises BadInput; nothing is called before it returns."""
    project = load_project(choices.config)
    project = project.model_copy(update={"score": score_config(project.score, choices.minimum)})
    run = run_config(project, choices)
    case_set = load_or_refuse(case_paths(run), without=Path(run.out))
    chosen = chosen_of(case_set, project, run, choices)
    return build(project, run, case_set, agent_config(project, choices.agent), chosen=chosen)


def build(
    project: Project, run: RunConfig, case_set: CaseSet, config: AgentConfig, *, chosen: CaseSet | None
) -> Prepared:
    """Compile the rules, check thresholds and golden samples, make the agent and the player. Raises BadInput.

    `chosen` is the part of `case_set` that is asked; golden samples may speak of any case of the whole.
    """
    importable(project.folder)
    project.doubts.resolve(set_name(run.cases), run.mode)
    _require_log_folder(Path(run.out))
    _require_known_cost(run, config)
    golden = require_golden(run.golden, case_set)
    narrowed, case_set = chosen is not None, chosen or case_set
    scorer = Scorer(case_set, pass_at=project.score.pass_at)
    return Prepared(
        project=project,
        run=run,
        case_set=case_set,
        agent=resolve(config, load_records=recorded),
        agent_config=config,
        scorer=scorer,
        golden=golden,
        series=read_series(project),
        narrowed=narrowed,
        player=player_of(project, case_set.cases),
    )


def _require_known_cost(run: RunConfig, config: AgentConfig) -> None:
    """A limit on cost means nothing where the cost is unknown: refuse to start. Raises BadInput."""
    if run.max_cost is not None and config.tells_cost is False:
        raise BadInput(
            say(
                "the cost of this agent is unknown, so a cost limit cannot hold",
                "这个 Agent 的费用未知，费用上限无从执行",
            ),
            where="--max-cost",
            how=say(
                "give [agent.price], or `reports_cost = true` if its replies carry usage.cost",
                "请设置 [agent.price]；若其回复带有 usage.cost，则设 `reports_cost = true`",
            ),
        )


def _require_log_folder(folder: Path) -> None:
    """The logs' folder, if it is there, is a folder, and its history can be read. Raises BadInput."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(
            say("the folder of the logs is a file", "日志文件夹是一个文件"),
            where=str(folder),
            how=say("name a folder: --out", "用 --out 指定一个文件夹"),
        )
    read_history(folder / NAME)


def score_config(score: ScoreConfig, minimum: float | None) -> ScoreConfig:
    """The `[score]` table with the command line's minimum in it, if it gave one."""
    return score if minimum is None else score.model_copy(update={"minimum": minimum})


def run_config(project: Project, choices: Choices) -> RunConfig:
    """The `[run]` table with the command line's values in it and its paths made relative to here."""
    table = project.run.model_dump(exclude_unset=True)
    if choices.run.get("mode") not in (None, project.run.mode):
        table.pop("trials", None)  # they were meant for the other mode
    table |= {"out": project.path(project.run.out), "golden": golden_file(project)}
    table["cases"] = [project.path(name) for name in project.run.cases]
    if choices.cases:
        table["cases"] = choices.cases
    table |= {name: value for name, value in choices.run.items() if value is not None}
    # Absolute from here on: a log must say where its cases lay, and a resumed run find them again.
    for name in ("out", "golden"):
        if table.get(name):
            table[name] = str(Path(table[name]).resolve())
    table["cases"] = [str(Path(path).resolve()) for path in table["cases"]]
    return valid_run(table)


def valid_run(table: dict[str, Any]) -> RunConfig:
    """A `[run]` table with values of the command line in it. Raises BadInput, naming the option."""
    try:
        return RunConfig.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        option = "--" + str(first["loc"][0]).replace("_", "-")
        raise BadInput(complaint(first, option)) from error


def case_paths(run: RunConfig) -> tuple[Path, ...]:
    """The files of the case set. Raises BadInput if none is named, or a log instead of one."""
    if not run.cases:
        raise BadInput(
            say("no case set named", "没有指定问题集"),
            how=say(
                "name a file or folder of cases, or set `cases` in fairtrial.toml (`fairtrial init`)",
                "请给出用例文件或文件夹，或在 fairtrial.toml 中设置 `cases`；`fairtrial init` 会写好两者",
            ),
        )
    for name in run.cases:
        if name.endswith((".jsonl", ".part")) and _is_log(Path(name)):
            raise BadInput(
                say("a log, not a file of cases", "这是日志，不是用例文件"),
                where=name,
                how=say(f"read it: fairtrial show {name}", f"查看它：fairtrial show {name}"),
            )
    return tuple(Path(name) for name in run.cases)


def _is_log(path: Path) -> bool:
    try:
        read_header(path)
    except BadInput:
        return False
    return True


def chosen_of(case_set: CaseSet, project: Project, run: RunConfig, choices: Choices) -> CaseSet | None:
    """The cases that were asked for, None where no choice was made."""
    ids = [*choices.ids, *(_failed(Path(run.out), project.score.pass_at) if choices.failed else ())]
    if choices.failed and not ids:
        raise BadInput(
            say("no case failed in the latest log", "最近一份日志中没有失败的用例"), where="--failed"
        )
    if ids or choices.tags or choices.limit is not None:
        return select(case_set, ids=ids, tags=choices.tags, limit=choices.limit)
    return None


def _failed(folder: Path, pass_at: float) -> list[str]:
    log = latest(folder)
    if log is None:
        raise BadInput(
            say("there is no log yet", "还没有日志"),
            where=str(folder),
            how=say("run all cases first: leave out --failed", "先跑全部用例：去掉 --failed"),
        )
    passed: dict[str, bool] = {}
    for row in read_rows(log):
        if row.about.scorable:
            passed[row.record.case] = passed.get(row.record.case, True) and bool(row.score.passes(pass_at))
    return [case for case, good in passed.items() if not good]


def read_series(project: Project) -> Series | None:
    """The two series of `[score] series`. Raises BadInput unless they are equally long lists of numbers."""
    if project.score.series is None:
        return None
    path = project.path(project.score.series)
    try:
        first, second = msgspec.json.decode(path.read_bytes(), type=tuple[list[float], list[float]])
    except OSError as error:
        raise BadInput(error.strerror or str(error), where=str(path)) from error
    except msgspec.DecodeError as error:
        raise BadInput(
            str(error),
            where=str(path),
            how=say("write [[x1, x2, …], [y1, y2, …]]", "请写成 [[x1, x2, …], [y1, y2, …]]"),
        ) from error
    if len(first) != len(second):
        raise BadInput(
            say(
                f"the series have {len(first)} and {len(second)} points",
                f"两个序列长度为 {len(first)} 与 {len(second)}",
            ),
            where=str(path),
        )
    return first, second
