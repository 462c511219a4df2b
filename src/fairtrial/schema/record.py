"""Everything that happened in one session, as a tree: turns, and in each the steps of the agent."""

from enum import StrEnum
from typing import Any

import msgspec


class Status(StrEnum):
    """How a session ended. Only `completed` is an answer; the rest are not wrong answers but none."""

    completed = "completed"
    timeout = "timeout"
    rate_limited = "rate_limited"
    agent_error = "agent_error"
    infra_error = "infra_error"
    user_error = "user_error"
    truncated = "truncated"
    stream_cut = "stream_cut"
    cancelled = "cancelled"

    @property
    def counts(self) -> bool:
        """Whether the session may enter a score."""
        return self is Status.completed


class Frozen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Base of all log types. `kw_only` is not inherited, so each type says it again."""


class Usage(Frozen, frozen=True, kw_only=True):
    """Tokens and money of a reply as its maker reported them. None is unknown, never zero.

    `cached_tokens` are part of the input, `reasoning_tokens` of the output.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None
    cost: float | None = None


class Call(Frozen, frozen=True, kw_only=True, tag_field="step", tag="call"):
    """One tool call: `arguments` as an object, or the raw text where it was not valid JSON."""

    name: str
    arguments: dict[str, Any] | str = {}
    result: Any = None
    error: str | None = None
    id: str | None = None
    seconds: float | None = None


class Say(Frozen, frozen=True, kw_only=True, tag_field="step", tag="say"):
    """Something the agent said or summarised on its way to the reply of the turn."""

    text: str


Step = Call | Say


class Disturbance(Frozen, frozen=True, kw_only=True):
    """A step of a case's `disturb` that took place: its number there, what was done, and which probe
    wanted it.

    `call` is the number of the tool call in its turn that was hit, from 0; `detail` what there is to tell:
    the text that was put in, the seconds away, the result that the tool had truly given.
    """

    step: int
    do: str
    probe: str | None = None
    call: int | None = None
    detail: dict[str, Any] = {}


class Turn(Frozen, frozen=True, kw_only=True):
    """What the user said and what came back; times are seconds, `started` is epoch.

    `reply` is verbatim, None where none came (the session failed, or the user had left). `state` is what
    the agent showed of its state after the turn, None if it shows none. `disturbed` is what was done on
    purpose in or before this turn. `clock` is the time that the agent was told, where it moved. `aside`: a
    question of the examiner's after the case was over, which no rule looks at.
    """

    user: str
    reply: str | None
    steps: tuple[Step, ...] = ()
    state: Any = None
    started: float | None = None
    seconds: float | None = None
    first_token_seconds: float | None = None
    thinking_seconds: float | None = None
    model: str | None = None
    system_fingerprint: str | None = None
    finish_reason: str | None = None
    usage: Usage | None = None
    disturbed: tuple[Disturbance, ...] = ()
    clock: str | None = None
    aside: bool = False


class Snapshot(Frozen, frozen=True, kw_only=True):
    """The agent's state at a named point, after turn number `turn` (from 0); None if it shows none."""

    name: str
    turn: int
    state: Any = None


class Probed(Frozen, frozen=True, kw_only=True):
    """Which probes disturbed the session: `probes` as "name@intensity", under which seed.

    `kept` are the steps left by shrinking, by their number; None for all. `phase` is what the session was
    for: "baseline", "explore", "choose", "shrink", "fresh", "control" or "test".
    """

    probes: tuple[str, ...]
    seed: int
    phase: str
    kept: tuple[int, ...] | None = None


class Failure(Frozen, frozen=True, kw_only=True):
    """Why a session did not complete: the kind of failure in one word, and its message."""

    kind: str
    message: str


class Record(Frozen, frozen=True, kw_only=True):
    """One session. `case` and `trial` (from 0) say which; `session` is the opaque id the agent saw.

    `attempts` counts requests with retries; `waited` is the seconds spent waiting after "too busy",
    which the session's limit does not include. Turns before a failure are kept. `started` and `ended` are
    epoch seconds, None in imported logs that have none. `extra` keeps what another
    tool's file had besides. `snapshots` are states at named points; `unfired` the numbers of the steps of
    `disturb` whose moment never came.
    """

    case: str
    trial: int
    status: Status
    session: str = ""
    seed: int = 0
    started: float | None = None
    ended: float | None = None
    attempts: int = 1
    waited: float = 0.0
    turns: tuple[Turn, ...] = ()
    system: str | None = None
    failure: Failure | None = None
    snapshots: tuple[Snapshot, ...] = ()
    probed: Probed | None = None
    unfired: tuple[int, ...] = ()
    extra: dict[str, Any] = {}

    @property
    def reply(self) -> str:
        """The agent's last reply, "" if there is none."""
        return next((t.reply for t in reversed(self.turns) if t.reply is not None), "")

    @property
    def calls(self) -> tuple[Call, ...]:
        """All tool calls of the session, in order."""
        return tuple(step for turn in self.turns for step in turn.steps if isinstance(step, Call))

    @property
    def state(self) -> Any:
        """The last state that the agent showed, None if it showed none."""
        return next((t.state for t in reversed(self.turns) if t.state is not None), None)
