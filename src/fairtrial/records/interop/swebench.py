"""SWE-bench result maps: one JSON object, `{instance: resolved or not}`."""

import json
from collections import Counter
from typing import Any

from fairtrial.errors import BadInput
from fairtrial.records.interop.content import Content
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.marks import given
from fairtrial.schema.record import Record, Status
from fairtrial.schema.score import Row
from fairtrial.text.language import say


def matches(content: Content) -> bool:
    """Whether it is an object of nothing but true and false."""
    return content.kind == "object" and all(isinstance(value, bool) for value in content.data.values())


def read(content: Content) -> Foreign:
    """One trial an instance, 1 where it is resolved. An instance that stands there twice is there twice.

    Raises BadInput where the map is empty.
    """
    # What was parsed keeps only the last of two equal keys.
    pairs: list[tuple[str, Any]] = json.loads(content.raw, object_pairs_hook=list)
    if not pairs:
        raise BadInput(say("a result map without an instance", "结果映射中没有实例"), where=str(content.path))
    why = say("resolved or not, as the result map says", "是否解决，由结果映射给出")
    scores = {resolved: given(float(resolved), why) for resolved in (True, False)}
    held: Counter[str] = Counter()
    rows = []
    for instance, resolved in pairs:
        record = Record(case=instance, trial=held[instance], status=Status.completed)
        rows.append(Row(record=record, score=scores[bool(resolved)]))
        held[instance] += 1
    return Foreign(format="swe-bench", rows=tuple(rows), told={"trial_column": False})
