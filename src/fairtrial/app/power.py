"""How many cases and trials a difference needs, what a planned run can show, and what it would cost."""

from dataclasses import dataclass
from math import inf
from pathlib import Path

from fairtrial.app.config import load_project
from fairtrial.app.prepare import DEFAULT_TRIALS, Choices, case_paths, run_config
from fairtrial.app.show import OpenLog, log_folder, open_log
from fairtrial.cases.load import load_or_refuse
from fairtrial.errors import BadInput
from fairtrial.evidence.columns import Columns
from fairtrial.evidence.pairs import Pairs
from fairtrial.evidence.variances import (
    assumed,
    cases_for,
    detectable_with,
    variances_between,
    variances_of,
)
from fairtrial.records.log import latest
from fairtrial.schema.planning import Power, Sized, Variances
from fairtrial.text.language import say

_TRIALS = (1, 3, 5, 10, None)
"""The rows of the table; None is without end."""
LEAST_DIFFERENCE = 0.0001
_LEAST_POWER = 0.1
"""A two-sided test at 5 % has a power of 0.05 where there is no difference at all."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked of a plan; None leaves cases and trials to the project, or to the log."""

    difference: float = 0.03
    power: float = 0.8
    cases: int | None = None
    trials: int | None = None


def power(log: Path | None, asked: Asked, config: Path | None = None, *, other: Path | None = None) -> Power:
    """Plan by a log (None: the latest one, and by assumed figures where there is none). Raises BadInput.

    `other` is the log of another version on the same cases: how much they differ is then measured.
    """
    require_share("--difference", asked.difference, LEAST_DIFFERENCE)
    require_share("--power", asked.power, _LEAST_POWER)
    known = log is not None or latest(log_folder(config)) is not None
    found = open_log(log, config) if known else None
    columns = Columns.of(found.rows(), pass_at=found.pass_at) if found else None
    variances = _variances(found, columns, other, config)
    cases = asked.cases or _project_cases(config) or (len(columns.ids) if columns else 0)
    if not cases:
        raise BadInput(
            say("no case set and no log to plan by", "没有问题集，也没有日志可供规划"),
            where="--cases",
            how=say("say how many cases: --cases N", "请说明有多少用例：--cases N"),
        )
    trials = asked.trials or _project_trials(config)
    detectable = detectable_with(cases, trials, variances, power=asked.power)
    seconds, cost = _spent(found)
    sessions = cases * trials
    return Power(
        difference=asked.difference,
        power=asked.power,
        variances=variances,
        table=tuple(_row(k, cases, variances, asked) for k in _TRIALS),
        cases=cases,
        trials=trials,
        sessions=sessions,
        detectable=detectable,
        seconds=None if seconds is None else seconds * sessions,
        cost=None if cost is None else cost * sessions,
        meaning=_meaning(cases, trials, detectable, asked),
    )


def _variances(
    found: OpenLog | None, columns: Columns | None, other: Path | None, config: Path | None
) -> Variances:
    if found is None or columns is None:
        return assumed()
    if other is None:
        return variances_of(columns, log=found.header.run)
    second = open_log(other, config)
    pairs = Pairs.of(columns, Columns.of(second.rows(), pass_at=second.pass_at))
    if not len(pairs):
        raise BadInput(
            say("the two share no case with a score", "两份结果没有共有的已计分用例"),
            where=str(other),
            how=say("name two logs of one set", "请指定同一问题集的两份日志"),
        )
    return variances_between(pairs, logs=f"{found.header.run}, {second.header.run}")


def require_share(name: str, value: float, least: float) -> None:
    """Refuse an option that is no share between `least` and 1. Raises BadInput."""
    if not least <= value < 1:
        raise BadInput(
            say(f"{value:g} does not lie between {least:g} and 1", f"{value:g} 不在 {least:g} 与 1 之间"),
            where=name,
            how=say("a share: 3 % are 0.03", "写成比例：3% 写作 0.03"),
        )


def _project_cases(config: Path | None) -> int | None:
    run = run_config(load_project(config), Choices())
    return len(load_or_refuse(case_paths(run), without=Path(run.out)).cases) if run.cases else None


def _project_trials(config: Path | None) -> int:
    run = load_project(config).run
    return run.trials or DEFAULT_TRIALS[run.mode]


def _row(trials: int | None, cases: int, variances: Variances, asked: Asked) -> Sized:
    needed = cases_for(asked.difference, trials or inf, variances, power=asked.power)
    return Sized(
        trials=trials,
        cases=needed,
        sessions=None if trials is None else needed * trials,
        detectable=detectable_with(cases, trials or inf, variances, power=asked.power),
    )


def _spent(found: OpenLog | None) -> tuple[float | None, float | None]:
    """Seconds (of the wall clock) and money a session, as in the log; None is not known."""
    summary = found.header.summary if found else None
    held = sum(summary.counts.by_status.values()) if summary else 0
    if found is None or summary is None or not held:
        return None, None
    seconds, cost = summary.usage.get("seconds_median"), summary.usage.get("cost")
    at_once = found.header.config.get("run", {}).get("concurrency", 1)
    return None if seconds is None else seconds / at_once, None if cost is None else cost / held


def _meaning(cases: int, trials: int, detectable: float, asked: Asked) -> str:
    points = f"{100 * detectable:.1f}"
    if detectable > 1:
        return say(
            f"{cases} cases × {trials} trials can show no difference at all",
            f"{cases} 个用例 × {trials} 次看不出任何差异",
        )
    return say(
        f"{cases} cases × {trials} trials on each side show a difference of {points} points or more "
        f"with a chance of {asked.power:g}; a smaller one can easily stay unseen",
        f"两侧各 {cases} 个用例 × {trials} 次，有 {asked.power:g} 的把握看出 {points} 个百分点以上的差异；"
        "更小的很可能看不出",
    )
