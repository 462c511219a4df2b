"""An examination: where is the agent weak, and how sure is that? It asks, chooses, shrinks, draws a map."""

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import msgspec

from fairtrial.app.describe import begun, restore, unchanged
from fairtrial.app.environment import collect
from fairtrial.app.fingerprint import Reported, completed
from fairtrial.app.finish import Round
from fairtrial.app.outlook import Outlook
from fairtrial.app.prepare import Choices, Prepared, prepare
from fairtrial.app.probe_grid import Grid, chosen_probes, grid_of
from fairtrial.app.probe_map import AGAIN, Examination, Stop
from fairtrial.app.probe_outlook import probe_outlook
from fairtrial.app.probe_save import require_savable, save_cases
from fairtrial.app.probe_sittings import Sittings, Stopped
from fairtrial.app.resume import PROBES, fixed, unfinished
from fairtrial.app.run import disobeyed, interruptible, stopped_by
from fairtrial.app.settled import settled
from fairtrial.errors import BadInput
from fairtrial.execution.contract import StopReason, StopSwitch
from fairtrial.records.log import LogWriter, iso, open_resumed, part_of
from fairtrial.schema.evidence import Header
from fairtrial.schema.score import Row
from fairtrial.schema.weakness import CellState, WeaknessMap
from fairtrial.text.language import say


class Watcher(Protocol):
    """Who is told how it goes."""

    def planned(self, outlook: Outlook) -> None:
        """All is valid; it is about to begin."""

    def ended(self, row: Row) -> None:
        """A session ended and its row is with the kernel."""


def probe(
    choices: Choices,
    watcher: Watcher,
    *,
    budget: int | None,
    probes: Sequence[str] = (),
    save: Path | None = None,
) -> Round:
    """Examine an agent with at most `budget` sessions. Raises BadInput before anything is called.

    `probes` names those to try, all where it is empty. The shrunk cases are put into `save`, YAML.
    """
    if budget is None:
        raise BadInput(
            say("how many sessions may it take?", "最多用多少个会话？"), how="fairtrial probe --budget 400"
        )
    _require_savable(save)
    with settled(lambda: prepare(choices)) as prepared:
        grid = _grid(prepared, probes)
        _require_budget(grid, budget)
        asked = {"budget": budget, "probes": list(probes)}
        header = begun(prepared, collect(prepared), "probe", probe=asked)
        with LogWriter(prepared.out / PROBES / f"{header.run}.jsonl", header, budget) as writer:
            return _saved(_go_on(prepared, grid, writer, watcher, budget), save)


def resume(
    part: Path | None,
    choices: Choices,
    watcher: Watcher,
    *,
    budget: int | None = None,
    probes: Sequence[str] = (),
    save: Path | None = None,
) -> Round:
    """Go on with an examination that was stopped, as it would have gone. Raises BadInput."""
    if budget is not None or probes:
        raise fixed("--budget" if budget is not None else "--probe")
    _require_savable(save)
    part, header, limits = unfinished(part, choices, "probe")
    where, asked = str(part), header.config["probe"]
    with (
        settled(lambda: unchanged(restore(header, where, limits), header, where)) as prepared,
        open_resumed(part, asked["budget"]) as writer,
    ):
        grid = _grid(prepared, asked["probes"])
        return _saved(_go_on(prepared, grid, writer, watcher, asked["budget"]), save)


def _require_savable(file: Path | None) -> None:
    if file is not None:
        require_savable(file)


def _saved(result: Round, file: Path | None) -> Round:
    if file is None or result.header.weaknesses is None:
        return result
    n = save_cases(result.header.weaknesses, file)
    told = say(f"cases saved in {file}: {n}", f"存入 {file} 的用例：{n}")
    return replace(result, header=msgspec.structs.replace(result.header, notes=(*result.header.notes, told)))


def _grid(prepared: Prepared, probes: Sequence[str]) -> Grid:
    """The cells, with every case that has rules. Raises BadInput where there is none."""
    cases = [case for case in prepared.case_set.cases if case.rules]
    if not cases:
        raise BadInput(
            say("no case has executable rules", "没有用例带有可执行的规则"),
            how=say("a probe needs a rule that can fail", "探针需要可能失败的规则"),
        )
    chosen = chosen_probes(probes)
    grid = grid_of(cases, chosen, abilities=prepared.agent.abilities, seed=prepared.run.seed)
    if not grid.runnable.any():
        name, why = next(iter(grid.inapplicable.items()))
        raise BadInput(
            say(
                "no probe can be tried on these cases with this agent",
                "没有探针能用在这些用例和这个 Agent 上",
            ),
            where=name,
            how=why,
        )
    return grid


def _require_budget(grid: Grid, budget: int) -> None:
    least = 3 * max(len(grid.cases), AGAIN)
    if budget < least:
        raise BadInput(
            say(
                f"{budget} sessions are too few: the {len(grid.cases)} cases are first asked undisturbed, "
                "twice or more, and half as much again must be left",
                f"{budget} 个会话太少：{len(grid.cases)} 个用例都先不加扰动地问两次以上，还须留下一半的余量",
            ),
            where="--budget",
            how=say(
                f"at least --budget {least}, or fewer cases by --limit, --tag, --case",
                f"至少 --budget {least}，或用 --limit、--tag、--case 少选用例",
            ),
        )


def _go_on(prepared: Prepared, grid: Grid, writer: LogWriter, watcher: Watcher, budget: int) -> Round:
    watcher.planned(probe_outlook(prepared, grid, budget=budget, done=writer.done))
    switch = StopSwitch()
    sittings = Sittings(prepared, writer, watcher.ended, switch, budget=budget)
    examination = Examination(grid, sittings, seed=prepared.run.seed)
    whole = False
    with suppress(KeyboardInterrupt, Stopped):  # the former of an agent that blocked the loop
        asyncio.run(_examined(prepared, examination, switch))
        whole = True
    header = msgspec.structs.replace(writer.header, weaknesses=examination.map())
    if not whole:
        why = stopped_by(switch.reason or StopReason.interrupt, writer, "probe")
        header = msgspec.structs.replace(header, notes=(*header.notes, why))
        return Round(header=header, log=part_of(writer.path), exit_code=3)
    return _concluded(header, writer, sittings)


async def _examined(prepared: Prepared, examination: Examination, switch: StopSwitch) -> None:
    try:
        with interruptible(switch):
            await examination.go()
    finally:
        for agent in filter(None, (prepared.agent, prepared.player)):
            await agent.close()


def _concluded(header: Header, writer: LogWriter, sittings: Sittings) -> Round:
    reported = Reported()
    deque(reported.through(writer.rows()), maxlen=0)
    notes = disobeyed(sittings.outcome) if sittings.outcome else ()
    header = msgspec.structs.replace(
        header,
        status="probe",
        ended=iso(datetime.now(UTC)),
        notes=(*header.notes, *notes),
        fingerprint=completed(header.fingerprint, reported),
        scorer_digest=header.config["scorer"],
    )
    return Round(header=header, log=writer.finish(header), exit_code=exit_code(header.weaknesses))


def exit_code(found: WeaknessMap | None) -> int:
    """0 where nothing is weak, 1 where something is, 4 where the agent gave nothing to go by."""
    if found is None or not any(cell.sessions for cell in found.cells):
        return 4
    if any(cell.state is CellState.weak for cell in found.cells):
        return 1
    return 4 if found.stopped == Stop.no_answer else 0
