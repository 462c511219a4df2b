"""The figures of agents at work: what was reached, how the tools were used, what was remembered and spent."""

from enum import StrEnum
from typing import Literal

from fairtrial.schema.evidence import Estimate
from fairtrial.schema.record import Frozen


class Metric(StrEnum):
    """What is measured; the formulas are in docs/metrics.md."""

    task_completion = "task_completion"
    pass_hat_k = "pass_hat_k"
    state_updated = "state_updated"
    tool_effectiveness = "tool_effectiveness"
    useless_calls = "useless_calls"
    failure_recovery = "failure_recovery"
    key_information = "key_information"
    memory_retention = "memory_retention"
    steps = "steps"
    latency = "latency"
    first_token = "first_token"
    input_tokens = "input_tokens"
    output_tokens = "output_tokens"
    cost = "cost"


class NotJudged(StrEnum):
    """Why a session, call, fact or reply is in no figure of a metric."""

    not_completed = "not_completed"
    no_score = "no_score"
    case_at_fault = "case_at_fault"
    no_rule = "no_rule"
    no_call = "no_call"
    no_result = "no_result"
    failed = "failed"
    nothing_to_use = "nothing_to_use"
    no_failure = "no_failure"
    no_key_facts = "no_key_facts"
    no_fact = "no_fact"
    neither = "neither"
    goal_not_reached = "goal_not_reached"
    no_least = "no_least"
    untold = "untold"


class Verdict(Frozen, frozen=True, kw_only=True):
    """A person's finding on a session: whose fault a miss was; `score` is the right one if it was said."""

    fault: Literal["agent", "scorer", "case"]
    score: float | None = None

    def reached(self, by_rules: bool | None, pass_at: float) -> bool | None:
        """Whether the goal was reached; None where the case is at fault, or the rules said nothing either."""
        if self.fault == "agent":
            return False
        if self.fault == "case":
            return None
        if self.score is not None:
            return self.score >= pass_at
        return None if by_rules is None else not by_rules


class Against(Frozen, frozen=True, kw_only=True):
    """A session that counts against a metric, and why. `trial` is from 0, as in its record."""

    case: str
    trial: int
    why: str


class Share(Frozen, frozen=True, kw_only=True):
    """The metric in a part of the cases, or (kind "distance", "k") at so many turns or for so many trials."""

    kind: str
    name: str
    estimate: Estimate


class Measured(Frozen, frozen=True, kw_only=True):
    """One metric: its mean and interval in its own unit ("share", "ratio", "seconds", "tokens", "money").

    `counted` is how many of what it counts were judged (sessions, calls, facts, replies), `not_judged` how
    many were not, by reason. `details` are further numbers, listed in docs/metrics.md; None is not known.
    """

    name: Metric
    unit: str
    estimate: Estimate
    counted: int
    not_judged: dict[NotJudged, int] = {}
    details: dict[str, int | float | None] = {}
    against: tuple[Against, ...] = ()
    buckets: tuple[Share, ...] = ()


class Metrics(Frozen, frozen=True, kw_only=True):
    """All metrics of the `sessions` of a log."""

    sessions: int
    metrics: tuple[Measured, ...]
