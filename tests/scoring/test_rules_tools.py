from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulebook import called, hit, met, record

from fairtrial.schema.record import Call, Say
from fairtrial.scoring.values import covers, same

SESSION = called(
    ("search", {"城市": "杭州", "filters": {"stars": 4, "wifi": True}, "ids": [1, 2]}),
    ("book", '{"hotel": "A", "nights": 2.0}'),
    ("search", {}),
    ("pay", "not json"),
)


class TestToolCalled:
    @pytest.mark.parametrize(
        ("tool", "args"),
        [
            ("search", {}),
            ("search", {"城市": "杭州"}),
            ("search", {"filters": {"stars": 4.0}}),
            ("search", {"ids": [1, 2]}),
            ("book", {"nights": 2}),
            ("pay", {}),
        ],
    )
    def test_a_subset_of_the_arguments_is_enough(self, tool: str, args: dict[str, Any]) -> None:
        assert met(SESSION, "tool_called", tool=tool, args=args)

    @pytest.mark.parametrize(
        ("tool", "args"),
        [
            ("refund", {}),
            ("Search", {}),
            ("search", {"城市": "北京"}),
            ("search", {"filters": {"wifi": 1}}),
            ("search", {"ids": [1]}),
            ("search", {"ids": [2, 1]}),
            ("search", {"stars": 4}),
            ("pay", {"amount": 1}),
        ],
    )
    def test_another_tool_or_argument_is_a_miss(self, tool: str, args: dict[str, Any]) -> None:
        assert not met(SESSION, "tool_called", tool=tool, args=args)

    def test_calls_are_counted(self) -> None:
        assert met(SESSION, "tool_called", tool="search", at_least=2, at_most=2)
        assert not met(SESSION, "tool_called", tool="search", at_least=3)
        assert not met(SESSION, "tool_called", tool="search", at_most=1)

    def test_a_miss_names_the_calls_there_were(self) -> None:
        assert hit(SESSION, "tool_called", tool="refund").why == (
            "refund called 0 times; calls: search, book, search, pay"
        )
        assert '"城市": "杭州"' in hit(SESSION, "tool_called", tool="search", args={"城市": "北京"}).why
        assert hit("hi", "tool_called", tool="refund").why == "refund called 0 times; calls: none"

    def test_a_call_that_failed_was_made(self) -> None:
        session = record("sorry", steps=(Call(name="pay", error="declined"), Say(text="hm")))
        assert met(session, "tool_called", tool="pay")
        assert not met(session, "tool_not_called", tool="pay")

    def test_calls_of_earlier_turns_and_of_a_turn_without_reply_count(self) -> None:
        session = record(None, steps=(Call(name="pay"),))
        assert met(session, "tool_called", tool="pay")


class TestToolNotCalled:
    def test_only_a_call_with_these_arguments_breaks_it(self) -> None:
        assert met(SESSION, "tool_not_called", tool="refund")
        assert met(SESSION, "tool_not_called", tool="search", args={"城市": "北京"})
        found = hit(SESSION, "tool_not_called", tool="search", args={"城市": "杭州"})
        assert found.met is False
        assert "search" in found.why
        assert met("hello", "tool_not_called", tool="refund")


class TestToolsInOrder:
    def test_others_may_stand_between(self) -> None:
        calls = [{"tool": "search"}, {"tool": "pay"}]
        assert met(SESSION, "tools_in_order", calls=calls)
        assert met(SESSION, "tools_in_order", calls=[{"tool": "search"}, {"tool": "search"}])
        assert met(
            SESSION, "tools_in_order", calls=[{"tool": "book", "args": {"hotel": "A"}}, {"tool": "search"}]
        )

    def test_the_wrong_order_or_a_call_too_few_is_a_miss(self) -> None:
        assert not met(SESSION, "tools_in_order", calls=[{"tool": "pay"}, {"tool": "search"}])
        assert not met(SESSION, "tools_in_order", calls=[{"tool": "book"}, {"tool": "book"}])
        found = hit(SESSION, "tools_in_order", calls=[{"tool": "book"}, {"tool": "refund"}])
        assert "no refund in its turn" in found.why


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_a_value_is_the_same_as_itself_and_covers_itself(value: Any) -> None:
    assert same(value, value)
    assert covers(value, value)


@given(JSON, JSON)
def test_sameness_is_covering_both_ways(one: Any, other: Any) -> None:
    assert same(one, other) == same(other, one)
    assert same(one, other) == (covers(one, other) and covers(other, one))


@given(st.dictionaries(st.text(max_size=2), JSON), st.sets(st.text(max_size=2)))
def test_an_object_covers_itself_without_some_keys(whole: dict[str, Any], dropped: set[str]) -> None:
    assert covers(whole, {key: value for key, value in whole.items() if key not in dropped})


def test_truth_is_no_number() -> None:
    assert same(1, 1.0)
    assert not same(True, 1)
    assert not same(0, False)
    assert not same(None, False)
    assert not same("1", 1)
