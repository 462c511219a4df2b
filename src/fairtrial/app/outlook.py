"""What a round is going to do, in one line: said before it does it."""

from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.agents.config import AgentConfig
from fairtrial.app.prepare import Prepared
from fairtrial.text.language import say


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
    """That of the agent; whoever plays a user is not in it."""
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

    @property
    def longest(self) -> str:
        """How long it takes at most."""
        seconds = -(-(self.sessions - self.done) // self.concurrency) * self.timeout
        return _span(seconds if self.max_time is None else min(seconds, self.max_time))

    def text(self) -> str:
        """The plan in one line: sessions, time, cost as far as it is known."""
        return say(
            f"{_many(self.cases, 'case')} × {_many(self.trials, 'trial')} = {_many(self.sessions, 'session')}"
            + (f", {self.done} of them done" if self.done else "")
            + f"; {self.agent}, {self.concurrency} at a time; at most {self.longest}; cost {self.cost}"
            + (f"; until decided, looks after cases {_listed(self.looks)}" if self.looks else "")
            + (f"; before it {_many(self.canaries, 'canary session')} more" if self.canaries else ""),
            f"{self.cases} 个用例 × {self.trials} 次 = {self.sessions} 个会话"
            + (f"，其中 {self.done} 个已完成" if self.done else "")
            + f"；{self.agent}，并发 {self.concurrency}；最长 {self.longest}；费用{self.cost}"
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


def cost_of(config: AgentConfig) -> str:
    """What is known beforehand of the cost of asking."""
    return {
        True: say("counted as it is spent", "随用随计"),
        False: say("unknown", "未知"),
        None: say("none", "无"),
    }[config.tells_cost]


def outlook_of(prepared: Prepared, *, done: int = 0, looks: Sequence[int] = (), canaries: int = 0) -> Outlook:
    """Of a round that may begin, or of which `done` sessions are done."""
    run = prepared.run
    apart = (
        say(", without whoever plays the users", "，不含扮演用户的一方")
        if prepared.player is not None
        else ""
    )
    return Outlook(
        cases=len(prepared.case_set.cases),
        trials=prepared.trials,
        done=done,
        concurrency=run.concurrency,
        timeout=run.timeout,
        max_time=run.max_time,
        cost=cost_of(prepared.agent_config) + apart,
        agent=prepared.agent.name,
        pass_at=prepared.project.score.pass_at,
        looks=looks,
        canaries=canaries,
    )
