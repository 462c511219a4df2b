"""The sessions of a look, and the figures of the whole that leave it."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import msgspec

from fairtrial.app.prepare import Prepared
from fairtrial.app.run import disobeyed, interruptible, limits_of, plan_of
from fairtrial.errors import CannotRun
from fairtrial.evidence.around import Around
from fairtrial.evidence.columns import Columns
from fairtrial.evidence.doubts import judge, status_of
from fairtrial.evidence.estimate import summarise
from fairtrial.execution.contract import Outcome, StopSwitch
from fairtrial.execution.local import run_sessions
from fairtrial.records.closed import ClosedWriter
from fairtrial.schema.evidence import Doubt, Summary
from fairtrial.schema.look import LEAST_CLUSTERS, Figures
from fairtrial.schema.record import Record, Status
from fairtrial.schema.score import Row
from fairtrial.stats.intervals import spread_of
from fairtrial.text.language import say


@contextmanager
def unsaid(*, spent: bool = False, passing: type[Exception] | tuple[()] = ()) -> Iterator[None]:
    """What goes wrong among sealed cases is told by its kind alone: its words may be theirs.

    `spent`: the look is debited. Raises CannotRun.
    """
    try:
        yield
    except passing:
        raise
    except (Exception, SystemExit) as error:
        kind = type(error).__name__
        how = say("its words may be a case's, and are told to nobody", "其内容可能出自用例，因此不予显示")
        if spent:
            how = say("the look is spent all the same; ", "这次查看仍计入次数；") + how
        what = say(f"{kind} among the sealed cases", f"封存用例中出现 {kind}")
        raise CannotRun(what, how=how) from None


def sessions(
    prepared: Prepared, writer: ClosedWriter, ended: Callable[[Row], None]
) -> tuple[list[Row], Outcome | None]:
    """Ask every case; the rows stay in memory, and are kept encrypted. No outcome: the loop was blocked.

    Raises CannotRun where the disk refuses a row, and as `unsaid`.
    """
    scorer, rows = prepared.scorer, list[Row]()

    def on_record(record: Record) -> None:
        with unsaid(spent=True):
            row = Row(record=record, score=scorer.score(record), about=scorer.about(record.case))
        writer.append(row)
        rows.append(row)
        ended(row)

    async def go() -> Outcome:
        switch = StopSwitch()
        try:
            with interruptible(switch):
                plan = plan_of(prepared).sessions()
                return await run_sessions(plan, prepared.agent, limits_of(prepared), on_record, switch)
        finally:
            for agent in filter(None, (prepared.agent, prepared.player)):
                await agent.close()

    outcome: Outcome | None = None
    with unsaid(spent=True, passing=CannotRun), suppress(KeyboardInterrupt):
        outcome = asyncio.run(go())
    return rows, outcome


def figured(
    prepared: Prepared, rows: Sequence[Row], null_agent: float | None, outcome: Outcome | None
) -> dict[str, Any]:
    """What of the rows leaves: `status`, counts, and the figures of the whole with their doubts."""
    score, planned = prepared.project.score, len(plan_of(prepared))
    summary = summarise(rows, planned=planned, pass_at=score.pass_at, useful_weight=score.useful_weight)
    clusters = int(summary.facts["clusters"] or 0)
    whole = planned == sum(row.record.status is not Status.cancelled for row in rows)
    figures = _figures(summary, Columns.of(rows, pass_at=score.pass_at)) if whole else None
    doubts: tuple[Doubt, ...] = ()
    if clusters < LEAST_CLUSTERS:
        figures = None
    if figures is not None:
        thresholds = prepared.project.doubts.resolve(prepared.run.cases[0], "full")
        doubts = judge(summary, thresholds, Around(null_agent=null_agent))
    status = status_of("full", doubts) if figures is not None else "unreliable" if whole else "stopped"
    return {
        "status": status,
        "cases": len(prepared.case_set.cases),
        "clusters": clusters,
        "counts": msgspec.structs.replace(summary.counts, causes={}),
        "figures": figures,
        "doubts": doubts,
        "notes": (*_why_none(whole, clusters), *(disobeyed(outcome) if outcome else ())),
    }


def _figures(summary: Summary, columns: Columns) -> Figures | None:
    some = columns.scored > 0
    found = spread_of(*(of[some].tolist() for of in (columns.mean, columns.weight, columns.cluster)))
    if found is None:
        return None
    return Figures(
        total=summary.total,
        ret_ratio=summary.ret_ratio,
        ret_ratio_all=summary.ret_ratio_all,
        useful=summary.useful,
        pass_hat_k=summary.pass_hat_k,
        centre=found.centre,
        error=found.error,
        df=found.df,
    )


def _why_none(whole: bool, clusters: int) -> tuple[str, ...]:
    if not whole:
        return (
            say(
                "stopped: no figure leaves, and the look is spent all the same",
                "已停止：不给出任何指标，这次查看仍计入次数",
            ),
        )
    if clusters < LEAST_CLUSTERS:
        return (
            say(
                f"clusters with a score: {clusters}, below {LEAST_CLUSTERS}: no figure leaves",
                f"有得分的簇为 {clusters}，少于 {LEAST_CLUSTERS}：不给出任何指标",
            ),
        )
    return ()
