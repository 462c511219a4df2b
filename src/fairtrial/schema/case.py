"""One thing asked: turns of a user, rules that judge the answer, and what the figures are grouped by."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from fairtrial.schema.disturbance import Step
from fairtrial.schema.rule import Rule
from fairtrial.schema.user import User
from fairtrial.schema.written import Written
from fairtrial.text.language import say

_Strings = Annotated[tuple[str, ...], Field(strict=False)]
_Name = Annotated[str, Field(min_length=1)]

Kind = Literal["regression", "natural", "incident", "boundary", "bad", "holdout"]
"""What a case is kept for: its `set`."""


def _day(text: str) -> str:
    try:
        if date.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    raise ValueError(
        say(f"a day is written as 2026-11-30, not {text!r}", f"日期应写成 2026-11-30，而不是 {text!r}")
    )


Day = Annotated[str, AfterValidator(_day)]
"""A day, ISO 8601."""


class Called(Written):
    """A tool call of a reference answer."""

    name: _Name
    arguments: dict[str, Any] = {}
    result: Any = None


class Answer(Written):
    """What a right agent replies in one turn: its text, the tools it called before, its state after."""

    text: str = ""
    calls: Annotated[tuple[Called, ...], Field(strict=False)] = ()
    state: Any = None


class Case(Written):
    """A case as the rest of the house sees it; `cases.load` makes it from any of the written forms.

    `weight` > 0 is its share in `ret_ratio` (core 3, edge 1 by convention). `criteria` are sentences
    for a judge: kept, never scored. `context` and `key_facts` are what an answer may draw on.
    `cluster` names cases that share a source or template and are therefore not independent; without one,
    those of one `source` are.

    `user` speaks after `input`. `disturb` is what is done to the session on purpose. `least_calls` is the
    smallest number of tool calls that it takes. `passes` is what it takes to pass several trials, "8 of 10".

    `reference` is a right answer, turn by turn, or of the last turn alone. `created` is the day when the case
    was written, `observed` the day when a user said so. `parent` is the case, as `ID@VERSION`, of which this
    one is a variant of the type `variant_type`.
    """

    id: _Name
    input: Annotated[tuple[_Name, ...], Field(min_length=1, strict=False)]
    rules: Annotated[tuple[Rule, ...], Field(strict=False)]
    criteria: _Strings = ()
    weight: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    tags: _Strings = ()
    context: str | None = None
    key_facts: _Strings = ()
    severity: str | None = None
    expected_score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None
    set: Kind | None = None
    task_type: str | None = None
    difficulty: str | None = None
    cluster: str | None = None
    source: str | None = None
    user: User | None = None
    disturb: Annotated[tuple[Step, ...], Field(strict=False)] = ()
    least_calls: Annotated[int, Field(ge=1)] | None = None
    passes: Annotated[str, Field(pattern=r"^[1-9][0-9]* of [1-9][0-9]*$")] | None = None
    reference: Annotated[tuple[Answer, ...], Field(strict=False)] = ()
    parent: str | None = None
    variant_type: str | None = None
    # Bookkeeping of a reviewed set, kept as written.
    version: int | str | None = None
    created: Day | None = None
    observed: Day | None = None
    created_by: str | None = None
    reviewed_by: str | None = None
    changelog: Annotated[tuple[Any, ...], Field(strict=False)] = ()

    @property
    def kin(self) -> str:
        """What it shares with cases that it is not independent of: its cluster, else source, else its id."""
        return self.cluster or self.source or self.id

    @property
    def edition(self) -> str:
        """As `parent` names it: `ID@VERSION`, its id alone where it has no version."""
        return self.id if self.version is None else f"{self.id}@{self.version}"


class CaseSet(BaseModel):
    """Cases in the order of their files, the paths they came from, and a digest of what was asked.

    `digest` is a SHA-256 over the cases' content (ids, inputs, rules, weights …), so that a comment or
    the order of keys in a file does not change it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    cases: tuple[Case, ...]
    paths: tuple[str, ...]
    digest: str

    def by_id(self) -> dict[str, Case]:
        """The cases by their id."""
        return {case.id: case for case in self.cases}
