"""A round: ask, score, log, doubt."""

import asyncio
import shlex
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, Protocol

import msgspec

from fairtrial.app.canaries import ask_canaries, canary_count, note_on
from fairtrial.app.describe import begun, note_on_steps
from fairtrial.app.environment import collect
from fairtrial.app.finish import Round, conclude, unfinished
from fairtrial.app.nulls import null_shares
from fairtrial.app.outlook import Outlook, outlook_of
from fairtrial.app.prepare import Choices, Prepared, prepare, score_config
from fairtrial.app.settled import settled
from fairtrial.app.talks import talks
from fairtrial.errors import BadInput
from fairtrial.execution.contract import Limits, Outcome, StopReason, StopSwitch
from fairtrial.execution.local import run_sessions
from fairtrial.execution.plan import Plan
from fairtrial.records.log import LogWriter, part_of
from fairtrial.schema.record import Record
from fairtrial.schema.score import Row
from fairtrial.text.language import say

if TYPE_CHECKING:
    from fairtrial.app.until import Until


class Watcher(Protocol):
    """Who is told how a round goes."""

    def planned(self, outlook: Outlook) -> None:
        """The round is valid and about to begin."""

    def ended(self, row: Row) -> None:
        """A session ended and its row is with the kernel."""


def run(choices: Choices, watcher: Watcher) -> Round:
    """Run a round. Raises BadInput before anything is called, CannotRun where the disk refuses."""
    with settled(lambda: prepare(choices)) as prepared:
        return run_prepared(prepared, watcher, _until(prepared, choices))


def _until(prepared: Prepared, choices: Choices) -> "Until | None":
    """What is to be decided, where that is asked; NumPy and SciPy are loaded for it alone."""
    if choices.until_decided:
        from fairtrial.app.until import begin

        return begin(prepared, choices)
    if choices.against is not None:
        raise BadInput(
            say("there is nothing to decide", "没有要判定的问题"),
            where="--against",
            how=say(
                "add --until-decided; two logs are compared by `fairtrial compare`",
                "请加上 --until-decided；比较两份日志用 `fairtrial compare`",
            ),
        )
    return None


def plan_of(prepared: Prepared) -> Plan:
    """The sessions of a round."""
    cases, run = prepared.case_set.cases, prepared.run
    return Plan(cases, trials=prepared.trials, run_seed=run.seed, talk=talks(prepared))


def run_prepared(prepared: Prepared, watcher: Watcher, until: "Until | None" = None) -> Round:
    """Run a round that is valid as a whole, from its canaries to its log. Raises CannotRun, BadInput."""
    fingerprint, canaries = collect(prepared), canary_count(prepared)
    if until:
        until.require_alike(fingerprint)
    looks = until.course.looks if until else ()
    outlook = outlook_of(prepared, looks=looks, canaries=canaries)
    if canaries:
        watcher.planned(outlook)
    answers = ask_canaries(prepared, limits_of(prepared))
    nulls = null_shares(prepared.case_set, prepared.scorer)
    header = begun(prepared, fingerprint, prepared.run.mode, null_agent=nulls)
    header = msgspec.structs.replace(header, notes=(*header.notes, *note_on(answers)), canaries=answers)
    if until:
        header = until.begun(header)
    plan = until.plan if until else plan_of(prepared)
    with LogWriter(prepared.out / f"{header.run}.jsonl", header, plan) as writer:
        if not canaries:
            watcher.planned(outlook)
        return go_on(prepared, writer, watcher, until=until)


def limits_of(prepared: Prepared) -> Limits:
    """The limits of a round's sessions."""
    run = prepared.run
    return Limits(
        concurrency=run.concurrency,
        session_seconds=run.timeout,
        max_time=run.max_time,
        # Where nobody is paid there is nothing to limit.
        max_cost=run.max_cost if prepared.agent_config.tells_cost else None,
        clock=run.clock,
    )


