"""The trials of one case, asked as `run` asks them, and what follows from them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.app.config import RunConfig
from fairtrial.app.examine import Asked, Room
from fairtrial.app.examine_cases import Quest
from fairtrial.app.examine_log import Part
from fairtrial.app.golden import golden_file
from fairtrial.app.prepare import Prepared, build
from fairtrial.app.talks import talks
from fairtrial.cases.digest import digest
from fairtrial.errors import BadInput
from fairtrial.execution.contract import Planned, StopSwitch
from fairtrial.execution.local import run_sessions
from fairtrial.execution.plan import Plan
from fairtrial.schema.case import Case, CaseSet
from fairtrial.schema.record import Record
from fairtrial.schema.score import Row, Score, Unscored


@dataclass(frozen=True, kw_only=True)
class Examined:
    """A case after its trials: what happened in each, its score, and whether it passed.

    `passes` has None for a trial without a score. `need` of the trials must pass.
    """

    case: Case
    rows: tuple[Row, ...]
    passes: tuple[bool | None, ...]
    need: int
    log: Path

    @property
    def records(self) -> tuple[Record, ...]:
        """What happened, a trial each."""
        return tuple(row.record for row in self.rows)

    @property
    def scores(self) -> tuple[Score, ...]:
        """What it was worth, a trial each."""
        return tuple(row.score for row in self.rows)

    @property
    def passed(self) -> int:
        """How many trials passed."""
        return sum(bool(passes) for passes in self.passes)

    @property
    def verdict(self) -> bool | None:
        """True where enough trials passed, False where too many did not; what gave no answer is neither, and
        None where it would decide."""
        if self.passed >= self.need:
            return True
        possible = sum(passes is not False for passes in self.passes)
        return None if possible >= self.need else False


class Examiner:
    """Asks the cases of one process's tests: one agent, one log.

    `wanted` is all that the tests of the run ask for, in their order. Raises BadInput, CannotRun; nothing was
    called then.
    """

    def __init__(self, room: Room, asked: Asked, wanted: Sequence[Quest]) -> None:
        self._room = room
        self._prepared = _prepared(room, asked, wanted)
        room.open += filter(None, (self._prepared.agent, self._prepared.player))
        self._part = Part(room.folder, self._prepared, wanted)

    def lacks(self, quest: Quest) -> str:
        """What the agent does not offer of what the case's probes need, "" where nothing."""
        needs = {ability for use in quest.uses for ability in use.probe.needs}
        return ", ".join(sorted(needs - self._prepared.agent.abilities))

    def examine(self, quest: Quest) -> Examined:
        """Ask all trials of a case, keep a row of each. Raises BadInput where a rule cannot be applied."""
        rows = self._room.run(self._ask(quest))
        for row in rows:
            if row.record.status.counts and isinstance(row.score.value, Unscored):
                raise BadInput(row.score.value.why, where=quest.case.id)
        return Examined(
            case=quest.case,
            rows=tuple(rows),
            passes=tuple(row.score.passes(self._prepared.scorer.pass_at) for row in rows),
            need=quest.need,
            log=self._part.log,
        )

    def close(self) -> None:
        """Let go of the log."""
        self._part.close()

    async def _ask(self, quest: Quest) -> list[Row]:
        plan = Plan(
            [quest.case],
            trials=quest.first + quest.trials,
            run_seed=self._prepared.run.seed,
            talk=talks(self._prepared),
        )
        sessions = plan.sessions(lambda case, trial: trial < quest.first)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._session(planned)) for planned in sessions]
        return [row for task in tasks for row in task.result()]

    async def _session(self, planned: Planned) -> list[Row]:
        rows: list[Row] = []
        scorer = self._prepared.scorer

        def keep(record: Record) -> None:
            row = Row(record=record, score=scorer.score(record), about=scorer.about(record.case))
            self._part.append(row)
            rows.append(row)

        async with self._room.cap.place():
            await run_sessions([planned], self._prepared.agent, self._room.limits, keep, StopSwitch())
        return rows


def _prepared(room: Room, asked: Asked, wanted: Sequence[Quest]) -> Prepared:
    cases = tuple({quest.case.id: quest.case for quest in wanted if quest.unfit is None}.values())
    paths = tuple(dict.fromkeys(str(path) for quest in wanted for path in quest.paths))
    table = room.project.run.model_dump(exclude_unset=True) | {
        "cases": paths,
        "out": str(room.out),
        "mode": "full",
        "trials": max(quest.trials for quest in wanted),
        "concurrency": room.concurrency,
        "timeout": room.timeout,
    }
    if golden := golden_file(room.project):
        table["golden"] = str(golden)
    case_set = CaseSet(cases=cases, paths=paths, digest=digest(cases))
    return build(room.project, RunConfig.model_validate(table), case_set, asked.config, chosen=case_set)
