"""SWE-bench results: a map `{instance: resolved or not}`, or the report of the benchmark's own harness."""

import json
from collections import Counter

from fairtrial.records.interop.content import Content, broken
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.marks import given, withheld
from fairtrial.records.interop.shapes import as_count, as_list
from fairtrial.schema.record import Failure, Record, Status
from fairtrial.schema.score import Row, Score
from fairtrial.text.language import say

_OUTCOMES = {"resolved_ids": True, "unresolved_ids": False, "empty_patch_ids": False, "error_ids": None}
"""Lists of a report. An empty patch is an answer that resolves nothing; an error is the harness's."""


def matches(content: Content) -> bool:
    """Whether it is an object of nothing but true and false, or a report."""
    if content.kind != "object" or not content.data:
        return False
    report = {"resolved_ids", "unresolved_ids", "total_instances"} <= content.data.keys()
    return report or all(isinstance(value, bool) for value in content.data.values())


def read(content: Content) -> Foreign:
    """One trial an instance, 1 where it is resolved. An instance that stands there twice is there twice.

    Planned are all instances of a report's data set, those that were not handed in too. Raises BadInput for
    a report whose instances are no text.
    """
    if "resolved_ids" not in content.data:
        # What was parsed keeps only the last of two equal keys.
        pairs: list[tuple[str, bool | None]] = json.loads(content.raw, object_pairs_hook=list)
        return Foreign(format="swe-bench", rows=_rows(pairs), told={"trial_column": False})
    pairs = [(one, done) for name, done in _OUTCOMES.items() for one in as_list(content.data.get(name))]
    if not all(isinstance(instance, str) for instance, _ in pairs):
        raise broken(say("an instance that is no text", "有实例不是文本"), str(content.path))
    return Foreign(
        format="swe-bench",
        rows=_rows(pairs),
        planned=as_count(content.data["total_instances"]),
        told={key: value for key, value in content.data.items() if key not in _OUTCOMES}
        | {"trial_column": False},
    )


def _rows(pairs: list[tuple[str, bool | None]]) -> tuple[Row, ...]:
    why = say("resolved or not, as the file says", "是否解决，由文件给出")
    failed = say("the harness could not evaluate it", "评测程序未能完成评测")
    scores: dict[bool | None, Score] = {done: given(float(done), why) for done in (True, False)}
    scores[None] = withheld(failed)
    held: Counter[str] = Counter()
    rows = []
    for instance, done in pairs:
        record = Record(
            case=instance,
            trial=held[instance],
            status=Status.completed if done is not None else Status.infra_error,
            failure=None if done is not None else Failure(kind="error", message=failed),
        )
        rows.append(Row(record=record, score=scores[done]))
        held[instance] += 1
    return tuple(rows)
