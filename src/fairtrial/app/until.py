"""`run --until-decided`: ask block by block, look after each, stop when the question is settled."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from fairtrial.app.fingerprint import named
from fairtrial.app.prepare import Choices, Prepared
from fairtrial.app.show import OpenLog, open_log
from fairtrial.app.talks import talks
from fairtrial.cases.select import select
from fairtrial.errors import BadInput
from fairtrial.evidence.until import Course, Question, course_of, decision, look, mean_scores, settles
from fairtrial.execution.contract import Limits, Outcome, StopSwitch
from fairtrial.execution.local import run_sessions
from fairtrial.execution.plan import Plan
from fairtrial.records.fingerprint import changed_parts
from fairtrial.records.history import NAME, read_history, rounds
from fairtrial.records.log import LogWriter
from fairtrial.schema.evidence import Header, Look
from fairtrial.schema.fingerprint import Fingerprint, PartName
from fairtrial.schema.record import Record
from fairtrial.text.language import say

_AGENTS_SIDE = frozenset(PartName) - {PartName.cases, PartName.scorer, PartName.judge}


@dataclass(kw_only=True)
class Until:
    """A round under way towards its answer. The log holds all of it: resumed, it takes its looks anew."""

    prepared: Prepared
    question: Question
    course: Course
    plan: Plan
    base: OpenLog | None
    looks: list[Look] = field(default_factory=list)

    @property
    def settled(self) -> bool:
        """Whether there is an answer, or no look left to give one."""
        return bool(self.looks) and (settles(self.looks[-1]) or len(self.looks) == len(self.course.looks))

    def require_alike(self, fingerprint: Fingerprint) -> None:
        """Both rounds are examined alike, whatever differs on the agent's side. Raises BadInput."""
        if self.base is None:
            return
        before = self.base.header.fingerprint
        if before is None:
            raise BadInput(
                say("no fingerprint, no discussion", "没有指纹，不予讨论"),
                where=str(self.base.path),
                how=say("name another round: --against LOG", "请用 --against LOG 另选一轮"),
            )
        if found := changed_parts(before, fingerprint, without=_AGENTS_SIDE):
            raise BadInput(
                say("not examined alike: ", "考查方式不同：") + named(found),
                where=str(self.base.path),
                how=say(
                    "name a round of these cases and this scorer: --against LOG",
                    "请用 --against LOG 指定同样用例、同样评分器的一轮",
                ),
            )

    def begun(self, header: Header) -> Header:
        """The running header, from which the round can be resumed."""
        asked = {
            "base": str(self.base.path.resolve()) if self.base else None,
            "run": self.question.run,
            "minimum": self.question.minimum if self.base is None else None,
        }
        return msgspec.structs.replace(
            header,
            config=header.config | {"until": asked},
            decision=decision(self.question, self.course, ()),
        )

    def ended(self, header: Header) -> Header:
        """The header to conclude with: of the cases that were asked, with the answer."""
        asked = self.course.cases[: self.looks[-1].cases]
        config = header.config
        if len(asked) < len(self.course.cases):
            chosen = select(self.prepared.case_set, ids=[case.id for case in asked])
            ids = [case.id for case in chosen.cases]
            config = config | {"cases": {"digest": chosen.digest, "ids": ids, "n": len(ids)}}
        found = decision(self.question, self.course, self.looks)
        return msgspec.structs.replace(
            header, config=config, decision=found, notes=(*header.notes, *_pulled(self, len(asked)))
        )

    async def ask(
        self,
        writer: LogWriter,
        limits: Limits,
        on_record: Callable[[Record], None],
        switch: StopSwitch,
    ) -> Outcome:
        """Run the sessions up to each look in turn, as far as it takes. Limits hold over all of them."""
        outcomes: list[Outcome] = []
        for cases in self.course.looks:
            first = cases * self.prepared.trials
            missing = self.plan.sessions(writer.is_done, first=first)
            within = left(limits, outcomes)
            outcomes.append(await run_sessions(missing, self.prepared.agent, within, on_record, switch))
            if next(self.plan.sessions(writer.is_done, first=first), None) is not None:
                break
            self._look(writer, cases)
            if self.settled or switch.reason:
                break
        return together(outcomes)

    def _look(self, writer: LogWriter, cases: int) -> None:
        seen = {case.id for case in self.course.cases[:cases]}
        scores = mean_scores(row for row in writer.rows() if row.record.case in seen)
        z = self.question.z(scores, self.prepared.scorer.about)
        self.looks.append(look(self.question, self.course, self.looks, z))


