"""Results of promptfoo: `-o results.json` (one object), `.jsonl` (a line a result), `.csv` (a row a test)."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fairtrial.records.fingerprint import part, unknown
from fairtrial.records.interop import chat, promptfoo_csv
from fairtrial.records.interop.content import Content, broken
from fairtrial.records.interop.failures import failed
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.marks import NoScore, mark, withheld
from fairtrial.records.interop.messages import Message, of_list, system_of
from fairtrial.records.interop.promptfoo_cases import condition_of, names_of, test_of, trials_of
from fairtrial.records.interop.shapes import (
    as_count,
    as_dict,
    as_list,
    as_number,
    as_text,
    dig,
    opened,
    plain,
    usage_of,
    without_none,
)
from fairtrial.schema.audit import Fault
from fairtrial.schema.fingerprint import Part
from fairtrial.schema.record import Failure, Record, Status, Turn
from fairtrial.schema.score import About, Hit, Row, Score, Unscored
from fairtrial.text.language import say

_ERROR = 2
"""`failureReason` of a result that is an error and not a failed assertion."""

_COUNTS = ("successes", "failures", "errors")

_USAGE = {"input_tokens": "prompt", "output_tokens": "completion", "cached_tokens": "cached", "cost": "cost"}


def matches(content: Content) -> bool:
    """Whether it is an object with promptfoo's results, lines of single results, or its table."""
    if content.kind == "csv":
        return promptfoo_csv.matches(content)
    if content.kind == "object" and isinstance(results := content.data.get("results"), dict):
        return isinstance(results.get("results"), list)
    return content.first.keys() >= {"prompt", "provider", "success", "score"}


def read(content: Content) -> Foreign:
    """The results as rows. Raises BadInput.

    A test is told by what it is (description, variables, assertions), so that its repeats are trials. Where
    the file has several prompts or providers, each with a test is a case of its own, the prompt and provider
    are its bucket, and the test is its cluster.
    """
    document = content.data if content.kind == "object" and "results" in content.data else {}
    outer = as_dict(document.get("results"))
    results = promptfoo_csv.results(content) if content.kind == "csv" else outer.get("results", content.items)
    for index, result in enumerate(results):
        if not isinstance(result, dict):
            raise broken(say("not a result of promptfoo", "不是 promptfoo 的结果"), _where(content, index))
    faults: list[Fault] = []
    names = names_of(results, document)
    conditions = [condition_of(result) for result in results]
    several = len(set(conditions)) > 1
    trials = trials_of(results, list(zip(names, conditions, strict=True)))
    rows = []
    for index, result in enumerate(results):
        name, condition = names[index], " / ".join(word for word in conditions[index] if word)
        case = f"{name} | {condition}" if several else name
        about = About(cluster=name, bucket=condition) if several else About()
        record = _record(result, case, trials[index])
        score = _score(result, record, _where(content, index), faults)
        rows.append(Row(record=record, score=score, about=about))
    stats = as_dict(outer.get("stats"))
    counts = without_none({name: as_count(stats.get(name)) for name in _COUNTS})
    return Foreign(
        format="promptfoo",
        rows=tuple(rows),
        faults=tuple(faults),
        claims=_claims(counts, results),
        parts=_parts(conditions, document, dict(zip(names, results, strict=True))),
        planned=sum(counts.values()) if counts else None,
        told=_told(document, conditions),
        raw_output=True,
        rules=any(hit.rule != "given" for row in rows for hit in row.score.hits),
    )


def _where(content: Content, index: int) -> str:
    if content.kind == "object":
        return f"{content.path} results[{index}]"
    return content.where(index) if content.kind != "csv" else str(content.path)


def _record(result: Mapping[str, Any], case: str, trial: int) -> Record:
    status: Status = Status.completed
    failure: Failure | None = None
    response = result.get("response")
    if _is_error(result):
        status, failure = failed(plain(result.get("error") or as_dict(response).get("error") or "error"))
    found = _prompt(result)
    output = response.get("output") if isinstance(response, dict) else response
    if output is not None and status.counts:
        found = [*found, {"role": "assistant", "content": plain(output)}]
    turns = chat.turns(found)
    return Record(
        case=case,
        trial=trial,
        status=status,
        session=str(result.get("id") or ""),
        turns=(*turns[:-1], _with_usage(turns[-1], result)) if turns else (),
        system=system_of(found),
        failure=failure,
        extra=_extra(result),
    )


def _is_error(result: Mapping[str, Any]) -> bool:
    reason = result.get("failureReason")
    if reason is not None:
        return bool(reason == _ERROR)
    # Before there were reasons, a failed assertion stood in `error` too.
    alone = result.get("error") and not result.get("gradingResult")
    return bool(as_dict(result.get("response")).get("error") or alone)


def _prompt(result: Mapping[str, Any]) -> list[Message]:
    """The prompt as it was sent: chat messages, or a text; the variables where the file has no more."""
    prompt = result.get("prompt")
    raw = prompt.get("raw") if isinstance(prompt, dict) else prompt
    told = as_list(opened(raw))
    if told and all("role" in as_dict(one) for one in told):
        return of_list(told)
    if raw is None:
        raw = "\n".join(plain(value) for value in as_dict(result.get("vars")).values())
    return [{"role": "user", "content": plain(raw)}]


