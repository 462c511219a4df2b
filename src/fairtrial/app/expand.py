"""Weak cases become spoken variants, each checked by code, which wait in the queue for a person's yes."""

import asyncio
import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from fairtrial.agents.config import AgentConfig
from fairtrial.agents.protocol import Agent
from fairtrial.agents.resolve import resolve
from fairtrial.app.config import Project, load_project
from fairtrial.app.outlook import cost_of
from fairtrial.app.prepare import Choices, case_paths, chosen_of, run_config
from fairtrial.app.run import interruptible
from fairtrial.app.variant_jobs import Bench, Job
from fairtrial.app.whom import importable, recorded, writer_config
from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.queue import FOLDER
from fairtrial.cases.variant_brief import brief
from fairtrial.cases.variants import read_reply
from fairtrial.errors import BadInput
from fairtrial.execution.contract import Limits, Planned, StopSwitch, plan_session
from fairtrial.execution.local import run_sessions
from fairtrial.schema.case import Case
from fairtrial.schema.record import Record
from fairtrial.schema.variants import Expansion
from fairtrial.text.language import say

RULES = "rules"
"""The writer that is no model."""
_AT_ONCE = 4


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """How many variants of each case, by a model or not, signed by whom; `timeout` in seconds a request."""

    count: int = 5
    model: bool = True
    seed: int = 0
    who: str = ""
    timeout: float = 120.0


def expand(choices: Choices, wishes: Wishes, tell: Callable[[str], None]) -> Expansion:
    """Write variants of the chosen cases: of those that failed in the latest log, unless some are named.

    What passes the checks is in the queue at once. `tell` hears the plan, and each case that is done. Raises
    BadInput before anybody is asked.
    """
    project = load_project(choices.config)
    whole, chosen = _chosen(project, choices)
    config = writer_config(project) if wishes.model else None
    agent = None if config is None else _agent(project, config)
    writer = RULES if agent is None else agent.name
    queue = project.path(FOLDER)
    with _alone(project.folder):
        bench = Bench(queue, whole, count=wishes.count, writer=writer, who=wishes.who)
        jobs = [bench.job(case) for case in chosen]
        todo = [job for job in jobs if not job.stuck]
        tell(_plan(bench, jobs, todo, config))
        asking = _Asking(bench, todo, tell, wishes)
        if agent is None:
            for job in todo:
                bench.by_rules(job, wishes.seed)
                tell(bench.line(job))
        else:
            with suppress(KeyboardInterrupt):  # of a writer that blocked the loop
                asyncio.run(asking.ask(agent))
    return Expansion(
        writer=writer,
        queue=str(queue),
        cases=tuple(map(bench.told, jobs)),
        requests=asking.requests,
        answered=asking.answered,
        cost=asking.cost,
        stopped=asking.stopped,
    )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One expansion of a project at a time: two would each write all that is missing."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise BadInput(
            say("variants are being written here already", "这里已有一次扩写在进行"),
            where=str(folder),
            how=say("wait for it to end", "请等它结束"),
        ) from None
    finally:
        os.close(descriptor)


def _chosen(project: Project, choices: Choices) -> tuple[Sequence[Case], Sequence[Case]]:
    """All cases, and those of which variants are wanted: never a variant itself."""
    if not (choices.ids or choices.tags):
        choices = replace(choices, failed=True)
    run = run_config(project, choices)
    whole = load_or_refuse(case_paths(run), without=Path(run.out))
    chosen = (chosen_of(whole, project, run, choices) or whole).cases
    if originals := [case for case in chosen if case.parent is None]:
        return whole.cases, originals
    raise BadInput(
        say("the chosen cases are variants themselves", "所选用例本身都是变体"),
        how=say("name the cases that they are variants of: --case", "请用 --case 指定它们的原用例"),
    )


def _agent(project: Project, config: AgentConfig) -> Agent:
    importable(project.folder)
    return resolve(config, load_records=recorded)


def _plan(bench: Bench, jobs: Sequence[Job], todo: Sequence[Job], config: AgentConfig | None) -> str:
    wanted = sum(bench.short(job) for job in todo)
    cases = say(
        f"cases: {len(jobs)}, variants wanted: {wanted}; ", f"用例 {len(jobs)} 个，需要变体 {wanted} 个；"
    )
    if config is None:
        return cases + say("by rules: no model is asked", "按规则改写，不请求模型")
    n, cost = len(todo), cost_of(config)
    return cases + say(
        f"requests to {bench.writer}: {n}, {2 * n} at most, {_AT_ONCE} at a time; cost {cost}",
        f"请求 {bench.writer}：{n} 次，最多 {2 * n} 次，并发 {_AT_ONCE}；费用{cost}",
    )


class _Asking:
    """Asks a model for the variants of each case, and once more for those that are missing then."""

    def __init__(
        self, bench: Bench, jobs: Sequence[Job], tell: Callable[[str], None], wishes: Wishes
    ) -> None:
        self._bench, self._jobs, self._tell, self._wishes = bench, jobs, tell, wishes
        self.requests = self.answered = 0
        self.cost: float | None = 0.0
        self.stopped = False

    async def ask(self, agent: Agent) -> None:
        """Until all is there, was asked for twice, or somebody stops it."""
        self.stopped = True
        limits = Limits(concurrency=_AT_ONCE, session_seconds=self._wishes.timeout)
        switch = StopSwitch()
        try:
            with interruptible(switch):
                for attempt in range(2):
                    todo = {job.case.id: job for job in self._jobs if not job.stuck}
                    plan = (self._planned(job, attempt) for job in todo.values())
                    outcome = await run_sessions(plan, agent, limits, partial(self._heard, todo), switch)
                    unknown = self.cost is None or outcome.cost is None
                    self.cost = None if unknown else (self.cost or 0) + (outcome.cost or 0)
                    if outcome.stopped:
                        return
            self.stopped = False
        finally:
            await agent.close()

    def _planned(self, job: Job, attempt: int) -> Planned:
        self.requests += 1
        text = brief(
            job.original,
            self._bench.count,
            task_type=job.case.task_type,
            have=job.have,
            refused=job.refused,
        )
        return plan_session(self._wishes.seed, job.case.id, attempt, [text])

    def _heard(self, jobs: dict[str, Job], record: Record) -> None:
        job = jobs[record.case]
        if record.status.counts:
            self.answered += 1
            self._take(job, record.reply)
        else:
            job.refuse(f"{record.status}: {record.failure.message if record.failure else ''}")
        job.stuck = record.trial > 0 or not record.status.counts or not self._bench.short(job)
        if job.stuck:
            self._tell(self._bench.line(job))

    def _take(self, job: Job, reply: str) -> None:
        try:
            drafts = read_reply(reply)
        except ValueError as error:
            job.refuse(str(error))
            return
        for draft in drafts:
            if not self._bench.short(job):
                return
            if why := self._bench.offer(job, draft):
                job.refuse(why, question=draft.question, kind=draft.variant_type)
