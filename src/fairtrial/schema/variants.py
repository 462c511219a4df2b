"""Variants of weak cases: which kinds there are, and what came of an expansion."""

from typing import Literal

from fairtrial.schema.record import Frozen

VariantType = Literal["colloquial", "complaint", "typos", "chatter", "mixed"]
"""How a variant is worded: spoken, with a complaint beside the matter, mistyped, with idle talk, in two
languages at once."""


class Draft(Frozen, frozen=True, kw_only=True):
    """A proposed variant: the texts of its turns, and the kind that it is said to be."""

    question: tuple[str, ...]
    variant_type: str


class Refused(Frozen, frozen=True, kw_only=True):
    """What did not get into the queue, and why. `question` is empty where a whole reply was refused."""

    question: tuple[str, ...]
    variant_type: str | None
    why: str


class Expanded(Frozen, frozen=True, kw_only=True):
    """What came of one case: `asked` variants were wanted, `waiting` of them were there before, in the set or
    in the queue, `kept` are the ids of the new ones.
    """

    case: str
    asked: int
    waiting: int
    kept: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()

    @property
    def short(self) -> int:
        """How many are missing."""
        return self.asked - self.waiting - len(self.kept)


class Expansion(Frozen, frozen=True, kw_only=True):
    """What came of an expansion. `writer` is a model's name, or `rules`.

    `requests` were answered `answered` times; `cost` is their money, None where a reply did not tell it.
    `queue` is the folder of the candidates; `stopped` whether somebody stopped it.
    """

    writer: str
    queue: str
    cases: tuple[Expanded, ...]
    requests: int = 0
    answered: int = 0
    cost: float | None = 0.0
    stopped: bool = False

    @property
    def exit_code(self) -> int:
        """0; 3 where a case got fewer than were asked for, 4 where no request was answered."""
        if self.requests and not self.answered:
            return 4
        return 3 if any(case.short for case in self.cases) else 0
