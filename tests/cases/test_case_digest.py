"""The digest stays what it was, whatever way it is worked out: logs of earlier runs carry it."""

import hashlib
import json
from typing import Any

from fairtrial.cases.digest import digest
from fairtrial.schema.case import Case

RULES: list[dict[str, Any]] = [
    {"rule": "contains", "text": "退款", "weight": 2},
    {"rule": "contains", "pattern": r"A\d+", "critical": True},
    {"rule": "contains_all", "texts": ["a", "b"], "patterns": [], "case_sensitive": False},
    {"rule": "contains_any", "patterns": ["x|y"], "case_sensitive": True},
    {"rule": "contains_none", "texts": ["保证"], "critical": True, "over": "all", "weight": 1},
    {"rule": "info", "kind": "date", "at_least": 1},
    {"rule": "length", "min": 0, "max": 5, "unit": "words"},
    {"rule": "number", "value": 3, "tolerance": 0},
    {"rule": "equals", "text": "", "normalise": ["script"]},
    {"rule": "equals", "text": "x", "normalise": ["width", "case", "space"]},
    {"rule": "json_schema", "schema": {"type": "object", "properties": {"ä": {"const": None}}}},
    {"rule": "json_path", "path": "$.a"},
    {"rule": "json_path", "path": "$.a", "equals": None},
    {"rule": "state", "path": "$.b", "equals": {"z": [1, 2.5, True], "a": "\u2028"}},
    {"rule": "tool_called", "tool": "refund", "args": {}, "at_most": 3},
    {"rule": "tool_not_called", "tool": "refund", "args": {"id": 1}},
    {
        "rule": "tools_in_order",
        "calls": [{"tool": "a"}, {"tool": "b", "args": {"n": []}}, {"tool": "c", "args": {}}],
    },
    {"rule": "no_refusal", "phrases": ["抱歉"]},
    {"rule": "python", "function": "rules:check", "args": {"k": 0}},
]


def test_it_is_over_one_line_of_json_a_case_without_defaults() -> None:
    plain = Case.model_validate({"id": "b", "input": ["hi"], "rules": RULES, "weight": 1})
    full = Case.model_validate(
        {
            "id": "a",
            "input": ["你好", "再见"],
            "rules": RULES[:2],
            "criteria": ["礼貌"],
            "weight": 3,
            "tags": [],
            "context": None,
            "expected_score": 1,
            "version": 2,
            "changelog": [{"at": "2024", "what": None}, "x"],
        }
    )
    total = hashlib.sha256()
    for case in (full, plain):
        content = case.model_dump(by_alias=True, exclude_defaults=True)
        for written, rule in zip(content["rules"], case.rules, strict=True):
            written["weight"] = rule.share
            if "equals" in rule.model_fields_set:
                written["equals"] = rule.model_dump()["equals"]
        total.update(json.dumps(content, sort_keys=True, separators=(",", ":")).encode() + b"\n")

    assert digest([plain, full]) == total.hexdigest()
