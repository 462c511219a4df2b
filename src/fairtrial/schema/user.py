"""Who speaks after the turns that a case fixes: a table that reacts to the agent, or a model with a brief."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from fairtrial.schema.written import Written
from fairtrial.text.language import say

_Text = Annotated[str, Field(min_length=1)]


class When(Written):
    """What must be so; all that is written must hold.

    `reply` is an RE2 pattern searched in the last reply; `asks` a kind of information that the last reply
    asks for; `tool` was called in this session; the agent's state at `path` exists, or equals `equals`.
    """

    reply: _Text | None = None
    asks: Literal["date", "amount", "order_number", "phone", "place"] | None = None
    tool: _Text | None = None
    path: _Text | None = None
    equals: Any = None

    @model_validator(mode="after")
    def _some(self) -> "When":
        if not self.model_fields_set:
            raise ValueError(say("`when` says nothing", "`when` 没有写任何条件"))
        return self

    @property
    def compares(self) -> bool:
        """Whether `equals` was written (null is a value too)."""
        return "equals" in self.model_fields_set


class Answer(Written):
    """One row: when it fits the user says `say`, up to `times` times; `late` the first so many chances
    pass."""

    when: When
    say: _Text
    late: Annotated[int, Field(ge=0)] = 0
    times: Annotated[int, Field(ge=1)] = 1


class Table(Written):
    """The first row that fits speaks. Where none fits, the user says `otherwise`, or leaves.

    Once every row has spoken as often as it may, the user leaves too.
    """

    kind: Literal["table"] = "table"
    answers: Annotated[tuple[Answer, ...], Field(min_length=1, strict=False)]
    otherwise: _Text | None = None
    max_turns: Annotated[int, Field(ge=1, le=100)] = 8


class Persona(Written):
    """A model plays somebody with a goal that it must not leave, and with facts that it may tell.

    `facts` are all the particulars (numbers, dates, amounts …) that it may say beside those of the fixed
    turns and those that the agent told it.
    """

    kind: Literal["persona"]
    persona: _Text
    goal: _Text
    facts: Annotated[tuple[_Text, ...], Field(strict=False)] = ()
    max_turns: Annotated[int, Field(ge=1, le=100)] = 8


User = Annotated[Table | Persona, Field(discriminator="kind")]
