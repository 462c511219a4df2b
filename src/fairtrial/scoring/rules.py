"""Rules made executable: compiled once, then asked of each record."""

from collections.abc import Callable, Mapping
from typing import Any

from fairtrial.schema import rule as written
from fairtrial.schema.record import Record
from fairtrial.schema.rule import Rule
from fairtrial.schema.score import Hit
from fairtrial.scoring import rules_claims, rules_json, rules_python, rules_texts, rules_tools, rules_values
from fairtrial.scoring.reading import Reading
from fairtrial.scoring.rules_texts import Check

_COMPILERS: Mapping[type, Callable[[Any], Check]] = {
    written.Contains: rules_texts.contains_all,
    written.ContainsAll: rules_texts.contains_all,
    written.ContainsAny: rules_texts.contains_any,
    written.ContainsNone: rules_texts.contains_none,
    written.Equals: rules_texts.equals,
    written.Length: rules_texts.length,
    written.NoRefusal: rules_texts.no_refusal,
    written.Info: rules_values.info,
    written.Number: rules_values.number,
    written.JsonSchema: rules_json.json_schema,
    written.JsonPath: rules_json.json_path,
    written.State: rules_json.state,
    written.Claim: rules_claims.claim,
    written.ToolCalled: rules_tools.tool_called,
    written.ToolNotCalled: rules_tools.tool_not_called,
    written.ToolsInOrder: rules_tools.tools_in_order,
    written.PythonRule: rules_python.python,
}


def prepare(rule: Rule) -> Callable[[Reading], Hit]:
    """As `compile_rule`, for a reading that several rules share."""
    check = _COMPILERS[type(rule)](rule)
    kept = Hit(rule=rule.rule, met=True, share=rule.share, critical=rule.critical)

    def apply(reading: Reading) -> Hit:
        met, why = check(reading)
        if met:
            return kept
        return Hit(rule=rule.rule, met=met, share=rule.share, critical=rule.critical, why=why)

    return apply


def compile_rule(rule: Rule) -> Callable[[Record], Hit]:
    """The function that applies a rule to a record.

    Raises BadInput for a pattern that RE2 refuses, a path or schema that is none, a function that
    cannot be imported. The record's status is not looked at.
    """
    apply = prepare(rule)
    return lambda record: apply(Reading(record))
