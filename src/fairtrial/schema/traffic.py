"""A dialogue as it took place with a real user: who said what, and how it ended, where anybody marked it."""

from typing import Literal

from fairtrial.schema.record import Frozen

Role = Literal["user", "assistant", "system", "tool"]

SATISFIED_FROM = 0.7
"""Share of a scale from which its user was satisfied: 4 and 5 of 5 (0.75 and 1), as surveys count."""
DISSATISFIED_TO = 0.3
"""Share of a scale up to which its user was not: 1 and 2 of 5 (0 and 0.25). Between the two: neither."""


class Said(Frozen, frozen=True, kw_only=True):
    """One message of a dialogue, as text."""

    role: Role
    text: str


class Dialogue(Frozen, frozen=True, kw_only=True):
    """One live dialogue. What nobody marked is None, which is never to be read as dissatisfied.

    `satisfaction` is in [0, 1]: 0 the lowest mark of its scale, 1 the highest. `resolved`: whether the user's
    matter was settled. `at` is the day, or day and time, ISO 8601. `intent` is the task type that it was
    given online, `version` that of the agent. `line` is its line in the file, from 1.
    """

    id: str
    line: int
    messages: tuple[Said, ...]
    satisfaction: float | None = None
    resolved: bool | None = None
    at: str | None = None
    intent: str | None = None
    version: str | None = None

    @property
    def asked(self) -> tuple[str, ...]:
        """What the user said, turn by turn; empty where it is the user who never spoke."""
        return tuple(one.text for one in self.messages if one.role == "user")

    @property
    def day(self) -> str | None:
        """The day it took place, as it is written there."""
        return self.at[:10] if self.at else None

    @property
    def satisfied(self) -> bool | None:
        """By the mark of satisfaction; a middling one is not satisfied. None where there is none."""
        return None if self.satisfaction is None else self.satisfaction >= SATISFIED_FROM

    @property
    def dissatisfied(self) -> bool:
        """Marked as dissatisfied, or as unresolved and not as satisfied. An unmarked one never is."""
        if self.satisfaction is not None and self.satisfaction <= DISSATISFIED_TO:
            return True
        return self.resolved is False and not self.satisfied