def _with_usage(turn: Turn, result: Mapping[str, Any]) -> Turn:
    response = as_dict(result.get("response"))
    used = as_dict(result.get("tokenUsage")) or as_dict(response.get("tokenUsage"))
    latency = as_number(result.get("latencyMs"))
    return msgspec.structs.replace(
        turn,
        seconds=None if latency is None else latency / 1000,
        model=condition_of(result)[1] or None,
        finish_reason=as_text(response.get("finishReason")),
        usage=usage_of(used | {"cost": result.get("cost")}, _USAGE) if used else None,
    )


def _extra(result: Mapping[str, Any]) -> dict[str, Any]:
    """All else of the result; the prompt and the output are in the turn."""
    extra = {key: value for key, value in result.items() if key not in ("id", "prompt", "response")}
    for key, told in (("prompt", ("raw", "display")), ("response", ("output", "raw"))):
        if isinstance(result.get(key), dict) and (
            rest := {name: value for name, value in result[key].items() if name not in told}
        ):
            extra[key] = rest
    if extra.get("vars") == as_dict(extra.get("testCase")).get("vars"):
        extra.pop("vars", None)
    return extra


def _score(result: Mapping[str, Any], record: Record, where: str, faults: list[Fault]) -> Score:
    """The score as given, its assertions as hits; an error has none."""
    if record.failure:
        return withheld(record.failure.message)
    value: float | Unscored
    try:
        value = mark(result.get("score"))
    except NoScore as error:
        faults.append(Fault(kind=error.kind, case=record.case, where=where, says=error.says))
        value = Unscored(why=error.says)
    grading = as_dict(result.get("gradingResult"))
    hits = [_hit(one) for one in as_list(grading.get("componentResults")) if isinstance(one, dict)]
    if not hits:
        reason = as_text(grading.get("reason")) or ""
        hits = [Hit(rule="given", met=_flag(result.get("success")), share=1.0, why=reason[:200])]
    unmeasured = Unscored(why=say("not measured there", "那里没有测量"))
    return Score(value=value, hits=tuple(hits), useful=unmeasured)


def _hit(component: Mapping[str, Any]) -> Hit:
    rule = as_dict(component.get("assertion"))
    weight, partial = as_number(rule.get("weight")), as_number(component.get("score"))
    wanted = rule.get("value")
    why = as_text(component.get("reason")) or ""
    if partial not in (None, 0.0, 1.0):
        why = say(f"score {partial:g}; {why}", f"得分 {partial:g}；{why}")
    return Hit(
        rule=str(rule.get("metric") or rule.get("type") or "assertion")
        + ("" if wanted is None else f": {plain(wanted)[:80]}"),
        met=_flag(component.get("pass")),
        share=1.0 if weight is None or weight < 0 else weight,
        why=why[:200],
    )


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _claims(counts: Mapping[str, int], results: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The counts that the file states.

    A test with a threshold may succeed below a score of 1: successes are then no claim about scores.
    """
    as_scored = all(bool(r.get("success")) == (r.get("score") == 1) for r in results if not _is_error(r))
    return {name: float(count) for name, count in counts.items() if as_scored or name == "errors"}


_TOLD = {
    "evaluation": "evalId",
    "description": "config.description",
    "created": "results.timestamp",
    "repeat": "runtimeOptions.repeat",
    "cache": "runtimeOptions.cache",
}


def _told(document: Mapping[str, Any], conditions: Sequence[tuple[str, str]]) -> dict[str, Any]:
    stats = as_dict(dig(document, "results.stats"))
    told = {name: dig(document, path) for name, path in _TOLD.items()} | {
        "conditions": len(set(conditions)),
        "stats": {name: value for name, value in stats.items() if as_number(value) is not None} or None,
    }
    return without_none(told)


def _parts(
    conditions: Sequence[tuple[str, str]], document: Mapping[str, Any], named: Mapping[str, Mapping[str, Any]]
) -> dict[str, Part]:
    metadata = as_dict(document.get("metadata"))
    prompts, models = (sorted({condition[side] for condition in conditions}) for side in (0, 1))
    tests = {name: test_of(result) for name, result in named.items()}
    parts = {
        "model": part(models, ", ".join(models)),
        "prompt": part(prompts, say(f"{len(prompts)} prompts", f"{len(prompts)} 个提示词")),
        "cases": part(tests, say(f"{len(tests)} tests", f"{len(tests)} 个测试")),
        "sampling": _sampling(as_list(dig(document, "config.providers"))),
    }
    version = metadata.get("promptfooVersion")
    machine = [metadata[key] for key in ("platform", "arch", "nodeVersion") if metadata.get(key)]
    at_once = dig(document, "runtimeOptions.maxConcurrency")
    told = (
        ("scorer", version, f"promptfoo {version}"),
        ("system", machine, " ".join(map(str, machine))),
        ("concurrency", at_once, str(at_once)),
    )
    return parts | {name: part(value, says) for name, value, says in told if value}


def _sampling(providers: Sequence[Any]) -> Part:
    """What the providers were given, where the file has its configuration."""
    if not providers:
        return unknown(say("the file does not tell", "文件未说明"))
    settings = [one.get("config") if isinstance(one, dict) else None for one in providers]
    return part(settings, say("as configured", "按配置") if any(settings) else say("nothing set", "未设置"))
