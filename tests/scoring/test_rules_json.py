import json
from typing import Any

import pytest
from rulebook import hit, met, record

from fairtrial.errors import BadInput

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"状态": {"enum": ["已发货", "待发货"]}, "days": {"type": "integer", "minimum": 1}},
    "required": ["状态"],
}
GOOD = '{"状态": "已发货", "days": 3}'


class TestJsonSchema:
    @pytest.mark.parametrize(
        "reply",
        [
            GOOD,
            f" {GOOD}\n",
            f"\ufeff{GOOD}",
            f"```json\n{GOOD}\n```",
            f"```json\r\n{GOOD}\r\n```\r\n",
            f"~~~\n{GOOD}\n~~~",
            f"````\n{GOOD}\n````",
            f"Here: ```json\n{GOOD}\n```",
            f"给您：\n```\n{GOOD}\n```\n请查收。",
            '```\n{"状态": "已发货", "note": "```x```"}\n```',
        ],
    )
    def test_a_reply_or_its_one_fenced_block_is_checked(self, reply: str) -> None:
        assert met(reply, "json_schema", schema=SCHEMA)

    @pytest.mark.parametrize(
        ("reply", "why"),
        [
            ("", "is not JSON"),
            ("已发货", "is not JSON"),
            ("{'状态': '已发货'}", "is not JSON"),
            ('{"状态": NaN}', "is not JSON"),
            (GOOD + GOOD, "is not JSON"),
            (f"```\n{GOOD}\n```\n```\n{GOOD}\n```", "2 fenced blocks"),
            ('{"days": 3}', "状态"),
            ('{"状态": "已发货", "days": 0}', "$['days']"),
            ("[" * 100_000, "is not JSON"),
            ("\ud800", "is not JSON"),
        ],
    )
    def test_a_miss_says_what_is_wrong(self, reply: str, why: str) -> None:
        found = hit(reply, "json_schema", schema=SCHEMA)
        assert found.met is False
        assert why in found.why

    def test_many_fences_without_an_end_return(self) -> None:
        assert not met("```x\n" * 50_000, "json_schema", schema={})

    def test_a_catastrophic_pattern_returns(self) -> None:
        assert not met(json.dumps("a" * 50_000 + "!"), "json_schema", schema={"pattern": "^(a+)+$"})

    @pytest.mark.parametrize(
        "schema",
        [{"type": "strin"}, {"pattern": "(?=a)"}, {"pattern": r"(a)\1"}, {"$ref": "http://x.invalid/s"}],
    )
    def test_a_bad_schema_is_bad_input_and_no_address_is_asked(self, schema: dict[str, Any]) -> None:
        with pytest.raises(BadInput, match="not a usable JSON Schema"):
            met("1", "json_schema", schema=schema)

    def test_over_all_every_reply_is_checked(self) -> None:
        assert met(record("1", "2"), "json_schema", schema={"type": "integer"}, over="all")
        assert not met(record('"a"', "2"), "json_schema", schema={"type": "integer"}, over="all")


class TestJsonPath:
    def test_a_value_exists_or_equals(self) -> None:
        reply = '{"order": {"id": "A1", "items": [{"价格": 12.0}, {"价格": 20}], "note": null}}'
        assert met(reply, "json_path", path="$.order.id")
        assert met(reply, "json_path", path="$.order.note")
        assert met(reply, "json_path", path="$.order.note", equals=None)
        assert met(reply, "json_path", path="$.order.items[*]['价格']", equals=20)
        assert met(reply, "json_path", path="$.order.items[0]['价格']", equals=12)
        assert met(reply, "json_path", path="$.order.items[?@['价格'] > 15]")
        assert met(reply, "json_path", path="$.order.items[1]", equals={"价格": 20.0})

    def test_a_miss_says_what_is_there(self) -> None:
        assert hit('{"a": 1}', "json_path", path="$.b").why == "nothing at $.b"
        assert hit('{"a": 1}', "json_path", path="$.a", equals=2).why == "at $.a: 1, not 2"
        assert "is not JSON" in hit("a", "json_path", path="$.a").why
        assert "nested too deeply" in hit("[" * 300 + "]" * 300, "json_path", path="$..a").why

    @pytest.mark.parametrize(
        ("text", "equals"), [("true", 1), ("1", True), ("0", False), ('"1"', 1), ("null", 0)]
    )
    def test_truth_is_no_number_and_a_text_is_none(self, text: str, equals: Any) -> None:
        assert not met(f'{{"a": {text}}}', "json_path", path="$.a", equals=equals)

    def test_match_and_search_run_in_linear_time(self) -> None:
        reply = json.dumps({"a": ["a" * 50_000 + "!", "订单 A1"]})
        assert not met(reply, "json_path", path="$.a[?match(@, '(a+)+')]")
        assert met(reply, "json_path", path="$.a[?search(@, '订单 [A-Z][0-9]')]")
        assert not met(reply, "json_path", path="$.a[?match(@, '订单')]")

    def test_a_pattern_out_of_the_reply_cannot_raise(self) -> None:
        assert not met('{"p": "(", "a": ["x"]}', "json_path", path="$.a[?match(@, $.p)]")
        assert not met('{"p": 1, "a": ["x"]}', "json_path", path="$.a[?search(@, $.p)]")

    @pytest.mark.parametrize("path", ["a", "$.a[", "$[?nothing(@)]", "$.a[?match(@, '(?=a)')]"])
    def test_a_bad_path_or_pattern_is_bad_input(self, path: str) -> None:
        with pytest.raises(BadInput):
            met("{}", "json_path", path=path)


class TestState:
    def test_the_last_state_shown_is_looked_at(self) -> None:
        session = record("好的", state={"order": {"status": "已退款"}, "count": 1})
        assert met(session, "state", path="$.order.status")
        assert met(session, "state", path="$.order.status", equals="已退款")
        assert met(session, "state", path="$.count", equals=1.0)
        assert not met(session, "state", path="$.count", equals=True)
        assert hit(session, "state", path="$.order.status", equals="已发货").why == (
            "at $.order.status: 已退款, not 已发货"
        )

    def test_an_agent_without_state_does_not_meet_it(self) -> None:
        found = hit("ok", "state", path="$.a")
        assert found.met is False
        assert found.why == "the agent showed no state"
