"""Rules on structured values: JSON replies, and the state that an agent shows."""

from collections.abc import Callable
from typing import Any

from fairtrial.errors import BadInput
from fairtrial.schema.rule import JsonPath, JsonSchema, State
from fairtrial.scoring.reading import NotJson, Reading, shown
from fairtrial.scoring.rules_texts import MET, Check, Finding
from fairtrial.scoring.values import same
from fairtrial.text.language import say


def _at(rule: JsonPath | State) -> Callable[[Any], Finding]:
    """Whether the path finds something in a value, or what `equals` says."""
    from fairtrial.scoring.rules_paths import compile_path

    find, equals, compares, path = compile_path(rule.path), rule.equals, rule.compares, rule.path

    def look(value: Any) -> Finding:
        try:
            found = find(value)
        except RecursionError:
            return False, say(f"nested too deeply for {path}", f"嵌套过深，{path} 无法查找")
        if not found:
            return False, say(f"nothing at {path}", f"{path} 处没有值")
        if not compares or any(same(one, equals) for one in found):
            return MET
        there = ", ".join(shown(one, 60) for one in found[:3])
        return False, say(
            f"at {path}: {there}, not {shown(equals)}", f"{path} 处是 {there}，不是 {shown(equals)}"
        )

    return look


def _each(look: Callable[[Any], Finding], rule: JsonPath | JsonSchema) -> Check:
    """Every reply looked at is JSON, and passes."""

    def check(reading: Reading) -> Finding:
        try:
            values = reading.values(rule.over)
        except NotJson as error:
            return False, say(f"is not JSON: {error}", f"不是 JSON：{error}")
        return next((finding for value in values if not (finding := look(value))[0]), MET)

    return check


def json_path(rule: JsonPath) -> Check:
    """The replies are JSON, with a value at the path."""
    return _each(_at(rule), rule)


def state(rule: State) -> Check:
    """The last state that the agent showed has a value at the path."""
    look = in_state(rule)
    return lambda reading: look(reading.record.state)


def in_state(rule: State) -> Callable[[Any], Finding]:
    """Whether a state, None where the agent showed none, has a value at the path."""
    look = _at(rule)

    def check(state: Any) -> Finding:
        if state is None:
            return False, say("the agent showed no state", "Agent 没有给出状态")
        return look(state)

    return check


def json_schema(rule: JsonSchema) -> Check:
    """The replies are JSON, valid against the schema; patterns run in linear time, no address is asked."""
    from jsonschema_rs import Draft202012Validator, RegexOptions, ValidationError

    try:
        validator = Draft202012Validator(rule.json_schema, pattern_options=RegexOptions(), retriever=_refuse)
    except (ValidationError, ValueError) as error:
        what = getattr(error, "message", str(error))
        raise BadInput(
            say(f"not a usable JSON Schema: {what}", f"JSON Schema 不能用：{what}"),
            how=say(
                "draft 2020-12, patterns without look-around and back-references, no remote $ref",
                "用 2020-12 版；模式里不能有前瞻、后顾和反向引用；$ref 不能指向网址",
            ),
        ) from error

    def look(value: Any) -> Finding:
        if validator.is_valid(value):
            return MET
        fault = next(iter(validator.iter_errors(value)))
        place = "$" + "".join(f"[{step!r}]" for step in fault.instance_path)
        return False, f"{place}: {shown(fault.message)}"

    return _each(look, rule)


def _refuse(address: str) -> Any:
    raise ValueError(f"{address} is not fetched")
