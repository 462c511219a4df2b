"""Rules as people write them: strict, frozen, and with a share that a prohibition does not earn by itself."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from fairtrial.schema.rule import Rule

ADAPTER: TypeAdapter[Any] = TypeAdapter(Rule)

WRITTEN: list[dict[str, Any]] = [
    {"rule": "contains", "text": "退款"},
    {"rule": "contains", "pattern": r"JD\d+"},
    {"rule": "contains_all", "texts": ["a", "b"]},
    {"rule": "contains_any", "texts": ["a"], "patterns": ["b+"]},
    {"rule": "contains_none", "texts": ["请提供订单号"], "critical": True, "over": "all"},
    {"rule": "info", "kind": "order_number", "at_least": 2},
    {"rule": "length", "min": 10, "max": 200, "unit": "words"},
    {"rule": "number", "value": 1234.5, "tolerance": 0.01, "decimal": ","},
    {"rule": "equals", "text": "退款", "normalise": ["script"]},
    {"rule": "json_schema", "schema": {"type": "object"}},
    {"rule": "json_path", "path": "$.status", "equals": None},
    {"rule": "tool_called", "tool": "refund", "args": {"id": 7}, "at_most": 1},
    {"rule": "tool_not_called", "tool": "cancel"},
    {"rule": "tools_in_order", "calls": [{"tool": "look_up"}, {"tool": "refund", "args": {"id": 7}}]},
    {"rule": "state", "path": "$.address"},
    {"rule": "no_refusal", "phrases": ["无能为力"]},
    {"rule": "python", "function": "checks.rules:polite"},
]


@pytest.mark.parametrize("written", WRITTEN)
def test_what_is_written_is_what_comes_back(written: dict[str, Any]) -> None:
    rule = ADAPTER.validate_python(written)
    assert rule.model_dump(mode="json", by_alias=True, exclude_unset=True) == written
    assert hash(rule.rule)
    with pytest.raises(ValidationError):
        rule.weight = 3


@pytest.mark.parametrize(
    ("more", "share"),
    [
        ({}, 1.0),
        ({"weight": 3}, 3.0),
        ({"critical": True}, 0.0),
        ({"critical": True, "weight": 2}, 2.0),
    ],
)
def test_the_share_of_a_rule(more: dict[str, Any], share: float) -> None:
    assert ADAPTER.validate_python({"rule": "contains", "text": "a"} | more).share == share


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf"), True, "3"])
def test_a_weight_is_a_positive_number(weight: object) -> None:
    with pytest.raises(ValidationError):
        ADAPTER.validate_python({"rule": "contains", "text": "a", "weight": weight})


@pytest.mark.parametrize("name", ["json_path", "state"])
def test_null_is_a_value_that_can_be_asked_for(name: str) -> None:
    assert not ADAPTER.validate_python({"rule": name, "path": "$.a"}).compares
    assert ADAPTER.validate_python({"rule": name, "path": "$.a", "equals": None}).compares


def test_contradictions_are_said_in_the_language_of_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    both = {"rule": "contains", "text": "a", "pattern": "b"}
    with pytest.raises(ValidationError, match="one of them"):
        ADAPTER.validate_python(both)
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    with pytest.raises(ValidationError, match="只能有一个"):
        ADAPTER.validate_python(both)
