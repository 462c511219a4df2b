"""The one protocol between the examiner and whoever is examined.

An agent opens one conversation a session and answers one user turn at a time. It sees the user's words,
an opaque session id and a seed; nothing else of the case.
"""

from typing import Any, Protocol

from fairtrial.schema.record import Frozen, Status, Step, Turn, Usage


class Opening(Frozen, frozen=True, kw_only=True):
    """What an agent is told when a session begins: an opaque id and a seed of 0 … 2**63 - 1.

    `clock` is the time that it should take for now, ISO 8601 with its zone: the round's fixed one, or the
    present. None where the caller tells none.
    """

    session: str
    seed: int
    clock: str | None = None


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


class Busy(Exception):
    """The agent asks to be left alone for a while (429, 503); `retry_after` in seconds, None if unsaid."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.message, self.retry_after = message, retry_after


class Conversation(Protocol):
    """One session with an agent."""

    async def send(self, text: str) -> Reply:
        """Send one user turn, return the reply. Raises SessionFailed, or Busy (then nothing was lost)."""
        ...

    async def close(self) -> None:
        """End the session and free what it holds; may be called after a failure or a cancellation."""
        ...


class Agent(Protocol):
    """Whoever is examined."""

    name: str
    """A short label for logs and reports."""
    in_process: bool
    """Whether it runs in the examiner's own process: for development only."""

    async def open(self, opening: Opening) -> Conversation:
        """Begin a session. Raises SessionFailed or Busy."""
        ...

    async def close(self) -> None:
        """Free connections and processes."""
        ...
