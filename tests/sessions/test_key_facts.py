"""Where key facts stand, and where something may be changed."""

import pytest

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit, Split
from fairtrial.schema.rule import State, ToolCalled
from fairtrial.sessions.probes.spans import free_spans, key_facts, key_spans, key_turn, tongue_of


def case_of(*turns: str, **more: object) -> Case:
    return Case.model_validate({"id": "a", "input": turns, "rules": (), **more})


def facts(case: Case, turn: int = 0) -> list[tuple[str, str]]:
    return [(case.input[turn][fact.start : fact.end], fact.kind) for fact in key_facts(case, turn)]


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("我要退款，订单号 JD2024111138271", [("JD2024111138271", "order_number")]),
        ("订单号是ＪＤ２０２４１１１１３８２７１", [("ＪＤ２０２４１１１１３８２７１", "order_number")]),
        ("The order number is US 2024 1112 21456.", [("US 2024 1112 21456", "order_number")]),
        ("手机号是 18800003333", [("18800003333", "phone")]),
        ("My phone number is 617-555-0123.", [("617-555-0123", "phone")]),
        ("Refund me $500 for it", [("$500", "amount")]),
        ("11月15日买的，花了 459.00 元", [("11月15日", "date"), ("459.00 元", "amount")]),
        ("send it to 12 Main Street, Boston", [("12 Main Street, Boston", "place")]),
        ("寄到北京市海淀区中关村大街 1 号", [("北京市海淀区中关村大街 1 号", "place")]),
        ("你好，在吗", []),
        ("Thanks a lot!", []),
    ],
)
def test_facts_are_recognised_in_both_languages(turn: str, expected: list[tuple[str, str]]) -> None:
    assert facts(case_of(turn)) == expected


def test_what_the_case_names_and_its_rules_ask_for_are_facts() -> None:
    rules = (
        ToolCalled(rule="tool_called", tool="exchange", args={"to": "黑色 L", "n": 1}),
        State(rule="state", path="$.x", equals={"note": ["轻放"]}),
    )
    case = case_of("换成黑色 L，轻放，谢谢王姐", rules=rules, key_facts=("王姐", "没有这个"))
    assert facts(case) == [("黑色 L", "fact"), ("轻放", "fact"), ("王姐", "fact")]


def test_free_is_what_holds_no_fact_and_no_step_changes() -> None:
    steps = (
        Edit(do="edit", start=0, end=2, text="x"),
        Edit(do="edit", start=4, end=4, text="y"),
        Split(do="split", at=3),
    )
    case = case_of("我要退款，订单号 JD2024111138271 谢谢", disturb=steps)
    text = case.input[0]
    assert [text[start:end] for start, end in free_spans(case, 0)] == ["退", "款", "，订单号 ", " 谢谢"]


def test_the_key_turn_is_the_first_with_a_fact_or_the_longest() -> None:
    assert key_turn(case_of("你好", "查一下 JD2024111138271", "JD2024111138272 呢")) == 1
    assert key_turn(case_of("你好", "我要投诉你们", "快点")) == 1


def test_a_turn_that_shows_no_language_has_that_of_the_others() -> None:
    assert tongue_of(case_of("你好，我的包裹到哪了", "13601020304"), 1) == "zh"
    assert tongue_of(case_of("Where is my parcel?", "503-555-0199"), 1) == "en"
    assert tongue_of(case_of("帮我 track 一下", "Thanks!"), 1) == "en"
    assert tongue_of(case_of("12345"), 0) == "en"


def test_key_spans_do_not_touch_each_other() -> None:
    assert key_spans(case_of("JD2024111138271", key_facts=("JD20241111", "38271")), 0) == ((0, 15),)
