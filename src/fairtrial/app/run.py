"""A round: ask, score, log, doubt. Begun anew or resumed, it ends in the same place."""

import asyncio
import shlex
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Protocol

import fairtrial
from fairtrial.app.canaries import ask_canaries, canary_count
from fairtrial.app.describe import describe, notes_on, restore, unchanged
from fairtrial.app.environment import collect
from fairtrial.app.finish import Round, conclude, unfinished
from fairtrial.app.nulls import null_shares
from fairtrial.app.prepare import Choices, Prepared, prepare, score_config
from fairtrial.app.settled import settled
from fairtrial.app.show import log_folder
from fairtrial.errors import BadInput
from fairtrial.execution.contract import Limits, Outcome, StopReason, StopSwitch
from fairtrial.execution.local import run_sessions
from fairtrial.execution.plan import Plan
from fairtrial.records.log import LogWriter, iso, latest_part, open_resumed, part_of, read_header, run_name
from fairtrial.schema.evidence import Header
from fairtrial.schema.record import Record
from fairtrial.schema.score import Row
from fairtrial.text.language import say

if TYPE_CHECKING:
    from fairtrial.app.until import Until


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What a round is going to do: said before it does it."""

    cases: int
    trials: int
    done: int
    concurrency: int
    timeout: float
    max_time: float | None
    cost: str
    agent: str
    pass_at: float
    looks: Sequence[int] = ()
    """After how many cases the round may be decided, where it ends when it is."""
    canaries: int = 0
    """Sessions that are asked before it and not scored."""

    @property
    def sessions(self) -> int:
        """All sessions of the round, done ones too."""
        return self.cases * self.trials

    def text(self) -> str:
        """The plan in one line: sessions, time, cost as far as it is known."""
        left = self.sessions - self.done
        longest = -(-left // self.concurrency) * self.timeout
        if self.max_time is not None:
            longest = min(longest, self.max_time)
        return say(
            f"{_many(self.cases, 'case')} × {_many(self.trials, 'trial')} = {_many(self.sessions, 'session')}"
            + (f", {self.done} of them done" if self.done else "")
            + f"; {self.agent}, {self.concurrency} at a time; at most {_span(longest)}; cost {self.cost}"
            + (f"; until decided, looks after cases {_listed(self.looks)}" if self.looks else "")
            + (f"; before it {_many(self.canaries, 'canary session')} more" if self.canaries else ""),
            f"{self.cases} 个用例 × {self.trials} 次 = {self.sessions} 个会话"
            + (f"，其中 {self.done} 个已完成" if self.done else "")
            + f"；{self.agent}，并发 {self.concurrency}；最长 {_span(longest)}；费用{self.cost}"
            + (f"；问到有定论为止，在第 {_listed(self.looks)} 个用例之后查看" if self.looks else "")
            + (f"；此前另有 {self.canaries} 个金丝雀会话" if self.canaries else ""),
        )


def _listed(numbers: Sequence[int]) -> str:
    return say(", ", "、").join(str(number) for number in numbers)


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


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


def resume(part: Path | None, choices: Choices, watcher: Watcher) -> Round:
    """Go on with an unfinished round: `part`, or the latest one of a log folder. Runs what is missing.

    Its limits and the minimum may be others than before; what decides the result may not. Raises BadInput.
    """
    _refuse_changes(choices)
    if part is None or part.is_dir():
        part = _latest_part(part or Path(str(choices.run.get("out") or log_folder(choices.config))))
    elif part.suffix != ".part":
        part = part_of(part)
    limits = {name: choices.run[name] for name in _LIMITS if choices.run.get(name) is not None}
    header, where = read_header(part), str(part)
    with (
        settled(lambda: unchanged(restore(header, where, limits), header, where)) as prepared,
        _resumed(prepared, part, choices) as (writer, until),
    ):
        watcher.planned(_outlook(prepared, writer.done, until))
        return _go(prepared, writer, watcher, minimum=choices.minimum, until=until)


@contextmanager
def _resumed(prepared: Prepared, part: Path, choices: Choices) -> Iterator[tuple[LogWriter, "Until | None"]]:
    header, until = read_header(part), None
    if "until" in header.config:
        from fairtrial.app.until import again

        if choices.minimum is not None:
            raise _fixed("--minimum")
        until = again(prepared, header)
    with open_resumed(part, until.plan if until else _plan(prepared)) as writer:
        yield writer, until


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


_LIMITS = ("concurrency", "max_time", "max_cost")


def _refuse_changes(choices: Choices) -> None:
    """Whatever decides the result of a round stands in its header: it is no choice any more."""
    given: dict[str, object] = {
        "--agent": choices.agent,
        "--case": choices.ids,
        "--tag": choices.tags,
        "--limit": choices.limit,
        "--until-decided": choices.until_decided,
        "--against": choices.against,
    }
    given |= {"--failed": choices.failed, "a case file": choices.cases}
    given |= {f"--{name}": value for name, value in choices.run.items() if name not in (*_LIMITS, "out")}
    fixed = [name for name, value in given.items() if value is not False and value not in (None, (), [])]
    if fixed:
        raise _fixed(fixed[0])


def _fixed(name: str) -> BadInput:
    return BadInput(
        say("it is fixed since the run began", "它在本轮开始时就已确定"),
        where=name,
        how=say("leave it out, or start a new run without --resume", "请去掉它，或不带 --resume 另起一轮"),
    )


def _latest_part(folder: Path) -> Path:
    part = latest_part(folder)
    if part is None:
        raise BadInput(
            say("there is no unfinished run here", "这里没有未完成的运行"),
            where=str(folder),
            how=say("start one: fairtrial run", "用 fairtrial run 开始一轮"),
        )
    return part


def _plan(prepared: Prepared) -> Plan:
    return Plan(prepared.case_set.cases, trials=prepared.trials, run_seed=prepared.run.seed)


def run_prepared(prepared: Prepared, watcher: Watcher, until: "Until | None" = None) -> Round:
    """Run a round that is valid as a whole, from its canaries to its log. Raises CannotRun, BadInput."""
    fingerprint, canaries = collect(prepared), canary_count(prepared)
    if until:
        until.require_alike(fingerprint)
    outlook = _outlook(prepared, 0, until, canaries=canaries)
    if canaries:
        watcher.planned(outlook)
    answers = ask_canaries(prepared, _limits(prepared))
    moment = datetime.now(UTC)
    name = run_name(moment)
    config = describe(prepared) | {"null_agent": null_shares(prepared.case_set, prepared.scorer)}
    header = Header(
        fairtrial=fairtrial.__version__,
        run=name,
        started=iso(moment),
        mode=prepared.run.mode,
        status="running",
        config=config,
        notes=notes_on(prepared.case_set),
        set_digest=prepared.case_set.digest,
        fingerprint=fingerprint,
        canaries=answers,
    )
    if until:
        header = until.begun(header)
    plan = until.plan if until else _plan(prepared)
    with LogWriter(prepared.out / f"{name}.jsonl", header, plan) as writer:
        if not canaries:
            watcher.planned(outlook)
        return _go(prepared, writer, watcher, until=until)


def _limits(prepared: Prepared) -> Limits:
    run = prepared.run
    return Limits(
        concurrency=run.concurrency,
        session_seconds=run.timeout,
        max_time=run.max_time,
        # Where nobody is paid there is nothing to limit.
        max_cost=run.max_cost if prepared.agent_config.tells_cost else None,
        clock=run.clock,
    )


def _outlook(prepared: Prepared, done: int, until: "Until | None", *, canaries: int = 0) -> Outlook:
    run = prepared.run
    costs = {
        True: say("counted as it is spent", "随用随计"),
        False: say("unknown", "未知"),
        None: say("none", "无"),
    }
    return Outlook(
        cases=len(prepared.case_set.cases),
        trials=prepared.trials,
        done=done,
        concurrency=run.concurrency,
        timeout=run.timeout,
        max_time=run.max_time,
        cost=costs[prepared.agent_config.tells_cost],
        agent=prepared.agent.name,
        pass_at=prepared.project.score.pass_at,
        looks=until.course.looks if until else (),
        canaries=canaries,
    )


def _go(
    prepared: Prepared,
    writer: LogWriter,
    watcher: Watcher,
    *,
    minimum: float | None = None,
    until: "Until | None" = None,
) -> Round:
    scorer = prepared.scorer

    def on_record(record: Record) -> None:
        row = Row(record=record, score=scorer.score(record), about=scorer.about(record.case))
        writer.append(row)
        watcher.ended(row)

    outcome: Outcome | None = None
    with suppress(KeyboardInterrupt):  # of an agent that blocked the loop
        outcome = asyncio.run(_sessions(prepared, writer, on_record, until))
    stopped = outcome.stopped if outcome else StopReason.interrupt
    whole = until.settled if until else writer.done == len(_plan(prepared))
    if stopped is not None and not whole:
        return unfinished(writer, _stopped(stopped, writer))
    notes = _disobeyed(outcome) if outcome else ()
    if until:
        writer.header = until.ended(writer.header)
        return conclude(writer, scorer, minimum=None, notes=notes)
    score = score_config(prepared.project.score, minimum)
    return conclude(writer, scorer, minimum=score.minimum, notes=notes)


def _disobeyed(outcome: Outcome) -> tuple[str, ...]:
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


def _stopped(reason: StopReason, writer: LogWriter) -> str:
    words = {
        StopReason.max_time: say("the time limit was reached", "到了时间上限"),
        StopReason.max_cost: say("the cost limit was reached", "到了费用上限"),
        StopReason.cost_unknown: say("a reply did not say what it cost", "有回复没有给出费用"),
        StopReason.interrupt: say("interrupted", "被中断"),
    }
    resume = f"fairtrial run --resume {shlex.quote(str(part_of(writer.path)))}"
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
    limits = _limits(prepared)
    switch = StopSwitch()
    try:
        with _interruptible(switch):
            if until:
                return await until.ask(writer, limits, on_record, switch)
            plan = _plan(prepared)
            # A round begun anew has nothing to be passed over.
            sessions = plan.sessions(writer.is_done) if writer.done else plan.sessions()
            return await run_sessions(sessions, prepared.agent, limits, on_record, switch)
    finally:
        await prepared.agent.close()


@contextmanager
def _interruptible(switch: StopSwitch) -> Iterator[None]:
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
