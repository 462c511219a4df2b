"""What an Inspect log tells of its environment, part by part."""

from collections.abc import Mapping, Sequence
from typing import Any

from fairtrial.records.fingerprint import part, unknown
from fairtrial.records.interop.shapes import as_dict, as_list, without_none
from fairtrial.schema.fingerprint import Part
from fairtrial.schema.score import Row
from fairtrial.text.language import say

_NOT_SAMPLING = frozenset(
    ["max_connections", "max_retries", "timeout", "attempt_timeout", "seed", "batch", "cache_prompt"]
)


def parts_of(log: Mapping[str, Any], rows: Sequence[Row]) -> dict[str, Part]:
    """The parts that the log tells. A parameter that is not set is not in the file, and is not 0."""
    header, plan = as_dict(log.get("eval")), as_dict(log.get("plan"))
    settings = without_none(as_dict(header.get("model_generate_config")) | as_dict(plan.get("config")))
    sampling = {key: value for key, value in settings.items() if key not in _NOT_SAMPLING}
    parts = {
        "model": part([header.get("model"), as_dict(header.get("model_args"))], str(header.get("model"))),
        "sampling": part(sampling, _pairs(sampling) or say("nothing set", "未设置任何参数")),
        "agent": _agent(header, plan),
        "cases": _cases(header, rows),
        "scorer": _scorer(log, header),
    }
    if any(row.record.turns for row in rows):
        prompts = sorted({row.record.system or "" for row in rows})
        parts["prompt"] = part(prompts, say(f"{len(prompts)} texts", f"{len(prompts)} 份"))
    replied = sorted({turn.model for row in rows for turn in row.record.turns if turn.model})
    if replied:
        parts["reported"] = part([[model, ""] for model in replied], ", ".join(replied))
    for name, value in (
        ("judge", as_dict(header.get("model_roles")).get("grader")),
        ("seeds", settings.get("seed")),
        ("concurrency", settings.get("max_connections")),
        ("container", header.get("sandbox")),
        ("packages", header.get("packages")),
    ):
        if value:
            parts[name] = part(value, _pairs(value) if isinstance(value, dict) else str(value))
    return parts


def _agent(header: Mapping[str, Any], plan: Mapping[str, Any]) -> Part:
    """The task with its solvers, at the commit of its code."""
    revision = as_dict(header.get("revision"))
    what = [header.get("task"), as_dict(header.get("task_args")), plan.get("steps"), revision]
    commit = revision.get("commit")
    if not commit:
        return unknown(say(f"{header.get('task')}, no commit told", f"{header.get('task')}，未说明提交"))
    dirty = say(", uncommitted changes", "，有未提交的改动") if revision.get("dirty") else ""
    return part(what, f"{header.get('task')} @ {commit}{dirty}")


def _cases(header: Mapping[str, Any], rows: Sequence[Row]) -> Part:
    """The questions and targets where the samples are there, else only what the dataset is called."""
    dataset = as_dict(header.get("dataset"))
    name = str(dataset.get("name") or dataset.get("location") or header.get("task"))
    if not rows:
        return unknown(say(f"{name}, without its samples", f"{name}，没有样本"))
    asked = {}
    for row in rows:
        extra, turns = row.record.extra, row.record.turns
        asked[row.record.case] = [extra.get("input", turns[0].user if turns else None), extra.get("target")]
    return part(asked, say(f"{name}, {len(asked)} samples", f"{name}，{len(asked)} 个样本"))


def _scorer(log: Mapping[str, Any], header: Mapping[str, Any]) -> Part:
    scores = as_list(as_dict(log.get("results")).get("scores"))
    used = header.get("scorers") or [
        [score.get("scorer"), score.get("params")] for score in scores if isinstance(score, dict)
    ]
    if not isinstance(used, list) or not used:
        return unknown(say("no scorer", "没有评分器"))
    names = [str(one.get("name") if isinstance(one, dict) else one[0]) for one in used if one]
    return part(used, ", ".join(names))


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in values.items())