def begin(prepared: Prepared, choices: Choices) -> Until:
    """The round that `choices` ask for. Raises BadInput where there is nothing to decide against."""
    if prepared.run.mode == "quick":
        raise BadInput(
            say("a quick round decides nothing", "快速回归不作判定"),
            where="--until-decided",
            how=say("use --mode full", "请用 --mode full"),
        )
    if choices.against is not None:
        return _against(prepared, open_log(choices.against))
    if choices.minimum is not None:
        return _above(prepared, choices.minimum)
    base = _last(prepared)
    if base is None:
        raise BadInput(
            say(
                "nothing to decide against: no reliable full round of this case set",
                "没有可比的基准：这个问题集还没有可信的完整一轮",
            ),
            where="--until-decided",
            how=say(
                "name one: --against LOG; or ask whether ret_ratio is above a --minimum",
                "用 --against LOG 指定；或用 --minimum 问 ret_ratio 是否高于下限",
            ),
        )
    return _against(prepared, base)


def again(prepared: Prepared, header: Header) -> Until:
    """The round that a part file's header tells of. Raises BadInput where its base is no more."""
    asked: dict[str, Any] = header.config["until"]
    if asked["base"] is None:
        return _above(prepared, asked["minimum"])
    base = open_log(Path(asked["base"]))
    if base.header.run != asked["run"]:
        raise BadInput(
            say(f"the base is another round now, {base.header.run}", f"基准已是另一轮：{base.header.run}"),
            where=asked["base"],
            how=say(f"put back the log of {asked['run']}", f"请放回 {asked['run']} 的日志"),
        )
    return _against(prepared, base)


def _last(prepared: Prepared) -> OpenLog | None:
    for past in reversed(rounds(read_history(prepared.out / NAME))):
        log = prepared.out / past.log
        if past.set_digest == prepared.case_set.digest and log.is_file():
            return open_log(log)
    return None


def _against(prepared: Prepared, base: OpenLog) -> Until:
    stopped = base.header.decision is not None and base.header.decision.stopped_early
    if base.header.status != "reliable" or stopped:
        raise BadInput(
            say(
                "nothing can be decided against this: no reliable whole round",
                "不能以它为准：不是可信的完整一轮",
            ),
            where=str(base.path),
            how=say("name another: --against LOG", "请用 --against LOG 另选一份"),
        )
    scores = mean_scores(base.rows())
    if not any(case.id in scores for case in prepared.case_set.cases):
        raise BadInput(
            say("no case of this set has a score in the base", "基准中没有本问题集任何用例的得分"),
            where=str(base.path),
            how=say("name another: --against LOG", "请用 --against LOG 另选一份"),
        )
    return _until(prepared, Question(base=scores, run=base.header.run), base)


def _above(prepared: Prepared, minimum: float) -> Until:
    if not 0 < minimum < 1:
        raise BadInput(
            say("nothing lies on both sides of this minimum", "这个下限的两侧不可能都有值"),
            where="--minimum",
            how=say("give one between 0 and 1", "请给出 0 与 1 之间的数"),
        )
    return _until(prepared, Question(minimum=minimum), None)


def _until(prepared: Prepared, question: Question, base: OpenLog | None) -> Until:
    course = course_of(prepared.case_set.cases, prepared.scorer.about, prepared.run.seed)
    plan = Plan(
        course.cases,
        trials=prepared.trials,
        run_seed=prepared.run.seed,
        whole_cases=True,
        talk=talks(prepared),
    )
    return Until(prepared=prepared, question=question, course=course, plan=plan, base=base)


def left(limits: Limits, outcomes: Sequence[Outcome]) -> Limits:
    """What is left of the limits of the call after some blocks."""
    spent = sum(outcome.seconds for outcome in outcomes)
    # Where cost has a limit, one that is not told stops the round: none of these blocks has any.
    cost = sum(outcome.cost for outcome in outcomes if outcome.cost is not None)
    return msgspec.structs.replace(
        limits,
        max_time=None if limits.max_time is None else max(0.0, limits.max_time - spent),
        max_cost=None if limits.max_cost is None else limits.max_cost - cost,
    )


def together(outcomes: Sequence[Outcome]) -> Outcome:
    """What became of several blocks as of one."""
    costs = [outcome.cost for outcome in outcomes]
    known = [cost for cost in costs if cost is not None]
    return Outcome(
        recorded=sum(outcome.recorded for outcome in outcomes),
        cancelled=sum(outcome.cancelled for outcome in outcomes),
        stopped=outcomes[-1].stopped,
        cost=sum(known) if len(known) == len(costs) else None,
        unclosed=sum(outcome.unclosed for outcome in outcomes),
        abandoned=sum(outcome.abandoned for outcome in outcomes),
        seconds=sum(outcome.seconds for outcome in outcomes),
    )


def _pulled(until: Until, asked: int) -> tuple[str, ...]:
    saved = (len(until.course.cases) - asked) * until.prepared.trials
    if not saved:
        return ()
    return (
        say(
            f"run until decided: {saved} sessions were not asked. Where it stopped depends on its figures, "
            "so they do not enter the history; quote the answer, not the difference.",
            f"问到有定论为止：少问了 {saved} 个会话。停在哪里取决于指标本身，因此指标不进入历史；"
            "请引用结论，不要引用差值。",
        ),
    )
