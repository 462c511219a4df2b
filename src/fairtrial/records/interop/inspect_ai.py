"""Logs of Inspect: `.eval` (a zip with a header and one file a sample) and `.json` (one object)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from fairtrial.records.interop import chat
from fairtrial.records.interop.content import Content, broken
from fairtrial.records.interop.failures import failed
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.inspect_parts import parts_of
from fairtrial.records.interop.marks import NoScore, mark, withheld
from fairtrial.records.interop.messages import of_list, system_of
from fairtrial.records.interop.shapes import (
    as_count,
    as_dict,
    as_list,
    as_number,
    as_text,
    as_time,
    dig,
    plain,
    usage_of,
    without_none,
)
from fairtrial.schema.audit import Fault
from fairtrial.schema.record import Failure, Record, Status, Turn
from fairtrial.schema.score import Hit, Row, Score, Unscored
from fairtrial.text.language import say

_HEADERS = ("header.json", "_journal/start.json")
"""The second is all that an evaluation has which did not end."""

_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partly, incorrect, no answer: as Inspect's own metrics count them."""

_ENDS = {"time": Status.timeout, "working": Status.timeout, "operator": Status.cancelled}
"""By the limit that ended a sample; any other (messages, tokens, context, cost) truncated it."""

_TAKEN = ("id", "epoch", "messages", "events", "transcript", "attachments")
"""Of a sample: told elsewhere in the record. Events hold the messages and model calls a second time."""


_USAGE = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "reasoning_tokens": "reasoning_tokens",
    "cached_tokens": "input_tokens_cache_read",
    "cost": "total_cost",
}


def matches(content: Content) -> bool:
    """Whether it is an evaluation log: a zip with its header, or an object with the keys of one."""
    if content.kind == "zip":
        return any(name in content.members for name in _HEADERS)
    found = content.data if content.kind == "object" else {}
    return {"version", "status", "eval"} <= found.keys() and isinstance(found["eval"], dict)


def read(content: Content) -> Foreign:
    """The samples of an Inspect log as rows, its metrics as claims; a log without samples has no rows.

    An epoch is a trial. The first scorer's value is the score, those of the others are hits without a share.
    Raises BadInput.
    """
    log = content.data
    if content.kind == "zip":
        log = content.member(next(name for name in _HEADERS if name in content.members))
    scorers = [as_dict(score) for score in as_list(dig(log, "results.scores"))]
    first = _names(scorers[0]) if scorers else ()
    faults: list[Fault] = []
    rows = [_row(sample, first, where, faults) for sample, where in _samples(content, log)]
    scored = any(not isinstance(row.score.value, Unscored) for row in rows)
    if not scored and faults and all(fault.kind == "no_score" for fault in faults):
        says = say("no sample has a score", "没有任何样本有分数")
        faults = [Fault(kind="no_score", case=None, where=str(content.path), says=says)]
    return Foreign(
        format="inspect",
        rows=tuple(rows),
        faults=tuple(faults),
        claims=_claims(scorers[0] if scorers else as_dict(log.get("results"))),
        parts=parts_of(log, rows),
        planned=_planned(log),
        told=_told(log, scorers),
        raw_output=any(row.record.turns for row in rows),
        rules=scored,
    )


