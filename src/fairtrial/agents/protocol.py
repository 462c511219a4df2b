"""The one protocol between the examiner and whoever is examined.

An agent opens one conversation a session and answers one user turn at a time. It sees the user's words,
an opaque session id and a seed; nothing else of the case.
"""

from enum import StrEnum
from hashlib import blake2b
from typing import Any, Protocol

from fairtrial.schema.record import Frozen, Status, Step, Turn, Usage


class Ability(StrEnum):
    """What an agent offers besides answering; a probe that needs one is not tried on an agent without it."""

    tools = "tools"
    """Its tool calls pass through the examiner's hook."""
    clock = "clock"
    """It takes the time from the examiner, also when it moves."""
    users = "users"
    """It is told who the user is, so that it can know them again in another session."""
    state = "state"
    """It shows its state."""


class Ruling(Frozen, frozen=True, kw_only=True):
    """What becomes of a tool call: it begins `delay` seconds later, or fails with `error` and is not made."""

    delay: float = 0.0
    error: str | None = None
    timeout: bool = False
    """Whether the error is a time-out."""


class ToolHook(Protocol):
    """Through which an agent's tool calls pass, one after another."""

    def before(self, name: str, arguments: Any) -> Ruling:
        """Asked before a call is made."""
        ...

    def after(self, name: str, arguments: Any, result: Any) -> Any:
        """The result as the agent is to see it (JSON-like, as given)."""
        ...


class Opening(Frozen, frozen=True, kw_only=True):
    """What an agent is told when a session begins: an opaque id and a seed of 0 … 2**63 - 1.

    `clock` is the time that it should take for now, ISO 8601 with its zone: the round's fixed one, or the
    present. None where the caller tells none. `user` is an opaque id of the user, the same in each session of
    one case and trial. `tools` is the hook for tool calls; None where nobody listens.
    """

    session: str
    seed: int
    clock: str | None = None
    user: str | None = None
    tools: ToolHook | None = None

    def again(self, number: int, clock: str | None) -> "Opening":
        """The opening of the same user's further session `number` (from 1), of another id and seed.

        They tell nothing of the first to one who knows only them (BLAKE2b, keyed by the first id).
        """
        told = blake2b(str(number).encode(), digest_size=24, key=self.session.encode()).digest()
        seed = int.from_bytes(told[16:]) >> 1
        return Opening(session=told[:16].hex(), seed=seed, clock=clock, user=self.user, tools=self.tools)


class Reply(Frozen, frozen=True, kw_only=True):
    """One answer. `text` is verbatim; everything else is None or empty where the agent does not tell.

    `requests` counts what was sent to get it (a tool loop sends several).
    """

    text: str
    steps: tuple[Step, ...] = ()
    state: object = None
    first_token_seconds: float | None = None
    thinking_seconds: float | None = None
    model: str | None = None
    system_fingerprint: str | None = None
    finish_reason: str | None = None
    usage: Usage | None = None
    requests: int = 1


def told(source: Reply | Turn) -> dict[str, Any]:
    """What the reply of a turn tells besides its text, by the names that both types have for it."""
    return {name: getattr(source, name) for name in _TOLD}


_TOLD = [name for name in Reply.__struct_fields__ if name in Turn.__struct_fields__]


class SessionFailed(Exception):
    """The session cannot go on; `status` says whose fault it is. `kind` is one word, for counting."""

    def __init__(self, status: Status, kind: str, message: str, *, partial: Reply | None = None) -> None:
        super().__init__(message)
        self.status, self.kind, self.message, self.partial = status, kind, message, partial


class Unasked(SessionFailed):
    """The agent said something that nobody asked for: its error, wherever it is noticed."""


class Busy(Exception):
    """The agent asks to be left alone for a while (429, 503); `retry_after` in seconds, None if unsaid."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.message, self.retry_after = message, retry_after


class Conversation(Protocol):
    """One session with an agent. One that inherits from this shows no state and is told no time."""

    async def send(self, text: str) -> Reply:
        """Send one user turn, return the reply. Raises SessionFailed, or Busy (then nothing was lost)."""
        ...

    async def snapshot(self) -> object:
        """The agent's state now, by its hook; None where it has none. Raises whatever the hook raises."""
        return None

    def tell(self, clock: str) -> None:
        """The time, ISO 8601, that the agent is to take for now from the next turn on."""
        return

    async def close(self) -> None:
        """End the session and free what it holds; may be called after a failure or a cancellation."""
        ...


class Agent(Protocol):
    """Whoever is examined."""

    name: str
    """A short label for logs and reports."""
    in_process: bool
    """Whether it runs in the examiner's own process: for development only."""
    abilities: frozenset[Ability] = frozenset()

    async def open(self, opening: Opening) -> Conversation:
        """Begin a session. Raises SessionFailed or Busy."""
        ...

    async def close(self) -> None:
        """Free connections and processes."""
        ...