def go_on(
    prepared: Prepared,
    writer: LogWriter,
    watcher: Watcher,
    *,
    minimum: float | None = None,
    until: "Until | None" = None,
) -> Round:
    """Ask what is missing and conclude, or leave the round unfinished. Raises CannotRun."""
    scorer = prepared.scorer

    def on_record(record: Record) -> None:
        row = Row(record=record, score=scorer.score(record), about=scorer.about(record.case))
        writer.append(row)
        watcher.ended(row)

    outcome: Outcome | None = None
    with suppress(KeyboardInterrupt):  # of an agent that blocked the loop
        outcome = asyncio.run(_sessions(prepared, writer, on_record, until))
    stopped = outcome.stopped if outcome else StopReason.interrupt
    whole = until.settled if until else writer.done == len(plan_of(prepared))
    if stopped is not None and not whole:
        return unfinished(writer, stopped_by(stopped, writer, "run"))
    notes = (
        *(disobeyed(outcome) if outcome else ()),
        *note_on_steps(prepared.case_set, writer.rows),
    )
    if until:
        writer.header = until.ended(writer.header)
        return conclude(writer, scorer, minimum=None, notes=notes)
    score = score_config(prepared.project.score, minimum)
    return conclude(writer, scorer, minimum=score.minimum, notes=notes)


def disobeyed(outcome: Outcome) -> tuple[str, ...]:
    """What a person should know of an agent that does not let go."""
    lost, open_ = outcome.abandoned, outcome.unclosed
    if not lost and not open_:
        return ()
    return (
        say(
            f"the agent did not let go: sessions left behind {lost}, not closed {open_}",
            f"Agent 没有放手：弃置的会话 {lost}，无法关闭的 {open_}",
        ),
    )


def stopped_by(reason: StopReason, writer: LogWriter, command: str) -> str:
    """Why it stopped, and the command that goes on."""
    words = {
        StopReason.max_time: say("the time limit was reached", "到了时间上限"),
        StopReason.max_cost: say("the cost limit was reached", "到了费用上限"),
        StopReason.cost_unknown: say("a reply did not say what it cost", "有回复没有给出费用"),
        StopReason.interrupt: say("interrupted", "被中断"),
    }
    resume = f"fairtrial {command} --resume {shlex.quote(str(part_of(writer.path)))}"
    return say(
        f"stopped: {words[reason]}; {writer.done} sessions are kept. The rest: {resume}",
        f"已停止：{words[reason]}；保留了 {writer.done} 个会话。跑完其余的：{resume}",
    )


async def _sessions(
    prepared: Prepared,
    writer: LogWriter,
    on_record: Callable[[Record], None],
    until: "Until | None",
) -> Outcome:
    limits = limits_of(prepared)
    switch = StopSwitch()
    try:
        with interruptible(switch):
            if until:
                return await until.ask(writer, limits, on_record, switch)
            plan = plan_of(prepared)
            # A round begun anew has nothing to be passed over.
            sessions = plan.sessions(writer.is_done) if writer.done else plan.sessions()
            return await run_sessions(sessions, prepared.agent, limits, on_record, switch)
    finally:
        await prepared.agent.close()
        if prepared.player is not None:
            await prepared.player.close()


@contextmanager
def interruptible(switch: StopSwitch) -> Iterator[None]:
    """Ctrl-C presses the switch: once to stop cleanly, twice to leave at once.

    Where the loop has not taken the one before, an agent in our own process blocks it: it is interrupted.
    """
    loop = asyncio.get_running_loop()
    untaken = False

    def take() -> None:
        nonlocal untaken
        untaken = False
        switch.press(StopReason.interrupt)

    def pressed(number: int, frame: FrameType | None) -> None:
        nonlocal untaken
        if untaken:
            raise KeyboardInterrupt
        untaken = True
        loop.call_soon_threadsafe(take)

    try:
        before = {number: signal.signal(number, pressed) for number in (signal.SIGINT, signal.SIGTERM)}
    except ValueError:  # only the main thread is told of signals
        yield
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