def _samples(content: Content, log: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    for name in content.members:
        if name.startswith("samples/") and name.endswith(".json"):
            yield content.member(name), f"{content.path}!{name}"
    if content.kind == "object":
        for index, sample in enumerate(as_list(log.get("samples"))):
            yield as_dict(sample), f"{content.path} samples[{index}]"


def _row(sample: dict[str, Any], first: Sequence[str], where: str, faults: list[Fault]) -> Row:
    epoch = sample.get("epoch", 1)
    if not isinstance(sample.get("id"), int | str) or not isinstance(epoch, int) or epoch < 1:
        raise broken(say("a sample without id or epoch", "样本缺少 id 或 epoch"), where)
    found = of_list(_resolved(sample.get("messages"), as_dict(sample.get("attachments"))))
    turns = chat.turns(found)
    status, failure = _ended(sample)
    extra = {key: value for key, value in sample.items() if key not in _TAKEN}
    if turns and extra.get("input") == turns[0].user:
        del extra["input"]
    if isinstance(output := extra.get("output"), dict):
        extra["output"] = {key: output[key] for key in output if key not in ("choices", "completion")}
    record = Record(
        case=str(sample["id"]),
        trial=epoch - 1,
        status=status,
        started=as_time(sample.get("started_at")),
        ended=as_time(sample.get("completed_at")),
        turns=(*turns[:-1], _with_output(turns[-1], sample)) if turns else (),
        system=system_of(found),
        failure=failure,
        extra=extra,
    )
    return Row(record=record, score=_score(sample, first, record.case, where, faults))


def _resolved(value: Any, attachments: Mapping[str, Any]) -> Any:
    """Long texts are kept apart and named by `attachment://`."""
    if isinstance(value, str):
        return attachments.get(value[13:], value) if value[:13] == "attachment://" else value
    if isinstance(value, list):
        return [_resolved(item, attachments) for item in value]
    if isinstance(value, dict):
        return {key: _resolved(item, attachments) for key, item in value.items()}
    return value


def _with_output(last: Turn, sample: Mapping[str, Any]) -> Turn:
    """The last turn with what the sample tells of its replies: model, usage of all its calls, ending."""
    output = as_dict(sample.get("output"))
    choice = as_dict(next(iter(as_list(output.get("choices"))), None))
    used = [as_dict(usage) for usage in as_dict(sample.get("model_usage")).values()]
    return msgspec.structs.replace(
        last,
        model=as_text(output.get("model")),
        finish_reason=as_text(choice.get("stop_reason")),
        # Of several models, some may be graders.
        usage=usage_of(used[0], _USAGE) if output and len(used) == 1 else None,
    )


def _ended(sample: Mapping[str, Any]) -> tuple[Status, Failure | None]:
    """An error is no answer of the agent, and neither is what a limit cut off, though Inspect scores it."""
    if error := sample.get("error"):
        return failed(str(as_dict(error).get("message", error)))
    if limit := sample.get("limit"):
        kind = str(as_dict(limit).get("type", limit))
        at = as_number(as_dict(limit).get("limit"))
        message = kind if at is None else f"{kind} limit {at:g}"
        return _ENDS.get(kind, Status.truncated), Failure(kind=f"{kind}_limit", message=message)
    return Status.completed, None


def _score(
    sample: Mapping[str, Any], first: Sequence[str], case: str, where: str, faults: list[Fault]
) -> Score:
    marks = sample.get("scores") or ({"score": sample["score"]} if sample.get("score") else {})
    found = [one for name, score in as_dict(marks).items() for one in _values(name, score)]
    found.sort(key=lambda one: next((at for at, name in enumerate(first) if one[0].startswith(name)), 9))
    value = found[0][1] if found else NoScore("no_score", say("no score", "没有分数"))
    if isinstance(value, NoScore) and (found or not sample.get("error")):
        faults.append(Fault(kind=value.kind, case=case, where=where, says=value.says))
    if not found:
        return withheld(str(value))
    hits = [
        Hit(rule=name, met=None if isinstance(one, NoScore) else one >= 1.0, share=float(not at), why=why)
        for at, (name, one, why) in enumerate(found)
    ]
    return Score(
        value=Unscored(why=value.says) if isinstance(value, NoScore) else value,
        hits=tuple(hits),
        useful=Unscored(why=say("as given by Inspect", "由 Inspect 给出")),
    )


def _values(name: str, score: Any) -> Iterator[tuple[str, float | NoScore, str]]:
    """A scorer's value, or each of its values where it gives several by name: as a number, and as given."""
    value = score.get("value") if isinstance(score, dict) else score
    values: dict[str, Any] = {name: value}
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        values = {f"{name}.{key}": one for key, one in pairs}
    for key, one in values.items():
        try:
            number: float | NoScore = _GRADES[one] if isinstance(one, str) and one in _GRADES else mark(one)
        except NoScore as error:
            number = error
        yield key, number, plain(one)[:80]


def _names(score: Mapping[str, Any]) -> tuple[str, ...]:
    """How the values are called that a result is made of, likeliest first: one of a scorer's, or all."""
    scorer = str(score.get("scorer") or score.get("name"))
    return f"{scorer}.{score.get('name')}", scorer


def _claims(score: Mapping[str, Any]) -> dict[str, float]:
    """The metrics of the first scorer: those of Inspect's first version stand in the results themselves.

    None where epochs are reduced otherwise than by their mean: that is another figure. A standard error by
    clusters that the samples do not name is none either.
    """
    if score.get("reducer") not in (None, "mean"):
        return {}
    found = {}
    for name, metric in as_dict(score.get("metrics")).items():
        told = metric if isinstance(metric, dict) else {"value": metric}
        settings = as_dict(told.get("params") or told.get("options"))
        if not settings.get("cluster"):
            found[name.rpartition("/")[2]] = as_number(told.get("value"))
    return without_none(found)


def _planned(log: Mapping[str, Any]) -> int | None:
    """The samples that were chosen, by the epochs; what the results say where the log does not tell."""
    chosen = as_list(dig(log, "eval.dataset.sample_ids"))
    if chosen:
        return len(chosen) * (as_count(dig(log, "eval.config.epochs")) or 1)
    return as_count(dig(log, "results.total_samples"))


_TOLD = {
    "status": "status",
    "task": "eval.task",
    "created": "eval.created",
    "dataset_samples": "eval.dataset.samples",
    "limit": "eval.config.limit",
    "epochs": "eval.config.epochs",
    "reducer": "eval.config.epochs_reducer",
    "completed": "results.completed_samples",
    "error": "error.message",
}


def _told(log: Mapping[str, Any], scorers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    others = {str(score.get("name")): score.get("metrics") for score in scorers[1:]}
    told = {name: dig(log, path) for name, path in _TOLD.items()}
    return without_none(told | {"other_scorers": others or None})
