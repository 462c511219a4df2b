"""A case that waits for a person's yes: where it came from, what was replaced in it, what is doubtful."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field, field_validator

from fairtrial.schema.record import Frozen
from fairtrial.schema.written import Written
from fairtrial.text.language import say


class Replacement(Written):
    """A personal detail and the fiction that stands for it.

    `where` is the place of its first occurrence (`input 1`, `rules`), `digest` a keyed hash of what was
    there: equal ones were the same detail, and without the log it leads nowhere.
    """

    kind: str
    where: str
    fiction: str
    digest: str


class Candidate(Written):
    """A written `case` in the review queue; `origin` is written `from`.

    `why` says why it was made. `doubtful` lists the places that a person must look at before it is accepted,
    `replaced` what stands for personal details.
    """

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True, serialize_by_alias=True)

    case: dict[str, Any]
    why: str
    origin: Annotated[str, Field(alias="from")]
    doubtful: Annotated[tuple[str, ...], Field(strict=False)] = ()
    replaced: Annotated[tuple[Replacement, ...], Field(strict=False)] = ()

    @field_validator("case")
    @classmethod
    def _named(cls, case: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(case.get("id"), str) or not case["id"]:
            raise ValueError(say("the case needs an `id`, a text", "用例需要文本 `id`"))
        return case

    @property
    def id(self) -> str:
        """The id of its case."""
        return str(self.case["id"])


class Gathered(Frozen, frozen=True, kw_only=True):
    """What became of the failures of a log.

    `sessions` were looked at, `failures` of them failed (or were asked for); `files` are those of the
    `candidates`, in their order. The others were left out: `alike` are like one of them, `waiting` in the
    queue, `known` in the case set, `rejected` before.
    """

    log: str
    sessions: int
    failures: int
    files: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    alike: int = 0
    waiting: int = 0
    known: int = 0
    rejected: int = 0


class Decided(Frozen, frozen=True, kw_only=True):
    """Candidates that left the queue: `ids` now, `finished` ones after an earlier decision was cut off."""

    ids: tuple[str, ...]
    finished: tuple[str, ...] = ()
    into: str | None = None
