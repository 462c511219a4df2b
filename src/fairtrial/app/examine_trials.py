"""The trials of one case, asked as `run` asks them, and what follows from them."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from fairtrial.app.config import RunConfig
from fairtrial.app.examine import Asked, Room
from fairtrial.app.examine_cases import Quest
from fairtrial.app.examine_log import Part, begin
from fairtrial.app.golden import golden_file
from fairtrial.app.prepare import Prepared, build
from fairtrial.cases.digest import digest
from fairtrial.errors import BadInput
from fairtrial.execution.contract import Planned, StopSwitch, Talk
from fairtrial.execution.local import run_sessions
from fairtrial.execution.plan import Plan
from fairtrial.schema.case import Case, CaseSet
from fairtrial.schema.record import Record
from fairtrial.schema.score import Row, Score, Unscored


class Finding(Enum):
    """What the trials of a case come to; `unanswered` where those without an answer would decide."""

    passed = auto()
    failed = auto()
    unanswered = auto()


@dataclass(frozen=True, kw_only=True)
class Examined:
    """A case after its trials: what happened in each, its score, and whether it passed.

    `passes` has None for a trial without a score. `need` of the trials must pass.
    """

    case: Case
    records: tuple[Record, ...]
    scores: tuple[Score, ...]
    passes: tuple[bool | None, ...]
    need: int
    log: Path

    @property
    def passed(self) -> int:
        """How many trials passed."""
        return sum(bool(passes) for passes in self.passes)

    @property
    def finding(self) -> Finding:
        """Passed where enough trials did, failed where too many did not; what gave no answer is neither."""
        if self.passed >= self.need:
            return Finding.passed
        possible = sum(passes is not False for passes in self.passes)
        return Finding.unanswered if possible >= self.need else Finding.failed


class Examiner:
    """Asks the cases of one process's tests: one agent, one log.

    `wanted` is all that the tests of the run ask for, in their order. Raises BadInput, CannotRun; nothing was
    called then.
    """

    def __init__(self, room: Room, asked: Asked, wanted: Sequence[Quest]) -> None:
        self._room = room
        self._prepared = _prepared(room, asked, wanted)
        self._begun = begin(room.folder, self._prepared, wanted)
        self._talk = _talks(self._prepared)
        self._part = Part(room.folder)

    def lacks(self, quest: Quest) -> str:
        """What the agent does not offer of what the case's probes need, "" where nothing."""
        needs = {ability for use in quest.uses for ability in use.probe.needs}
        return ", ".join(sorted(needs - self._prepared.agent.abilities))

    def examine(self, quest: Quest) -> Examined:
        """Ask all trials of a case, keep a row of each. Raises BadInput where a rule cannot be applied."""
        rows = sorted(self._room.run(self._ask(quest)), key=lambda row: row.record.trial)
        pass_at = self._prepared.scorer.pass_at
        for row in rows:
            if row.record.status.counts and isinstance(row.score.value, Unscored):
                raise BadInput(row.score.value.why, where=quest.case.id)
        return Examined(
            case=quest.case,
            records=tuple(row.record for row in rows),
            scores=tuple(row.score for row in rows),
            passes=tuple(row.score.passes(pass_at) for row in rows),
            need=quest.need,
            log=self._begun.log,
        )

    async def _ask(self, quest: Quest) -> list[Row]:
        plan = Plan(
            [quest.case],
            trials=quest.first + quest.trials,
            run_seed=self._prepared.run.seed,
            talk=self._talk,
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


def _talks(prepared: Prepared) -> Callable[[Case, int], Talk] | None:
    if not any(case.user or case.disturb for case in prepared.case_set.cases):
        return None
    from fairtrial.app.talks import talks

    return talks(prepared)


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
