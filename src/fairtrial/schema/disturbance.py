"""What is done to a session on purpose, step by step, as probes and people write it into a case."""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from fairtrial.schema.written import Written
from fairtrial.text.language import say

_Text = Annotated[str, Field(min_length=1)]
_Turn = Annotated[int, Field(ge=0)]
_Nth = Annotated[int, Field(ge=1)]
_Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Step(Written):
    """Turns are those of the case's `input`, from 0, whatever else is said between them.

    `probe` names who put the step there, None where a person did.
    """

    probe: str | None = None


class Edit(_Step):
    """The characters [`start`, `end`) of a turn become `text`; where both are equal, `text` is put in."""

    do: Literal["edit"]
    turn: _Turn = 0
    start: _Turn
    end: _Turn
    text: str

    @model_validator(mode="after")
    def _changes(self) -> "Edit":
        if self.end < self.start or (self.end == self.start and not self.text):
            raise ValueError(say("`edit` changes nothing", "`edit` 什么也没有改"))
        return self


class Split(_Step):
    """A turn is said in two, parted before the character `at`."""

    do: Literal["split"]
    turn: _Turn = 0
    at: _Nth


class Utter(_Step):
    """The user says something besides, as a turn of its own, at the first moment that fits.

    Exactly one of: `before` a turn (the number of turns means after the last), `after_tool` was called for
    the `nth` time, `after_seconds` by the clock that the agent is told.
    """

    do: Literal["utter"]
    text: _Text
    before: _Turn | None = None
    after_tool: str | None = None
    nth: _Nth = 1
    after_seconds: _Seconds | None = None

    @model_validator(mode="after")
    def _one_moment(self) -> "Utter":
        if sum(moment is not None for moment in (self.before, self.after_tool, self.after_seconds)) != 1:
            raise ValueError(
                say(
                    "`utter` needs one of `before`, `after_tool`, `after_seconds`",
                    "`utter` 需要 `before`、`after_tool`、`after_seconds` 之一，且只能有一个",
                )
            )
        return self


class Pause(_Step):
    """Before a turn the user is away for so many seconds (30 years at most): the clock is moved, nobody
    waits."""

    do: Literal["pause"]
    before: _Turn
    seconds: Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]


class NewSession(_Step):
    """Before a turn the conversation ends and another begins, with the same user."""

    do: Literal["new_session"]
    before: _Turn


class FaultKind(StrEnum):
    """How a tool fails. A call that times out or errs is not made; the others change what the agent sees."""

    timeout = "timeout"
    error = "error"
    slow = "slow"
    empty = "empty"
    malformed = "malformed"
    wrong_type = "wrong_type"
    partial = "partial"
    stale = "stale"
    injection = "injection"


class Fault(_Step):
    """Calls number `nth` to `nth + times - 1` of `tool` (None: of any) go wrong.

    `text` is the message of an error, or what an injection adds to the result; `seconds` is how long a slow
    call takes.
    """

    do: Literal["fault"]
    fault: FaultKind
    tool: str | None = None
    nth: _Nth = 1
    times: _Nth = 1
    text: str | None = None
    seconds: _Seconds | None = None

    @model_validator(mode="before")
    @classmethod
    def _kind(cls, data: Any) -> Any:
        """A file has the fault's name as a text."""
        if isinstance(data, dict) and data.get("fault") in set(FaultKind):
            return {**data, "fault": FaultKind(data["fault"])}
        return data

    @model_validator(mode="after")
    def _says(self) -> "Fault":
        if self.fault is FaultKind.injection and not self.text:
            raise ValueError(say("`injection` needs `text`", "`injection` 需要 `text`"))
        return self


class Point(_Step):
    """The agent's state after a turn is kept under a name."""

    do: Literal["snapshot"]
    after: _Turn
    name: _Text


Step = Annotated[
    Edit | Split | Utter | Pause | NewSession | Fault | Point,
    Field(discriminator="do"),
]
