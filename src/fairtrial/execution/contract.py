"""What every backend of execution is given and gives back: the plan, the limits, the switch, the outcome."""

from collections.abc import Callable, Sequence
from enum import IntEnum, StrEnum
from hashlib import blake2b
from typing import Protocol

from fairtrial.agents.protocol import ToolHook
from fairtrial.schema.record import Disturbance, Frozen, Probed, Turn


class Move(Frozen, frozen=True, kw_only=True):
    """What the user's side does next: says `text`.

    Before it, the clock is `pause` seconds further on, and with `fresh` the conversation was closed and
    another opened. After it, the state is kept under each name of `points`.
    """

    text: str
    disturbed: tuple[Disturbance, ...] = ()
    pause: float = 0.0
    fresh: bool = False
    points: tuple[str, ...] = ()
    aside: bool = False


class UserFailed(Exception):
    """The user's side cannot go on: the session is set aside as `user_error`, or `infra_error` with `infra`.

    `kind` is one word, for counting.
    """

    def __init__(self, kind: str, message: str, *, infra: bool = False) -> None:
        super().__init__(message)
        self.kind, self.message, self.infra = kind, message, infra


class Talk(Protocol):
    """The user's side of one session."""

    tools: ToolHook | None
    """The hook that this session's tool calls pass through; None where nothing is done to them."""

    async def next(self, turns: Sequence[Turn], clock: float) -> Move | None:
        """What comes after these turns, `clock` seconds into the session by the agent's clock; None: it is
        over.

        Raises UserFailed.
        """
        ...

    def hit(self) -> tuple[Disturbance, ...]:
        """What was done to tool calls since this was last asked."""
        ...

    def unfired(self) -> tuple[int, ...]:
        """The steps whose moment has not come."""
        ...

    async def close(self) -> None:
        """Free what it holds; the session is over."""
        ...


class Planned(Frozen, frozen=True, kw_only=True):
    """One session to run. `trial` counts from 0; `session` and `seed` are what the agent is told,
    `user` who it is told the user is.

    `turns` are what the user says; with `talk`, which begins the user's side of it, they are only what it
    begins with. `probed` goes into the record as it is.
    """

    case_id: str
    trial: int
    turns: tuple[str, ...]
    session: str
    seed: int
    user: str | None = None
    talk: Callable[[], Talk] | None = None
    probed: Probed | None = None


class Limits(Frozen, frozen=True, kw_only=True):
    """How much at once and how long, in seconds; None is no limit.

    `session_seconds` of a session do not include the waiting after "too busy". Each request is sent
    again up to `retries` times, `longest_wait` apart at most. `grace` is what an agent gets to obey a
    cancellation, and again to close; `interrupt_grace` what sessions under way get to end after a
    Ctrl-C. `max_time` begins with the call; `max_cost` is in the money of `Usage.cost`. `clock` is the time
    that every session is told, ISO 8601; None is the present.
    """

    concurrency: int = 1
    session_seconds: float = 60.0
    retries: int = 5
    longest_wait: float = 60.0
    grace: float = 5.0
    interrupt_grace: float = 2.0
    max_time: float | None = None
    max_cost: float | None = None
    clock: str | None = None


class StopReason(StrEnum):
    """Why a run ended before its plan did."""

    max_time = "max_time"
    max_cost = "max_cost"
    cost_unknown = "cost_unknown"
    interrupt = "interrupt"


class Urgency(IntEnum):
    """What becomes of the sessions under way; no new one starts with any of these."""

    let_finish = 1
    cancel_soon = 2
    cancel_now = 3
    abort = 4


_URGENCY = {
    StopReason.max_time: Urgency.cancel_now,
    StopReason.max_cost: Urgency.let_finish,
    StopReason.cost_unknown: Urgency.let_finish,
    StopReason.interrupt: Urgency.cancel_soon,
}


class StopSwitch:
    """Stops a run from outside. To be pressed on the event loop's thread (`loop.add_signal_handler`)."""

    def __init__(self) -> None:
        self.reason: StopReason | None = None
        """Of the first press; None while the run may go on."""
        self.urgency: Urgency | None = None
        self._interrupted = False
        self._listener: Callable[[Urgency], None] | None = None

    def press(self, reason: StopReason) -> None:
        """Stop for this reason; the second interrupt aborts. Urgency only ever grows."""
        urgency = _URGENCY[reason]
        if reason is StopReason.interrupt:
            urgency = Urgency.abort if self._interrupted else urgency
            self._interrupted = True
        self.reason = self.reason or reason
        if self.urgency is None or urgency > self.urgency:
            self.urgency = urgency
            if self._listener:
                self._listener(urgency)

    def listen(self, listener: Callable[[Urgency], None] | None) -> None:
        """Have one listener called whenever the urgency grows; None ends it."""
        self._listener = listener


class Outcome(Frozen, frozen=True, kw_only=True):
    """What became of a call: `recorded` sessions were handed on, `cancelled` ones are to be run again.

    `cost` is None if any reply did not tell its own. `unclosed` counts conversations whose close failed
    or had to be cut, `abandoned` agents that did not obey a cancellation and were left behind.
    """

    recorded: int
    cancelled: int
    stopped: StopReason | None
    cost: float | None
    unclosed: int
    abandoned: int
    seconds: float


def plan_session(
    run_seed: int,
    case_id: str,
    trial: int,
    turns: Sequence[str],
    *,
    talk: Callable[[], Talk] | None = None,
    probed: Probed | None = None,
) -> Planned:
    """The session of a case and trial, with the ids and the seed that are its own."""
    return Planned(
        case_id=case_id,
        trial=trial,
        turns=tuple(turns),
        session=session_id(run_seed, case_id, trial),
        seed=session_seed(run_seed, case_id, trial),
        user=_keyed(run_seed, case_id, trial, b"user", 16).hex(),
        talk=talk,
        probed=probed,
    )


def session_seed(run_seed: int, case_id: str, trial: int) -> int:
    """The seed of one session in [0, 2**63), the same in whatever order sessions run (keyed BLAKE2b)."""
    return int.from_bytes(_keyed(run_seed, case_id, trial, b"seed", 8)) >> 1


def session_id(run_seed: int, case_id: str, trial: int) -> str:
    """32 hexadecimal digits that tell neither case nor trial to one who lacks the run's seed."""
    return _keyed(run_seed, case_id, trial, b"session", 16).hex()


def _keyed(run_seed: int, case_id: str, trial: int, purpose: bytes, size: int) -> bytes:
    words = f"{trial}\0{case_id}".encode("utf-8", "surrogatepass")
    return blake2b(words, digest_size=size, key=str(run_seed).encode(), person=purpose).digest()
