"""Sessions of a trace file on their way to rows: numbered and scored, with what their calls tell."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from fairtrial.records.fingerprint import part
from fairtrial.records.interop.conversation import Conversation, Span
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.marks import named_score
from fairtrial.records.interop.shapes import plain
from fairtrial.schema.audit import Fault
from fairtrial.schema.fingerprint import Part, PartName
from fairtrial.schema.record import Record
from fairtrial.schema.score import About, Row


class Sessions:
    """Takes sessions in the order of the file; the n-th of a case is its n-th trial."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._faults: list[Fault] = []
        self._calls: list[Span] = []
        self._held: Counter[str] = Counter()

    def add(
        self,
        record: Record,
        told: Conversation,
        *,
        scores: Mapping[str, Any],
        where: str,
        about: About | None = None,
        trial: Any = None,
    ) -> None:
        """A session with its scores by name; `trial` is its number where the file has one."""
        given = isinstance(trial, int) and trial >= 0
        record = msgspec.structs.replace(record, trial=trial if given else self._held[record.case])
        self._held[record.case] += 1
        score = named_score(scores, case=record.case, where=where, faults=self._faults)
        self.rows.append(Row(record=record, score=score, about=about or About()))
        self._calls += told.calls

    def foreign(self, name: str, *, told: Mapping[str, Any], parts: Mapping[str, Part]) -> Foreign:
        """All of them as a file of the format `name`, which tells this besides."""
        return Foreign(
            format=name,
            rows=tuple(self.rows),
            faults=tuple(self._faults),
            parts={**_parts(self._calls, (row.record.system for row in self.rows)), **parts},
            told=told,
            raw_output=any(turn.reply for row in self.rows for turn in row.record.turns),
        )


def _parts(calls: Iterable[Span], systems: Iterable[str | None]) -> dict[str, Part]:
    """What model calls tell of the environment; a part of which they tell nothing is not there."""
    calls = list(calls)
    models = sorted({call.model for call in calls if call.model})
    reported = sorted({call.reported for call in calls if call.reported})
    prompts = sorted({system for system in systems if system})
    sampling = _distinct(call.sampling for call in calls if call.sampling)
    tools = _distinct(call.tools for call in calls if call.tools)
    found = (
        (PartName.model, models, ", ".join(models)),
        # As a log of ours has it: versions with their system fingerprints.
        (PartName.reported, [[model, ""] for model in reported], ", ".join(reported)),
        (PartName.prompt, prompts, " | ".join(prompt[:60] for prompt in prompts[:2])),
        (PartName.sampling, sampling, ", ".join(map(plain, sampling[:2]))),
        (PartName.tools, tools, f"{len(tools)}"),
    )
    return {name: part(value, says) for name, value, says in found if value}


def _distinct(values: Iterable[Any]) -> list[Any]:
    return [value for _, value in sorted({plain(value): value for value in values}.items())]
