"""What `expect` and `expected` may be, and which rules they mean."""

import pytest
from pydantic import TypeAdapter

from fairtrial.cases.forms import RULES, rules_from
from fairtrial.errors import BadInput
from fairtrial.schema.rule import Rule


@pytest.mark.parametrize(
    ("expect", "rules"),
    [
        ("3-5个工作日", [{"rule": "contains", "text": "3-5个工作日"}]),
        (["退款", "refund"], [{"rule": "contains", "text": "退款"}, {"rule": "contains", "text": "refund"}]),
        ({"rule": "number", "value": 3}, [{"rule": "number", "value": 3}]),
        (
            ["退款", {"rule": "number", "value": 3, "weight": 2}],
            [{"rule": "contains", "text": "退款"}, {"rule": "number", "value": 3, "weight": 2}],
        ),
        ({"required_fields": ["订单号"]}, [{"rule": "contains", "text": "订单号"}]),
        ({"required_fields": "JD2024"}, [{"rule": "contains", "text": "JD2024"}]),
        (
            {
                "forbidden_phrases": ["请提供订单号", "no idea"],
                "required_fields": ["a"],
                "criteria": ["礼貌"],
            },
            [
                {"rule": "contains", "text": "a"},
                {
                    "rule": "contains_none",
                    "texts": ["请提供订单号", "no idea"],
                    "critical": True,
                    "over": "all",
                },
            ],
        ),
        ({"criteria": ["The answer should be polite", "回答要合理"]}, []),
        ({"rule": "contains", "text": "回答要合理"}, [{"rule": "contains", "text": "回答要合理"}]),
        ([], []),
    ],
)
def test_written_forms_and_their_rules(expect: object, rules: list[dict[str, object]]) -> None:
    assert rules_from(expect) == rules
    TypeAdapter(list[Rule]).validate_python(rules_from(expect))


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("回答要合理", "not executable"),
        ("The answer should be polite and mention the refund", "not executable"),
        (["ok", "must contain an order number"], "not executable"),
        ({"rule": "回答要合理"}, "not executable"),
        ({"rule": "answer should be polite"}, "not executable"),
        ({"check": "must be reasonable"}, "not executable"),
        ({"required_fields": ["必须包含订单号"]}, "not executable"),
        ({"forbidden_phrases": ["不能出现兜底话术"]}, "not executable"),
        ({"rule": "contain", "text": "a"}, "did you mean `contains`?"),
        ({"rule": "tool-called", "tool": "a"}, "did you mean `tool_called`?"),
        ({"rule": "sentiment"}, "unknown rule `sentiment`"),
        ({"rule": "包含", "text": "a"}, "unknown rule `包含`"),
        ({"rule": "mentions the date of the refund"}, "not executable"),
        ({"keyword": "退款"}, "the object has no `rule`"),
        ({"rule": 3}, "`rule` must name a rule, not 3"),
        ({"rule": ""}, "`rule` must name a rule"),
        ({"contains": "x"}, "`contains` is written as a field"),
        ({"text": "x"}, "the object has no `rule`"),
        ({}, "the object has no `rule`"),
        ({"必含": ["退款"]}, "or write required_fields, forbidden_phrases, criteria"),
        ({"required_fields": ["a"], "forbiden_phrases": ["b"]}, "did you mean `forbidden_phrases`?"),
        ({"required_fields": [3]}, "a text is needed here, not 3"),
        ({"criteria": {"a": 1}}, "a text is needed here"),
        (7, 'write {"rule": "number", "value": 7}'),
        (True, "a text is needed here, not true"),
        (None, "a text is needed here, not null"),
        ("", "the text is empty"),
        (["a", ["b"]], "a text is needed here"),
    ],
)
def test_what_is_no_rule_is_refused(expect: object, message: str) -> None:
    with pytest.raises(BadInput) as refusal:
        rules_from(expect)
    assert message in str(refusal.value)


def test_a_refused_sentence_says_how_to_force_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    for language in ("en", "zh"):
        monkeypatch.setenv("FAIRTRIAL_LANG", language)
        with pytest.raises(BadInput) as refusal:
            rules_from(["x", "回答要合理"])
        assert refusal.value.where == "1"
        assert '{"rule": "contains", "text": "回答要合理"}' in refusal.value.how
        assert "not executable" in refusal.value.what


def test_the_rules_are_those_of_the_schema() -> None:
    assert len(RULES) == 17
    assert {"contains", "json_schema", "tools_in_order", "python"} <= set(RULES)


def test_nesting_has_a_bound() -> None:
    deep: object = 1
    for _ in range(300):
        deep = [deep]
    with pytest.raises(BadInput, match="nested more than 100 deep"):
        rules_from({"rule": "tool_called", "tool": "a", "args": {"a": deep}})
